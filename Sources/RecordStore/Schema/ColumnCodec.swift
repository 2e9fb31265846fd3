// Values as SQLite keeps them (the table of DESIGN.md 2), both ways.

internal import FoundationEssentials
internal import GRDB
internal import Records

/// Turns values into columns and back.
enum ColumnCodec {
  static func stored(_ value: Value) -> DatabaseValue {
    switch value {
    case .empty: .null
    case .text(let text): stored(text)
    case .integer(let number): number.databaseValue
    case .number(let number): number.databaseValue
    case .decimal(let decimal): decimal.text.databaseValue
    case .boolean(let flag): (flag ? 1 as Int64 : 0).databaseValue
    case .date(let date): date.text.databaseValue
    case .dateTime(let time): time.milliseconds.databaseValue
    case .tags(let tags): JSONText.array(tags.tags).databaseValue
    case .location(let location): location.text.databaseValue
    case .reference(let id): stored(id)
    case .references: .null  // In the link table.
    case .attachment(let attachment): stored(text(of: attachment))
    }
  }

  /// Text with a zero character goes in as bytes: SQLite's text functions, and the binding, end
  /// at the first one, and the rest would be lost.
  private static func stored(_ text: String) -> DatabaseValue {
    text.utf8.contains(0) ? Blob.data(Array(text.utf8)).databaseValue : text.databaseValue
  }

  static func stored(_ id: RecordID) -> DatabaseValue { Blob.data(id.bytes).databaseValue }

  /// The value in a field's column; empty where the column holds nothing that the field can.
  static func value(_ stored: DatabaseValue, of type: FieldType) -> Value {
    if stored.isNull { return .empty }
    switch type {
    case .text, .longText, .url, .email, .choice: return text(stored).map(Value.text) ?? .empty
    case .integer, .counter: return integer(stored).map(Value.integer) ?? .empty
    case .number: return Double.fromDatabaseValue(stored).flatMap(Value.number(finite:)) ?? .empty
    case .decimal: return text(stored).flatMap { Decimal($0) }.map(Value.decimal) ?? .empty
    case .boolean: return integer(stored).map { .boolean($0 != 0) } ?? .empty
    case .date: return text(stored).flatMap { CalendarDate(text: $0) }.map(Value.date) ?? .empty
    case .dateTime:
      return integer(stored).map { .dateTime(Timestamp(milliseconds: $0)) } ?? .empty
    case .tags:
      return text(stored).flatMap(JSONText.strings).map { .tags(nonEmpty: TagSet($0)) } ?? .empty
    case .location:
      return text(stored).flatMap { Location(text: $0) }.map(Value.location) ?? .empty
    case .reference: return recordID(stored).map(Value.reference) ?? .empty
    case .references: return .empty
    case .attachment: return text(stored).flatMap(attachment).map(Value.attachment) ?? .empty
    }
  }

  static func recordID(_ stored: DatabaseValue) -> RecordID? {
    guard case .blob(let data) = stored.storage else { return nil }
    return data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in RecordID(bytes: bytes) }
  }

  /// `hash size name`: the hash first, so that unused content is found by a prefix.
  private static func text(of attachment: Attachment) -> String {
    "\(attachment.hash) \(attachment.size) \(attachment.name)"
  }

  private static func attachment(_ text: String) -> Attachment? {
    // By scalars: a name may begin with a mark that joins the blank before it.
    let parts = text.unicodeScalars.split(
      separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let size = Int64(String(parts[1])) else { return nil }
    return Attachment(hash: String(parts[0]), name: String(parts[2]), size: size)
  }

  private static func text(_ stored: DatabaseValue) -> String? {
    switch stored.storage {
    case .string(let text): text
    case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
    default: nil
    }
  }

  private static func integer(_ stored: DatabaseValue) -> Int64? {
    if case .int64(let number) = stored.storage { number } else { nil }
  }
}

/// Bytes in and out of the database.
enum Blob {
  static func data(_ bytes: [UInt8]) -> Data { Data(bytes) }

  static func bytes(_ stored: DatabaseValue) -> [UInt8]? {
    if case .blob(let data) = stored.storage { Array(data) } else { nil }
  }

  static func stored(_ bytes: [UInt8]?) -> DatabaseValue {
    bytes.map { Data($0).databaseValue } ?? .null
  }
}

/// JSON arrays of strings, as the column of a tags field holds them: readable with `json_each`.
enum JSONText {
  static func array(_ strings: [String]) -> String {
    "[" + strings.map(quoted).joined(separator: ",") + "]"
  }

  /// The strings of a JSON array; nothing for anything else.
  static func strings(_ text: String) -> [String]? {
    try? JSONDecoder().decode([String].self, from: Data(text.utf8))
  }

  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
