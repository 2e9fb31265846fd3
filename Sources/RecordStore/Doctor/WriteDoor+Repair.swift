// What the doctor puts right: everything here can be made anew from the records, so nothing is lost.

internal import GRDB
internal import Records

extension WriteDoor {
  /// Puts one finding right; one that can't be is left alone.
  func repair(_ finding: DoctorFinding) throws {
    switch finding {
    case .file: try execute("REINDEX")
    case .missingIndex(let name): try makeIndex(named: name)
    case .missingGuard(let table):
      try LibrarySchema.unguardTable(table, db)
      try LibrarySchema.guardTable(table, db)
    case .search(let type): try rebuildSearch(of: try reading.type(type))
    case .count(let type, _, _):
      // Counted here, where nobody else writes: there may be more records than the doctor found.
      try execute(
        """
        INSERT INTO _count (type, living, next)
        VALUES (?, (SELECT count(*) FROM "\(type.name)" NOT INDEXED),
          (SELECT coalesce(max(_row), 0) + 1 FROM "\(type.name)"))
        ON CONFLICT (type) DO UPDATE SET living = excluded.living, next = max(next, excluded.next)
        """, [type.name])
    case .conflictMark(let reference): try markAgain(reference)
    case .openTransaction(let number):
      try execute("UPDATE _transaction SET sealed = 1 WHERE number = ?", [number])
    case .unusedAttachments, .state, .attachmentMissing, .attachmentDamaged: break
    }
  }

  private func makeIndex(named name: String) throws {
    let indexes = model.types.lazy.flatMap { TypeSchema($0).indexes }
    guard let index = indexes.first(where: { $0.name == name }) else { return }
    try execute(index.sql)
  }

  private func markAgain(_ reference: RecordReference) throws {
    let type = try reading.type(reference.type)
    let record = try reading.record(type, reference.id)
    if let record, !record.state.conflicts(in: type).isEmpty {
      try execute(
        "INSERT OR IGNORE INTO _conflict (id, type) VALUES (?, ?)",
        [ColumnCodec.stored(reference.id), type.id.name])
    } else {
      try execute("DELETE FROM _conflict WHERE id = ?", [ColumnCodec.stored(reference.id)])
    }
  }

  /// Makes a type's search table anew from its records.
  func rebuildSearch(of type: RecordType) throws {
    let schema = TypeSchema(type)
    searches.forget(schema.searchTable)
    try execute("DROP TABLE IF EXISTS \(schema.searchTable)")
    guard !type.searchedFields.isEmpty else { return }
    try schema.createSearch(db)
    let columns = schema.columns.filter { $0.search && !$0.hidden }
    let names = columns.map { TypeSchema.quoted($0.id.name) }.joined(separator: ", ")
    let insert = try db.makeStatement(
      sql: "INSERT INTO \(schema.searchTable) (rowid, text) VALUES (?, ?)")
    let rows = try Row.fetchCursor(db, sql: "SELECT _row, \(names) FROM \(schema.table)")
    while let row = try rows.next() {
      var shown: [FieldID: Value] = [:]
      for (index, field) in columns.enumerated() {
        shown[field.id] = ColumnCodec.value(row[index + 1], of: field.type)
      }
      guard let text = type.searchText(of: shown) else { continue }
      try insert.execute(arguments: [row[0] as Int64, text])
    }
  }
}
