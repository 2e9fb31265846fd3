// A changed model, applied: a backup, then one transaction for tables, values and the model itself.
// Nothing is dropped from the file: what the new model leaves out is hidden, so that an undo, an
// older device or a later model finds it where it was.

internal import GRDB
package import Records

extension Library {
  /// Makes `model` the library's model.
  ///
  /// - Parameters:
  ///   - known: The model that it was made from; nothing: the one that the library has now.
  ///   - losing: Go on although values go out of sight or do not fit a field's new type.
  /// - Throws: ``StoreError/losesValues(_:)`` unless told to go on; ``StoreError/unusableName(_:)``;
  ///   ``StoreError/modelChanged`` where the library has another model than `known` by the time of the
  ///   change. The library is then as it was.
  package func apply(
    _ model: Model, over known: Model? = nil, losing: Bool = false
  ) async throws -> MigrationResult {
    // One model for all that follows: what is forecast of it holds for no other.
    let known = known ?? self.model
    guard known == self.model else { throw StoreError.modelChanged }
    let forecast = try await forecast(model, over: known)
    guard !forecast.isEmpty else {
      return MigrationResult(forecast: forecast, transaction: nil, backup: nil)
    }
    if !forecast.losses.isEmpty, !losing { throw StoreError.losesValues(forecast.losses) }
    let backup = try await backUpBeforeMigration()
    let (_, number) = try await transaction(TransactionHead(origin: .migration)) { door in
      // Another program may have changed the model since the forecast was made.
      guard door.model == known else { throw StoreError.modelChanged }
      var migration = Migration(door, to: model.keeping(known))
      try migration.run()
    }
    return MigrationResult(forecast: forecast, transaction: number, backup: backup)
  }

  private func backUpBeforeMigration() async throws -> String? {
    guard path != nil else { return nil }
    return try await backUp(to: try safetyPath(before: "migration")).path
  }
}

/// One migration inside an open transaction.
struct Migration {
  private let door: WriteDoor
  private let old: Model
  private let new: Model
  private let diff: ModelDiff
  /// Another device made the change: its records bring the values.
  private let isShared: Bool

  init(_ door: WriteDoor, to model: Model, isShared: Bool = false) {
    self.isShared = isShared
    self.door = door
    old = door.model
    new = model
    diff = ModelDiff(from: old, to: model)
  }

  mutating func run() throws {
    try new.checkNames()
    for change in diff.changes { try makeRoom(for: change) }
    try writeModel()
    // First what the rows mean, then what is written into them.
    for type in diff.settledAnew { try settleAnew(type) }
    if !isShared {
      for case .replaceField(let type, let source, let target) in diff.changes {
        try convert(type, source, target)
      }
    }
    try reconcile()
  }

  /// Tables and columns, before the model speaks of them.
  private func makeRoom(for change: ModelChange) throws {
    switch change {
    case .addType(let type):
      guard let type = new.type(type) else { return }
      try door.library.surroundings.faults?.tick()
      try TypeSchema(type).create(door.db)
    case .addField(let type, let field), .replaceField(let type, _, let field):
      guard let type = new.type(type), let field = type.field(field), old.type(type.id) != nil
      else { return }
      try door.library.surroundings.faults?.tick()
      try TypeSchema(type).addColumn(field, door.db)
    default: break
    }
  }

  /// The model is versioned in the library; its YAML is the same that a person writes.
  private func writeModel() throws {
    let version = door.state.modelVersion + 1
    try door.execute(
      "INSERT INTO _model (version, yaml, at, number) VALUES (?, ?, ?, ?)",
      [version, ModelText.text(of: new), door.at, door.number])
    door.modelChanged(to: new, version: version)
  }

  // MARK: Values

  /// Fills a new field from the one that it replaces, record by record, as a save would.
  private func convert(_ type: TypeID, _ source: FieldID, _ target: FieldID) throws {
    guard let before = old.type(type), let from = before.field(source),
      let after = new.type(type), let to = after.field(target)
    else { return }
    // Ids first, then writes: the rows that a cursor walks over must not change under it.
    var values: [(id: RecordID, value: Value)] = []
    try Conversion.forEach(of: before, from, in: door.reading) { id, value in
      if let value = value.converted(from: from.type, to: to.type) { values.append((id, value)) }
    }
    for (id, value) in values {
      guard let record = try door.reading.record(after, id) else { continue }
      try door.write([target: value], to: after, id: id, previous: record)
    }
    let trash = try Row.fetchAll(
      door.db, sql: "SELECT id FROM _trash WHERE type = ?", arguments: [type.name])
    for row in trash {
      guard
        let record = try ColumnCodec.recordID(row[0]).flatMap({
          try door.reading.trashed(after, $0)
        }),
        let value = record.state.settledValue(of: from).converted(from: from.type, to: to.type),
        !value.isEmpty
      else { continue }
      try door.writeInTrash([target: value], record)
    }
  }

