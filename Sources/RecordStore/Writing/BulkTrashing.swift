// Many records into the trash at once: what `WriteDoor.put` would make of each, with one statement for
// all where the rows say it, and one prepared statement for the state of each, which they do not.

internal import GRDB
internal import Records

/// Deletes the records of one type that were last written all at once, a page of rows at a time.
struct BulkTrashing {
  private let door: WriteDoor
  private let type: RecordType
  private let forgetsSearch: Bool
  private let insert: Statement
  private let log: Statement
  private let remove: Statement
  private let columns: [Field]

  /// - Parameter forgetsSearch: Whether the search table is told of each record; otherwise it is made
  ///   anew afterwards.
  init(_ type: RecordType, forgetsSearch: Bool, _ door: WriteDoor) throws {
    self.door = door
    self.type = type
    self.forgetsSearch = forgetsSearch && !type.searchedFields.isEmpty
    let schema = TypeSchema(type)
    columns = schema.columns
    insert = try door.db.makeStatement(
      sql: """
        INSERT INTO _trash (id, type, row, title, deleted, created, pending, state)
        VALUES (?, '\(type.id.name)', ?, ?, ?, ?, ?, ?)
        """)
    let written = "_row BETWEEN ? AND ? AND \(Self.isWritten)"
    log = try door.db.makeStatement(
      sql: """
        INSERT INTO _change (number, type, id, kind)
        SELECT ?, '\(type.id.name)', _id, '\(ChangeKind.delete.rawValue)' FROM \(schema.table)
        WHERE \(written) ORDER BY _row
        """)
    remove = try door.db.makeStatement(sql: "DELETE FROM \(schema.table) WHERE \(written)")
  }

  /// Of rows whose columns say all of the record's state (StateCodec).
  private static let isWritten = "_causal IS NULL"

  /// Deletes the records of a page whose fields were all written at once; leaves the others.
  ///
  /// Nothing where a field holds several references: links have to go too.
  mutating func trashWritten(rows: ClosedRange<Int64>) throws {
    guard columns.count == type.fields.count else { return }
    let bounds: StatementArguments = [rows.lowerBound, rows.upperBound]
    let records = try door.reading.living(type, rows: rows, and: Self.isWritten)
    guard !records.isEmpty else { return }
    for record in records { try trash(record) }
    try door.library.surroundings.faults?.tick()
    try log.execute(arguments: [door.number] + bounds)
    try remove.execute(arguments: bounds)
    for record in records { door.note(.delete, record.reference) }
    try door.count(type.id, living: -Int64(records.count))
  }

  private func trash(_ record: StoredRecord) throws {
    try door.library.surroundings.faults?.tick()
    var state = record.state
    state.delete(stamp: door.stamp(above: state.vector))
    let binder = StatementBinder(insert)
    binder.bind(record.id, at: 1)
    binder.bind(record.row, at: 2)
    binder.bind(.text(door.reading.title(of: record).replacing("\0", with: " ")), at: 3)
    binder.bind(door.at, at: 4)
    binder.bind(record.created, at: 5)
    binder.bind(door.number, at: 6)
    binder.bind(StateCodec.whole(state), at: 7)
    try binder.step()
    if forgetsSearch, let text = type.searchText(of: record.shown) {
      let table = TypeSchema(type).searchTable
      try door.search(SearchChange(table: table, row: record.row, text: text, forgets: true))
    }
  }
}
