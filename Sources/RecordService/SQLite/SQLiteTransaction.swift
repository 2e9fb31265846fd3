// Zones and records in SQL. Lives as long as one read or write body, on its thread.

internal import CloudKitWire
internal import GRDB

struct SQLiteTransaction: StorageWriting {
  let db: Database
  let notes: ChangeNotes

  static let recordColumns = """
    name, type, sequence, tag, fields, has_assets, parent, created_at, created_by, modified_at,
    modified_by, deleted, bytes
    """

  static let zoneColumns =
    "zone.number, zone.name, zone.sequence, zone.forgotten, "
    + "zone.changed, zone.deleted_at IS NOT NULL"

  func row(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
    try Row.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
  }

  func rows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
    try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
  }

  func run(_ sql: String, _ arguments: StatementArguments) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// The database's number; nil when nothing was ever kept in it.
  func number(of database: DatabaseKey) throws -> Int64? {
    try row(
      """
      SELECT number FROM database
      WHERE owner = ? AND container = ? AND environment = ? AND scope = ?
      """,
      [database.owner, database.container, database.environment.rawValue, database.scope.rawValue]
    )?[0]
  }

  func numberMaking(_ database: DatabaseKey) throws -> Int64 {
    if let number = try number(of: database) { return number }
    try run(
      "INSERT INTO database (owner, container, environment, scope) VALUES (?, ?, ?, ?)",
      [database.owner, database.container, database.environment.rawValue, database.scope.rawValue])
    return db.lastInsertedRowID
  }

  static func zone(_ row: Row) -> StoredZone {
    StoredZone(
      number: row[0], name: row[1], sequence: row[2], forgotten: row[3], changed: row[4],
      isDeleted: row[5])
  }

  static func record(_ row: Row) -> StoredRecord {
    StoredRecord(
      name: row[0], type: row[1], sequence: row[2], tag: row[3], fields: row[4],
      hasAssets: row[5], parent: row[6], createdAt: row[7], createdBy: row[8],
      modifiedAt: row[9], modifiedBy: row[10], isDeleted: row[11], bytes: row[12])
  }
}

// MARK: - Reading zones

extension SQLiteTransaction {
  func epoch() throws -> Epoch {
    guard let row = try row("SELECT number, id FROM epoch ORDER BY number DESC LIMIT 1", []) else {
      throw DatabaseError(message: "the service file has no epoch")
    }
    return Epoch(number: row[0], id: row[1])
  }

  func zone(named name: String, in database: DatabaseKey) throws -> StoredZone? {
    guard let number = try number(of: database) else { return nil }
    return try row(
      """
      SELECT \(Self.zoneColumns) FROM zone
      WHERE database = ? AND name = ? AND deleted_at IS NULL
      """, [number, name]
    ).map(Self.zone)
  }

  func zones(in database: DatabaseKey) throws -> [StoredZone] {
    guard let number = try number(of: database) else { return [] }
    return try rows(
      """
      SELECT \(Self.zoneColumns) FROM zone WHERE database = ? AND deleted_at IS NULL ORDER BY name
      """, [number]
    ).map(Self.zone)
  }

  func zoneCount(of owner: Int64) throws -> (living: Int, remembered: Int) {
    try row(
      """
      SELECT count(*) - count(zone.deleted_at), count(*)
      FROM zone JOIN database ON database.number = zone.database
      WHERE database.owner = ? AND database.scope = 'private'
      """, [owner]
    ).map { (living: $0[0], remembered: $0[1]) } ?? (0, 0)
  }

  func zoneChanges(
    in database: DatabaseKey, after sequence: Int64, limit: Int
  ) throws -> [StoredZone] {
    guard let number = try number(of: database) else { return [] }
    return try rows(
      """
      SELECT \(Self.zoneColumns) FROM zone WHERE database = ? AND changed > ?
      ORDER BY changed LIMIT ?
      """, [number, sequence, limit]
    ).map(Self.zone)
  }

  func databaseSequence(of database: DatabaseKey) throws -> Int64 {
    guard let number = try number(of: database) else { return 0 }
    return try row("SELECT sequence FROM database WHERE number = ?", [number])?[0] ?? 0
  }

