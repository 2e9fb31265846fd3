// The first rows of a list, fast whatever the filter: see `window(_:limit:)`.

internal import GRDB
internal import Records

extension Reading {
  /// How many rows of the order are looked at in the hope that enough of them are in the list.
  private static let walkMax = 20_000

  /// The first rows of a list.
  ///
  /// A filter that many rows meet is best answered by walking the order's index until the window is
  /// full, one that few rows meet by finding those and sorting them. SQLite has no figures to choose
  /// by, so the walk is tried first, for a bounded number of rows.
  func window(_ plan: ListPlan, limit: Int) throws -> RowOrder {
    if !plan.isUnfiltered, !plan.isSearch, let walked = try walk(plan, limit: limit) {
      return walked
    }
    return RowOrder(
      try rowNumbers(plan, offset: 0, limit: limit).map { UInt32(truncatingIfNeeded: $0) })
  }

  /// Nothing where the walk did not fill the window.
  private func walk(_ plan: ListPlan, limit: Int) throws -> RowOrder? {
    let statement = try db.cachedStatement(
      sql: """
        SELECT row FROM (
          SELECT \(plan.table)._row AS row, \(plan.condition.sql) AS hit FROM \(plan.table)
          ORDER BY \(plan.order()) LIMIT \(Self.walkMax))
        WHERE hit LIMIT \(limit)
        """)
    let rows = try Int64.fetchAll(
      statement, arguments: StatementArguments(plan.condition.arguments))
    guard rows.count == limit else { return nil }
    return RowOrder(rows.map { UInt32(truncatingIfNeeded: $0) })
  }
}

extension ListPlan {
  /// Whether the search table decides, which can't be asked row by row.
  var isSearch: Bool { condition.sql.contains(" MATCH ?") }
}
