// JSON onto the end of a buffer: whoever writes a million records empties the buffer now and then.

extension JSON {
  /// Appends the value on one line, without blanks.
  package func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .boolean(let flag): bytes += (flag ? "true" : "false").utf8
    case .integer(let number): Self.append(number, to: &bytes)
    case .number(let number): bytes += NumberText.text(number).utf8
    case .numeral(let digits): bytes += digits.utf8
    case .string(let text): Self.append(text, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.append(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Appends a whole number.
  package static func append(_ number: Int64, to bytes: inout [UInt8]) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    let start = bytes.count
    repeat {
      bytes.append(48 + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  /// Appends a string in quotes.
  ///
  /// Escaped is what JSON demands, and also what a terminal obeys or hides (C1 controls, marks that
  /// turn the direction of writing, line separators), so that a file of it can be looked at.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { append(utf8: $0, to: &bytes) }
  }

  static func append(utf8 text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var copied = 0
    var index = 0
    while index < text.count {
      let byte = text[index]
      let width = hiddenWidth(text, index)
      guard byte < 0x20 || byte == 0x22 || byte == 0x5C || width > 0 else {
        index += 1
        continue
      }
      bytes += UnsafeBufferPointer(rebasing: text[copied..<index])
      if width > 0 {
        escape(text, index, width, &bytes)
        index += width
      } else {
        escape(byte, &bytes)
        index += 1
      }
      copied = index
    }
    bytes += UnsafeBufferPointer(rebasing: text[copied...])
    bytes.append(UInt8(ascii: "\""))
  }

  /// The bytes of a scalar beyond ASCII (or DEL) that is better not shown; 0 for all others.
  private static func hiddenWidth(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    switch text[index] {
    case 0x7F: return 1
    case 0xC2: return index + 1 < text.count && text[index + 1] < 0xA0 ? 2 : 0
    case 0xE2:
      guard index + 2 < text.count else { return 0 }
      let last = text[index + 2]
      if text[index + 1] == 0x80 {
        return last == 0x8E || last == 0x8F || last >= 0xA8 && last <= 0xAE ? 3 : 0
      }
      return text[index + 1] == 0x81 && last >= 0xA6 && last <= 0xA9 ? 3 : 0
    case 0xEF:
      let isMark = index + 2 < text.count && text[index + 1] == 0xBB && text[index + 2] == 0xBF
      return isMark ? 3 : 0
    default: return 0
    }
  }

  private static func escape(
    _ text: UnsafeBufferPointer<UInt8>, _ index: Int, _ width: Int, _ bytes: inout [UInt8]
  ) {
    var value: UInt32
    switch width {
    case 1: value = UInt32(text[index])
    case 2: value = UInt32(text[index] & 0x1F) << 6 | UInt32(text[index + 1] & 0x3F)
    default:
      value = UInt32(text[index] & 0x0F) << 12 | UInt32(text[index + 1] & 0x3F) << 6
      value |= UInt32(text[index + 2] & 0x3F)
    }
    appendUnicode(value, &bytes)
  }

  private static func escape(_ byte: UInt8, _ bytes: inout [UInt8]) {
    switch byte {
    case 0x22, 0x5C: bytes += [0x5C, byte]
    case 0x0A: bytes += [0x5C, UInt8(ascii: "n")]
    case 0x0D: bytes += [0x5C, UInt8(ascii: "r")]
    case 0x09: bytes += [0x5C, UInt8(ascii: "t")]
    default: appendUnicode(UInt32(byte), &bytes)
    }
  }

  private static func appendUnicode(_ value: UInt32, _ bytes: inout [UInt8]) {
    bytes += [0x5C, UInt8(ascii: "u")]
    for shift: UInt32 in [12, 8, 4, 0] {
      let digit = UInt8(truncatingIfNeeded: value >> shift & 0xF)
      bytes.append(digit < 10 ? 48 + digit : 87 + digit)
    }
  }
}
