/// One field of a record: a value with its tag.
///
/// A field without value is cleared when it is written; in a response it does not occur.
package struct WireField: Sendable, Hashable {
  package var value: WireValue?
  /// Nil when the sender left it out and the value does not tell.
  package var type: FieldType?
  package var isEncrypted: Bool
  /// The value as it stood, while its type is not known: the receiver knows it from its schema.
  package var untyped: JSONValue?

  package init(_ value: WireValue?, _ type: FieldType?, isEncrypted: Bool = false) {
    self.value = value
    self.type = type
    self.isEncrypted = isEncrypted
  }

  package static func string(_ text: String) -> Self { Self(.string(text), .string) }
  package static func int64(_ number: Int64) -> Self { Self(.int64(number), .int64) }
  package static func double(_ number: Double) -> Self { Self(.double(number), .double) }
  package static func timestamp(_ milliseconds: Int64) -> Self {
    Self(.timestamp(milliseconds), .timestamp)
  }
  package static func bytes(_ data: [UInt8]) -> Self { Self(.bytes(data), .bytes) }
  package static func location(_ location: WireLocation) -> Self {
    Self(.location(location), .location)
  }
  package static func reference(_ reference: WireReference) -> Self {
    Self(.reference(reference), .reference)
  }
  package static func asset(_ asset: WireAsset) -> Self { Self(.asset(asset), .asset) }
  package static func strings(_ texts: [String]) -> Self {
    Self(.list(texts.map { .string($0) }), .stringList)
  }
  package static func references(_ references: [WireReference]) -> Self {
    Self(.list(references.map { .reference($0) }), .referenceList)
  }

  /// Reads a field.
  ///
  /// What is JSON but no field becomes a sentence in `fault`, since one record's mistake must not
  /// fail the request that it came in.
  package init(
    from reader: inout JSONReader, fault: inout String?
  ) throws(MalformedMessage) {
    self.init(nil, nil)
    guard try reader.peek() == .object else {
      // `"title": null` and the like: nothing but a clearing.
      let value = try reader.readValue()
      if !value.isNull { fault = "a field is an object with a value" }
      return
    }
    var raw: JSONValue = .null
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "value": raw = try reader.readValue()
      case "type":
        guard let tag = try reader.readValue().string else { continue }
        if tag == "UNKNOWN" { continue }
        type = FieldType(tag: tag)
        if type == nil { fault = "an unknown field type" }
      case "isEncrypted": isEncrypted = try reader.readValue().truth ?? false
      default: try reader.skip()
      }
    }
    guard !raw.isNull else { return }
    do throws(UnfitValue) {
      if let type, type != .unknownList {
        value = try WireValue(raw, as: type)
      } else {
        untyped = raw
        let inferred = try WireValue.inferredType(of: raw)
        value = try WireValue(raw.asInteger, as: inferred)
        type = inferred
      }
    } catch {
      fault = error.reason
    }
  }

  package func write(to writer: inout JSONWriter, numbersAsStrings: Bool = false) {
    writer.beginObject()
    if let value {
      writer.key("value")
      value.write(to: &writer, numbersAsStrings: numbersAsStrings)
    } else {
      writer.key("value")
      writer.null()
    }
    writer.member("type", type?.rawValue)
    if isEncrypted { writer.member("isEncrypted", true) }
    writer.endObject()
  }
}

extension WireField: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    var fault: String?
    let start = reader.offset
    try self.init(from: &reader, fault: &fault)
    if let fault { throw MalformedMessage(fault, at: start) }
  }

  package func write(to writer: inout JSONWriter) {
    write(to: &writer, numbersAsStrings: false)
  }
}

extension JSONValue {
  /// Booleans are integers in storage.
  fileprivate var asInteger: JSONValue {
    if case .bool(let flag) = self { .int(flag ? 1 : 0) } else { self }
  }
}
