// Where one record stands with the record service: what "why is this not synced?" is answered from.

internal import GRDB
internal import Records

/// What is known of a record and the service.
package struct SyncStanding: Sendable, Hashable {
  /// Saved here and not acknowledged.
  package var isPending = false
  /// Set aside with its reason, since its last save.
  package var parked: ParkedRecord?
  /// The service is known to hold it, in this or an older version.
  package var isOnService = false
  /// Writers disagree about it.
  package var isConflicted = false
  package var isDeleted = false

  package init() {}
}

extension Library {
  /// Where a record stands; nothing if it was purged and the service knows it.
  package func syncStanding(of reference: RecordReference) async throws -> SyncStanding? {
    try await read { reading in
      let id = ColumnCodec.stored(reference.id)
      func has(_ sql: String) throws -> Bool {
        try Int.fetchOne(reading.db, sql: sql, arguments: [id]) != nil
      }
      let type = reading.model.type(reference.type)
      let record = try type.flatMap { try reading.record($0, reference.id) }
      let purge = try Int64.fetchOne(
        reading.db, sql: "SELECT pending FROM _purged WHERE id = ?", arguments: [id])
      let number = record?.pending ?? purge
      guard record != nil || number != nil else { return nil }
      var standing = SyncStanding()
      standing.isPending = number != nil
      standing.isDeleted = record?.isDeleted ?? true
      standing.isOnService = try has("SELECT 1 FROM _remote WHERE id = ? AND tag IS NOT NULL")
      standing.isConflicted = try has("SELECT 1 FROM _conflict WHERE id = ?")
      standing.parked = try Row.fetchOne(
        reading.db,
        sql: "SELECT reason, detail, at FROM _parked WHERE id = ? AND pending = ?",
        arguments: [id, number]
      ).map { ParkedRecord(reference: reference, reason: $0[0], detail: $0[1], at: $0[2]) }
      return standing
    }
  }

  /// The records whose save waits, the parked ones among them; more than `limit` are not looked for.
  package func unsyncedReferences(
    limit: Int
  ) async throws -> (pending: Set<RecordReference>, parked: Set<RecordReference>) {
    try await read { reading in
      var pending: Set<RecordReference> = []
      for type in reading.model.types where pending.count < limit {
        let ids = try DatabaseValue.fetchAll(
          reading.db,
          sql: "SELECT _id FROM \(TypeSchema(type).table) WHERE _pending IS NOT NULL LIMIT ?",
          arguments: [limit - pending.count])
        for id in ids {
          if let id = ColumnCodec.recordID(id) {
            pending.insert(RecordReference(type: type.id, id: id))
          }
        }
      }
      let rows = try Row.fetchAll(
        reading.db, sql: "SELECT id, type FROM _parked LIMIT ?", arguments: [limit])
      let parked = rows.compactMap { row in
        ColumnCodec.recordID(row[0]).map {
          RecordReference(type: TypeID(trusted: row[1]), id: $0)
        }
      }
      return (pending, Set(parked))
    }
  }
}
