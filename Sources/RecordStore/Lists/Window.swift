// The first rows of a list, fast whatever the filter, while the whole order is on its way. They are
// the beginning of the order where an index leads there in time. Where it does not, they are matches
// from some place of the table: what a person who types wants to see first is that there are any.

internal import GRDB
internal import Records

/// The first rows of a list.
struct Window: Sendable {
  var rows = RowOrder()
  /// Whether the rows are the beginning of the order: otherwise others may come before and between.
  var isBeginning = true
}

extension Reading {
  /// How many rows of the order a filter is tried on: each is a look into the table at another place.
  private static let walkMax = 2000
  /// The same where the words of each row have to be taken apart.
  private static let searchWalkMax = 1500
  /// How many neighbours in the table a filter is tried on where the walk found none: these are read
  /// page by page, twenty times as fast.
  private static let sampleMax: Int64 = 40_000
  /// A search with no more hits than this is sorted as a whole at once.
  private static let sparseMax = 2000

  /// The first rows of a list, or those of them that can be had at once.
  ///
  /// A filter that many rows meet fills the window from the beginning of the order's index; one that
  /// few rows meet would walk to its end, so the walk is bounded.
  func window(_ plan: ListPlan, limit: Int) throws -> Window {
    if plan.isUnfiltered { return Window(rows: try firstRows(plan, limit: limit)) }
    if let words = plan.words { return try window(plan, words, limit: limit) }
    if plan.condition.asksSearchTable { return Window() }
    let walked = plan.isOrderIndexed ? try walk(plan, limit: limit) : []
    return try walked.isEmpty ? sample(plan, limit: limit) : Window(rows: walked)
  }

  private func firstRows(_ plan: ListPlan, limit: Int) throws -> RowOrder {
    RowOrder(
      try rowNumbers(plan, offset: 0, limit: limit).map { UInt32(truncatingIfNeeded: $0) })
  }

  private func walk(_ plan: ListPlan, limit: Int) throws -> RowOrder {
    let order = plan.order()
    return try step(
      SQLPart(
        sql: """
          SELECT row FROM (
            SELECT \(plan.table)._row AS row, \(plan.condition.sql) AS hit FROM \(plan.table)
            ORDER BY \(order.sql) LIMIT \(Self.walkMax))
          WHERE hit LIMIT \(limit)
          """,
        arguments: plan.condition.arguments + order.arguments))
  }

  /// Matches among the newest rows of the table.
  private func sample(_ plan: ListPlan, limit: Int) throws -> Window {
    let last = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT max(_row) FROM \(plan.table)"))
    guard let last else { return Window() }
    // The plus keeps SQLite from another index: how many rows are looked at is what bounds this.
    let found = try step(
      SQLPart(
        sql: """
          SELECT _row FROM \(plan.table)
          WHERE _row > \(max(0, last - Self.sampleMax)) AND +(\(plan.condition.sql)) LIMIT \(limit)
          """,
        arguments: plan.condition.arguments))
    let isAll = last <= Self.sampleMax && found.count < limit
    return Window(rows: try sorted(found, plan), isBeginning: isAll)
  }

  // MARK: Words

  private func window(_ plan: ListPlan, _ words: WordPlan, limit: Int) throws -> Window {
    let hits = try step(
      SQLPart(
        sql: "\(words.hits.sql) LIMIT \(Self.sparseMax + 1)", arguments: words.hits.arguments))
    if hits.count <= Self.sparseMax { return Window(rows: try firstRows(plan, limit: limit)) }
    var found = try titled(plan, limit: limit)
    if plan.isOrderIndexed, found.count < limit {
      let known = Set(found)
      found += try walkWords(plan, words, limit: limit - found.count).filter { !known.contains($0) }
    }
    if found.isEmpty {
      found = RowOrder(try hits.prefix(limit).filter { try place(of: $0, plan: plan) != nil })
    }
    return Window(rows: try sorted(found, plan), isBeginning: false)
  }

  /// What is called by what is searched for, or begins with it, where an index of titles tells.
  private func titled(_ plan: ListPlan, limit: Int) throws -> RowOrder {
    guard let rank = plan.rank, let title = plan.type.title.flatMap(plan.type.field),
      TypeSchema(plan.type).isIndexed(title),
      let needle = rank.arguments.first.flatMap(String.fromDatabaseValue)
    else { return [] }
    let column = SortTerm(title).expression(of: plan.table)
    let found = try step(
      SQLPart(
        sql: "SELECT _row FROM \(plan.table) WHERE \(column) >= ? AND \(column) < ? LIMIT \(limit)",
        arguments: [needle.databaseValue, "\(needle)\u{10FFFF}".databaseValue]))
    return try found.filter { try place(of: $0, plan: plan) != nil }
  }

  /// Tries the words of a search on the first rows of the order.
  private func walkWords(_ plan: ListPlan, _ words: WordPlan, limit: Int) throws -> RowOrder {
    let matcher = try WordMatcher(words.needles, db)
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
      if !words.isAlone, try place(of: number, plan: plan) == nil { continue }
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

  init(_ typed: [SearchText.Needle], _ db: Database) throws {
    let tokenizer = try db.makeTokenizer(
      FTS5TokenizerDescriptor(components: TypeSchema.tokenizer))
    self.tokenizer = tokenizer
    needles = try typed.map { needle in
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
