// After a full reading of the zone: what to do with the records that the service had acknowledged
// and that were not met in it. Nothing is taken away that a person has not seen go.

internal import GRDB
internal import Records

extension Library {
  /// How many absent records are settled in one transaction: about 50 ms of writing.
  static let comparisonBatch = 500

  /// Begins a full reading of the zone.
  package func beginComparison(_ comparison: SyncComparison) async throws {
    try await updateSyncSettings { settings in
      settings.token = nil
      settings.pass += 1
      settings.comparing = comparison
      settings.isCaughtUp = false
    }
  }

  /// Settles what was not met in the reading; resumable, as long as it has not ended.
  ///
  /// - Parameter deletion: What a deletion of a record stands for, where it is one.
  package func finishComparison(
    deletion: @escaping @Sendable (RecordReference, RemoteCopy) -> RemoteChange
  ) async throws -> SyncCounts {
    var counts = SyncCounts()
    while let settings = try await syncSettings(), let comparison = settings.comparing {
      let part = try await syncing { door -> SyncCounts? in
        let absent = try door.absentRecords(limit: Self.comparisonBatch)
        guard !absent.isEmpty else {
          try SyncBooks(door.db).set("comparing", nil)
          return nil
        }
        var counts = SyncCounts()
        for (reference, copy) in absent {
          switch comparison {
          case .deleted: try door.take(deletion(reference, copy), counts: &counts)
          case .lost: try door.resend(reference, copy)
          case .unknown:
            try door.resend(reference, copy)
            try door.parkAbsent(reference)
            counts.parked += 1
          }
        }
        return counts
      }
      guard let part else { break }
      counts += part
    }
    return counts
  }
}

extension WriteDoor {
  fileprivate func absentRecords(limit: Int) throws -> [(RecordReference, RemoteCopy)] {
    let pass = try currentPass()
    let rows = try Row.fetchAll(
      db, sql: "SELECT id, type, name, tag, seen FROM _remote WHERE pass < ? LIMIT ?",
      arguments: [pass, limit])
    return rows.compactMap { row in
      guard let id = ColumnCodec.recordID(row[0]) else { return nil }
      return (
        RecordReference(type: TypeID(trusted: row[1]), id: id),
        RemoteCopy(name: row[2], tag: row[3], seen: Blob.bytes(row[4]))
      )
    }
  }

  /// Sends a record anew: the service is not known to hold it.
  fileprivate func resend(_ reference: RecordReference, _ copy: RemoteCopy) throws {
    let id = ColumnCodec.stored(reference.id)
    if let type = model.type(reference.type) {
      try execute(
        "UPDATE \(TypeSchema(type).table) SET _pending = ? WHERE _id = ? AND _pending IS NULL",
        [Library.pendingAnew, id])
    }
    try execute(
      "UPDATE _trash SET pending = ? WHERE id = ? AND pending IS NULL", [Library.pendingAnew, id])
    var copy = copy
    copy.tag = nil
    try setRemote(copy, of: reference)
  }

  fileprivate func parkAbsent(_ reference: RecordReference) throws {
    try execute(
      """
      INSERT OR REPLACE INTO _parked (id, type, pending, reason, detail, at)
      VALUES (?, ?, ?, 'absent', NULL, ?)
      """,
      [ColumnCodec.stored(reference.id), reference.type.name, Library.pendingAnew, at])
  }
}
