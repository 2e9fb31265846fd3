// Records of a page that nobody here has, as a first sync brings them by the thousand: row after row
// with prepared statements, and one range in the log for all of a type instead of a change each. Each
// becomes what `WriteDoor.put` would make of it.

internal import GRDB
internal import Records

extension WriteDoor {
  /// Inserts what is new and undisputed; answers the changes that have to be joined one by one.
  ///
  /// Comes before anything else of its transaction: the rows of a range stand side by side.
  func takeNew(_ changes: [RemoteChange], counts: inout SyncCounts) throws -> [RemoteChange] {
    guard changes.count >= BulkTaking.countMin else { return changes }
    var rest: [RemoteChange] = []
    var bulks: [TypeID: BulkTaking] = [:]
    let pass = try currentPass()
    for change in changes {
      guard let type = model.type(change.reference.type) else {
        rest.append(change)
        continue
      }
      if bulks[type.id] == nil { bulks[type.id] = try BulkTaking(type, self, pass: pass) }
      if try bulks[type.id]?.take(change) != true { rest.append(change) }
    }
    for (_, bulk) in bulks.sorted(by: { $0.key < $1.key }) {
      try bulk.finish()
      counts.received += bulk.count
      counts.applied += bulk.count
    }
    return rest
  }
}

/// Inserts records of one type as they came, inside an open transaction.
struct BulkTaking {
  /// Fewer changes are told to the lists one by one.
  static let countMin = 64

  private let door: WriteDoor
  private let type: RecordType
  private let columns: [Field]
  private let known: Statement
  private let insert: Statement
  private let search: Statement?
  private let remote: Statement
  private let pass: Int64
  private var first: Int64?
  private var last: Int64 = 0
  private(set) var count = 0

  init(_ type: RecordType, _ door: WriteDoor, pass: Int64) throws {
    self.door = door
    self.type = type
    self.pass = pass
    let schema = TypeSchema(type)
    columns = schema.columns
    known = try door.db.makeStatement(
      sql: """
        SELECT EXISTS (SELECT 1 FROM \(schema.table) WHERE _id = ?1)
          OR EXISTS (SELECT 1 FROM _trash WHERE id = ?1)
          OR EXISTS (SELECT 1 FROM _purged WHERE id = ?1)
        """)
    let names =
      ["_row", "_id", "_created", "_time", "_device", "_pending", "_causal"]
      + columns.map { TypeSchema.quoted($0.id.name) }
    let places = names.map { _ in "?" }.joined(separator: ", ")
    insert = try door.db.makeStatement(
      sql: "INSERT INTO \(schema.table) (\(names.joined(separator: ", "))) VALUES (\(places))")
    search =
      type.searchedFields.isEmpty
      ? nil
      : try door.db.makeStatement(
        sql: "INSERT INTO \(schema.searchTable) (rowid, text) VALUES (?, ?)")
    remote = try door.db.makeStatement(
      sql: "INSERT OR REPLACE INTO _remote (id, type, name, tag, seen, pass) "
        + "VALUES (?, ?, ?, ?, ?, ?)")
  }

  /// Inserts a record; false: it is known here, disputed, deleted or owed, and has to be joined.
  mutating func take(_ change: RemoteChange) throws -> Bool {
    guard case .state(let state) = change.content, let copy = change.remote,
      change.lacking.isEmpty, state.isUndisputed
    else { return false }
    let id = ColumnCodec.stored(change.reference.id)
    guard try Bool.fetchOne(known, arguments: [id]) == false else { return false }
    let shown = state.shownValues(in: type)
    let hasLinks = shown.values.contains { if case .references = $0 { true } else { false } }
    guard !hasLinks, let newest = state.newest else { return false }
    try insert(change.reference.id, shown, state, newest)
    try door.library.surroundings.faults?.tick()
    remote.setUncheckedArguments([
      id, type.id.name, copy.name, copy.tag, Blob.stored(copy.seen), pass,
    ])
    try remote.execute()
    return true
  }

  private mutating func insert(
    _ id: RecordID, _ shown: [FieldID: Value], _ state: RecordState, _ newest: Stamp
  ) throws {
    try door.library.surroundings.faults?.tick()
    let row = try door.nextRow(of: type.id)
    let codec = StateCodec.Row(type: type, shown: shown, newest: newest)
    var arguments: [DatabaseValue] = [
      row.databaseValue, ColumnCodec.stored(id),
      (id.creationTime ?? door.at).databaseValue,
      Int64(bitPattern: newest.time.rawValue).databaseValue,
      Int64(bitPattern: newest.device.rawValue).databaseValue, .null,
      Blob.stored(StateCodec.compact(state, row: codec)),
    ]
    arguments.reserveCapacity(7 + columns.count)
    for field in columns { arguments.append(ColumnCodec.stored(shown[field.id] ?? .empty)) }
    insert.setUncheckedArguments(StatementArguments(arguments))
    try insert.execute()
    if let search, let text = type.searchText(of: shown) {
      search.setUncheckedArguments([row, text])
      try search.execute()
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

extension RecordState {
  /// Alive, and no register with more than one write.
  fileprivate var isUndisputed: Bool {
    for (key, register) in registers {
      if register.siblings.count > 1 { return false }
      if key == .existence, register.winner.payload != .alive { return false }
    }
    return true
  }
}
