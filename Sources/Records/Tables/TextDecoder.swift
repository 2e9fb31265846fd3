// Bytes of any of the encodings into UTF-8, chunk by chunk. What does not decode becomes the byte
// 0xFF, which no UTF-8 has: the row that holds it is then refused with its line, and no other.

/// Decodes a file's chunks.
package struct TextDecoder: Sendable {
  private static let invalid: UInt8 = 0xFF

  package let encoding: TextEncoding
  /// The first half of what the last chunk cut.
  private var pending: UInt8?
  private var highSurrogate: UInt16?
  private var isAtStart = true

  package init(_ encoding: TextEncoding) { self.encoding = encoding }

  /// Whether chunks are UTF-8 already, and need no decoding.
  package var isTransparent: Bool { encoding == .utf8 }

  /// Appends a chunk as UTF-8.
  package mutating func decode(
    _ chunk: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]
  ) {
    switch encoding {
    case .utf8: output.append(contentsOf: chunk)
    case .latin1: for byte in chunk { Self.append(UInt32(byte), &output) }
    case .windows1252: for byte in chunk { Self.append(Windows1252.scalar(byte), &output) }
    case .shiftJIS: for byte in chunk { shiftJIS(byte, &output) }
    case .utf16LittleEndian, .utf16BigEndian: for byte in chunk { utf16(byte, &output) }
    }
  }

  /// Appends what a cut end of the file leaves.
  package mutating func finish(into output: inout [UInt8]) {
    if pending != nil || highSurrogate != nil { output.append(Self.invalid) }
    pending = nil
    highSurrogate = nil
  }

  private mutating func shiftJIS(_ byte: UInt8, _ output: inout [UInt8]) {
    if let lead = pending {
      pending = nil
      if let scalar = ShiftJIS.scalar(lead: lead, trail: byte) {
        Self.append(UInt32(scalar), &output)
      } else {
        output.append(Self.invalid)
        // A delimiter is never half of a broken character.
        if byte < 0x40 { output.append(byte) }
      }
    } else if byte < 0x80 {
      output.append(byte)
    } else if (0xA1...0xDF).contains(byte) {
      Self.append(0xFF61 + UInt32(byte - 0xA1), &output)
    } else if byte == 0x80 || byte == 0xA0 || byte > 0xFC {
      output.append(Self.invalid)
    } else {
      pending = byte
    }
  }

  private mutating func utf16(_ byte: UInt8, _ output: inout [UInt8]) {
    guard let first = pending else {
      pending = byte
      return
    }
    pending = nil
    let isLittle = encoding == .utf16LittleEndian
    let unit = UInt16(isLittle ? byte : first) << 8 | UInt16(isLittle ? first : byte)
    let isMark = isAtStart && unit == 0xFEFF
    isAtStart = false
    if isMark { return }
    if let high = highSurrogate {
      highSurrogate = nil
      if (0xDC00..<0xE000).contains(unit) {
        let scalar = 0x10000 + UInt32(high - 0xD800) << 10 + UInt32(unit - 0xDC00)
        return Self.append(scalar, &output)
      }
      output.append(Self.invalid)
    }
    switch unit {
    case 0xD800..<0xDC00: highSurrogate = unit
    case 0xDC00..<0xE000: output.append(Self.invalid)
    default: Self.append(UInt32(unit), &output)
    }
  }

  private static func append(_ scalar: UInt32, _ output: inout [UInt8]) {
    switch scalar {
    case ..<0x80: output.append(UInt8(scalar))
    case ..<0x800:
      output.append(0xC0 | UInt8(scalar >> 6))
      output.append(0x80 | UInt8(scalar & 0x3F))
    case ..<0x10000:
      output.append(0xE0 | UInt8(scalar >> 12))
      output.append(0x80 | UInt8(scalar >> 6 & 0x3F))
      output.append(0x80 | UInt8(scalar & 0x3F))
    default:
      output.append(0xF0 | UInt8(scalar >> 18))
      output.append(0x80 | UInt8(scalar >> 12 & 0x3F))
      output.append(0x80 | UInt8(scalar >> 6 & 0x3F))
      output.append(0x80 | UInt8(scalar & 0x3F))
    }
  }
}

/// Latin-1 with letters where that has C1 controls (the WHATWG's Encoding Standard).
private enum Windows1252 {
  private static let upper: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]

  static func scalar(_ byte: UInt8) -> UInt32 {
    (0x80..<0xA0).contains(byte) ? upper[Int(byte) - 0x80] : UInt32(byte)
  }
}
