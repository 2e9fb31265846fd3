// A record as one flat row, `_id` and the fields: what an export writes and an import takes back.

package import Records

/// Rows of an export.
package enum FlatRow {
  /// The first line of a CSV file.
  package static func header(of type: RecordType) -> [UInt8] {
    var bytes: [UInt8] = []
    CSVWriter.append(
      [TypeInference.identityHeader] + type.visibleFields.map(\.name), to: &bytes)
    return bytes
  }

  /// A line of CSV.
  package static func line(_ snapshot: Snapshot, of type: RecordType) -> [UInt8] {
    var bytes: [UInt8] = []
    let cells = type.visibleFields.map { cell(snapshot.value(of: $0.id)) }
    CSVWriter.append([snapshot.id.description] + cells, to: &bytes)
    return bytes
  }

  /// A flat object.
  package static func object(_ snapshot: Snapshot, of type: RecordType) -> JSON {
    let fields = type.visibleFields.map {
      JSON.Member($0.name, ValueJSON.json(snapshot.value(of: $0.id)))
    }
    let id = JSON.Member(TypeInference.identityHeader, .string(snapshot.id.description))
    return .object([id] + fields)
  }

  /// An attachment is an object of JSON in its cell: its name alone would not bring it back.
  private static func cell(_ value: Value) -> String {
    if case .attachment = value { return ValueJSON.json(value).text }
    return ValueText.flat(value)
  }
}