  func databaseForgotten(of database: DatabaseKey) throws -> Int64 {
    guard let number = try number(of: database) else { return 0 }
    return try row("SELECT forgotten FROM database WHERE number = ?", [number])?[0] ?? 0
  }

  func usedBytes(of owner: Int64) throws -> Int64 {
    try row(
      """
      SELECT coalesce(sum(zone.bytes), 0) FROM zone JOIN database ON database.number = zone.database
      WHERE database.owner = ? AND database.scope = 'private' AND zone.deleted_at IS NULL
      """, [owner]
    )?[0] ?? 0
  }

  func record(named name: String, in zone: Int64) throws -> StoredRecord? {
    try row(
      "SELECT \(Self.recordColumns) FROM record WHERE zone = ? AND name = ?", [zone, name]
    ).map(Self.record)
  }

  func changes(
    in zone: Int64, after sequence: Int64, _ body: (StoredRecord) throws -> Bool
  ) throws {
    try each(
      """
      SELECT \(Self.recordColumns) FROM record WHERE zone = ? AND sequence > ? ORDER BY sequence
      """, [zone, sequence], body)
  }

  func changesReversed(
    in zone: Int64, before sequence: Int64, _ body: (StoredRecord) throws -> Bool
  ) throws {
    try each(
      """
      SELECT \(Self.recordColumns) FROM record WHERE zone = ? AND sequence < ?
      ORDER BY sequence DESC
      """, [zone, sequence], body)
  }

  func records(
    of type: String, in zone: Int64, after name: String, _ body: (StoredRecord) throws -> Bool
  ) throws {
    try each(
      """
      SELECT \(Self.recordColumns) FROM record INDEXED BY record_type
      WHERE zone = ? AND type = ? AND name > ? AND deleted = 0 ORDER BY name
      """, [zone, type, name], body)
  }

  private func each(
    _ sql: String, _ arguments: StatementArguments, _ body: (StoredRecord) throws -> Bool
  ) throws {
    let cursor = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
    while let row = try cursor.next() {
      guard try body(Self.record(row)) else { return }
    }
  }

  func fieldTypes(of type: String, in zone: Int64) throws -> [String: FieldType] {
    var types: [String: FieldType] = [:]
    for row in try rows(
      "SELECT field, tag FROM field_type WHERE zone = ? AND type = ?", [zone, type])
    {
      types[row[0]] = FieldType(rawValue: row[1])
    }
    return types
  }

  func sources(
    of target: String, in zone: Int64, action: WireReference.Action, limit: Int
  ) throws -> [(record: String, field: String)] {
    try rows(
      "SELECT source, field FROM pointer WHERE zone = ? AND target = ? AND action = ? LIMIT ?",
      [zone, target, action.rawValue, limit]
    ).map { (record: $0[0], field: $0[1]) }
  }

  func assetUses(of record: String, in zone: Int64) throws -> [StoredAssetUse] {
    try rows(
      "SELECT field, digest, bytes FROM asset_use WHERE zone = ? AND record = ?", [zone, record]
    ).map { StoredAssetUse(field: $0[0], digest: $0[1], bytes: $0[2]) }
  }

  func unusedAssets(among digests: [String]) throws -> [String] {
    try digests.filter {
      try row("SELECT 1 FROM asset_use WHERE digest = ? LIMIT 1", [$0]) == nil
    }
  }

  func answer(to key: String) throws -> [UInt8]? {
    try row("SELECT body FROM answer WHERE key = ?", [key]).map { Array($0.bytes(at: 0)) }
  }
}

// MARK: - Writing zones

extension SQLiteTransaction {
  func makeZone(
    named name: String, in database: DatabaseKey, at milliseconds: Int64
  ) throws -> StoredZone {
    let number = try numberMaking(database)
    let changed = try bump(number)
    // Tags and sequences go on, so that a tag of the zone that was is never one of the zone that is.
    let old = try row(
      "SELECT number, sequence FROM zone WHERE database = ? AND name = ?", [number, name])
    let floor: Int64 = try row("SELECT floor FROM database WHERE number = ?", [number])?[0] ?? 0
    let sequence: Int64 = max(old?[1] ?? 0, floor)
    if let old { try run("DELETE FROM zone WHERE number = ?", [old[0] as Int64]) }
    try run(
      """
      INSERT INTO zone (database, name, sequence, forgotten, changed, created_at)
      VALUES (?, ?, ?, 0, ?, ?)
      """, [number, name, sequence, changed, milliseconds])
    notes.note(database)
    return StoredZone(
      number: db.lastInsertedRowID, name: name, sequence: sequence, forgotten: 0,
      changed: changed, isDeleted: false)
  }

