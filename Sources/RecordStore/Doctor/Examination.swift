// The part of the doctor that reads the SQLite file, on one snapshot of it.

internal import GRDB
internal import Records

/// One pass over a library's file.
struct Examination {
  /// SQLite lists no more than this many faults.
  static let faultsMax = 100
  /// How many records of a type are looked up in its search table.
  static let searchSamples = 1_000

  let reading: Reading
  var report: DoctorReport

  private var db: Database { reading.db }

  init(reading: Reading, report: DoctorReport) {
    self.reading = reading
    self.report = report
  }

  mutating func run() throws {
    for words in try String.fetchAll(db, sql: "PRAGMA integrity_check(\(Self.faultsMax))")
    where words != "ok" {
      report.findings.append(.file(words))
    }
    let names = Set(try String.fetchAll(db, sql: "SELECT name FROM sqlite_master"))
    for table in LibrarySchema.guardedTables + reading.model.types.map(\.id.name) {
      let guards = ["insert", "update", "delete"].map { "\(table).\($0)" }
      if !guards.allSatisfy(names.contains) { report.findings.append(.missingGuard(table: table)) }
    }
    for type in reading.model.types {
      for index in TypeSchema(type).indexes where !names.contains(index.name) {
        report.findings.append(.missingIndex(name: index.name))
      }
      try examine(type)
    }
    try examineLog()
  }

  private mutating func examine(_ type: RecordType) throws {
    let schema = TypeSchema(type)
    let found = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(schema.table) NOT INDEXED") ?? 0
    let noted = try Int.fetchOne(
      db, sql: "SELECT living FROM _count WHERE type = ?", arguments: [type.id.name])
    if noted != found {
      report.findings.append(.count(type: type.id, noted: noted ?? 0, found: found))
    }
    report.records += found
    try examineStates(type, schema)
    if !type.searchedFields.isEmpty, !report.findings.contains(.search(type: type.id)) {
      try examineSearch(type, schema, records: found)
    }
  }

  /// Rows without `_causal` say all in their columns; the others have to read, and to be marked as
  /// conflicting exactly when they are.
  private mutating func examineStates(_ type: RecordType, _ schema: TypeSchema) throws {
    let marked = Set(
      try Row.fetchAll(
        db, sql: "SELECT id FROM _conflict WHERE type = ?", arguments: [type.id.name]
      )
      .compactMap { ColumnCodec.recordID($0[0]) })
    var conflicting: Set<RecordID> = []
    let rows = try Row.fetchCursor(
      db, sql: "SELECT _id FROM \(schema.table) WHERE _causal IS NOT NULL")
    while let row = try rows.next() {
      guard let id = ColumnCodec.recordID(row[0]) else { continue }
      do {
        guard let record = try reading.record(type, id) else { continue }
        if !record.state.conflicts(in: type).isEmpty { conflicting.insert(id) }
      } catch StoreError.damaged {
        report.findings.append(.state(RecordReference(type: type.id, id: id)))
      }
    }
    for id in marked.symmetricDifference(conflicting).sorted() {
      let reference = RecordReference(type: type.id, id: id)
      if try reading.trashed(type, id) == nil { report.findings.append(.conflictMark(reference)) }
    }
  }

  /// Looks up evenly spread records by the words that they begin with.
  private mutating func examineSearch(
    _ type: RecordType, _ schema: TypeSchema, records: Int
  ) throws {
    let step = max(1, records / Self.searchSamples)
    let rows = try Int64.fetchCursor(
      db, sql: "SELECT _row FROM \(schema.table) WHERE _row % ? = 0", arguments: [step])
    while let row = try rows.next() {
      guard let record = try readable(type, row), let text = type.searchText(of: record.shown),
        let phrase = Self.phrase(text)
      else { continue }
      let found = try Bool.fetchOne(
        db,
        sql:
          "SELECT 1 FROM \(schema.searchTable) WHERE \(schema.searchTable) MATCH ? AND rowid = ?",
        arguments: [phrase, row])
      if found == nil {
        report.findings.append(.search(type: type.id))
        return
      }
    }
  }

  /// A record whose state reads; one whose state does not is a finding already.
  private func readable(_ type: RecordType, _ row: Int64) throws -> StoredRecord? {
    do {
      return try reading.living(type, where: "_row = ?", [row])
    } catch StoreError.damaged {
      return nil
    }
  }

  /// The first words of a search text as a phrase; nothing where there is no whole word.
  private static func phrase(_ text: String) -> String? {
    let words = text.prefix(80).split { !($0.isLetter || $0.isNumber) }
    // The last word may be cut off in the middle.
    let whole = text.count > 80 ? words.dropLast() : words[...]
    guard let first = whole.first else { return nil }
    return "\"\(first)\""
  }

  private mutating func examineLog() throws {
    report.transactions = try Int.fetchOne(db, sql: "SELECT count(*) FROM _transaction") ?? 0
    for number in try Int64.fetchAll(
      db, sql: "SELECT number FROM _transaction WHERE NOT sealed ORDER BY number")
    {
      report.findings.append(.openTransaction(number))
    }
  }
}
