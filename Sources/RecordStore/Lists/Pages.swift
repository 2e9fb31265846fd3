// Lists without a life of their own: for the command line and for exports.

internal import GRDB
package import Records

extension Library {
  /// Rows of a list by position.
  ///
  /// - Throws: ``StoreError/unknownType(_:)``.
  package func page(_ query: ListQuery, offset: Int, limit: Int) async throws -> [ListRow] {
    try await read { reading in
      let plan = try ListPlan(query, model: reading.model)
      let rows = try reading.rowNumbers(plan, offset: offset, limit: limit)
      return try reading.listRows(rows, plan: plan).compactMap { $0 }
    }
  }

  /// How many records a list has.
  package func count(_ query: ListQuery) async throws -> Int {
    try await read { reading in
      try reading.count(ListPlan(query, model: reading.model))
    }
  }

  /// Hands every record of a list to `body`, in order, one at a time: memory stays flat.
  ///
  /// All of them are as they were at one moment. `body` runs on a reader's queue.
  package func forEachRow(
    _ query: ListQuery, limit: Int? = nil,
    _ body: @escaping @Sendable (Snapshot) throws -> Void
  ) async throws {
    try await read { reading in
      try reading.forEachRow(query, limit: limit) { try body($0.snapshot) }
    }
  }

  /// The same, with what the records are called that the fields of a row refer to.
  package func forEachRow(
    _ query: ListQuery, limit: Int? = nil, naming fields: [Field],
    _ body: @escaping @Sendable (Snapshot, _ titles: [RecordID: String]) throws -> Void
  ) async throws {
    try await read { reading in
      try reading.forEachRow(query, limit: limit) { record in
        var titles: [RecordID: String] = [:]
        for field in fields {
          guard let target = field.type.target, let value = record.shown[field.id] else { continue }
          let references = value.targets.map { RecordReference(type: target, id: $0) }
          for (reference, title) in try reading.titles(references) { titles[reference.id] = title }
        }
        try body(record.snapshot, titles)
      }
    }
  }
}

extension Reading {
  fileprivate func forEachRow(
    _ query: ListQuery, limit: Int?, _ body: (StoredRecord) throws -> Void
  ) throws {
    let plan = try ListPlan(query, model: model)
    let schema = TypeSchema(plan.type)
    let names = schema.columnNames.map { "\(plan.table).\($0)" }.joined(separator: ", ")
    let order = plan.order()
    let cursor = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(names) FROM \(plan.table) WHERE \(plan.condition.sql)
        ORDER BY \(order.sql) LIMIT ?
        """,
      arguments: StatementArguments(
        plan.condition.arguments + order.arguments + [(limit ?? -1).databaseValue]))
    while let row = try cursor.next() {
      try Task.checkCancellation()
      try body(stored(row, type: plan.type, columns: schema.columns))
    }
  }

  func rowNumbers(
    _ plan: ListPlan, offset: Int, limit: Int, reversed: Bool = false
  ) throws -> [Int64] {
    let rows = plan.rows(reversed: reversed)
    let bounds = [limit.databaseValue, offset.databaseValue]
    return try Int64.fetchAll(
      db.cachedStatement(sql: "\(rows.sql) LIMIT ? OFFSET ?"),
      arguments: StatementArguments(rows.arguments + bounds))
  }

  func count(_ plan: ListPlan) throws -> Int {
    if plan.isUnfiltered {
      return try Int.fetchOne(
        db, sql: "SELECT living FROM _count WHERE type = ?", arguments: [plan.type.id.name]) ?? 0
    }
    return try Int.fetchOne(
      db, sql: "SELECT count(*) FROM \(plan.table) WHERE \(plan.condition.sql)",
      arguments: StatementArguments(plan.condition.arguments)) ?? 0
  }
}
