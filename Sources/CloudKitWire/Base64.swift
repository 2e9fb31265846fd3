// Base64 and hex on byte arrays, without Foundation.

/// Standard base64 as the wire uses it, and the URL form for our own tokens.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static let values: [UInt8] = {
    var table = [UInt8](repeating: 0xFF, count: 256)
    for (value, byte) in alphabet.enumerated() { table[Int(byte)] = UInt8(value) }
    table[Int(UInt8(ascii: "-"))] = 62
    table[Int(UInt8(ascii: "_"))] = 63
    return table
  }()

  package static func encode(_ data: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    encode(Array(data), into: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Letters, digits, `-` and `_`, no padding: needs no percent-encoding anywhere.
  package static func encodeForURL(_ data: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    encode(Array(data), into: &text)
    while text.last == UInt8(ascii: "=") { text.removeLast() }
    for index in text.indices {
      if text[index] == UInt8(ascii: "+") { text[index] = UInt8(ascii: "-") }
      if text[index] == UInt8(ascii: "/") { text[index] = UInt8(ascii: "_") }
    }
    return String(decoding: text, as: UTF8.self)
  }

  static func encode(_ data: [UInt8], into text: inout [UInt8]) {
    // Read once: every look at a global asks whether it is there yet.
    let alphabet = alphabet
    text.reserveCapacity(text.count + (data.count + 2) / 3 * 4)
    var index = 0
    while index < data.count {
      let left = data.count - index
      let first = data[index]
      let second = left > 1 ? data[index + 1] : 0
      let third = left > 2 ? data[index + 2] : 0
      text.append(alphabet[Int(first >> 2)])
      text.append(alphabet[Int((first & 3) << 4 | second >> 4)])
      text.append(left > 1 ? alphabet[Int((second & 15) << 2 | third >> 6)] : UInt8(ascii: "="))
      text.append(left > 2 ? alphabet[Int(third & 63)] : UInt8(ascii: "="))
      index += 3
    }
  }

  /// Reads both alphabets, with or without padding, in one line or wrapped; nil for anything else.
  package static func decode(_ text: String) -> [UInt8]? {
    var data: [UInt8] = []
    data.reserveCapacity(text.utf8.count / 4 * 3)
    let values = values
    var bits: UInt32 = 0
    var count = 0
    var padding = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      if byte == 0x0A || byte == 0x0D { continue }
      let value = values[Int(byte)]
      guard value != 0xFF, padding == 0 else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 1
      if count % 4 == 0 {
        data.append(UInt8(truncatingIfNeeded: bits >> 16))
        data.append(UInt8(truncatingIfNeeded: bits >> 8))
        data.append(UInt8(truncatingIfNeeded: bits))
      }
    }
    guard padding <= 2, padding == 0 || (count + padding) % 4 == 0 else { return nil }
    switch count % 4 {
    case 0: return data
    case 2:
      data.append(UInt8(truncatingIfNeeded: bits >> 4))
      return data
    case 3:
      data.append(UInt8(truncatingIfNeeded: bits >> 10))
      data.append(UInt8(truncatingIfNeeded: bits >> 2))
      return data
    default: return nil
    }
  }
}

/// Lower-case hex.
package enum Hex {
  static func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
  }

  package static func encode(_ data: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in data {
      text.append(digit(byte >> 4))
      text.append(digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil unless the text is an even number of hex digits.
  package static func decode(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var data: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = hexDigit(digits[index]), let low = hexDigit(digits[index + 1]) else {
        return nil
      }
      data.append(high << 4 | low)
    }
    return data
  }
}
