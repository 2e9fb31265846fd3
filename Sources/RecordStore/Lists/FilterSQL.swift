// Filters as SQL conditions with bound arguments. A filter's truth has two values: an empty field
// meets no comparison, and `not` is the plain complement, so a NULL counts as false everywhere.

internal import GRDB
internal import Records

/// A part of a statement.
struct SQLPart {
  var sql: String
  var arguments: [DatabaseValue] = []

  static let everything = SQLPart(sql: "1")
  static let nothing = SQLPart(sql: "0")

  /// SQLite's bound on a pattern of LIKE (limits.html, "Maximum Length Of A LIKE Or GLOB Pattern").
  static let likeBytesMax = 50_000

  /// A text as LIKE looks for it, with `\\` before what would stand for something else.
  static func likePattern(_ text: String) -> String {
    var pattern = ""
    for character in text {
      if character == "%" || character == "_" || character == "\\" { pattern += "\\" }
      pattern.append(character)
    }
    return pattern
  }

  /// More parts than this are joined in groups: a chain is as deep an expression as it is long, and
  /// SQLite takes 1,000 at most (limits.html, "Maximum Depth Of An Expression Tree").
  private static let chainMax = 300

  static func joined(_ parts: [SQLPart], by word: String) -> SQLPart {
    var parts = parts
    while parts.count > chainMax {
      parts = stride(from: 0, to: parts.count, by: chainMax).map { start in
        joined(Array(parts[start..<min(start + chainMax, parts.count)]), by: word)
      }
    }
    return SQLPart(
      sql: "(" + parts.map(\.sql).joined(separator: " \(word) ") + ")",
      arguments: parts.flatMap(\.arguments))
  }
}

/// Writes the condition of one type's filter.
struct FilterSQL {
  let type: RecordType
  let model: Model
  /// Whether the condition is tried on one row alone: then the search table is asked about that row,
  /// not for all that it finds.
  private let isForOneRow: Bool
  private var schema: TypeSchema { TypeSchema(type) }

  init(_ type: RecordType, model: Model, isForOneRow: Bool = false) {
    self.type = type
    self.model = model
    self.isForOneRow = isForOneRow
  }

  func condition(_ filter: Filter) -> SQLPart {
    switch filter {
    case .all(let parts):
      parts.isEmpty ? .everything : .joined(parts.map(condition), by: "AND")
    case .any(let parts):
      parts.isEmpty ? .nothing : .joined(parts.map(condition), by: "OR")
    case .not(let part): negated(condition(part))
    case .words(let words): search(words)
    case .field(let field, let test):
      type.field(field).map { condition(test, on: $0) } ?? .nothing
    }
  }

  /// The records that hold the words, by the search table.
  func search(_ words: String) -> SQLPart {
    guard !type.searchedFields.isEmpty else { return searchWithoutTable(words) }
    guard let query = SearchText.query(words) else { return .everything }
    let table = schema.searchTable
    let row = "\(schema.table)._row"
    return SQLPart(
      sql: isForOneRow
        ? "EXISTS (SELECT 1 FROM \(table) WHERE \(table) MATCH ? AND rowid = \(row))"
        : "(\(row) IN (SELECT rowid FROM \(table) WHERE \(table) MATCH ?))",
      arguments: [query.databaseValue])
  }

  /// A type that searches no field is searched in all of its text.
  private func searchWithoutTable(_ words: String) -> SQLPart {
    let fields = type.visibleFields.filter(\.type.isText)
    let needles = words.split(whereSeparator: \.isWhitespace).map { needle in
      SQLPart.joined(
        [.nothing] + fields.map { contains(String(needle), in: $0) }, by: "OR")
    }
    return .joined([.everything] + needles, by: "AND")
  }

  private func negated(_ condition: SQLPart) -> SQLPart {
    SQLPart(sql: "(NOT COALESCE(\(condition.sql), 0))", arguments: condition.arguments)
  }

  // MARK: One field

  private func condition(_ test: Condition, on field: Field) -> SQLPart {
    let column = column(field)
    switch test {
    case .isEmpty: return negated(present(field))
    case .isPresent: return present(field)
    case .compare, .range:
      if let choices = test.choices(of: field) { return oneOf(choices, column) }
      guard let bounds = test.bounds else { return .nothing }
      let inside = within(bounds, field)
      return bounds.isNegated ? negated(inside) : inside
    case .contains(let needle): return contains(needle, in: field)
    case .hasTag(let tag):
      return SQLPart(
        sql: "EXISTS (SELECT 1 FROM json_each(\(column)) WHERE value = ?)",
        arguments: [tag.databaseValue])
    case .refers(let target): return refers(to: target, field)
    }
  }

  private func column(_ field: Field) -> String {
    "\(schema.table).\(TypeSchema.quoted(field.id.name))"
  }

  private func present(_ field: Field) -> SQLPart {
    TypeSchema.hasColumn(field)
      ? SQLPart(sql: "(\(column(field)) IS NOT NULL)") : linked(field, .everything)
  }

  private func oneOf(_ choices: [String], _ column: String) -> SQLPart {
    let places = choices.map { _ in "?" }.joined(separator: ", ")
    return SQLPart(
      sql: "(\(column) IN (\(places)))", arguments: choices.map(\.databaseValue))
  }

