// Writing one record: its row, links, search text, conflict mark, trash and log, from the state that
// it has to have afterwards. Editing, undo, restoring and sync all come through `put`.

internal import GRDB
internal import Records

extension WriteDoor {
  /// Brings a record to a state, and logs what that changed.
  ///
  /// - Parameters:
  ///   - state: The whole state afterwards; its existence decides between table and trash.
  ///   - previous: The record as it is; nothing for a new one.
  ///   - pending: Whether a record service has to hear of it.
  ///   - created: When a record that is new here was made elsewhere.
  func put(
    _ state: RecordState, of type: RecordType, id: RecordID, previous: StoredRecord?,
    pending: Bool = true, created: Int64? = nil
  ) throws {
    let shown = state.shownValues(in: type)
    let record = StoredRecord(
      type: type, id: id, row: try previous?.row ?? nextRow(of: type.id),
      created: previous?.created ?? created ?? at, newest: state.newest ?? .zero,
      pending: pending ? number : previous?.pending, isDeleted: state.existence == .deleted,
      shown: shown, state: state)
    var before: [FieldID: Value] = [:]
    if let previous {
      for field in Set(shown.keys).union(previous.shown.keys) {
        let old = previous.shown[field] ?? .empty
        if old != shown[field] ?? .empty { before[field] = old }
      }
    }
    let sides =
      head.origin == .sync ? [:] : previous?.state.disputes(settledBy: state, in: type) ?? [:]
    switch (previous?.isDeleted, record.isDeleted) {
    case (nil, false):
      try insert(record)
      try log(.insert, record.reference)
    case (nil, true):
      try addToTrash(record)
      try log(.delete, record.reference)
    case (false?, false):
      if let previous { try update(record, from: previous) }
      try log(.update, record.reference, before: before, sides: sides)
    case (false?, true):
      if let previous { try removeRow(previous) }
      try addToTrash(record)
      try log(.delete, record.reference, before: before, sides: sides)
    case (true?, false):
      try removeFromTrash(id)
      try insert(record)
      try log(.restore, record.reference, before: before)
    case (true?, true):
      try removeFromTrash(id)
      try addToTrash(record)
      try log(.update, record.reference, before: before)
    }
    try markConflict(state, of: type, id: id)
  }

  /// Takes a record out of the library for good; its past goes with it (DESIGN.md 3, purge).
  func purge(_ record: StoredRecord) throws {
    if record.isDeleted { try removeFromTrash(record.id) } else { try removeRow(record) }
    let id = ColumnCodec.stored(record.id)
    try execute("UPDATE _change SET before = NULL WHERE id = ?", [id])
    try execute("DELETE FROM _conflict WHERE id = ?", [id])
    try execute(
      "INSERT OR REPLACE INTO _purged (id, type, number, pending, row) VALUES (?, ?, ?, ?, ?)",
      [id, record.type.id.name, number, number, record.row])
    try log(.purge, record.reference)
  }

  // MARK: Rows

  private func insert(_ record: StoredRecord) throws {
    let schema = TypeSchema(record.type)
    let columns = schema.columns
    let names = schema.columnNames
    let places = names.map { _ in "?" }.joined(separator: ", ")
    var arguments: [DatabaseValue] = [
      record.row.databaseValue, ColumnCodec.stored(record.id), record.created.databaseValue,
    ]
    arguments += ownValues(record)
    arguments += columns.map { ColumnCodec.stored(record.shown[$0.id] ?? .empty) }
    try execute(
      "INSERT INTO \(schema.table) (\(names.joined(separator: ", "))) VALUES (\(places))",
      StatementArguments(arguments))
    for field in record.type.fields { try addLinks(record, field) }
    try setSearch(record.row, schema, from: nil, to: record.shown)
    try count(record.type.id, living: 1)
  }

