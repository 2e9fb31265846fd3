// A list's query as SQL: which rows, in which order. Every order ends with `_row` in the direction of
// its last term, which is how an index holds it, so that a page is read from the index alone.

internal import GRDB
internal import Records

/// The SQL of one list.
struct ListPlan {
  let query: ListQuery
  let type: RecordType
  let columns: [Field]
  let condition: SQLPart
  /// The condition as it is tried on one row.
  private let rowCondition: SQLPart
  /// What the search table is asked for; nothing where it is not, or not by itself.
  let words: WordPlan?
  /// What the list is ordered by, ``rank`` first.
  let terms: [OrderTerm]
  /// How well a title fits what is searched for.
  let rank: OrderTerm?
  let model: Model

  init(_ query: ListQuery, model: Model) throws {
    guard let type = model.type(query.type) else { throw StoreError.unknownType(query.type) }
    try SearchText.checkLength(of: [query.search] + (query.filter?.searched ?? []))
    self.query = query
    self.type = type
    self.model = model
    let columns = query.columns.isEmpty ? type.list : query.columns
    self.columns = columns.compactMap(type.field)
    condition = Self.condition(query, FilterSQL(type, model: model))
    rowCondition = Self.condition(query, FilterSQL(type, model: model, isForOneRow: true))
    words = WordPlan(query, type: type, model: model)
    let sort = query.sort.isEmpty ? type.sort : query.sort
    let keys = (query.sections.map { [SortKey(field: $0)] } ?? []) + sort
    rank = OrderTerm(rankOf: query, type: type)
    terms =
      (rank.map { [$0] } ?? [])
      + keys.compactMap { key in
        type.field(key.field).map { OrderTerm($0, key.descending, type: type, model: model) }
      }
  }

  private static func condition(_ query: ListQuery, _ writer: FilterSQL) -> SQLPart {
    var parts = [query.filter.map(writer.condition)].compactMap { $0 }
    if SearchText.query(query.search) != nil { parts.append(writer.search(query.search)) }
    return parts.isEmpty ? .everything : .joined(parts, by: "AND")
  }

  var table: String { TypeSchema(type).table }

  /// The terms of the same list without a search.
  var baseTerms: [OrderTerm] { rank == nil ? terms : Array(terms.dropFirst()) }

  /// The direction of `_row`, the last term of every order.
  var rowDescending: Bool { terms.last?.descending ?? false }

  func order(reversed: Bool = false) -> SQLPart {
    let row = "\(table)._row\(rowDescending != reversed ? " DESC" : "")"
    let parts = terms.map { "\($0.expression)\($0.descending != reversed ? " DESC" : "")" }
    return SQLPart(
      sql: (parts + [row]).joined(separator: ", "), arguments: terms.flatMap(\.arguments))
  }

  /// Whether an index holds the order, but for ``rank``, so that its beginning costs no sort.
  var isOrderIndexed: Bool {
    let sort = query.sort.isEmpty ? type.sort : query.sort
    let isPlain = baseTerms.allSatisfy(\.isPlain)
    if query.sections == nil, sort == type.sort { return isPlain }
    guard query.sections == nil, sort.count <= 1 else { return false }
    guard let field = sort.first.flatMap({ type.field($0.field) }) else { return true }
    return isPlain && TypeSchema(type).isIndexed(field)
  }

  /// The list without filter and search: what the whole order is taken from.
  var base: ListQuery {
    ListQuery(type: type.id, sort: query.sort, sections: query.sections)
  }

  /// Whether every record of the type is in the list.
  var isUnfiltered: Bool { condition.sql == SQLPart.everything.sql }

  /// The row numbers of the list, in order.
  func rows(reversed: Bool = false) -> SQLPart {
    let order = order(reversed: reversed)
    return SQLPart(
      sql: "SELECT \(table)._row FROM \(table) WHERE \(condition.sql) ORDER BY \(order.sql)",
      arguments: condition.arguments + order.arguments)
  }

  /// The row numbers of the list, in any order.
  var matches: SQLPart { matches(condition) }

