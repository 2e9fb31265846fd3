// The rows of a list, read by row number: a page is as many lookups as it has lines.

internal import GRDB
package import Records

extension Reading {
  /// Reads rows of a list; nothing for those that are not in their table any more.
  func listRows(_ rows: some Sequence<Int64>, plan: ListPlan) throws -> [ListRow?] {
    try rows.map { try listRow($0, plan: plan) }
  }

  func listRow(_ row: Int64, plan: ListPlan) throws -> ListRow? {
    let stored = plan.columns.filter(TypeSchema.hasColumn)
    let title = plan.type.title.flatMap(plan.type.field)
    let titleColumn = title.flatMap { TypeSchema.hasColumn($0) ? Self.cut($0) : nil } ?? "NULL"
    let names = ["_id", "_pending", "_causal IS NOT NULL", titleColumn] + stored.map(Self.cut)
    let statement = try db.cachedStatement(
      sql: "SELECT \(names.joined(separator: ", ")) FROM \(plan.table) WHERE _row = ?")
    guard let found = try Row.fetchOne(statement, arguments: [row]) else { return nil }
    guard let id = ColumnCodec.recordID(found[0]) else { throw StoreError.damaged("a record id") }
    var values: [FieldID: Value] = [:]
    for (index, field) in stored.enumerated() {
      values[field.id] = ColumnCodec.value(found[4 + index], of: field.type)
    }
    if stored.count < plan.columns.count { try addLinks(of: id, type: plan.type, to: &values) }
    let pending: Int64? = found[1]
    let mayConflict: Bool = found[2]
    return try listRow(
      id, title: title.flatMap { ColumnCodec.value(found[3], of: $0.type).plainText },
      values: values, isPending: pending != nil,
      hasConflict: mayConflict && hasConflict(id), plan: plan)
  }

  /// A row of values that are at hand.
  func listRow(
    _ id: RecordID, title: String?, values: [FieldID: Value], isPending: Bool, hasConflict: Bool,
    plan: ListPlan
  ) throws -> ListRow {
    var titles: [RecordID: String] = [:]
    for field in plan.columns {
      guard let target = field.type.target, let value = values[field.id] else { continue }
      let references = value.references.map { RecordReference(type: target, id: $0) }
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

  /// A column as a list shows it: no more of a long text than a line can hold.
  private static func cut(_ field: Field) -> String {
    let column = TypeSchema.quoted(field.id.name)
    guard field.type.isText else { return column }
    return "substr(\(column), 1, \(ListRow.textCharactersMax))"
  }
}

extension Value {
  /// The records that the value refers to.
  package var references: [RecordID] {
    switch self {
    case .reference(let id): [id]
    case .references(let ids): ids
    default: []
    }
  }
}