  private func within(_ bounds: FilterBounds, _ field: Field) -> SQLPart {
    if let lower = bounds.lower, let upper = bounds.upper, lower.value == upper.value,
      lower.isInclusive, upper.isInclusive
    {
      return equal(lower.value, field)
    }
    var expression = column(field)
    if case .decimal = field.type { expression = "CAST(\(expression) AS REAL)" }
    var parts: [SQLPart] = []
    for (bound, sign) in [(bounds.lower, ">"), (bounds.upper, "<")] {
      guard let bound else { continue }
      // Plain terms, so that an index serves them.
      parts.append(
        SQLPart(
          sql: "\(expression) \(sign)\(bound.isInclusive ? "=" : "") ?",
          arguments: [comparable(bound.value)]))
    }
    return parts.isEmpty ? present(field) : .joined(parts, by: "AND")
  }

  private func equal(_ value: Value, _ field: Field) -> SQLPart {
    // A file is compared by its name.
    if field.type == .attachment, case .text(let name) = value {
      return SQLPart(sql: "\(fileName(field)) = ?", arguments: [name.databaseValue])
    }
    let exact = SQLPart(
      sql: "\(column(field)) = ?", arguments: [ColumnCodec.stored(value)])
    let term = SortTerm(field)
    guard term.expression != TypeSchema.quoted(field.id.name) else { return exact }
    // The index of the field folds case, or holds a number: it finds the few, `exact` decides.
    let indexed = SQLPart(
      sql: "\(term.expression(of: schema.table)) = ?", arguments: [comparable(value)])
    return .joined([indexed, exact], by: "AND")
  }

  private func comparable(_ value: Value) -> DatabaseValue {
    if case .decimal(let decimal) = value { return decimal.approximate.databaseValue }
    return ColumnCodec.stored(value)
  }

  // MARK: Text inside

  private func contains(_ needle: String, in field: Field) -> SQLPart {
    let column = column(field)
    switch field.type {
    case .tags:
      let inner = holds(needle, "value")
      return SQLPart(
        sql: "EXISTS (SELECT 1 FROM json_each(\(column)) WHERE \(inner.sql))",
        arguments: inner.arguments)
    case .attachment:
      return holds(needle, fileName(field))
    case .reference(let target), .references(let target):
      guard let titled = titled(target, { holds(needle, $0) }) else { return .nothing }
      return referring(field, titled)
    default: return holds(needle, column)
    }
  }

  /// The name in `hash size name`: it comes after the second blank.
  private func fileName(_ field: Field) -> String {
    let column = column(field)
    return "substr(\(column), instr(substr(\(column), 66), ' ') + 66)"
  }

  private func holds(_ needle: String, _ expression: String) -> SQLPart {
    let match = TextMatch(needle)
    let pattern = "%\(SQLPart.likePattern(needle))%"
    if match.isASCII, pattern.utf8.count <= SQLPart.likeBytesMax {
      return SQLPart(
        sql: "(\(expression) LIKE ? ESCAPE '\\')", arguments: [pattern.databaseValue])
    }
    if match.isCaseless {
      return SQLPart(sql: "(instr(\(expression), ?) > 0)", arguments: [needle.databaseValue])
    }
    return SQLPart(
      sql: "\(TextMatchFunction.name)(\(expression), ?)", arguments: [needle.databaseValue])
  }

  // MARK: References

  private func refers(to target: ReferenceText, _ field: Field) -> SQLPart {
    switch target {
    case .id(let id):
      let stored = ColumnCodec.stored(id)
      guard TypeSchema.hasColumn(field) else {
        return linked(field, SQLPart(sql: "target = ?", arguments: [stored]))
      }
      return SQLPart(sql: "(\(column(field)) = ?)", arguments: [stored])
    case .title(let title):
      let titled = field.type.target.flatMap { type in
        self.titled(type) { SQLPart(sql: "\($0) = ?", arguments: [title.databaseValue]) }
      }
      return titled.map { referring(field, $0) } ?? .nothing
    }
  }

  /// The ids of the records of a type whose title meets a condition.
  private func titled(_ target: TypeID, _ condition: (String) -> SQLPart) -> SQLPart? {
    guard let type = model.type(target), let title = type.title.flatMap(type.field),
      TypeSchema.hasColumn(title)
    else { return nil }
    let test = condition("x.\(TypeSchema.quoted(title.id.name))")
    return SQLPart(
      sql: "SELECT x._id FROM \(TypeSchema(type).table) x WHERE \(test.sql)",
      arguments: test.arguments)
  }

  private func referring(_ field: Field, _ ids: SQLPart) -> SQLPart {
    guard TypeSchema.hasColumn(field) else {
      return linked(field, SQLPart(sql: "target IN (\(ids.sql))", arguments: ids.arguments))
    }
    return SQLPart(sql: "(\(column(field)) IN (\(ids.sql)))", arguments: ids.arguments)
  }

  private func linked(_ field: Field, _ condition: SQLPart) -> SQLPart {
    SQLPart(
      sql: """
        EXISTS (SELECT 1 FROM _link WHERE source = \(schema.table)._id
          AND field = '\(field.id.name)' AND \(condition.sql))
        """,
      arguments: condition.arguments)
  }
}

extension SortTerm {
  /// The expression with its column qualified, for statements that have more than one table.
  func expression(of table: String) -> String {
    let column = TypeSchema.quoted(field.id.name)
    return expression.replacing(column, with: "\(table).\(column)")
  }
}
