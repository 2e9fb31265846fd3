// Bytes into JSON (RFC 8259), strictly: no comments, no trailing commas, valid UTF-8 only.

/// Why bytes are no JSON, and where.
package struct JSONMistake: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case value, name, colon, commaOrBracket, commaOrBrace, number, escape, end
    case unclosedString
    case controlCharacter
    case invalidUTF8
    case tooDeep(max: Int)
  }

  /// What was expected, or what is wrong.
  package let kind: Kind
  /// From 1.
  package let line: Int
  /// From 1, in bytes.
  package let column: Int
}

extension JSON {
  /// How deep a text may nest.
  package static let depthMax = 128

  /// Reads one value and nothing behind it.
  ///
  /// - Parameter line: The number of the first line, for mistakes.
  package static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, line: Int = 1
  ) throws(JSONMistake) -> JSON {
    var parser = JSONParser(bytes: bytes, firstLine: line)
    return try parser.whole()
  }

  package static func read(_ bytes: [UInt8]) throws(JSONMistake) -> JSON {
    // A closure keeps no typed throw through `withUnsafeBufferPointer`; a result does.
    let result = bytes.withUnsafeBufferPointer { buffer in
      Result { () throws(JSONMistake) in try read(buffer) }
    }
    return try result.get()
  }

  package static func read(_ text: String) throws(JSONMistake) -> JSON {
    try read(Array(text.utf8))
  }
}

struct JSONParser {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let firstLine: Int
  private var position = 0

  init(bytes: UnsafeBufferPointer<UInt8>, firstLine: Int) {
    self.bytes = bytes
    self.firstLine = firstLine
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  mutating func whole() throws(JSONMistake) -> JSON {
    let value = try value(depth: 0)
    skipSpace()
    if position < bytes.count { throw mistake(.end) }
    return value
  }

  private func mistake(_ kind: JSONMistake.Kind) -> JSONMistake {
    let before = bytes.prefix(position)
    let line = before.count { $0 == 0x0A }
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return JSONMistake(kind: kind, line: firstLine + line, column: position - start + 1)
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private mutating func value(depth: Int) throws(JSONMistake) -> JSON {
    if depth > JSON.depthMax { throw mistake(.tooDeep(max: JSON.depthMax)) }
    skipSpace()
    guard let next else { throw mistake(.value) }
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw mistake(.value)
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONMistake) -> JSON {
    for offset in 0..<word.utf8CodeUnitCount {
      guard position + offset < bytes.count, bytes[position + offset] == word.utf8Start[offset]
      else { throw mistake(.value) }
    }
    position += word.utf8CodeUnitCount
    return value
  }

  private mutating func object(depth: Int) throws(JSONMistake) -> JSON {
    var members: [JSON.Member] = []
    position += 1
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object(members) }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw mistake(.name) }
      let name = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw mistake(.colon) }
      members.append(JSON.Member(name, try value(depth: depth + 1)))
      skipSpace()
      if take(UInt8(ascii: "}")) { return .object(members) }
      guard take(UInt8(ascii: ",")) else { throw mistake(.commaOrBrace) }
    }
  }

  private mutating func array(depth: Int) throws(JSONMistake) -> JSON {
    var elements: [JSON] = []
    position += 1
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array(elements) }
    while true {
      elements.append(try value(depth: depth + 1))
      skipSpace()
      if take(UInt8(ascii: "]")) { return .array(elements) }
      guard take(UInt8(ascii: ",")) else { throw mistake(.commaOrBracket) }
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }
}

// MARK: - Numbers

extension JSONParser {
  private mutating func number() throws(JSONMistake) -> JSON {
    let start = position
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    var isWhole = true
    if take(UInt8(ascii: ".")) {
      isWhole = false
      try digits()
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isWhole = false
      _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
      try digits()
    }
    let digits = UnsafeBufferPointer(rebasing: bytes[start..<position])
    if isWhole, let number = NumberBytes.integer(digits) { return .integer(number) }
    return .numeral(String(decoding: digits, as: UTF8.self))
  }

  private mutating func digits() throws(JSONMistake) {
    let start = position
    while let byte = next, (48...57).contains(byte) { position += 1 }
    if position == start { throw mistake(.number) }
  }
}

// MARK: - Strings

extension JSONParser {
  private mutating func string() throws(JSONMistake) -> String {
    position += 1
    let start = position
    while let byte = next, byte != 0x22, byte != 0x5C, byte >= 0x20 { position += 1 }
    if next == 0x22 {
      let text = try text(UnsafeBufferPointer(rebasing: bytes[start..<position]))
      position += 1
      return text
    }
    var result = Array(bytes[start..<position])
    while let byte = next {
      if byte < 0x20 { throw mistake(.controlCharacter) }
      position += 1
      if byte == 0x22 {
        let checked = result.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) }
        guard let checked else { throw mistake(.invalidUTF8) }
        return checked
      }
      if byte == 0x5C { try escape(&result) } else { result.append(byte) }
    }
    throw mistake(.unclosedString)
  }

  private func text(_ utf8: UnsafeBufferPointer<UInt8>) throws(JSONMistake) -> String {
    guard let text = String(validating: utf8, as: UTF8.self) else { throw mistake(.invalidUTF8) }
    return text
  }

  private mutating func escape(_ result: inout [UInt8]) throws(JSONMistake) {
    guard let byte = next else { throw mistake(.unclosedString) }
    position += 1
    switch byte {
    case 0x22, 0x5C, 0x2F: result.append(byte)
    case UInt8(ascii: "n"): result.append(0x0A)
    case UInt8(ascii: "r"): result.append(0x0D)
    case UInt8(ascii: "t"): result.append(0x09)
    case UInt8(ascii: "b"): result.append(0x08)
    case UInt8(ascii: "f"): result.append(0x0C)
    case UInt8(ascii: "u"): try unicode(&result)
    default: throw mistake(.escape)
    }
  }

  private mutating func unicode(_ result: inout [UInt8]) throws(JSONMistake) {
    var value = try hexDigits()
    if (0xD800..<0xDC00).contains(value), next == 0x5C, position + 1 < bytes.count,
      bytes[position + 1] == UInt8(ascii: "u")
    {
      position += 2
      let low = try hexDigits()
      guard (0xDC00..<0xE000).contains(low) else { throw mistake(.escape) }
      value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
    }
    // Half a surrogate pair is no character, and no text can hold it.
    guard let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) else {
      throw mistake(.escape)
    }
    result += encoded
  }

  private mutating func hexDigits() throws(JSONMistake) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next else { throw mistake(.escape) }
      switch byte {
      case 48...57: value = value << 4 | UInt32(byte - 48)
      case 65...70: value = value << 4 | UInt32(byte - 55)
      case 97...102: value = value << 4 | UInt32(byte - 87)
      default: throw mistake(.escape)
      }
      position += 1
    }
    return value
  }
}
