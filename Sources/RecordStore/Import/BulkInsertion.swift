// New records of one import, row after row with one prepared statement. What each of them is, is what
// `WriteDoor.put` would make of a record whose fields were all written at once (StateCodec: no bytes
// beside the columns); the log has ranges of row numbers for them instead of a change each.

internal import FoundationEssentials
internal import GRDB
internal import GRDBSQLite
internal import Records

/// Inserts records of one type inside an open transaction.
struct BulkInsertion {
  private let door: WriteDoor
  private let type: RecordType
  private let searchTable: String
  /// The places of the fields that have a column, in the order of the columns.
  private let columns: [Int]
  private let searched: [Int]
  private let insert: Statement
  private let stamp: Stamp
  /// The rows since the last gap: a record that was written one by one took a number in between.
  private var range: ClosedRange<Int64>?
  private var count = 0

  init(_ type: RecordType, _ door: WriteDoor) throws {
    self.door = door
    self.type = type
    let schema = TypeSchema(type)
    searchTable = schema.searchTable
    columns = type.fields.indices.filter { TypeSchema.hasColumn(type.fields[$0]) }
    searched = columns.filter { type.fields[$0].search && !type.fields[$0].hidden }
    let names =
      ["_row", "_id", "_created", "_time", "_device", "_pending"]
      + columns.map { TypeSchema.quoted(type.fields[$0].id.name) }
    let places = names.map { _ in "?" }.joined(separator: ", ")
    insert = try door.db.makeStatement(
      sql: "INSERT INTO \(schema.table) (\(names.joined(separator: ", "))) VALUES (\(places))")
    stamp = door.stamp(above: .empty)
  }

  /// Whether all of a record's values have a column; several references have links instead.
  func fits(_ values: [Value]) -> Bool {
    columns.count == type.fields.count
      || !values.contains { if case .references = $0 { true } else { false } }
  }

  /// - Parameter values: By the places of the type's fields.
  mutating func add(_ id: RecordID, _ values: [Value]) throws {
    try door.library.surroundings.faults?.tick()
    let row = try door.nextRow(of: type.id)
    let binder = StatementBinder(insert)
    binder.bind(row, at: 1)
    binder.bind(id, at: 2)
    binder.bind(door.at, at: 3)
    binder.bind(Int64(bitPattern: stamp.time.rawValue), at: 4)
    binder.bind(Int64(bitPattern: stamp.device.rawValue), at: 5)
    binder.bind(door.number, at: 6)
    for (index, place) in columns.enumerated() {
      binder.bind(values[place], at: Int32(index) + 7)
    }
    try binder.step()
    var text = ""
    for place in searched {
      if let value = values[place].plainText { SearchText.append(value, to: &text) }
    }
    if !text.isEmpty {
      try door.search(SearchChange(table: searchTable, row: row, text: text, forgets: false))
    }
    try extend(to: row)
    count += 1
  }

  /// Writes what stands for all of them: the last range in the log, and their number.
  mutating func finish() throws {
    try closeRange()
    guard count > 0 else { return }
    try door.count(type.id, living: Int64(count))
    door.note(inserted: count, of: type.id)
  }

  private mutating func extend(to row: Int64) throws {
    if let range, range.upperBound == row - 1 {
      self.range = range.lowerBound...row
    } else {
      try closeRange()
      range = row...row
    }
  }

  private mutating func closeRange() throws {
    guard let range else { return }
    try door.execute(
      "INSERT INTO _range (type, first, last, number) VALUES (?, ?, ?, ?)",
      [type.id.name, range.lowerBound, range.upperBound, door.number])
    self.range = nil
  }
}

/// Binds values to a statement that runs a million times: what `StatementArguments` does, without a
/// list of wrapped values for each run.
struct StatementBinder {
  private let handle: SQLiteStatement
  /// SQLITE_TRANSIENT, a macro that Swift does not see: SQLite copies the bytes.
  private static let copied = unsafeBitCast(-1 as Int, to: sqlite3_destructor_type.self)

  init(_ statement: Statement) { handle = statement.sqliteStatement }

  func bind(_ number: Int64, at index: Int32) { sqlite3_bind_int64(handle, index, number) }

  func bind(_ id: RecordID, at index: Int32) {
    var words = (id.high.bigEndian, id.low.bigEndian)
    _ = withUnsafeBytes(of: &words) {
      sqlite3_bind_blob(handle, index, $0.baseAddress, 16, Self.copied)
    }
  }

  func bind(_ bytes: [UInt8], at index: Int32) {
    _ = bytes.withUnsafeBytes {
      sqlite3_bind_blob(handle, index, $0.baseAddress, Int32($0.count), Self.copied)
    }
  }

  func bind(_ value: Value, at index: Int32) {
    switch value {
    case .empty: sqlite3_bind_null(handle, index)
    case .text(let text): bind(text, at: index)
    case .integer(let number): sqlite3_bind_int64(handle, index, number)
    case .number(let number): sqlite3_bind_double(handle, index, number)
    default: bind(ColumnCodec.stored(value), at: index)
    }
  }

  func bind(_ bytes: [UInt8]?, at index: Int32) {
    guard let bytes else {
      sqlite3_bind_null(handle, index)
      return
    }
    bytes.withUnsafeBytes {
      _ = sqlite3_bind_blob(handle, index, $0.baseAddress, Int32($0.count), Self.copied)
    }
  }

  func bindNull(at index: Int32) { sqlite3_bind_null(handle, index) }

  func bind(_ text: String, at index: Int32) {
    var text = text
    text.withUTF8 { bytes in
      // With a zero in it, text goes in as bytes (ColumnCodec).
      if bytes.contains(0) {
        sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), Self.copied)
      } else {
        bytes.withMemoryRebound(to: CChar.self) { characters in
          _ = sqlite3_bind_text(
            handle, index, characters.baseAddress, Int32(characters.count), Self.copied)
        }
      }
    }
  }

  private func bind(_ value: DatabaseValue, at index: Int32) {
    switch value.storage {
    case .null: sqlite3_bind_null(handle, index)
    case .int64(let number): sqlite3_bind_int64(handle, index, number)
    case .double(let number): sqlite3_bind_double(handle, index, number)
    case .string(let text): bind(text, at: index)
    case .blob(let data):
      data.withUnsafeBytes {
        _ = sqlite3_bind_blob(handle, index, $0.baseAddress, Int32($0.count), Self.copied)
      }
    }
  }

  /// Runs the statement, and answers whether the first number of its first row is not zero.
  func isTrue() throws -> Bool {
    let code = sqlite3_step(handle)
    let answer = code == SQLITE_ROW && sqlite3_column_int64(handle, 0) != 0
    let reset = sqlite3_reset(handle)
    guard code == SQLITE_ROW || code == SQLITE_DONE else { throw failure(reset) }
    return answer
  }

  /// Runs the statement, which answers no row.
  ///
  /// - Throws: `DatabaseError`; the statement can be run again after it too.
  func step() throws {
    let code = sqlite3_step(handle)
    let reset = sqlite3_reset(handle)
    guard code == SQLITE_DONE else { throw failure(reset) }
  }

  private func failure(_ code: Int32) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: code),
      message: sqlite3_db_handle(handle).map { String(cString: sqlite3_errmsg($0)) })
  }
}
