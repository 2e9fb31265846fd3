// Writes JSON into one growing buffer. It must not know any message.

/// Writes one JSON text.
///
/// The caller keeps the grammar: a name before each value of an object.
package struct JSONWriter: Sendable {
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package init(reserving capacity: Int = 256) {
    bytes.reserveCapacity(capacity)
  }

  // MARK: Structure

  package mutating func beginObject() { open(UInt8(ascii: "{")) }
  package mutating func endObject() { close(UInt8(ascii: "}")) }
  package mutating func beginArray() { open(UInt8(ascii: "[")) }
  package mutating func endArray() { close(UInt8(ascii: "]")) }

  package mutating func object(_ body: (inout JSONWriter) -> Void) {
    beginObject()
    body(&self)
    endObject()
  }

  package mutating func array(_ body: (inout JSONWriter) -> Void) {
    beginArray()
    body(&self)
    endArray()
  }

  package mutating func key(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  // MARK: Values

  package mutating func null() { token("null") }
  package mutating func bool(_ flag: Bool) { token(flag ? "true" : "false") }
  package mutating func int(_ number: Int64) { token(String(number)) }

  /// Shortest text that reads back to the same bits.
  ///
  /// The wire has no infinity and no NaN: they are written as null, and whoever makes a value
  /// refuses them before.
  package mutating func double(_ number: Double) {
    token(number.isFinite ? number.description : "null")
  }

  package mutating func string(_ text: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    var copy = text
    copy.withUTF8 { buffer in
      var clean = 0
      for index in buffer.indices {
        let byte = buffer[index]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
          continue
        }
        bytes.append(contentsOf: buffer[clean..<index])
        appendEscape(of: byte)
        clean = index + 1
      }
      bytes.append(contentsOf: buffer[clean...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Bytes as a base64 string.
  package mutating func base64(_ data: [UInt8]) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    Base64.encode(data, into: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// A value that is JSON already, spliced in as it is.
  package mutating func raw(_ json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
    needsComma = true
  }

  /// Ends one JSON text of many in a row.
  package mutating func endLine() {
    bytes.append(0x0A)
    needsComma = false
  }

  // MARK: Members

  package mutating func member(_ name: String, _ text: String?) {
    guard let text else { return }
    key(name)
    string(text)
  }

  package mutating func member(_ name: String, _ number: Int64?) {
    guard let number else { return }
    key(name)
    int(number)
  }

  package mutating func member(_ name: String, _ number: Int?) {
    guard let number else { return }
    key(name)
    int(Int64(number))
  }

  package mutating func member(_ name: String, _ number: Double?) {
    guard let number else { return }
    key(name)
    double(number)
  }

  package mutating func member(_ name: String, _ flag: Bool?) {
    guard let flag else { return }
    key(name)
    bool(flag)
  }

  package mutating func member(_ name: String, _ value: (some WireWritable)?) {
    guard let value else { return }
    key(name)
    value.write(to: &self)
  }

  package mutating func member(_ name: String, _ values: [some WireWritable]?) {
    guard let values else { return }
    key(name)
    array { for value in values { value.write(to: &$0) } }
  }

  package mutating func member(_ name: String, _ texts: [String]?) {
    guard let texts else { return }
    key(name)
    array { for text in texts { $0.string(text) } }
  }

  // MARK: Pieces

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func token(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func appendEscape(of byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): bytes.append(contentsOf: #"\""#.utf8)
    case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
    case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
    case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
    case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
    default:
      bytes.append(contentsOf: #"\u00"#.utf8)
      bytes.append(Hex.digit(byte >> 4))
      bytes.append(Hex.digit(byte & 15))
    }
  }
}

/// Something that writes itself as one JSON value.
package protocol WireWritable {
  func write(to writer: inout JSONWriter)
}

/// Something that reads itself from one JSON value.
///
/// Unknown names are skipped: clients echo whole records back and later versions add keys.
package protocol WireReadable {
  init(from reader: inout JSONReader) throws(MalformedMessage)
}

extension WireWritable {
  /// The message as a body.
  package func body() -> [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }
}

extension WireReadable {
  /// The message in a whole body.
  ///
  /// An empty body reads as an empty object: some clients send none.
  package init(body: [UInt8]) throws(MalformedMessage) {
    var reader = JSONReader(body.isEmpty ? Array("{}".utf8) : body)
    self = try Self(from: &reader)
    try reader.finish()
  }
}
