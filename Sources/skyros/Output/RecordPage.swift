// One record as a person reads it on a terminal. Pure.

internal import RecordStore
internal import Records
internal import TerminalKit
internal import Wording

/// A record's fields, one a line, the names in a column.
struct RecordPage {
  let lines: [String]

  init(
    _ snapshot: Snapshot, type: RecordType, titles: [RecordID: String], missing: Set<FieldID>,
    time: LocalTime
  ) {
    let values = ShownValues(time: time)
    var rows = [(type.name, snapshot.id.description)]
    rows += type.visibleFields.map { field in
      let text = values.text(snapshot.value(of: field.id), of: field, titles: titles)
      let isMissing = missing.contains(field.id)
      return (field.title, isMissing ? "\(text), \(Words.system.syncing.notHere)" : text)
    }
    rows.append(("created", TimestampText.local(snapshot.created, in: time)))
    rows.append(("modified", TimestampText.local(snapshot.modified, in: time)))
    if snapshot.isDeleted { rows.append(("deleted", "in the trash")) }
    for conflict in snapshot.state.conflicts(in: type) {
      let name = conflict.field.flatMap { type.field($0)?.title } ?? "delete or keep"
      rows.append(("conflict", "\(name): \(conflict.sides.count) sides"))
    }
    let width = rows.map { TextWidth.columns($0.0) }.max() ?? 0
    lines = rows.flatMap { name, value in Self.lines(name, value, indent: width + 2) }
  }

  /// The lines of one field: the value's own line breaks are kept, set in under the first.
  private static func lines(_ name: String, _ value: String, indent: Int) -> [String] {
    let pieces = value.split(separator: "\n", omittingEmptySubsequences: false)
    return pieces.enumerated().map { index, piece in
      let head = index == 0 ? VisibleText.shown(name) : ""
      if piece.isEmpty { return head }
      let space = String(repeating: " ", count: max(0, indent - TextWidth.columns(head)))
      return head + space + VisibleText.shown(piece)
    }
  }
}

/// Values as a person reads them: a reference by what it is called.
struct ShownValues {
  let time: LocalTime

  func text(_ value: Value, of field: Field, titles: [RecordID: String] = [:]) -> String {
    switch value {
    case .reference(let id): titles[id] ?? "\(id) (gone)"
    case .references(let ids): ids.map { titles[$0] ?? "\($0) (gone)" }.joined(separator: ", ")
    case .attachment(let file): "\(file.name) (\(file.size) bytes)"
    default: ValueText.show(value, in: time)
    }
  }
}
