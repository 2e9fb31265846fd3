// New records of one import, row after row with prepared statements. What each of them is, is what
// `WriteDoor.put` would make of a record whose fields were all written at once (StateCodec: no bytes
// beside the columns); the log has one range for all of them instead of a change each.

internal import GRDB
internal import Records

/// Inserts records of one type inside an open transaction.
struct BulkInsertion {
  private let door: WriteDoor
  private let type: RecordType
  private let columns: [Field]
  private let searched: [Int]
  private let insert: Statement
  private let search: Statement?
  private let stamp: Stamp
  private var first: Int64?
  private var last: Int64 = 0
  private var count = 0

  init(_ type: RecordType, _ door: WriteDoor) throws {
    self.door = door
    self.type = type
    let schema = TypeSchema(type)
    columns = schema.columns
    searched = columns.indices.filter { schema.columns[$0].search && !schema.columns[$0].hidden }
    let names =
      ["_row", "_id", "_created", "_time", "_device", "_pending", "_causal"]
      + columns.map { TypeSchema.quoted($0.id.name) }
    let places = names.map { _ in "?" }.joined(separator: ", ")
    insert = try door.db.makeStatement(
      sql: "INSERT INTO \(schema.table) (\(names.joined(separator: ", "))) VALUES (\(places))")
    search =
      searched.isEmpty
      ? nil
      : try door.db.makeStatement(
        sql: "INSERT INTO \(schema.searchTable) (rowid, text) VALUES (?, ?)")
    stamp = door.stamp(above: .empty)
  }

  /// Whether all of a record's values have a column; several references have links instead.
  func fits(_ values: [FieldID: Value]) -> Bool {
    columns.count == type.fields.count
      || !values.values.contains { if case .references = $0 { true } else { false } }
  }

  mutating func add(_ id: RecordID, _ values: [FieldID: Value]) throws {
    try door.library.surroundings.faults?.tick()
    let row = try door.nextRow(of: type.id)
    var arguments: [DatabaseValue] = [
      row.databaseValue, ColumnCodec.stored(id), door.at.databaseValue,
      Int64(bitPattern: stamp.time.rawValue).databaseValue,
      Int64(bitPattern: stamp.device.rawValue).databaseValue, door.number.databaseValue, .null,
    ]
    arguments.reserveCapacity(7 + columns.count)
    for field in columns { arguments.append(ColumnCodec.stored(values[field.id] ?? .empty)) }
    insert.setUncheckedArguments(StatementArguments(arguments))
    try insert.execute()
    if let search {
      var text = ""
      for index in searched {
        if let value = values[columns[index].id]?.plainText { SearchText.append(value, to: &text) }
      }
      if !text.isEmpty {
        search.setUncheckedArguments([row, text])
        try search.execute()
      }
    }
    if first == nil { first = row }
    last = row
    count += 1
  }

  /// Writes what stands for all of them: the range in the log, and their number.
  func finish() throws {
    guard let first else { return }
    try door.execute(
      "INSERT INTO _range (type, first, last, number) VALUES (?, ?, ?, ?)",
      [type.id.name, first, last, door.number])
    try door.count(type.id, living: Int64(count))
    door.note(inserted: count, of: type.id)
  }
}
