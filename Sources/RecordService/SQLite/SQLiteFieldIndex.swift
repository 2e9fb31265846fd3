// The indexes of fields in SQL.

internal import CloudKitWire
internal import GRDB

extension SQLiteTransaction {
  func indexes(of type: String, in zone: Int64) throws -> [StoredIndex] {
    try rows(
      "SELECT number, field, up_to FROM indexed_field WHERE zone = ? AND type = ?", [zone, type]
    ).map { StoredIndex(number: $0[0], field: $0[1], upTo: $0[2]) }
  }

  func names(
    having value: IndexedValue, in index: Int64, after name: String,
    _ body: (String) throws -> Bool
  ) throws {
    let cursor = try String.fetchCursor(
      db.cachedStatement(
        sql: "SELECT name FROM field_value WHERE field = ? AND value = ? AND name > ? ORDER BY name"
      ),
      arguments: [index, Self.stored(value), name])
    while let name = try cursor.next() {
      guard try body(name) else { return }
    }
  }

  func addIndex(of field: String, type: String, in zone: Int64) throws -> StoredIndex {
    try run(
      "INSERT INTO indexed_field (zone, type, field, up_to) VALUES (?, ?, ?, '')",
      [zone, type, field])
    return StoredIndex(number: db.lastInsertedRowID, field: field, upTo: "")
  }

  func extend(_ index: Int64, upTo name: String) throws {
    try run("UPDATE indexed_field SET up_to = ? WHERE number = ?", [name, index])
  }

  func note(_ value: IndexedValue, of record: String, in index: Int64) throws {
    try run(
      "INSERT OR IGNORE INTO field_value (field, value, name) VALUES (?, ?, ?)",
      [index, Self.stored(value), record])
  }

  func drop(_ value: IndexedValue, of record: String, in index: Int64) throws {
    try run(
      "DELETE FROM field_value WHERE field = ? AND value = ? AND name = ?",
      [index, Self.stored(value), record])
  }

  private static func stored(_ value: IndexedValue) -> DatabaseValue {
    switch value {
    case .text(let name): name.text.databaseValue
    case .integer(let number): number.databaseValue
    case .real(let number): number.databaseValue
    case .bytes(let bytes): DatabaseValue(bytes: bytes)
    }
  }
}
