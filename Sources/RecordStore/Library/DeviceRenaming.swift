// Two copies of a library that wrote under one device id (a machine was put back to a snapshot) may
// have given one stamp to two different writes, and one of them would be lost. The one that notices
// re-stamps what it wrote and nobody else has seen (invariant J6). Runs in the transaction that gives
// the copy its device id.

internal import GRDB
internal import Records

/// Moves the pending writes of one device to another one.
struct DeviceRenaming {
  private let old: DeviceID
  private let new: DeviceID
  private let db: Database
  private let reading: Reading
  private let surroundings: Surroundings

  init(
    from old: DeviceID, to new: DeviceID, _ db: Database, surroundings: Surroundings
  ) throws {
    self.old = old
    self.new = new
    self.db = db
    self.surroundings = surroundings
    reading = Reading(db, model: try LibraryOrigin.newestModel(db).model)
  }

  /// Writes a line into the log, and re-stamps the pending records if that is needed.
  mutating func run(restamping: Bool) throws {
    let last = try Row.fetchOne(
      db, sql: "SELECT number, time FROM _transaction ORDER BY number DESC LIMIT 1")
    guard let last else { return }
    let number: Int64 = last[0] + 1
    let time: Int64 = last[1]
    try db.execute(
      sql: """
        INSERT INTO _transaction (number, at, time, device, author, origin, sealed, note, records)
        VALUES (?, ?, ?, ?, ?, 'repair', 0, 'copy', 0)
        """,
      arguments: [
        number, surroundings.milliseconds(), time, Int64(bitPattern: new.rawValue),
        surroundings.person,
      ])
    var records = 0
    if restamping {
      for type in reading.model.types { records += try renameLiving(type) }
      records += try renameTrashed()
      try renameShapes()
    }
    try db.execute(
      sql: "UPDATE _transaction SET sealed = 1, records = ? WHERE number = ?",
      arguments: [records, number])
  }

  private func renameLiving(_ type: RecordType) throws -> Int {
    let table = TypeSchema(type).table
    let devices = StatementArguments([
      Int64(bitPattern: new.rawValue), Int64(bitPattern: old.rawValue),
    ])
    // A row without a state of its own has one stamp for all: its column says it. One that the
    // service knows may have been seen by others.
    try db.execute(
      sql: """
        UPDATE \(table) SET _device = ?
        WHERE _pending IS NOT NULL AND _device = ? AND _causal IS NULL
          AND _id NOT IN (SELECT id FROM _remote WHERE seen IS NOT NULL)
        """, arguments: devices)
    var count = db.changesCount
    let rows = try Int64.fetchAll(
      db,
      sql: """
        SELECT _row FROM \(table) WHERE _pending IS NOT NULL
          AND (_causal IS NOT NULL OR _id IN (SELECT id FROM _remote WHERE seen IS NOT NULL))
        """)
    for row in rows {
      guard let record = try reading.living(type, where: "_row = ?", [row]) else { continue }
      var state = record.state
      state.rename(old, to: new, after: try reading.acknowledged(record.id, by: old))
      guard state != record.state else { continue }
      let newest = state.newest ?? record.newest
      let codec = StateCodec.Row(type: type, shown: record.shown, newest: newest)
      try db.execute(
        sql: "UPDATE \(table) SET _time = ?, _device = ?, _causal = ? WHERE _row = ?",
        arguments: [
          Int64(bitPattern: newest.time.rawValue), Int64(bitPattern: newest.device.rawValue),
          Blob.stored(StateCodec.compact(state, row: codec)), row,
        ])
      count += 1
    }
    return count
  }

  private func renameTrashed() throws -> Int {
    let rows = try Row.fetchAll(
      db, sql: "SELECT id, type FROM _trash WHERE pending IS NOT NULL")
    for row in rows {
      guard let id = ColumnCodec.recordID(row[0]),
        let type = reading.model.type(TypeID(trusted: row[1])),
        let record = try reading.trashed(type, id)
      else { continue }
      var state = record.state
      state.rename(old, to: new, after: try reading.acknowledged(id, by: old))
      try db.execute(
        sql: "UPDATE _trash SET state = ? WHERE id = ?",
        arguments: [Blob.stored(StateCodec.whole(state)), ColumnCodec.stored(id)])
    }
    return rows.count
  }

  /// What was changed in the model and nobody has seen.
  private func renameShapes() throws {
    let rows = try Row.fetchAll(db, sql: "SELECT type, state FROM _shape WHERE pending")
    for row in rows {
      guard let bytes = Blob.bytes(row[1]) else { continue }
      var state = try StateCodec.whole(reading: bytes)
      state.rename(old, to: new, after: .zero)
      try db.execute(
        sql: "UPDATE _shape SET state = ? WHERE type = ?",
        arguments: [Blob.stored(StateCodec.whole(state)), row[0] as String])
    }
  }
}

extension Reading {
  /// The highest time of a device that others may have seen of a record.
  func acknowledged(_ id: RecordID, by device: DeviceID) throws -> HybridTime {
    SeenCopy(bytes: try remoteCopy(id)?.seen)?.vector.time(of: device) ?? .zero
  }
}
