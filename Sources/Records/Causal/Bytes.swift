// A small binary form for what the store and the wire keep as bytes: varints (LEB128), fixed words,
// length-prefixed text. Reading never traps: bytes may come from a hostile writer.

/// Appends to a byte array.
package struct ByteWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func byte(_ value: UInt8) { bytes.append(value) }

  package mutating func raw(_ value: [UInt8]) { bytes.append(contentsOf: value) }

  package mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Small magnitudes of either sign stay short (zigzag).
  package mutating func signed(_ value: Int64) {
    varint(UInt64(bitPattern: value << 1 ^ value >> 63))
  }

  package mutating func word(_ value: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }

  package mutating func text(_ value: String) {
    varint(UInt64(value.utf8.count))
    bytes.append(contentsOf: value.utf8)
  }
}

/// What is wrong with bytes that should hold a value or a state.
package enum ByteError: Error, Hashable, Sendable {
  case truncated
  case malformed
  /// Written by a newer version of this form.
  case newer(version: UInt8)
}

/// Reads from bytes, front to back.
package struct ByteReader: Sendable {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  package init(_ bytes: some Sequence<UInt8>) {
    self.bytes = ArraySlice(bytes)
    position = self.bytes.startIndex
  }

  package var isAtEnd: Bool { position >= bytes.endIndex }
  package var remaining: Int { bytes.endIndex - position }

  package mutating func byte() throws(ByteError) -> UInt8 {
    guard position < bytes.endIndex else { throw .truncated }
    defer { position += 1 }
    return bytes[position]
  }

  package mutating func varint() throws(ByteError) -> UInt64 {
    var result: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let next = try byte()
      guard shift < 63 || next <= 1 else { throw .malformed }
      result |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return result }
    }
    throw .malformed
  }

  /// A time of a stamp; malformed where no clock can read it.
  package mutating func time() throws(ByteError) -> HybridTime {
    let time = HybridTime(rawValue: try varint())
    guard time <= .last else { throw .malformed }
    return time
  }

  package mutating func signed() throws(ByteError) -> Int64 {
    let raw = try varint()
    return Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1)
  }

  package mutating func word() throws(ByteError) -> UInt64 {
    var result: UInt64 = 0
    for _ in 0..<8 { result = result << 8 | UInt64(try byte()) }
    return result
  }

  package mutating func text() throws(ByteError) -> String {
    let count = try self.count()
    guard let text = String(validating: bytes[position..<position + count], as: UTF8.self) else {
      throw .malformed
    }
    position += count
    return text
  }

  package mutating func raw(count: Int) throws(ByteError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= remaining else { throw .truncated }
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// A length or a number of elements: never more than the bytes that are left.
  package mutating func count() throws(ByteError) -> Int {
    let count = try varint()
    guard count <= UInt64(remaining) else { throw .truncated }
    return Int(count)
  }
}
