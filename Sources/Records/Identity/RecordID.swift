// The identity of a record: a UUID, held as two machine words so that a million of them are cheap.
// Nothing here draws random numbers, reads a clock or hashes: who makes an id passes the bits in.

/// A record's identity: a UUID, lower-case in text, 16 bytes big-endian in storage.
///
/// Version 7 (RFC 9562) for most records; version 5 of a fixed namespace where the record type
/// declares a natural key, so that two machines give the same key the same identity.
package struct RecordID: Hashable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A version 7 id (RFC 9562, 5.7).
  ///
  /// - Parameters:
  ///   - milliseconds: Since 1970 UTC; the lower 48 bits are used.
  ///   - random: Two random words, of which 74 bits are used.
  package init(version7 milliseconds: Int64, random: (UInt64, UInt64)) {
    let time = UInt64(truncatingIfNeeded: milliseconds) & 0xFFFF_FFFF_FFFF
    high = time << 16 | 0x7000 | random.0 & 0x0FFF
    low = random.1 & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
  }

  /// A version 5 id (RFC 9562, 5.5) of the first 16 bytes of a SHA-1 digest.
  package init?(version5Digest digest: some Collection<UInt8>) {
    guard let plain = RecordID(bytes: digest.prefix(16)) else { return nil }
    high = plain.high & ~0xF000 | 0x5000
    low = plain.low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
  }

  /// Reads the 16 bytes of ``bytes``; nothing for any other length.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    var words: (UInt64, UInt64) = (0, 0)
    for (index, byte) in bytes.enumerated() {
      if index < 8 {
        words.0 = words.0 << 8 | UInt64(byte)
      } else {
        words.1 = words.1 << 8 | UInt64(byte)
      }
    }
    self.init(high: words.0, low: words.1)
  }

  /// The same out of memory, as the store reads it.
  package init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  /// The 16 bytes in network order, as the store keeps them.
  package var bytes: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(16)
    for shift in stride(from: 56, through: 0, by: -8) {
      result.append(UInt8(truncatingIfNeeded: high >> UInt64(shift)))
    }
    for shift in stride(from: 56, through: 0, by: -8) {
      result.append(UInt8(truncatingIfNeeded: low >> UInt64(shift)))
    }
    return result
  }

  /// The version in the UUID's own bits: 5, 7, or what a foreign writer chose.
  package var version: Int { Int(high >> 12 & 0xF) }
}

extension RecordID: Comparable {
  package static func < (a: Self, b: Self) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

extension RecordID: LosslessStringConvertible {
  /// Reads the 36-character form; upper case is taken too.
  package init?(_ text: String) {
    var words: (UInt64, UInt64) = (0, 0)
    var digits = 0
    guard text.utf8.count == 36 else { return nil }
    for (index, byte) in text.utf8.enumerated() {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == 45 else { return nil }
        continue
      }
      guard let digit = hexDigit(byte) else { return nil }
      if digits < 16 { words.0 = words.0 << 4 | digit } else { words.1 = words.1 << 4 | digit }
      digits += 1
    }
    self.init(high: words.0, low: words.1)
  }

  /// Lower case, `8-4-4-4-12`.
  package var description: String {
    String(unsafeUninitializedCapacity: 36) { buffer in
      var position = 0
      for digit in 0..<32 {
        if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
          buffer[position] = 45
          position += 1
        }
        let word = digit < 16 ? high : low
        let value = UInt8(word >> UInt64(60 - digit % 16 * 4) & 0xF)
        buffer[position] = value < 10 ? 48 + value : 87 + value
        position += 1
      }
      return 36
    }
  }
}

private func hexDigit(_ byte: UInt8) -> UInt64? {
  switch byte {
  case 48...57: UInt64(byte - 48)
  case 65...70: UInt64(byte - 55)
  case 97...102: UInt64(byte - 87)
  default: nil
  }
}
