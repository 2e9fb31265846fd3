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
  /// The latest state, where all its fields were written at once.
  package let plain: PlainState?
  package let created: Int64
  package let remote: RemoteCopy?
  private let whole: RecordState?
  private let type: RecordType?
  /// The place in its table, by which reading goes on behind it.
  fileprivate var row: Int64 = 0

  /// The latest state; nothing for a purge.
  package var state: RecordState? { type.flatMap { plain?.state(in: $0) } ?? whole }

  package init(
    reference: RecordReference, number: Int64, state: RecordState?, created: Int64,
    remote: RemoteCopy?
  ) {
    self.reference = reference
    self.number = number
    whole = state
    plain = nil
    type = nil
    self.created = created
    self.remote = remote
  }

  package init(
    _ plain: PlainState, of type: RecordType, id: RecordID, row: Int64, number: Int64,
    created: Int64, remote: RemoteCopy?
  ) {
    self.row = row
    reference = RecordReference(type: type.id, id: id)
    self.number = number
    self.plain = plain
    self.type = type
    whole = nil
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
  /// - Parameters:
  ///   - limit: At most this many.
  ///   - sent: What came out of this function before and is on its way: left out.
  package func pendingRecords(
    limit: Int, beyond sent: [PendingRecord] = []
  ) async throws -> [PendingRecord] {
    try await read { reading in
      let known = Set(sent.map(\.reference))
      let last = sent.last
      var result: [PendingRecord] = []
      for type in reading.model.typesInDependencyOrder where result.count < limit {
        result += try reading.pendingRows(
          of: type, limit: limit - result.count,
          behind: last?.reference.type == type.id ? last : nil
        ).filter { !known.contains($0.reference) }
      }
      guard sent.isEmpty else { return result }
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
      let pass = try door.currentPass()
      let parked = try Int.fetchOne(door.db, sql: "SELECT 1 FROM _parked LIMIT 1")
      for acknowledgement in acknowledgements {
        try door.acknowledge(acknowledgement, pass: pass, hasParked: parked != nil)
      }
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

  private static let idsPerQuestion = 500

  /// What the service is known to hold of these records.
  package func remoteCopies(_ ids: [RecordID]) async throws -> [RecordID: RemoteCopy] {
    try await read { reading in
      var result: [RecordID: RemoteCopy] = [:]
      // A few questions for a page, since most of a first one is not known at all.
      for start in stride(from: 0, to: ids.count, by: Self.idsPerQuestion) {
        let part = ids[start..<min(start + Self.idsPerQuestion, ids.count)]
        let places = Array(repeating: "?", count: part.count).joined(separator: ", ")
        let rows = try Row.fetchCursor(
          reading.db.cachedStatement(
            sql: "SELECT id, name, tag, seen FROM _remote WHERE id IN (\(places))"),
          arguments: StatementArguments(part.map(ColumnCodec.stored)))
        while let row = try rows.next() {
          guard let id = ColumnCodec.recordID(row[0]) else { continue }
          result[id] = RemoteCopy(name: row[1], tag: row[2], seen: Blob.bytes(row[3]))
        }
      }
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

  /// - Parameter last: Where to go on, in the order of the numbers and, of one number, of the rows.
  fileprivate func pendingRows(
    of type: RecordType, limit: Int, behind last: PendingRecord?
  ) throws -> [PendingRecord] {
    let schema = TypeSchema(type)
    let columns = schema.columns
    let names = schema.columnNames.map { "r.\($0)" }
    let hasLinks =
      columns.count == type.fields.count
      ? "0" : "EXISTS (SELECT 1 FROM _link AS l WHERE l.source = r._id)"
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(names.joined(separator: ", ")), m.id IS NOT NULL, m.name, m.tag, m.seen,
          \(hasLinks)
        FROM \(schema.table) AS r LEFT JOIN _remote AS m ON m.id = r._id
        WHERE \(condition(id: "_id", number: "_pending"))
          AND (r._pending, r._row) > (?, ?) ORDER BY r._pending, r._row LIMIT ?
        """)
    let places = type.fields.indices.filter { TypeSchema.hasColumn(type.fields[$0]) }
    var result: [PendingRecord] = []
    let rows = try Row.fetchCursor(
      statement, arguments: [last?.number ?? -1, last?.row ?? -1, limit])
    while let row = try rows.next() {
      let copy = names.count
      let remote: RemoteCopy? =
        row[copy]
        ? RemoteCopy(name: row[copy + 1], tag: row[copy + 2], seen: Blob.bytes(row[copy + 3]))
        : nil
      let isPlain = (row[6] as DatabaseValue).isNull && !(row[copy + 4] as Bool)
      if isPlain, let id = ColumnCodec.recordID(row[1]) {
        let newest = Stamp(
          time: HybridTime(rawValue: UInt64(bitPattern: row[3])),
          device: DeviceID(rawValue: UInt64(bitPattern: row[4])))
        var values = [Value](repeating: .empty, count: type.fields.count)
        for (index, place) in places.enumerated() {
          values[place] = ColumnCodec.value(row[7 + index], of: columns[index].type)
        }
        result.append(
          PendingRecord(
            PlainState(stamp: newest, values: values), of: type, id: id, row: row[0],
            number: row[5] ?? 0, created: row[2], remote: remote))
      } else {
        let record = try stored(row, type: type, columns: columns)
        var found = PendingRecord(
          reference: record.reference, number: record.pending ?? 0, state: record.state,
          created: record.created, remote: remote)
        found.row = record.row
        result.append(found)
      }
    }
    return result
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
  fileprivate func acknowledge(
    _ acknowledgement: Acknowledgement, pass: Int64, hasParked: Bool
  ) throws {
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
    if hasParked { try execute("DELETE FROM _parked WHERE id = ?", [id]) }
    try setRemote(acknowledgement.remote, of: reference, pass: pass)
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
