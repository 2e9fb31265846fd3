// What waits to be sent: read in dependency order, acknowledged exactly, or parked with a reason.

internal import GRDB
package import Records

/// What the record service is known to hold of a record.
package struct RemoteCopy: Sendable, Hashable {
  /// Its record name there, where that is not the id's own text.
  package var name: String?
  /// The change tag; nothing: it is not known to hold the record.
  package var tag: String?
  /// What was read in it last, in the form of `Sync`.
  package var seen: [UInt8]?

  package init(name: String? = nil, tag: String? = nil, seen: [UInt8]? = nil) {
    self.name = name
    self.tag = tag
    self.seen = seen
  }
}

/// A saved change that the record service has not acknowledged.
package struct PendingRecord: Sendable {
  package let reference: RecordReference
  /// What an acknowledgement has to name: a save meanwhile gives the record another one.
  package let number: Int64
  /// The latest state; nothing for a purge.
  package let state: RecordState?
  package let created: Int64
  package let remote: RemoteCopy?

  package init(
    reference: RecordReference, number: Int64, state: RecordState?, created: Int64,
    remote: RemoteCopy?
  ) {
    self.reference = reference
    self.number = number
    self.state = state
    self.created = created
    self.remote = remote
  }
}

/// Why a record's change is not sent.
package struct ParkedRecord: Sendable, Hashable {
  package let reference: RecordReference
  /// The class of the answer, as a stable word.
  package let reason: String
  /// The service's own words.
  package let detail: String?
  package let at: Int64
}

/// What the record service holds now, after it took a change.
package struct Acknowledgement: Sendable {
  package let reference: RecordReference
  package let number: Int64
  /// Nothing: the record is purged there.
  package let remote: RemoteCopy?

  package init(reference: RecordReference, number: Int64, remote: RemoteCopy?) {
    self.reference = reference
    self.number = number
    self.remote = remote
  }
}

/// How much waits, and how much of it for a person.
package struct SyncBacklog: Sendable, Hashable {
  /// Saved here and not acknowledged, the parked ones too.
  package var pending = 0
  package var parked = 0
  /// From the service, not taken in yet.
  package var held = 0
  /// Records with a conflict.
  package var conflicts = 0
  /// Attached files that have yet to arrive.
  package var contents = 0
  /// Attached files that could not be had.
  package var contentsMissing = 0

  package init() {}
}

extension Library {
  /// The next changes to send: records before those that refer to them, purges last.
  ///
  /// - Parameter limit: At most this many.
  package func pendingRecords(limit: Int) async throws -> [PendingRecord] {
    try await read { reading in
      var result: [PendingRecord] = []
      for type in reading.model.typesInDependencyOrder where result.count < limit {
        result += try reading.pendingRows(of: type, limit: limit - result.count)
      }
      if result.count < limit {
        result += try reading.pendingTrash(limit: limit - result.count)
      }
      if result.count < limit {
        result += try reading.pendingPurges(limit: limit - result.count)
      }
      return result
    }
  }

  package func syncBacklog() async throws -> SyncBacklog {
    try await read { reading in
      var backlog = SyncBacklog()
      func count(_ sql: String) throws -> Int { try Int.fetchOne(reading.db, sql: sql) ?? 0 }
      for type in reading.model.types {
        let table = TypeSchema(type).table
        backlog.pending += try count("SELECT count(*) FROM \(table) WHERE _pending IS NOT NULL")
      }
      backlog.pending += try count("SELECT count(*) FROM _trash WHERE pending IS NOT NULL")
      backlog.pending += try count("SELECT count(*) FROM _purged WHERE pending IS NOT NULL")
      backlog.parked = try count("SELECT count(*) FROM _parked")
      backlog.held = try count("SELECT count(*) FROM _held")
      backlog.conflicts = try count("SELECT count(*) FROM _conflict")
      backlog.contents = try count("SELECT count(*) FROM _content WHERE reason IS NULL")
      backlog.contentsMissing = try count("SELECT count(*) FROM _content WHERE reason IS NOT NULL")
      return backlog
    }
  }

  package func parkedRecords(limit: Int) async throws -> [ParkedRecord] {
    try await read { reading in
      try Row.fetchAll(
        reading.db,
        sql: "SELECT id, type, reason, detail, at FROM _parked ORDER BY at DESC LIMIT ?",
        arguments: [limit]
      ).compactMap { row in
        ColumnCodec.recordID(row[0]).map {
          ParkedRecord(
            reference: RecordReference(type: TypeID(trusted: row[1]), id: $0), reason: row[2],
            detail: row[3], at: row[4])
        }
      }
    }
  }

  /// Clears exactly what was sent: what was saved meanwhile stays pending.
  package func acknowledge(_ acknowledgements: [Acknowledgement]) async throws {
    guard !acknowledgements.isEmpty else { return }
    try await syncing { door in
      for acknowledgement in acknowledgements { try door.acknowledge(acknowledgement) }
      try SyncBooks(door.db).set("caughtUp", 0)
    }
  }

  /// Sets records aside that the service refuses; each comes back when it is saved again.
  package func park(
    _ records: [(record: PendingRecord, reason: String, detail: String?)]
  ) async throws {
    guard !records.isEmpty else { return }
    let now = surroundings.milliseconds()
    let rows = records.map { ($0.record.reference, $0.record.number, $0.reason, $0.detail) }
    try await keepingBooks { db in
      for (reference, number, reason, detail) in rows {
        try db.cachedStatement(
          sql: """
            INSERT OR REPLACE INTO _parked (id, type, pending, reason, detail, at)
            VALUES (?, ?, ?, ?, ?, ?)
            """
        ).execute(arguments: [
          ColumnCodec.stored(reference.id), reference.type.name, number, reason, detail, now,
        ])
      }
    }
  }