  func deleteZone(
    _ zone: StoredZone, in database: DatabaseKey, at milliseconds: Int64
  ) throws {
    try empty(zone: zone.number)
    let changed = try bump(try numberMaking(database))
    try run(
      "UPDATE zone SET deleted_at = ?, changed = ?, bytes = 0 WHERE number = ?",
      [milliseconds, changed, zone.number])
    notes.note(database)
  }

  /// Removes all that is in the zone, without a trace in its feed.
  func empty(zone: Int64) throws {
    try run(
      "DELETE FROM field_value WHERE field IN (SELECT number FROM indexed_field WHERE zone = ?)",
      [zone])
    for table in ["indexed_field", "record", "field_type", "pointer", "asset_use"] {
      try run("DELETE FROM \(table) WHERE zone = ?", [zone])
    }
  }

  func save(_ record: StoredRecord, in zone: Int64) throws {
    try run(
      """
      INSERT INTO record (zone, \(Self.recordColumns))
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (zone, name) DO UPDATE SET
        type = excluded.type, sequence = excluded.sequence, tag = excluded.tag,
        fields = excluded.fields, has_assets = excluded.has_assets, parent = excluded.parent,
        created_at = excluded.created_at, created_by = excluded.created_by,
        modified_at = excluded.modified_at, modified_by = excluded.modified_by,
        deleted = excluded.deleted, bytes = excluded.bytes
      """,
      [
        zone, record.name, record.type, record.sequence, record.tag, record.fields,
        record.hasAssets, record.parent, record.createdAt, record.createdBy, record.modifiedAt,
        record.modifiedBy, record.isDeleted, record.bytes,
      ])
  }

  func advance(
    _ zone: StoredZone, to sequence: Int64, bytes: Int64, in database: DatabaseKey
  ) throws {
    let changed = try bump(try numberMaking(database))
    try run(
      "UPDATE zone SET sequence = ?, bytes = bytes + ?, changed = ? WHERE number = ?",
      [sequence, bytes, changed, zone.number])
    notes.note(database)
  }

  func setFieldType(
    _ type: FieldType, of field: String, type recordType: String, in zone: Int64
  ) throws {
    try run(
      "INSERT OR REPLACE INTO field_type (zone, type, field, tag) VALUES (?, ?, ?, ?)",
      [zone, recordType, field, type.rawValue])
  }

  func setPointers(_ pointers: [StoredPointer], of record: String, in zone: Int64) throws {
    try run("DELETE FROM pointer WHERE zone = ? AND source = ?", [zone, record])
    for pointer in pointers {
      try run(
        "INSERT INTO pointer (zone, source, field, target, action) VALUES (?, ?, ?, ?, ?)",
        [zone, record, pointer.field, pointer.target, pointer.action.rawValue])
    }
  }

  func setAssetUses(_ uses: [StoredAssetUse], of record: String, in zone: Int64) throws {
    try run("DELETE FROM asset_use WHERE zone = ? AND record = ?", [zone, record])
    for use in uses {
      try run(
        "INSERT INTO asset_use (zone, record, field, digest, bytes) VALUES (?, ?, ?, ?, ?)",
        [zone, record, use.field, use.digest, use.bytes])
    }
  }

  func remember(_ answer: [UInt8], to key: String, at milliseconds: Int64) throws {
    try run(
      "INSERT OR REPLACE INTO answer (key, body, created_at) VALUES (?, ?, ?)",
      [key, DatabaseValue(bytes: answer), milliseconds])
  }

  func bump(_ database: Int64) throws -> Int64 {
    try row(
      "UPDATE database SET sequence = sequence + 1 WHERE number = ? RETURNING sequence",
      [database])?[0] ?? 0
  }
}
