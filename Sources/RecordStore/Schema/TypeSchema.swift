// The tables of one record type: a column a field, the indexes that the model asks for, and the
// search table. Names are permanent ids, so a renamed field keeps its column.

internal import GRDB
internal import Records

/// The SQL of a record type.
struct TypeSchema {
  let type: RecordType

  init(_ type: RecordType) { self.type = type }

  /// The quoted name of the record table.
  ///
  /// Ids hold letters, digits and `_` only (NameRule).
  var table: String { Self.quoted(type.id.name) }
  var searchTable: String { "\"\(type.id.name)._search\"" }

  static func quoted(_ name: String) -> String { "\"\(name)\"" }

  /// The fields that have a column; those that hold several references have links instead.
  var columns: [Field] { type.fields.filter(Self.hasColumn) }

  /// The columns that every record table begins with.
  static let ownColumns = ["_row", "_id", "_created", "_time", "_device", "_pending", "_causal"]

  /// All columns as SQL names them: our own, then the fields'.
  var columnNames: [String] { Self.ownColumns + columns.map { Self.quoted($0.id.name) } }

  static func hasColumn(_ field: Field) -> Bool {
    if case .references = field.type { false } else { true }
  }

  // MARK: Making

  func create(_ db: Database) throws {
    let fields = columns.map { ", \(Self.quoted($0.id.name)) \(Self.affinity(of: $0.type))" }
    try db.execute(
      sql: """
        CREATE TABLE \(table) (_row INTEGER PRIMARY KEY, _id BLOB, _created INTEGER,
          _time INTEGER, _device INTEGER, _pending INTEGER, _causal BLOB\(fields.joined()))
        """)
    try createIndexes(db)
    try LibrarySchema.guardTable(type.id.name, db)
    if !type.searchedFields.isEmpty { try createSearch(db) }
    try db.execute(
      sql: "INSERT INTO _count (type, living, next) VALUES (?, 0, 1)",
      arguments: [type.id.name])
  }

  func addColumn(_ field: Field, _ db: Database) throws {
    guard Self.hasColumn(field) else { return }
    try db.execute(
      sql: "ALTER TABLE \(table) ADD COLUMN \(Self.quoted(field.id.name)) "
        + Self.affinity(of: field.type))
  }

  /// Contentless: the text is in the record already.
  ///
  /// Positions are kept, so that a run of Japanese is found as it stands (a phrase of bigrams,
  /// see SearchText).
  func createSearch(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE VIRTUAL TABLE \(searchTable) USING fts5(text, content='', columnsize=0,
          tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'")
        """)
  }

  /// The tokenizer of the search table, part by part.
  static let tokenizer = [
    "unicode61", "remove_diacritics", "2", "categories", "L* N* Co Mn Mc",
  ]

  // MARK: Indexes

  /// Every index that the type should have: its name and what it is made of.
  var indexes: [(name: String, sql: String)] {
    var result = [
      index("_id", on: "_id", unique: true),
      index("_pending", on: "_pending) WHERE (_pending IS NOT NULL"),
    ]
    for field in columns where isIndexed(field) {
      result.append(index(field.id.name, on: SortTerm(field).expression))
    }
    if let sort = sortIndex { result.append(sort) }
    return result
  }

  func createIndexes(_ db: Database) throws {
    for index in indexes { try db.execute(sql: index.sql) }
  }

  func isIndexed(_ field: Field) -> Bool {
    if field.hidden { return false }
    if case .reference = field.type { return true }
    return field.index || field.unique || field.id == type.key
  }

  /// The default sort, unless a field's own index serves it.
  private var sortIndex: (name: String, sql: String)? {
    let terms = type.sort.compactMap { key in
      type.field(key.field).flatMap { Self.hasColumn($0) ? SortTerm($0, key.descending) : nil }
    }
    guard let first = terms.first, !(terms.count == 1 && isIndexed(first.field)) else { return nil }
    // The direction of the last term is the one of _row, which ends every index.
    let flips = terms.last?.descending ?? false
    let parts = terms.map { $0.expression + ($0.descending != flips ? " DESC" : "") }
    return index("_sort", on: parts.joined(separator: ", "))
  }

  private func index(
    _ name: String, on columns: String, unique: Bool = false
  ) -> (name: String, sql: String) {
    let name = "\(type.id.name).\(name)"
    return (name, "CREATE \(unique ? "UNIQUE " : "")INDEX \"\(name)\" ON \(table)(\(columns))")
  }

  // MARK: Names and affinities

  /// SQLite takes names that differ only in case for one, and keeps `sqlite_…` for itself.
  fileprivate func checkNames() throws {
    var seen: Set<String> = []
    for name in [type.id.name] + type.fields.map(\.id.name) {
      if name.lowercased().hasPrefix("sqlite_") { throw StoreError.unusableName(name) }
    }
    for field in type.fields where !seen.insert(field.id.name.lowercased()).inserted {
      throw StoreError.unusableName(field.id.name)
    }
  }

  static func affinity(of type: FieldType) -> String {
    switch type {
    case .integer, .counter, .boolean, .dateTime: "INTEGER"
    case .number: "REAL"
    case .reference, .references: "BLOB"
    default: "TEXT"
    }
  }
}

extension Model {
  /// Refuses names that SQLite can't hold or can't tell apart, hidden ones too: they keep their tables
  /// and columns.
  ///
  /// - Throws: ``StoreError/unusableName(_:)``.
  func checkNames() throws {
    var seen: Set<String> = []
    for type in types {
      guard seen.insert(type.id.name.lowercased()).inserted else {
        throw StoreError.unusableName(type.id.name)
      }
      try TypeSchema(type).checkNames()
    }
  }
}

/// One term of an order, as SQL and as an index has it.
struct SortTerm: Hashable, Sendable {
  let field: Field
  let descending: Bool

  init(_ field: Field, _ descending: Bool = false) {
    self.field = field
    self.descending = descending
  }

  /// Text sorts without regard to the case of A to Z; decimals by their number.
  var expression: String {
    let column = TypeSchema.quoted(field.id.name)
    return switch field.type {
    case .decimal: "CAST(\(column) AS REAL)"
    case .text, .longText, .url, .email, .choice, .tags: "\(column) COLLATE NOCASE"
    default: column
    }
  }
}
