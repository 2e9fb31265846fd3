// The first rows of a list, fast whatever the filter: a window is right as far as it goes, and may be
// short or empty while the whole order is on its way.

internal import GRDB
internal import Records

extension Reading {
  /// How many rows of the order a filter is tried on for the first window: what 30 ms bear.
  private static let walkMax = 4000
  /// The same where the words of each row have to be taken apart.
  private static let searchWalkMax = 1500
  /// A search with no more hits than this is sorted as a whole at once.
  private static let sparseMax = 5000

  /// The first rows of a list, or those of them that can be had at once.
  ///
  /// A filter that many rows meet fills the window from the beginning of the order's index; one that
  /// few rows meet would walk to its end, so the walk is bounded.
  func window(_ plan: ListPlan, limit: Int) throws -> RowOrder {
    if plan.isUnfiltered { return try firstRows(plan, limit: limit) }
    if plan.isSearch {
      if try !isDense(plan.query.search, plan) { return try firstRows(plan, limit: limit) }
      return plan.isOrderIndexed ? try walkWords(plan, limit: limit) : []
    }
    return plan.isOrderIndexed && !plan.usesSearchTable ? try walk(plan, limit: limit) : []
  }

  private func firstRows(_ plan: ListPlan, limit: Int) throws -> RowOrder {
    RowOrder(
      try rowNumbers(plan, offset: 0, limit: limit).map { UInt32(truncatingIfNeeded: $0) })
  }

  private func isDense(_ typed: String, _ plan: ListPlan) throws -> Bool {
    guard let query = SearchText.query(typed) else { return false }
    let table = TypeSchema(plan.type).searchTable
    let hits = try step(
      SQLPart(
        sql: "SELECT rowid FROM \(table) WHERE \(table) MATCH ? LIMIT \(Self.sparseMax + 1)",
        arguments: [query.databaseValue]))
    return hits.count > Self.sparseMax
  }

  private func walk(_ plan: ListPlan, limit: Int) throws -> RowOrder {
    try step(
      SQLPart(
        sql: """
          SELECT row FROM (
            SELECT \(plan.table)._row AS row, \(plan.condition.sql) AS hit FROM \(plan.table)
            ORDER BY \(plan.order()) LIMIT \(Self.walkMax))
          WHERE hit LIMIT \(limit)
          """,
        arguments: plan.condition.arguments))
  }

  /// Tries the words of a search on the first rows of the order.
  private func walkWords(_ plan: ListPlan, limit: Int) throws -> RowOrder {
    let matcher = try WordMatcher(plan.query.search, db)
    let all = try ListPlan(plan.base, model: model)
    let fields = plan.type.searchedFields.filter(TypeSchema.hasColumn)
    let columns = fields.map { TypeSchema.quoted($0.id.name) }.joined(separator: ", ")
    var order = RowOrder()
    for row in try rowNumbers(all, offset: 0, limit: Self.searchWalkMax) {
      let statement = try db.cachedStatement(
        sql: "SELECT \(columns) FROM \(plan.table) WHERE _row = ?")
      guard let found = try Row.fetchOne(statement, arguments: [row]) else { continue }
      var shown: [FieldID: Value] = [:]
      for (index, field) in fields.enumerated() {
        shown[field.id] = ColumnCodec.value(found[index], of: field.type)
      }
      guard let text = plan.type.searchText(of: shown), try matcher.matches(text) else { continue }
      let number = UInt32(truncatingIfNeeded: row)
      if plan.query.filter != nil, try place(of: number, plan: plan) == nil { continue }
      order.append(number)
      if order.count == limit { break }
    }
    return order
  }
}

/// Tells whether a text of the search table would be found, by the table's own tokenizer.
private struct WordMatcher {
  private let tokenizer: any FTS5Tokenizer
  private var needles: [SearchText.Needle] = []

  init(_ typed: String, _ db: Database) throws {
    let tokenizer = try db.makeTokenizer(
      FTS5TokenizerDescriptor(components: TypeSchema.tokenizer))
    self.tokenizer = tokenizer
    needles = try SearchText.needles(typed).map { needle in
      SearchText.Needle(
        words: try needle.words.flatMap { try tokenizer.tokenize(query: $0).map(\.token) },
        isPrefix: needle.isPrefix)
    }
  }

  func matches(_ text: String) throws -> Bool {
    let words = try tokenizer.tokenize(document: text).map(\.token)
    return needles.allSatisfy { needle in
      guard let last = needle.words.last, words.count >= needle.words.count else { return false }
      return (0...(words.count - needle.words.count)).contains { start in
        let end = start + needle.words.count - 1
        return words[start..<end].elementsEqual(needle.words.dropLast())
          && (needle.isPrefix ? words[end].hasPrefix(last) : words[end] == last)
      }
    }
  }
}

extension ListPlan {
  /// Whether words are searched in the search table.
  var isSearch: Bool { !query.search.isEmpty && usesSearchTable }

  /// Whether the search table decides, which can't be asked row by row.
  var usesSearchTable: Bool { condition.sql.contains(" MATCH ?") }
}
