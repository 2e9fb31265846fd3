// A pull reader for JSON bodies: no tree, no dictionaries, numbers to the bit.
//
// Foundation's decoder takes about 50 µs a record; this one takes a few. It must not know any
// message. A value type without shared state: use it from any thread, one thread at a time.
//
//     try reader.beginObject()
//     while let name = try reader.nextName() {
//       switch name {
//       case "recordName": record.name = try reader.readString()
//       default: try reader.skip()
//       }
//     }

/// Reads one JSON text from front to back.
package struct JSONReader: Sendable {
  /// How deep a body may nest.
  ///
  /// The deepest message of the protocol has ten levels.
  package static let depthMax = 64

  package enum Kind: Sendable {
    case object, array, string, number, bool, null
  }

  private let bytes: [UInt8]
  package private(set) var offset = 0
  private var depth = 0
  /// True between an opening bracket and the first name or element.
  private var atStart = false

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // A byte order mark is not JSON, but some clients write one.
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { offset = 3 }
  }

  // MARK: Structure

  /// What comes next, without moving.
  package mutating func peek() throws(MalformedMessage) -> Kind {
    skipSpace()
    guard offset < bytes.count else { throw fault("the text ends too early") }
    switch bytes[offset] {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    default: throw fault("a value was expected")
    }
  }

  package mutating func beginObject() throws(MalformedMessage) {
    try open(UInt8(ascii: "{"), "an object was expected")
  }

  /// The next name of the open object; nil at its end, which is then consumed.
  package mutating func nextName() throws(MalformedMessage) -> String? {
    guard try advance(closing: UInt8(ascii: "}")) else { return nil }
    let name = try readString()
    skipSpace()
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: ":") else {
      throw fault("a colon was expected")
    }
    offset += 1
    return name
  }

  package mutating func beginArray() throws(MalformedMessage) {
    try open(UInt8(ascii: "["), "an array was expected")
  }

  /// Whether the open array has another element; its end is consumed.
  package mutating func nextElement() throws(MalformedMessage) -> Bool {
    try advance(closing: UInt8(ascii: "]"))
  }

  /// Throws unless only white space is left.
  package mutating func finish() throws(MalformedMessage) {
    skipSpace()
    guard offset == bytes.count else { throw fault("something follows the message") }
  }

  /// Steps over one value of any kind, still checking that it is JSON.
  package mutating func skip() throws(MalformedMessage) {
    switch try peek() {
    case .object:
      try beginObject()
      while try nextName() != nil { try skip() }
    case .array:
      try beginArray()
      while try nextElement() { try skip() }
    case .string: try skipString()
    case .number: _ = try readNumber()
    case .bool: _ = try readBool()
    case .null: try readNull()
    }
  }

  // MARK: Values

  package mutating func readNull() throws(MalformedMessage) {
    try literal("null")
  }

  /// Consumes a null if one comes next.
  package mutating func readNullIfNext() throws(MalformedMessage) -> Bool {
    guard try peek() == .null else { return false }
    try readNull()
    return true
  }

  package mutating func readBool() throws(MalformedMessage) -> Bool {
    if try peek() == .bool, bytes[offset] == UInt8(ascii: "t") {
      try literal("true")
      return true
    }
    try literal("false")
    return false
  }

  package mutating func readString() throws(MalformedMessage) -> String {
    skipSpace()
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else {
      throw fault("a string was expected")
    }
    let start = offset + 1
    guard let isASCII = try scanString() else { return try readEscapedString(from: start) }
    let slice = bytes[start..<offset - 1]
    // Nothing in ASCII can be repaired, and the call that checks costs more than all the rest.
    return isASCII ? String(decoding: slice, as: UTF8.self) : try text(slice, from: start)
  }

  /// Moves past a string and says whether it is ASCII; nil, without moving, when it has an escape.
  private mutating func scanString() throws(MalformedMessage) -> Bool? {
    var all: UInt8 = 0
    var end = offset + 1
    while end < bytes.count {
      let byte = bytes[end]
      if byte == UInt8(ascii: "\"") {
        offset = end + 1
        return all < 0x80
      }
      if byte == UInt8(ascii: "\\") { return nil }
      guard byte >= 0x20 else { throw fault("a control character in a string") }
      all |= byte
      end += 1
    }
    throw fault("a string has no end")
  }

  /// Steps over a string, which has to be one all the same.
  private mutating func skipString() throws(MalformedMessage) {
    let start = offset
    if try scanString() == true { return }
    offset = start
    _ = try readString()
  }

  /// A number: `.int` when it has neither fraction nor exponent and fits, else `.double`.
  package mutating func readNumber() throws(MalformedMessage) -> JSONValue {
    skipSpace()
    let token = try NumberToken(bytes, at: offset)
    offset = token.end
    return token.value
  }

  /// Any value as a tree.
  package mutating func readValue() throws(MalformedMessage) -> JSONValue {
    switch try peek() {
    case .string: return .string(try readString())
    case .number: return try readNumber()
    case .bool: return .bool(try readBool())
    case .null:
      try readNull()
      return .null
    case .array:
      var elements: [JSONValue] = []
      try beginArray()
      while try nextElement() { elements.append(try readValue()) }
      return .array(elements)
    case .object:
      var members: [JSONValue.Member] = []
      try beginObject()
      while let name = try nextName() {
        members.append(JSONValue.Member(name, try readValue()))
      }
      return .object(members)
    }
  }

  // MARK: Pieces

  private func fault(_ reason: String) -> MalformedMessage {
    MalformedMessage(reason, at: offset)
  }

  private mutating func skipSpace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x0A, 0x0D, 0x09: offset += 1
      default: return
      }
    }
  }

  private mutating func open(_ bracket: UInt8, _ reason: String) throws(MalformedMessage) {
    skipSpace()
    guard offset < bytes.count, bytes[offset] == bracket else { throw fault(reason) }
    guard depth < Self.depthMax else { throw fault("the text nests too deeply") }
    offset += 1
    depth += 1
    atStart = true
  }

  /// Moves past a comma (or nothing, at the start); false at the closing bracket.
  private mutating func advance(closing bracket: UInt8) throws(MalformedMessage) -> Bool {
    skipSpace()
    guard offset < bytes.count else { throw fault("the text ends too early") }
    if bytes[offset] == bracket {
      offset += 1
      depth -= 1
      atStart = false
      return false
    }
    if !atStart {
      guard bytes[offset] == UInt8(ascii: ",") else { throw fault("a comma was expected") }
      offset += 1
    }
    atStart = false
    return true
  }

  private mutating func literal(_ word: StaticString) throws(MalformedMessage) {
    skipSpace()
    let length = word.utf8CodeUnitCount
    guard offset + length <= bytes.count else { throw fault("a value was expected") }
    for index in 0..<length where bytes[offset + index] != word.utf8Start[index] {
      throw fault("a value was expected")
    }
    offset += length
  }

  private func text(
    _ slice: ArraySlice<UInt8>, from start: Int
  ) throws(MalformedMessage) -> String {
    guard let text = String(validating: slice, as: UTF8.self) else {
      throw MalformedMessage("a string is not UTF-8", at: start)
    }
    return text
  }

  /// The slow way, for strings with at least one escape.
  private mutating func readEscapedString(from start: Int) throws(MalformedMessage) -> String {
    var plain: [UInt8] = []
    offset = start
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return try text(plain[...], from: start)
      case UInt8(ascii: "\\"): try readEscape(into: &plain)
      case 0..<0x20: throw fault("a control character in a string")
      default: plain.append(byte)
      }
    }
    throw fault("a string has no end")
  }

  private mutating func readEscape(into plain: inout [UInt8]) throws(MalformedMessage) {
    guard offset < bytes.count else { throw fault("a string has no end") }
    let byte = bytes[offset]
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain.append(byte)
    case UInt8(ascii: "b"): plain.append(0x08)
    case UInt8(ascii: "f"): plain.append(0x0C)
    case UInt8(ascii: "n"): plain.append(0x0A)
    case UInt8(ascii: "r"): plain.append(0x0D)
    case UInt8(ascii: "t"): plain.append(0x09)
    case UInt8(ascii: "u"):
      let scalar = try readScalar()
      plain.append(contentsOf: String(Character(scalar)).utf8)
    default: throw fault("an unknown escape")
    }
  }

  private mutating func readScalar() throws(MalformedMessage) -> Unicode.Scalar {
    let first = try readHex4()
    if let scalar = Unicode.Scalar(first) { return scalar }
    // Half of a surrogate pair: replacing it would change the text, so without its other half it
    // is refused.
    guard first < 0xDC00, offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
      bytes[offset + 1] == UInt8(ascii: "u")
    else { throw fault("half of a surrogate pair") }
    offset += 2
    let second = try readHex4()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    else { throw fault("half of a surrogate pair") }
    return scalar
  }

  private mutating func readHex4() throws(MalformedMessage) -> UInt32 {
    guard offset + 4 <= bytes.count else { throw fault("a string has no end") }
    var number: UInt32 = 0
    for byte in bytes[offset..<offset + 4] {
      guard let digit = hexDigit(byte) else { throw fault("four hex digits were expected") }
      number = number << 4 | UInt32(digit)
    }
    offset += 4
    return number
  }
}

/// The value of one hex digit; nil for any other byte.
func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
