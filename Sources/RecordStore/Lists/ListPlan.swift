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
  let terms: [OrderTerm]
  let model: Model

  init(_ query: ListQuery, model: Model) throws {
    guard let type = model.type(query.type) else { throw StoreError.unknownType(query.type) }
    self.query = query
    self.type = type
    self.model = model
    let columns = query.columns.isEmpty ? type.list : query.columns
    self.columns = columns.compactMap(type.field)
    let writer = FilterSQL(type, model: model)
    var parts = [query.filter.map(writer.condition)].compactMap { $0 }
    if SearchText.query(query.search) != nil { parts.append(writer.search(query.search)) }
    condition = parts.isEmpty ? .everything : .joined(parts, by: "AND")
    let sort = query.sort.isEmpty ? type.sort : query.sort
    let keys = (query.sections.map { [SortKey(field: $0)] } ?? []) + sort
    terms = keys.compactMap { key in
      type.field(key.field).map { OrderTerm($0, key.descending, type: type, model: model) }
    }
  }

  var table: String { TypeSchema(type).table }

  /// The direction of `_row`, the last term of every order.
  var rowDescending: Bool { terms.last?.descending ?? false }

  func order(reversed: Bool = false) -> String {
    let row = "\(table)._row\(rowDescending != reversed ? " DESC" : "")"
    let parts = terms.map { "\($0.expression)\($0.descending != reversed ? " DESC" : "")" }
    return (parts + [row]).joined(separator: ", ")
  }

  /// Whether an index holds the order, so that its beginning costs no sort.
  var isOrderIndexed: Bool {
    let sort = query.sort.isEmpty ? type.sort : query.sort
    if query.sections == nil, sort == type.sort { return terms.allSatisfy(\.isPlain) }
    guard query.sections == nil, sort.count <= 1 else { return false }
    guard let field = sort.first.flatMap({ type.field($0.field) }) else { return true }
    return terms.allSatisfy(\.isPlain) && TypeSchema(type).isIndexed(field)
  }

  /// The list without filter and search: what the whole order is taken from.
  var base: ListQuery {
    ListQuery(type: type.id, sort: query.sort, sections: query.sections)
  }

  /// Whether every record of the type is in the list.
  var isUnfiltered: Bool { condition.sql == SQLPart.everything.sql }

  /// The row numbers of the list, in order.
  func rows(reversed: Bool = false) -> SQLPart {
    SQLPart(
      sql: "SELECT \(table)._row FROM \(table) WHERE \(condition.sql) "
        + "ORDER BY \(order(reversed: reversed))",
      arguments: condition.arguments)
  }

  /// The row numbers of the list, in any order.
  var matches: SQLPart {
    if query.filter == nil, let words = SearchText.query(query.search),
      !type.searchedFields.isEmpty
    {
      let table = TypeSchema(type).searchTable
      return SQLPart(
        sql: "SELECT rowid FROM \(table) WHERE \(table) MATCH ?",
        arguments: [words.databaseValue])
    }
    return SQLPart(
      sql: "SELECT \(table)._row FROM \(table) WHERE \(condition.sql)",
      arguments: condition.arguments)
  }

  /// What the place of a row is compared by; no row if it is not in the list.
  var place: SQLPart {
    SQLPart(
      sql: "SELECT \(keys) FROM \(table) WHERE \(condition.sql) AND \(table)._row = ?",
      arguments: condition.arguments)
  }

  /// The same for a row of which we know that it is in the list.
  var key: SQLPart {
    SQLPart(sql: "SELECT \(keys) FROM \(table) WHERE \(table)._row = ?")
  }

  private var keys: String {
    (terms.map(\.expression) + ["\(table)._row"]).joined(separator: ", ")
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

/// One term of an order: what SQLite sorts by, and how two of its values compare.
struct OrderTerm: Hashable, Sendable {
  let expression: String
  let descending: Bool
  /// Compared as SQLite's NOCASE does.
  let foldsCase: Bool
  /// The column as an index of it has it.
  let isPlain: Bool

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
