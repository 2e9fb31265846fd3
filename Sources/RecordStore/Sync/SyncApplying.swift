// Taking in what the record service holds: a page of its change feed and the token behind it in one
// transaction, through the one door. Joined with what is here; never a draft, never a constraint.

internal import GRDB
package import Records

/// A record as the service holds it, read and understood by `Sync`.
package struct RemoteChange: Sendable {
  package enum Content: Sendable {
    /// The whole state that the service's copy stands for.
    case state(RecordState)
    /// The same of a record whose fields were all written at once.
    case plain(PlainState)
    /// Only what changed since the copy that was read last: a writer who knows no states.
    case partial(RecordState)
    /// Deleted on the wire, by somebody who had seen this much of it.
    case purged(seen: VersionVector, by: Stamp)
  }

  package let reference: RecordReference
  package let content: Content
  /// What to remember of the service's copy; nothing where it holds none any more.
  package let remote: RemoteCopy?
  /// The attachments that the copy speaks of, and where the service holds their content.
  package var contents: [WantedContent] = []
  /// Attachments whose content the service does not hold: whoever has it sends it.
  package var lacking: [String] = []

  package init(reference: RecordReference, content: Content, remote: RemoteCopy?) {
    self.reference = reference
    self.content = content
    self.remote = remote
  }
}

/// A record from the service that can't be taken in yet, as it came.
package struct HeldRecord: Sendable, Hashable {
  package let name: String
  package let type: String?
  package let tag: String?
  /// A stable word: `unknownType`, `newer`, `damaged`.
  package let reason: String
  package let message: [UInt8]

  package init(name: String, type: String?, tag: String?, reason: String, message: [UInt8]) {
    self.name = name
    self.type = type
    self.tag = tag
    self.reason = reason
    self.message = message
  }
}

/// A page of the change feed.
package struct RemotePage: Sendable {
  package var changes: [RemoteChange] = []
  package var held: [HeldRecord] = []
  /// Records whose copy there is the one that we know: met, and nothing to do.
  package var known: [RecordID] = []
  /// Held records by name that are taken in, or gone from the service.
  package var released: [String] = []
  /// Where the feed goes on behind this page; nothing for records that came another way.
  package var token: String?
  /// Whether the feed ends here.
  package var isLast = false

  package init() {}
}

extension Library {
  /// Takes in a page and its token in one transaction: all of it or nothing.
  package func apply(_ page: RemotePage) async throws -> SyncCounts {
    let now = surroundings.milliseconds()
    return try await syncing { door in
      var counts = SyncCounts()
      for change in page.changes { try door.checkOwnStamps(of: change) }
      let rest = try door.takeNew(page.changes, counts: &counts)
      for change in rest { try door.take(change, counts: &counts) }
      for change in page.changes { try door.want(change.contents, at: now) }
      let pass = try door.currentPass()
      for id in page.known {
        try door.execute(
          "UPDATE _remote SET pass = ? WHERE id = ? AND pass <> ?",
          [pass, ColumnCodec.stored(id), pass])
      }
      for held in page.held {
        try door.execute(
          """
          INSERT OR REPLACE INTO _held (name, type, tag, reason, message, at)
          VALUES (?, ?, ?, ?, ?, ?)
          """,
          [held.name, held.type, held.tag, held.reason, Blob.stored(held.message), now])
      }
      let holds = try Bool.fetchOne(door.db, sql: "SELECT EXISTS (SELECT 1 FROM _held)") ?? false
      for name in page.released where holds {
        try door.execute("DELETE FROM _held WHERE name = ?", [name])
      }
      counts.parked += page.held.count
      counts.skipped += page.known.count
      let books = SyncBooks(door.db)
      if let token = page.token {
        try books.set("token", token)
        try books.set("caughtUp", page.isLast ? 1 : 0)
      }
      return counts
    }
  }

  /// The held records, oldest first.
  package func heldRecords(limit: Int) async throws -> [HeldRecord] {
    try await read { reading in
      try Row.fetchAll(
        reading.db,
        sql: "SELECT name, type, tag, reason, message FROM _held ORDER BY at, name LIMIT ?",
        arguments: [limit]
      ).map(HeldRecord.init(row:))
    }
  }

  /// The held records of some types by name, those behind `name`.
  package func heldRecords(
    of types: [TypeID], after name: String, limit: Int
  ) async throws -> [HeldRecord] {
    let names = Set(types.map(\.name))
    return try await read { reading in
      let rows = try Row.fetchCursor(
        reading.db,
        sql: "SELECT name, type, tag, reason, message FROM _held WHERE name > ? ORDER BY name",
        arguments: [name])
      var result: [HeldRecord] = []
      while result.count < limit, let row = try rows.next() {
        let type: String? = row[1]
        if let type, names.contains(type) { result.append(HeldRecord(row: row)) }
      }
      return result
    }
  }

  /// The type and id of a record that the service deleted, which says only its name.
  package func remoteReference(
    named name: String, id: RecordID
  ) async throws -> (reference: RecordReference, remote: RemoteCopy)? {
    try await read { reading in
      let row = try Row.fetchOne(
        reading.db, sql: "SELECT type FROM _remote WHERE id = ?",
        arguments: [ColumnCodec.stored(id)])
      guard let row, let remote = try reading.remoteCopy(id) else { return nil }
      return (RecordReference(type: TypeID(trusted: row[0]), id: id), remote)
    }
  }
}

