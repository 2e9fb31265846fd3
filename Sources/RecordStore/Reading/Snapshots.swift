// Reading records as values.

internal import GRDB
package import Records

extension Library {
  /// A record, living or in the trash; nothing if it was purged or never was.
  package func snapshot(_ type: TypeID, _ id: RecordID) async throws -> Snapshot? {
    try await read { reading in
      try reading.record(reading.type(type), id)?.snapshot
    }
  }

  package func snapshots(
    _ type: TypeID, _ ids: [RecordID]
  ) async throws -> [RecordID: Snapshot] {
    try await read { reading in
      let type = try reading.type(type)
      var result: [RecordID: Snapshot] = [:]
      for id in ids { result[id] = try reading.record(type, id)?.snapshot }
      return result
    }
  }

  /// How many living records each type has.
  ///
  /// Costs one row a type, whatever their number.
  package func counts() async throws -> [TypeID: Int] {
    try await read { reading in
      var result: [TypeID: Int] = [:]
      for row in try Row.fetchAll(reading.db, sql: "SELECT type, living FROM _count") {
        result[TypeID(trusted: row[0])] = row[1]
      }
      return result
    }
  }

  /// What records are called, those in the trash too.
  ///
  /// A record that is gone has no title.
  package func titles(
    _ references: [RecordReference]
  ) async throws -> [RecordReference: String] {
    try await read { try $0.titles(references) }
  }

  /// The living records with exactly that title.
  package func find(
    _ type: TypeID, titled title: String, limit: Int
  ) async throws -> [RecordID] {
    try await read { reading in
      _ = try reading.type(type)
      return try reading.titled(title, of: type, limit: limit)
    }
  }

  /// The living records that refer to a record.
  package func referrers(
    of target: RecordReference, limit: Int
  ) async throws -> [RecordReference] {
    try await read { reading in
      var result: [RecordReference] = []
      for type in reading.model.visibleTypes {
        for field in type.visibleFields where field.type.target == target.type {
          let left = limit - result.count
          guard left > 0 else { return result }
          result += try reading.referrers(of: target.id, type: type, field: field, limit: left)
            .map { RecordReference(type: type.id, id: $0) }
        }
      }
      return result
    }
  }

  /// The records that have a conflict which nobody settled yet.
  package func conflictedRecords(limit: Int) async throws -> [RecordReference] {
    try await read { reading in
      try Row.fetchAll(
        reading.db, sql: "SELECT type, id FROM _conflict LIMIT ?", arguments: [limit]
      ).compactMap { row in
        ColumnCodec.recordID(row[1]).map { RecordReference(type: TypeID(trusted: row[0]), id: $0) }
      }
    }
  }
}

extension Reading {
  func titles(_ references: [RecordReference]) throws -> [RecordReference: String] {
    var result: [RecordReference: String] = [:]
    for reference in Set(references) {
      if let title = try title(of: reference) { result[reference] = title }
    }
    return result
  }

  /// The title alone: one lookup, without the record's state.
  private func title(of reference: RecordReference) throws -> String? {
    guard let type = model.type(reference.type) else { return nil }
    let id = ColumnCodec.stored(reference.id)
    if let field = type.title.flatMap(type.field), TypeSchema.hasColumn(field) {
      let statement = try db.cachedStatement(
        sql: """
          SELECT \(TypeSchema.quoted(field.id.name)) FROM \(TypeSchema(type).table)
          WHERE _id = ?
          """)
      if let row = try Row.fetchOne(statement, arguments: [id]) {
        return ColumnCodec.value(row[0], of: field.type).plainText ?? reference.id.description
      }
    } else if try record(type, reference.id) != nil {
      return reference.id.description
    }
    return try String.fetchOne(
      db.cachedStatement(sql: "SELECT title FROM _trash WHERE id = ?"), arguments: [id])
  }
}
