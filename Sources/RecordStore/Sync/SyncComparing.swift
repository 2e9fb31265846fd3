// After a full reading of the zone: what to do with the records that the service had acknowledged
// and that were not met in it. Nothing is taken away that a person has not seen go.

internal import GRDB
internal import Records

extension Library {
  /// How many absent records are settled in one transaction: about 50 ms of writing.
  static let comparisonBatch = 500

  /// Begins a full reading of the zone.
  package func beginComparison(_ comparison: SyncComparison) async throws {
    try await keepingBooks { db in
      let books = SyncBooks(db)
      guard var settings = try books.settings() else { return }
      settings.token = nil
      settings.pass += 1
      settings.comparing = comparison
      settings.decision = nil
      settings.isCaughtUp = false
      try books.save(settings)
      try books.set("repairBackup", nil)
      // Types are small, and every copy of them is whole: they are simply sent again.
      try db.execute(sql: "UPDATE _shape SET tag = NULL, pending = 1")
    }
  }

  /// Settles what was not met in the reading; resumable, as long as it has not ended.
  ///
  /// What goes into the trash is backed up first.
  ///
  /// - Parameters:
  ///   - decision: What is done with records that were not edited here since.
  ///   - deletion: What a deletion of a record stands for, where it is one.
  package func finishComparison(
    _ decision: SyncDecision,
    deletion: @escaping @Sendable (RecordReference, RemoteCopy) -> RemoteChange
  ) async throws -> SyncCounts {
    if decision == .deleteHere { try await backUpBeforeRepair() }
    var counts = SyncCounts()
    while true {
      let part = try await syncing { door -> SyncCounts? in
        let absent = try door.absentRecords(limit: Self.comparisonBatch)
        guard !absent.isEmpty else {
          let books = SyncBooks(door.db)
          for key in ["comparing", "decision", "repairBackup"] { try books.set(key, nil) }
          return nil
        }
        var counts = SyncCounts()
        for (reference, copy) in absent {
          switch decision {
          case .deleteHere: try door.take(deletion(reference, copy), counts: &counts)
          case .sendAgain: try door.resend(reference, copy)
          }
        }
        // Nothing came: what is absent there is what was applied.
        counts.received = 0
        return counts
      }
      guard let part else { return counts }
      counts += part
    }
  }

  /// Once a comparison, however often it is taken up.
  private func backUpBeforeRepair() async throws {
    guard path != nil, let plan = try await syncPlan(), plan.absent > 0 else { return }
    let done = try await read { reading in
      try String.fetchOne(reading.db, sql: "SELECT value FROM _sync WHERE key = 'repairBackup'")
    }
    guard done == nil else { return }
    let backup = try await backUp(to: try safetyPath(before: "repair")).path
    try await keepingBooks { try SyncBooks($0).set("repairBackup", backup) }
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
}
