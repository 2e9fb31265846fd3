// Records of a page that nobody here has, as a first sync brings them by the thousand: row after row
// with prepared statements, and one range in the log for all of a type instead of a change each. Each
// becomes what `WriteDoor.put` would make of it. On the writer's queue, inside one transaction.

internal import GRDB
internal import Records

extension WriteDoor {
  /// Inserts what is new and undisputed; answers the changes that have to be joined one by one.
  ///
  /// Comes before anything else of its transaction: the rows of a range stand side by side.
  func takeNew(_ changes: [RemoteChange], counts: inout SyncCounts) throws -> [RemoteChange] {
    guard changes.count >= BulkTaking.countMin else { return changes }
    var rest: [RemoteChange] = []
    var bulks: [BulkTaking] = []
    var last = 0
    let pass = try currentPass()
    for change in changes {
      if bulks.isEmpty || bulks[last].type.id != change.reference.type {
        if let found = bulks.firstIndex(where: { $0.type.id == change.reference.type }) {
          last = found
        } else if let type = model.type(change.reference.type) {
          last = bulks.count
          bulks.append(try BulkTaking(type, self, pass: pass))
        } else {
          rest.append(change)
          continue
        }
      }
      if try !bulks[last].take(change) { rest.append(change) }
    }
    for bulk in bulks {
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

  let type: RecordType
  private let door: WriteDoor
  private let searchTable: String
  /// The places of the fields that have a column, in the order of the columns.
  private let columns: [Int]
  private let searched: [Int]
  private let known: Statement
  private let insert: Statement
  private let remote: Statement
  private let pass: Int64
  private let faults: Faults?
  private var first: Int64?
  private var last: Int64 = 0
  private(set) var count = 0

  init(_ type: RecordType, _ door: WriteDoor, pass: Int64) throws {
    self.door = door
    self.type = type
    self.pass = pass
    faults = door.library.surroundings.faults
    let schema = TypeSchema(type)
    searchTable = schema.searchTable
    columns = type.fields.indices.filter { TypeSchema.hasColumn(type.fields[$0]) }
    searched = columns.filter { type.fields[$0].search && !type.fields[$0].hidden }
    // Of its own: a cached one may stand where GRDB left it, and takes no values then.
    known = try door.db.makeStatement(
      sql: """
        SELECT EXISTS (SELECT 1 FROM \(schema.table) WHERE _id = ?1)
          OR EXISTS (SELECT 1 FROM _trash WHERE id = ?1)
          OR EXISTS (SELECT 1 FROM _purged WHERE id = ?1)
        """)
    let names =
      TypeSchema.ownColumns + columns.map { TypeSchema.quoted(type.fields[$0].id.name) }
    let places = names.map { _ in "?" }.joined(separator: ", ")
    insert = try door.db.makeStatement(
      sql: "INSERT INTO \(schema.table) (\(names.joined(separator: ", "))) VALUES (\(places))")
    remote = try door.db.makeStatement(
      sql: "INSERT OR REPLACE INTO _remote (id, type, name, tag, seen, pass) "
        + "VALUES (?, ?, ?, ?, ?, ?)")
  }

  /// Inserts a record; false: it is known here, disputed, deleted or owed, and has to be joined.
  mutating func take(_ change: RemoteChange) throws -> Bool {
    guard let copy = change.remote, change.lacking.isEmpty else { return false }
    let (newest, values): (Stamp, [Value])
    var causal: [UInt8]?
    switch change.content {
    case .plain(let plain): (newest, values) = (plain.stamp, plain.values)
    case .state(let state):
      guard state.isUndisputed, let stamp = state.newest else { return false }
      newest = stamp
      values = type.fields.map { state.settledValue(of: $0) }
      var shown: [FieldID: Value] = [:]
      for (field, value) in zip(type.fields, values) where !value.isEmpty {
        shown[field.id] = value
      }
      causal = StateCodec.compact(
        state, row: StateCodec.Row(type: type, shown: shown, newest: newest))
    case .partial, .purged: return false
    }
    // Several references have links instead of a column.
    if columns.count < values.count,
      values.contains(where: { if case .references = $0 { true } else { false } })
    {
      return false
    }
    let id = change.reference.id
    let question = StatementBinder(known)
    question.bind(id, at: 1)
    guard try !question.isTrue() else { return false }
    try insertRow(id, newest: newest, values: values, causal: causal)
    try remember(id, copy)
    return true
  }

  private mutating func insertRow(
    _ id: RecordID, newest: Stamp, values: [Value], causal: [UInt8]?
  ) throws {
    try faults?.tick()
    let row = first == nil ? try door.nextRow(of: type.id) : last + 1
    let binder = StatementBinder(insert)
    binder.bind(row, at: 1)
    binder.bind(id, at: 2)
    binder.bind(id.creationTime ?? door.at, at: 3)
    binder.bind(Int64(bitPattern: newest.time.rawValue), at: 4)
    binder.bind(Int64(bitPattern: newest.device.rawValue), at: 5)
    binder.bindNull(at: 6)
    binder.bind(causal, at: 7)
    for (index, place) in columns.enumerated() { binder.bind(values[place], at: Int32(index) + 8) }
    try binder.step()
    var text = ""
    for place in searched {
      if let value = values[place].plainText { SearchText.append(value, to: &text) }
    }
    if !text.isEmpty {
      try door.search(SearchChange(table: searchTable, row: row, text: text, forgets: false))
    }
    if first == nil { first = row }
    last = row
    count += 1
  }

  private func remember(_ id: RecordID, _ copy: RemoteCopy) throws {
    try faults?.tick()
    let binder = StatementBinder(remote)
    binder.bind(id, at: 1)
    binder.bind(type.id.name, at: 2)
    if let name = copy.name { binder.bind(name, at: 3) } else { binder.bindNull(at: 3) }
    if let tag = copy.tag { binder.bind(tag, at: 4) } else { binder.bindNull(at: 4) }
    binder.bind(copy.seen, at: 5)
    binder.bind(pass, at: 6)
    try binder.step()
  }

  /// Writes what stands for all of them: the range in the log, and their number.
  func finish() throws {
    guard let first else { return }
    try door.takeRows(of: type.id, upTo: last)
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