  /// Reads states by the old policies and keeps them by the new ones.
  ///
  /// The columns of a row stand for registers as its fields settle (StateCodec), so every row has to
  /// be read before it is taken by the new model's word: else it would say something else than the
  /// copies of it that others hold.
  private func settleAnew(_ type: TypeID) throws {
    guard let before = old.type(type), let after = new.type(type) else { return }
    let reading = Reading(door.db, model: old)
    let last = try Int64.fetchOne(
      door.db, sql: "SELECT max(_row) FROM \(TypeSchema(after).table)")
    var first: Int64 = 1
    while let last, first <= last {
      let page = first...min(last, first + Self.pageRows - 1)
      for record in try reading.living(before, rows: page) { try settleAnew(record, as: after) }
      first = page.upperBound + 1
    }
    try settleTrashAnew(before, as: after)
  }

  private func settleAnew(_ record: StoredRecord, as type: RecordType) throws {
    let state = record.state.settled(from: record.type, to: type, isPending: record.pending != nil)
    guard state.shownValues(in: type) == record.shown else {
      // Settling is no write of its own (invariant J5): what is pending stays as it is.
      return try door.put(state, of: type, id: record.id, previous: record, pending: false)
    }
    func bytes(_ state: RecordState, _ type: RecordType) -> [UInt8]? {
      let row = StateCodec.Row(type: type, shown: record.shown, newest: record.newest)
      return StateCodec.compact(state, row: row)
    }
    let (now, then) = (bytes(state, type), bytes(record.state, record.type))
    if now != then {
      try door.execute(
        "UPDATE \(TypeSchema(type).table) SET _causal = ? WHERE _row = ?",
        [Blob.stored(now), record.row])
    }
    try door.markConflict(state, of: type, id: record.id)
  }

  /// The same for what waits in the trash, where states are whole whatever their fields settle by.
  private func settleTrashAnew(_ before: RecordType, as type: RecordType) throws {
    let ids = try DatabaseValue.fetchAll(
      door.db, sql: "SELECT id FROM _trash WHERE type = ? AND pending IS NULL",
      arguments: [type.id.name])
    let reading = Reading(door.db, model: old)
    for id in ids.compactMap({ ColumnCodec.recordID($0) }) {
      guard let record = try reading.trashed(before, id) else { continue }
      let state = record.state.settled(from: before, to: type, isPending: false)
      guard state != record.state else { continue }
      try door.execute(
        "UPDATE _trash SET state = ? WHERE id = ?",
        [Blob.stored(StateCodec.whole(state)), ColumnCodec.stored(id)])
    }
  }

  /// Rows that are held at once.
  private static let pageRows: Int64 = 1000

  // MARK: Indexes, guards and search

  /// Makes the indexes what the new model asks for, and the search tables where they changed.
  private func reconcile() throws {
    for type in new.types {
      let schema = TypeSchema(type)
      let wanted = schema.indexes
      let prefix = "\(type.id.name)."
      let found = try Row.fetchAll(
        door.db,
        sql: "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ?",
        arguments: [type.id.name])
      var kept: Set<String> = []
      for row in found {
        let name: String = row[0]
        let sql: String? = row[1]
        guard name.hasPrefix(prefix) else { continue }
        if wanted.contains(where: { $0.name == name && $0.sql == sql }) {
          kept.insert(name)
        } else {
          try door.execute("DROP INDEX \"\(name)\"")
        }
      }
      for index in wanted where !kept.contains(index.name) { try door.execute(index.sql) }
      if searchChanged(type) { try door.rebuildSearch(of: type) }
    }
  }

  private func searchChanged(_ type: RecordType) -> Bool {
    guard let before = old.type(type.id) else { return false }
    return before.searchedFields.map(\.id) != type.searchedFields.map(\.id)
  }
}

extension RecordState {
  /// The state as every other device has it, once fields come to settle by their lines.
  ///
  /// From then on the base of a value is a part of what settles (J5). It did not travel with what was
  /// sent before, so that only this device would have it; with what is pending it travels now.
  fileprivate func settled(
    from before: RecordType, to after: RecordType, isPending: Bool
  ) -> RecordState {
    guard !isPending else { return self }
    var state = self
    state.dropSettledBases { field in
      after.field(field)?.merge != .lines || before.field(field)?.merge == .lines
    }
    return state
  }
}

extension ModelDiff {
  /// The types with a field that settles in another way, each once.
  var settledAnew: [TypeID] {
    var result: [TypeID] = []
    for case .changeMerge(let type, _, _, _) in changes where !result.contains(type) {
      result.append(type)
    }
    return result
  }
}

/// The values of a field that gets a new type.
enum Conversion {
  static func forEach(
    of type: RecordType, _ field: Field, in reading: Reading,
    _ body: (RecordID, Value) throws -> Void
  ) throws {
    let column =
      TypeSchema.hasColumn(field) ? TypeSchema.quoted(field.id.name) : "NULL"
    let rows = try Row.fetchCursor(
      reading.db, sql: "SELECT _id, \(column) FROM \(TypeSchema(type).table)")
    while let row = try rows.next() {
      guard let id = ColumnCodec.recordID(row[0]) else { continue }
      var value = ColumnCodec.value(row[1], of: field.type)
      if !TypeSchema.hasColumn(field) {
        value = try reading.record(type, id)?.shown[field.id] ?? .empty
      }
      if !value.isEmpty { try body(id, value) }
    }
  }
}