  private func update(_ record: StoredRecord, from previous: StoredRecord) throws {
    let schema = TypeSchema(record.type)
    let changed = record.type.fields.filter { record.shown[$0.id] != previous.shown[$0.id] }
    let columns = changed.filter(TypeSchema.hasColumn)
    let assignments =
      ["_time", "_device", "_pending", "_causal"] + columns.map { TypeSchema.quoted($0.id.name) }
    var arguments = ownValues(record)
    arguments += columns.map { ColumnCodec.stored(record.shown[$0.id] ?? .empty) }
    arguments.append(record.row.databaseValue)
    try execute(
      "UPDATE \(schema.table) SET \(assignments.map { "\($0) = ?" }.joined(separator: ", ")) "
        + "WHERE _row = ?",
      StatementArguments(arguments))
    for field in changed where !TypeSchema.hasColumn(field) {
      try execute(
        "DELETE FROM _link WHERE source = ? AND field = ?",
        [ColumnCodec.stored(record.id), field.id.name])
      try addLinks(record, field)
    }
    try setSearch(record.row, schema, from: previous.shown, to: record.shown)
  }

  private func removeRow(_ record: StoredRecord) throws {
    let schema = TypeSchema(record.type)
    try setSearch(record.row, schema, from: record.shown, to: nil)
    try execute("DELETE FROM \(schema.table) WHERE _row = ?", [record.row])
    if schema.columns.count < record.type.fields.count {
      try execute("DELETE FROM _link WHERE source = ?", [ColumnCodec.stored(record.id)])
    }
    try count(record.type.id, living: -1)
  }

  /// `_time`, `_device`, `_pending`, `_causal`.
  private func ownValues(_ record: StoredRecord) -> [DatabaseValue] {
    let row = StateCodec.Row(type: record.type, shown: record.shown, newest: record.newest)
    return [
      Int64(bitPattern: record.newest.time.rawValue).databaseValue,
      Int64(bitPattern: record.newest.device.rawValue).databaseValue,
      record.pending?.databaseValue ?? .null,
      Blob.stored(StateCodec.compact(record.state, row: row)),
    ]
  }

  private func addLinks(_ record: StoredRecord, _ field: Field) throws {
    guard case .references(let targets) = record.shown[field.id] else { return }
    for target in targets {
      try execute(
        "INSERT INTO _link (source, field, target, type) VALUES (?, ?, ?, ?)",
        [
          ColumnCodec.stored(record.id), field.id.name, ColumnCodec.stored(target),
          record.type.id.name,
        ])
    }
  }

  // MARK: Search

  private func setSearch(
    _ row: Int64, _ schema: TypeSchema, from old: [FieldID: Value]?, to new: [FieldID: Value]?
  ) throws {
    guard !schema.type.searchedFields.isEmpty else { return }
    let before = old.flatMap(schema.type.searchText)
    let after = new.flatMap(schema.type.searchText)
    if before == after { return }
    let table = schema.searchTable
    if let before {
      try search(SearchChange(table: table, row: row, text: before, forgets: true))
    }
    if let after {
      try search(SearchChange(table: table, row: row, text: after, forgets: false))
    }
  }

  // MARK: Trash and conflicts

  private func addToTrash(_ record: StoredRecord) throws {
    try execute(
      """
      INSERT INTO _trash (id, type, row, title, deleted, created, pending, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        ColumnCodec.stored(record.id), record.type.id.name, record.row,
        reading.title(of: record).replacing("\0", with: " "), at, record.created, record.pending,
        Blob.stored(StateCodec.whole(record.state)),
      ])
  }

  private func removeFromTrash(_ id: RecordID) throws {
    try execute("DELETE FROM _trash WHERE id = ?", [ColumnCodec.stored(id)])
  }

  /// Keeps the list of conflicts.
  func markConflict(_ state: RecordState, of type: RecordType, id: RecordID) throws {
    let id = ColumnCodec.stored(id)
    if state.conflicts(in: type).isEmpty {
      let isMarked =
        try Row.fetchOne(
          db.cachedStatement(sql: "SELECT 1 FROM _conflict WHERE id = ?"), arguments: [id]) != nil
      if isMarked { try execute("DELETE FROM _conflict WHERE id = ?", [id]) }
    } else {
      try execute(
        "INSERT OR IGNORE INTO _conflict (id, type) VALUES (?, ?)", [id, type.id.name])
    }
  }
}

extension RecordType {
  /// What the search table holds of a record; nothing where there is no word in it.
  func searchText(of shown: [FieldID: Value]) -> String? {
    var result = ""
    for field in fields where field.search && !field.hidden {
      if let text = shown[field.id]?.plainText { SearchText.append(text, to: &result) }
    }
    return result.isEmpty ? nil : result
  }
}