  /// One of the two parts that a table is read in.
  enum Half {
    case upTo(Int64)
    case after(Int64)
  }

  /// The row numbers of the list in one half of the table, in any order.
  func matches(_ half: Half) -> SQLPart {
    let rows =
      switch half {
      case .upTo(let row): SQLPart(sql: "\(table)._row <= ?", arguments: [row.databaseValue])
      case .after(let row): SQLPart(sql: "\(table)._row > ?", arguments: [row.databaseValue])
      }
    return matches(.joined([condition, rows], by: "AND"))
  }

  /// The row numbers that meet a condition, in any order.
  func matches(_ condition: SQLPart) -> SQLPart {
    SQLPart(
      sql: "SELECT \(table)._row FROM \(table) WHERE \(condition.sql)",
      arguments: condition.arguments)
  }

  /// The row numbers of all records whose title has what is searched for, each with its rank.
  func ranks(_ rank: OrderTerm) -> SQLPart {
    SQLPart(
      sql: "SELECT \(table)._row, \(rank.expression) FROM \(table) WHERE \(rank.isRanked)",
      arguments: rank.arguments + rank.arguments.suffix(1))
  }

  /// What the place of a row is compared by; no row if it is not in the list.
  var place: SQLPart {
    SQLPart(
      sql: "SELECT \(keys.sql) FROM \(table) WHERE \(rowCondition.sql) AND \(table)._row = ?",
      arguments: keys.arguments + rowCondition.arguments)
  }

  /// The same for a row of which we know that it is in the list.
  var key: SQLPart {
    SQLPart(
      sql: "SELECT \(keys.sql) FROM \(table) WHERE \(table)._row = ?",
      arguments: keys.arguments)
  }

  private var keys: SQLPart {
    SQLPart(
      sql: (terms.map(\.expression) + ["\(table)._row"]).joined(separator: ", "),
      arguments: terms.flatMap(\.arguments))
  }

  /// The values of the section field with the number of rows of each, in the order of the list.
  var sections: SQLPart? {
    guard let field = query.sections.flatMap(type.field), let first = terms.first,
      TypeSchema.hasColumn(field)
    else { return nil }
    let column = "\(table).\(TypeSchema.quoted(field.id.name))"
    return SQLPart(
      sql: "SELECT min(\(column)), count(*) FROM \(table) WHERE \(condition.sql) "
        + "GROUP BY \(first.expression) ORDER BY \(first.expression)",
      arguments: condition.arguments)
  }
}

/// The part of a list's condition that the search table answers by itself, whatever the number of
/// records that have the words.
struct WordPlan {
  /// FTS5's query.
  let query: String
  /// What a text has to hold.
  let needles: [SearchText.Needle]
  /// What else the records have to meet.
  let rest: SQLPart
  let searchTable: String

  /// Nothing where there are no words, or where they stand inside of an `or` or a `not`.
  init?(_ query: ListQuery, type: RecordType, model: Model) {
    guard !type.searchedFields.isEmpty else { return nil }
    var texts = [query.search]
    var others: [SQLPart] = []
    let writer = FilterSQL(type, model: model)
    for part in query.filter?.conjunction ?? [] {
      if case .words(let text) = part {
        texts.append(text)
      } else {
        others.append(writer.condition(part))
      }
    }
    let queries = texts.compactMap(SearchText.query)
    let rest = others.isEmpty ? SQLPart.everything : .joined(others, by: "AND")
    guard !queries.isEmpty, !rest.asksSearchTable else { return nil }
    self.query = queries.joined(separator: " AND ")
    self.rest = rest
    needles = texts.flatMap(SearchText.needles)
    searchTable = TypeSchema(type).searchTable
  }

  var hits: SQLPart {
    SQLPart(
      sql: "SELECT rowid FROM \(searchTable) WHERE \(searchTable) MATCH ?",
      arguments: [query.databaseValue])
  }

  var isAlone: Bool { rest.sql == SQLPart.everything.sql }
}