extension WriteDoor {
  /// Takes one change in, outside a page.
  func take(_ change: RemoteChange, counts: inout SyncCounts) throws {
    try apply(change, pass: try currentPass(), counts: &counts)
  }

  private func apply(
    _ change: RemoteChange, pass: Int64, counts: inout SyncCounts
  ) throws {
    guard let type = model.type(change.reference.type) else {
      throw StoreError.unknownType(change.reference.type)
    }
    let id = change.reference.id
    let previous = try reading.record(type, id)
    switch change.content {
    case .plain(let plain):
      try apply(
        RemoteChange(
          reference: change.reference, content: .state(plain.state(in: type)),
          remote: change.remote), pass: pass, counts: &counts)
      return
    case .state(let state):
      // The service went back in time: it has not heard yet, or not any more, of our purge.
      if previous == nil, try isPurgedAgain(id) { break }
      let joined = previous?.state.joined(with: state) ?? state
      // What the service's copy does not hold yet is owed to it.
      let owes =
        !joined.isSame(as: state, in: type) || change.lacking.contains(where: library.hasContent)
      try settle(joined, owes: owes, previous: previous, type: type, id: id, counts: &counts)
      try execute("DELETE FROM _purged WHERE id = ?", [ColumnCodec.stored(id)])
    case .partial(let state):
      // A record that was purged here meanwhile: the deletion on its way will meet the new tag.
      guard let previous else { break }
      try settle(
        previous.state.joined(with: state), owes: previous.pending != nil, previous: previous,
        type: type, id: id, counts: &counts)
    case .purged(let seen, let stamp):
      try execute("DELETE FROM _purged WHERE id = ?", [ColumnCodec.stored(id)])
      guard let previous else { break }
      var state = RecordState(vector: seen)
      state.delete(stamp: stamp)
      let joined = previous.state.joined(with: state)
      // Deleted for all: nothing to send. Disputed: sent again, as a new record (J4).
      try settle(
        joined, owes: joined.existence != .deleted, previous: previous, type: type, id: id,
        counts: &counts)
    }
    try setRemote(change.remote, of: change.reference, pass: pass)
  }

  /// Whether a purge of ours has to be sent once more, because the service was restored from before.
  private func isPurgedAgain(_ id: RecordID) throws -> Bool {
    let comparing = try String.fetchOne(
      db.cachedStatement(sql: "SELECT value FROM _sync WHERE key = 'comparing'"))
    guard comparing == SyncComparison.lost.rawValue else { return false }
    try execute(
      "UPDATE _purged SET pending = ? WHERE id = ?", [number, ColumnCodec.stored(id)])
    return db.changesCount > 0
  }

  /// Brings a record to its joined state, and says whether the service has to hear of it.
  private func settle(
    _ joined: RecordState, owes: Bool, previous: StoredRecord?, type: RecordType, id: RecordID,
    counts: inout SyncCounts
  ) throws {
    guard joined != previous?.state else {
      // Known already: a write of our own that comes back, or one that came another way.
      counts.skipped += 1
      if owes != (previous?.pending != nil) { try setPending(owes, type, id) }
      return
    }
    counts.received += 1
    try put(
      joined, of: type, id: id, previous: previous, pending: owes, created: id.creationTime)
    if !owes, previous?.pending != nil { try setPending(false, type, id) }
    counts.applied += 1
    if owes { counts.merged += 1 }
    if !joined.conflicts(in: type).isEmpty { counts.conflicting += 1 }
  }

  /// Marks a record as owed to the service without a save, or as known to it.
  private func setPending(_ isPending: Bool, _ type: RecordType, _ id: RecordID) throws {
    let number: Int64? = isPending ? Library.pendingAnew : nil
    let stored = ColumnCodec.stored(id)
    try execute(
      "UPDATE \(TypeSchema(type).table) SET _pending = ? WHERE _id = ?", [number, stored])
    try execute("UPDATE _trash SET pending = ? WHERE id = ?", [number, stored])
    if !isPending { try execute("DELETE FROM _parked WHERE id = ?", [stored]) }
  }
}

extension RecordID {
  /// When a version 7 id was made, which is when its record was (RFC 9562, 5.7).
  var creationTime: Int64? { version == 7 ? Int64(high >> 16) : nil }
}

extension RecordState {
  /// Whether two states say the same, but for ancestors that nobody needs any more: those of
  /// undisputed values do not travel.
  package func isSame(as other: RecordState, in type: RecordType) -> Bool {
    travelling(in: type) == other.travelling(in: type)
  }

  /// The state as it is sent.
  package func travelling(in type: RecordType) -> RecordState {
    var result = self
    result.dropSettledBases { field in type.field(field)?.merge == .lines }
    return result
  }
}

extension HeldRecord {
  fileprivate init(row: Row) {
    self.init(
      name: row[0], type: row[1], tag: row[2], reason: row[3], message: Blob.bytes(row[4]) ?? [])
  }
}