  /// Lets every parked record, and every file that was set aside, try again.
  package func unparkAll() async throws {
    try await keepingBooks { db in
      try db.execute(sql: "DELETE FROM _parked")
      try db.execute(
        sql: "UPDATE _content SET attempts = 0, reason = NULL WHERE reason IS NOT NULL")
    }
  }

  /// What the service is known to hold of these records.
  package func remoteCopies(_ ids: [RecordID]) async throws -> [RecordID: RemoteCopy] {
    try await read { reading in
      var result: [RecordID: RemoteCopy] = [:]
      for id in ids { result[id] = try reading.remoteCopy(id) }
      return result
    }
  }
}

extension Model {
  /// The types, each after those that its references point to; a ring is cut anywhere.
  package var typesInDependencyOrder: [RecordType] {
    var result: [RecordType] = []
    var visited: Set<TypeID> = []
    func visit(_ type: RecordType) {
      guard visited.insert(type.id).inserted else { return }
      for target in type.fields.compactMap(\.type.target) {
        if let next = self.type(target) { visit(next) }
      }
      result.append(type)
    }
    for type in types { visit(type) }
    return result
  }
}

extension Reading {
  /// Pending and not parked: a save again changes the number, and so lifts the parking.
  private func condition(id: String, number: String) -> String {
    "r.\(number) IS NOT NULL AND NOT EXISTS "
      + "(SELECT 1 FROM _parked AS p WHERE p.id = r.\(id) AND p.pending = r.\(number))"
  }

  fileprivate func pendingRows(of type: RecordType, limit: Int) throws -> [PendingRecord] {
    let schema = TypeSchema(type)
    let names =
      (["_row", "_id", "_created", "_time", "_device", "_pending", "_causal"]
      + schema.columns.map { TypeSchema.quoted($0.id.name) }).joined(separator: ", ")
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(names) FROM \(schema.table) AS r
        WHERE \(condition(id: "_id", number: "_pending")) ORDER BY r._pending, r._row LIMIT ?
        """)
    return try Row.fetchAll(statement, arguments: [limit]).map { row in
      try pending(stored(row, type: type, columns: schema.columns))
    }
  }

  fileprivate func pendingTrash(limit: Int) throws -> [PendingRecord] {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT id, type FROM _trash AS r
          WHERE \(condition(id: "id", number: "pending")) ORDER BY r.pending LIMIT ?
          """), arguments: [limit])
    return try rows.compactMap { row in
      guard let id = ColumnCodec.recordID(row[0]), let type = model.type(TypeID(trusted: row[1])),
        let record = try trashed(type, id)
      else { return nil }
      return try pending(record)
    }
  }

  fileprivate func pendingPurges(limit: Int) throws -> [PendingRecord] {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT id, type, pending FROM _purged AS r
          WHERE \(condition(id: "id", number: "pending")) LIMIT ?
          """), arguments: [limit])
    return try rows.compactMap { row in
      guard let id = ColumnCodec.recordID(row[0]) else { return nil }
      return PendingRecord(
        reference: RecordReference(type: TypeID(trusted: row[1]), id: id), number: row[2],
        state: nil, created: 0, remote: try remoteCopy(id))
    }
  }

  private func pending(_ record: StoredRecord) throws -> PendingRecord {
    PendingRecord(
      reference: record.reference, number: record.pending ?? 0, state: record.state,
      created: record.created, remote: try remoteCopy(record.id))
  }

  func remoteCopy(_ id: RecordID) throws -> RemoteCopy? {
    let statement = try db.cachedStatement(
      sql: "SELECT name, tag, seen FROM _remote WHERE id = ?")
    guard let row = try Row.fetchOne(statement, arguments: [ColumnCodec.stored(id)]) else {
      return nil
    }
    return RemoteCopy(name: row[0], tag: row[1], seen: Blob.bytes(row[2]))
  }
}

extension WriteDoor {
  fileprivate func acknowledge(_ acknowledgement: Acknowledgement) throws {
    let reference = acknowledgement.reference
    let id = ColumnCodec.stored(reference.id)
    let number = acknowledgement.number
    var isLiving = false
    if let type = model.type(reference.type) {
      try execute(
        "UPDATE \(TypeSchema(type).table) SET _pending = NULL WHERE _id = ? AND _pending = ?",
        [id, number])
      isLiving = db.changesCount > 0
    }
    if !isLiving {
      try execute("UPDATE _trash SET pending = NULL WHERE id = ? AND pending = ?", [id, number])
      try execute("UPDATE _purged SET pending = NULL WHERE id = ? AND pending = ?", [id, number])
    }
    try execute("DELETE FROM _parked WHERE id = ?", [id])
    try setRemote(acknowledgement.remote, of: reference)
  }

  /// Writes down what the service holds; nothing: it holds the record no more.
  func setRemote(_ remote: RemoteCopy?, of reference: RecordReference, pass: Int64? = nil) throws {
    let id = ColumnCodec.stored(reference.id)
    guard let remote else {
      try execute("DELETE FROM _remote WHERE id = ?", [id])
      return
    }
    let passNow = try pass ?? currentPass()
    try execute(
      "INSERT OR REPLACE INTO _remote (id, type, name, tag, seen, pass) VALUES (?, ?, ?, ?, ?, ?)",
      [id, reference.type.name, remote.name, remote.tag, Blob.stored(remote.seen), passNow])
  }

  func currentPass() throws -> Int64 {
    let statement = try db.cachedStatement(sql: "SELECT value FROM _sync WHERE key = 'pass'")
    return try Int64.fetchOne(statement) ?? 0
  }
}