extension Filter {
  /// The parts that all have to hold.
  fileprivate var conjunction: [Filter] {
    if case .all(let parts) = self { parts.flatMap(\.conjunction) } else { [self] }
  }

  /// All texts that are searched for, wherever they stand.
  fileprivate var searched: [String] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.searched)
    case .not(let part): part.searched
    case .words(let text): [text]
    case .field: []
    }
  }
}

extension SQLPart {
  /// Whether the search table is asked, which costs the same for one row as for all.
  var asksSearchTable: Bool { sql.contains(" MATCH ?") }
}

/// One term of an order: what SQLite sorts by, and how two of its values compare.
struct OrderTerm: Hashable, Sendable {
  let expression: String
  let descending: Bool
  /// Compared as SQLite's NOCASE does.
  let foldsCase: Bool
  /// The column as an index of it has it.
  let isPlain: Bool
  /// Of the expression's places, in their order.
  var arguments: [DatabaseValue] = []
  /// Of a rank: the condition that leaves what has a better one than the last.
  private(set) var isRanked = "0"

  /// The rank of what has the words elsewhere than in its title.
  static let lastRank = 3

  /// How well titles fit what is searched for: the very words, words that it begins with, words
  /// that stand in it, and at last what has the words elsewhere.
  ///
  /// Nothing where the person chose an order, or nothing is searched for, or more than LIKE takes.
  init?(rankOf query: ListQuery, type: RecordType) {
    let needle = query.search.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .replacing("\"", with: "")
    guard SearchText.query(needle) != nil, query.sort.isEmpty, query.sections == nil,
      let title = type.title.flatMap(type.field), title.type.isText, TypeSchema.hasColumn(title)
    else { return nil }
    descending = false
    foldsCase = false
    isPlain = false
    let column = "\(TypeSchema(type).table).\(TypeSchema.quoted(title.id.name))"
    let pattern = SQLPart.likePattern(needle)
    guard pattern.utf8.count + 2 <= SQLPart.likeBytesMax else { return nil }
    isRanked = "\(column) LIKE ? ESCAPE '\\'"
    expression = """
      CASE WHEN \(column) = ? COLLATE NOCASE THEN 0 WHEN \(column) LIKE ? ESCAPE '\\' THEN 1
      WHEN \(isRanked) THEN 2 ELSE \(Self.lastRank) END
      """
    arguments = [needle, "\(pattern)%", "%\(pattern)%"].map(\.databaseValue)
  }

  init(_ field: Field, _ descending: Bool, type: RecordType, model: Model) {
    self.descending = descending
    let table = TypeSchema(type).table
    let column = "\(table).\(TypeSchema.quoted(field.id.name))"
    switch field.type {
    case .reference(let target), .references(let target):
      expression = Self.title(of: target, in: field, column: column, table: table, model: model)
      foldsCase = true
      isPlain = false
    case .choice(let choices) where !choices.isEmpty:
      let cases = choices.enumerated().map { index, choice in
        "WHEN '\(choice.replacing("'", with: "''"))' THEN \(index)"
      }
      expression = "CASE \(column) \(cases.joined(separator: " ")) END"
      foldsCase = false
      isPlain = false
    default:
      expression = SortTerm(field).expression(of: table)
      isPlain = true
      foldsCase = expression.hasSuffix("NOCASE")
    }
  }

  /// References sort by what they are called.
  private static func title(
    of target: TypeID, in field: Field, column: String, table: String, model: Model
  ) -> String {
    guard let type = model.type(target), let title = type.title.flatMap(type.field),
      TypeSchema.hasColumn(title)
    else { return "NULL COLLATE NOCASE" }
    let match =
      TypeSchema.hasColumn(field)
      ? "x._id = \(column)"
      : "x._id IN (SELECT target FROM _link WHERE source = \(table)._id "
        + "AND field = '\(field.id.name)')"
    return "(SELECT min(x.\(TypeSchema.quoted(title.id.name))) FROM \(TypeSchema(type).table) x "
      + "WHERE \(match)) COLLATE NOCASE"
  }
}
