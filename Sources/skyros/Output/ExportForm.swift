// A record as one flat row: `_id` and the fields. Import takes it back.

internal import Records

/// The shape of exported rows.
enum ExportForm: String, CaseIterable {
  case csv, json, ndjson

  /// What comes before the first row.
  func opening(_ type: RecordType) -> [UInt8] {
    guard self == .csv else { return [] }
    var bytes: [UInt8] = []
    CSVWriter.append(["_id"] + type.visibleFields.map(\.name), to: &bytes)
    return bytes
  }

  /// A row of CSV.
  func row(_ snapshot: Snapshot, of type: RecordType) -> [UInt8] {
    var bytes: [UInt8] = []
    let cells = type.visibleFields.map { Self.cell(snapshot.value(of: $0.id)) }
    CSVWriter.append([snapshot.id.description] + cells, to: &bytes)
    return bytes
  }

  /// An attachment is an object of JSON in its cell: its name alone would not bring it back.
  private static func cell(_ value: Value) -> String {
    if case .attachment = value { return ValueJSON.json(value).text }
    return ValueText.flat(value)
  }

  /// A flat object.
  static func object(_ snapshot: Snapshot, of type: RecordType) -> JSON {
    JSON.object([JSON.Member("_id", .string(snapshot.id.description))]).adding(
      .fields(of: snapshot, type: type))
  }
}
