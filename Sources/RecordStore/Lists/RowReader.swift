// The rows of a list, read by row number: a page is as many lookups as it has lines.

internal import GRDB
internal import GRDBSQLite
internal import Records

extension Reading {
  /// Reads rows of a list; nothing for those that are not in their table any more.
  func listRows(_ rows: some Sequence<Int64>, plan: ListPlan) throws -> [ListRow?] {
    let line = try ListLine(self, plan)
    return try rows.map { try line.read($0) }
  }

  func listRow(_ row: Int64, plan: ListPlan) throws -> ListRow? {
    try ListLine(self, plan).read(row)
  }

  /// A row of values that are at hand.
  func listRow(
    _ id: RecordID, title: String?, values: [FieldID: Value], isPending: Bool, hasConflict: Bool,
    plan: ListPlan
  ) throws -> ListRow {
    var titles: [RecordID: String] = [:]
    for field in plan.columns {
      guard let target = field.type.target, let value = values[field.id] else { continue }
      let references = value.targets.map { RecordReference(type: target, id: $0) }
      for (reference, title) in try self.titles(references) { titles[reference.id] = title }
    }
    return ListRow(
      id: id, title: title ?? id.description,
      values: plan.columns.map { values[$0.id] ?? .empty }, referenceTitles: titles,
      isPending: isPending, hasConflict: hasConflict)
  }

  func hasConflict(_ id: RecordID) throws -> Bool {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT 1 FROM _conflict WHERE id = ?"),
      arguments: [ColumnCodec.stored(id)]) != nil
  }
}

/// The statement that reads a line of a list, made once for a page and stepped without a value of
/// each row: a page has as many steps as lines.
private struct ListLine {
  private let reading: Reading
  private let plan: ListPlan
  private let title: Field?
  private let stored: [Field]
  private let statement: Statement

  init(_ reading: Reading, _ plan: ListPlan) throws {
    self.reading = reading
    self.plan = plan
    title = plan.type.title.flatMap(plan.type.field)
    stored = plan.columns.filter(TypeSchema.hasColumn)
    let titleColumn = title.flatMap { TypeSchema.hasColumn($0) ? Self.cut($0) : nil } ?? "NULL"
    let names = ["_id", "_pending", "_causal IS NOT NULL", titleColumn] + stored.map(Self.cut)
    statement = try reading.db.cachedStatement(
      sql: "SELECT \(names.joined(separator: ", ")) FROM \(plan.table) WHERE _row = ?")
  }

  func read(_ row: Int64) throws -> ListRow? {
    let handle = statement.sqliteStatement
    sqlite3_reset(handle)
    defer { sqlite3_reset(handle) }
    sqlite3_bind_int64(handle, 1, row)
    switch sqlite3_step(handle) {
    case SQLITE_ROW: break
    case SQLITE_DONE: return nil
    case let code: throw DatabaseError(resultCode: ResultCode(rawValue: code))
    }
    func column(_ index: Int) -> DatabaseValue {
      DatabaseValue(sqliteStatement: handle, index: CInt(index))
    }
    guard let id = ColumnCodec.recordID(column(0)) else { throw StoreError.damaged("a record id") }
    var values: [FieldID: Value] = [:]
    values.reserveCapacity(plan.columns.count)
    for (index, field) in stored.enumerated() {
      values[field.id] = ColumnCodec.value(column(4 + index), of: field.type)
    }
    let title = title.flatMap { ColumnCodec.value(column(3), of: $0.type).plainText }
    let isPending = !column(1).isNull
    let mayConflict = sqlite3_column_int64(handle, 2) != 0
    if stored.count < plan.columns.count {
      try reading.addLinks(of: id, type: plan.type, to: &values)
    }
    return try reading.listRow(
      id, title: title, values: values, isPending: isPending,
      hasConflict: mayConflict && reading.hasConflict(id), plan: plan)
  }

  /// A column as a list shows it: no more of a long text than a line can hold.
  private static func cut(_ field: Field) -> String {
    let column = TypeSchema.quoted(field.id.name)
    guard field.type.isText else { return column }
    return "substr(\(column), 1, \(ListRow.textCharactersMax))"
  }
}
