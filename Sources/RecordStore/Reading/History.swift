// The past, read from the log. The log keeps what was before; what was after is the `before` of the
// next later change of the same field, or else today's value.

internal import GRDB
package import Records

/// One transaction of the log.
package struct TransactionEntry: Sendable, Hashable {
  package let number: Int64
  package let at: Timestamp
  package let device: DeviceID
  package let deviceName: String
  package let author: String
  package let origin: Origin
  package let note: String?
  /// The transaction that this one took back.
  package let undoes: Int64?
  /// The transaction that took this one back and stands itself.
  package let undoneBy: Int64?
  /// How many records it changed.
  package let recordCount: Int
  /// The first of its changes; ``Library/changes(of:offset:limit:)`` has all.
  package let changes: [RecordChange]
}

/// What a transaction did to one record.
package struct RecordChange: Sendable, Hashable {
  package let record: RecordReference
  package let title: String
  package let kind: ChangeKind
  package let fields: [FieldID: FieldChange]
}

/// A field's value before and after a transaction.
package struct FieldChange: Sendable, Hashable {
  package let before: Value
  package let after: Value

  package init(before: Value, after: Value) {
    self.before = before
    self.after = after
  }
}

/// A record in the trash.
package struct TrashEntry: Sendable, Hashable, Identifiable {
  package let record: RecordReference
  package let title: String
  package let deleted: Timestamp
  package let isPending: Bool

  package var id: RecordReference { record }
}

extension Library {
  /// The changes of an entry that are read along with it.
  package static let changesPerEntryMax = 20

  /// Transactions, newest first.
  ///
  /// - Parameter before: Only those with a lower number: the last one of the page before.
  package func history(limit: Int, before: Int64? = nil) async throws -> [TransactionEntry] {
    try await read { reading in
      try reading.transactions("t.number < ?", [before ?? Int64.max], limit: limit).map { entry in
        entry.with(
          try reading.changes(of: entry.number, offset: 0, limit: Self.changesPerEntryMax))
      }
    }
  }

  /// One transaction with the first of its changes.
  package func transaction(_ number: Int64) async throws -> TransactionEntry? {
    try await history(limit: 1, before: number + 1).first { $0.number == number }
  }

  /// The changes of a transaction, by page.
  package func changes(
    of number: Int64, offset: Int, limit: Int
  ) async throws -> [RecordChange] {
    try await read { try $0.changes(of: number, offset: offset, limit: limit) }
  }

  /// A record's past, newest first.
  ///
  /// Each entry has that record's change only.
  package func history(of record: RecordReference) async throws -> [TransactionEntry] {
    try await read { reading in
      let past = try reading.past(of: record)
      return try past.reversed().compactMap { step in
        try reading.transactions("t.number = ?", [step.number], limit: 1).first?
          .with([step.change])
      }
    }
  }

  /// The trash, last deleted first.
  package func trash(limit: Int, offset: Int) async throws -> [TrashEntry] {
    try await read { reading in
      let statement = try reading.db.cachedStatement(
        sql: """
          SELECT id, type, title, deleted, pending FROM _trash
          ORDER BY deleted DESC, rowid DESC LIMIT ? OFFSET ?
          """)
      return try Row.fetchAll(statement, arguments: [limit, offset]).compactMap { row in
        guard let id = ColumnCodec.recordID(row[0]) else { return nil }
        let pending: Int64? = row[4]
        return TrashEntry(
          record: RecordReference(type: TypeID(trusted: row[1]), id: id), title: row[2],
          deleted: Timestamp(milliseconds: row[3]), isPending: pending != nil)
      }
    }
  }

  package func trashCount() async throws -> Int {
    try await read { try Int.fetchOne($0.db, sql: "SELECT count(*) FROM _trash") ?? 0 }
  }
}

extension TransactionEntry {
  fileprivate func with(_ changes: [RecordChange]) -> TransactionEntry {
    TransactionEntry(
      number: number, at: at, device: device, deviceName: deviceName, author: author,
      origin: origin, note: note, undoes: undoes, undoneBy: undoneBy, recordCount: recordCount,
      changes: changes)
  }
}

/// One change of a record's past, oldest first.
struct PastStep {
  let number: Int64
  /// Its place in the log; nothing where a range stands for it.
  let seq: Int64?
  let change: RecordChange
}

extension Reading {
  func transactions(
    _ condition: String, _ arguments: StatementArguments, limit: Int
  ) throws -> [TransactionEntry] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT t.number, t.at, t.device, d.name, t.author, t.origin, t.note, t.undoes, t.records
        FROM _transaction t LEFT JOIN _device d ON d.id = t.device
        WHERE \(condition) ORDER BY t.number DESC LIMIT ?
        """)
    return try Row.fetchAll(statement, arguments: arguments + [limit]).map { row in
      let device = DeviceID(rawValue: UInt64(bitPattern: row[2]))
      return TransactionEntry(
        number: row[0], at: Timestamp(milliseconds: row[1]), device: device,
        deviceName: row[3] ?? device.description, author: row[4],
        origin: Origin(rawValue: row[5]) ?? .edit, note: row[6], undoes: row[7],
        undoneBy: try undoing(row[0]), recordCount: row[8], changes: [])
    }
  }

  /// The transaction that took one back and was not taken back itself.
  func undoing(_ number: Int64) throws -> Int64? {
    let statement = try db.cachedStatement(
      sql: "SELECT number FROM _transaction WHERE undoes = ? ORDER BY number")
    for undo in try Int64.fetchAll(statement, arguments: [number]) {
      if try undoing(undo) == nil { return undo }
    }
    return nil
  }

  // MARK: Changes

  func changes(of number: Int64, offset: Int, limit: Int) throws -> [RecordChange] {
    let statement = try db.cachedStatement(
      sql: "SELECT seq, type, id FROM _change WHERE number = ? ORDER BY seq LIMIT ? OFFSET ?")
    var result: [RecordChange] = []
    for row in try Row.fetchAll(statement, arguments: [number, limit, offset]) {
      guard let id = ColumnCodec.recordID(row[2]) else { continue }
      let seq: Int64 = row[0]
      let record = RecordReference(type: TypeID(trusted: row[1]), id: id)
      result += try past(of: record, from: seq).filter { $0.seq == seq }.map(\.change)
    }
    guard result.count < limit else { return result }
    let count = try Int.fetchOne(
      db.cachedStatement(sql: "SELECT count(*) FROM _change WHERE number = ?"),
      arguments: [number])
    let skipped = max(0, offset - (count ?? 0))
    for record in try insertedInBulk(by: number, offset: skipped, limit: limit - result.count) {
      result += try past(of: record).filter { $0.seq == nil }.map(\.change)
    }
    return result
  }

  /// The records of a bulk insertion that are still there, living or in the trash.
  func insertedInBulk(
    by number: Int64, offset: Int, limit: Int
  ) throws -> [RecordReference] {
    var result: [RecordReference] = []
    var skip = offset
    let ranges = try Row.fetchAll(
      db, sql: "SELECT type, first, last FROM _range WHERE number = ? ORDER BY type, first",
      arguments: [number])
    for range in ranges where result.count < limit {
      let type = TypeID(trusted: range[0])
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT _row, _id FROM \(TypeSchema.quoted(type.name)) WHERE _row BETWEEN ?1 AND ?2
          UNION ALL SELECT row, id FROM _trash WHERE type = ?3 AND row BETWEEN ?1 AND ?2
          ORDER BY 1 LIMIT ?4 OFFSET ?5
          """,
        arguments: [range[1], range[2], type.name, limit - result.count, skip])
      result += rows.compactMap { row in
        ColumnCodec.recordID(row[1]).map { RecordReference(type: type, id: $0) }
      }
      if rows.isEmpty, skip > 0 {
        skip -=
          try Int.fetchOne(
            db,
            sql: """
              SELECT (SELECT count(*) FROM \(TypeSchema.quoted(type.name))
                  WHERE _row BETWEEN ?1 AND ?2)
                + (SELECT count(*) FROM _trash WHERE type = ?3 AND row BETWEEN ?1 AND ?2)
              """,
            arguments: [range[1], range[2], type.name]) ?? 0
      } else {
        skip = 0
      }
    }
    return result
  }

  /// A record's changes, oldest first, from one place of the log on.
  func past(of reference: RecordReference, from seq: Int64 = 0) throws -> [PastStep] {
    let record = try model.type(reference.type).flatMap { try self.record($0, reference.id) }
    let title = record.map(title(of:)) ?? reference.id.description
    var shown = record?.shown ?? [:]
    var steps: [PastStep] = []
    let statement = try db.cachedStatement(
      sql: """
        SELECT seq, number, kind, before FROM _change WHERE id = ? AND seq >= ?
        ORDER BY seq DESC
        """)
    let rows = try Row.fetchAll(
      statement, arguments: [ColumnCodec.stored(reference.id), seq.databaseValue])
    for row in rows {
      let kind = ChangeKind(rawValue: row[2]) ?? .update
      var fields: [FieldID: FieldChange] = [:]
      if kind == .insert {
        for (field, value) in shown { fields[field] = FieldChange(before: .empty, after: value) }
        shown = [:]
      } else {
        for (field, before) in try BeforeCodec.fields(Blob.bytes(row[3])) {
          fields[field] = FieldChange(before: before, after: shown[field] ?? .empty)
          shown[field] = before.isEmpty ? nil : before
        }
      }
      steps.append(
        PastStep(
          number: row[1], seq: row[0],
          change: RecordChange(record: reference, title: title, kind: kind, fields: fields)))
    }
    if seq == 0, let record, let number = try bulkInsertion(of: record) {
      let fields = shown.mapValues { FieldChange(before: .empty, after: $0) }
      steps.append(
        PastStep(
          number: number, seq: nil,
          change: RecordChange(record: reference, title: title, kind: .insert, fields: fields)))
    }
    return steps.reversed()
  }

  /// The transaction whose bulk insertion made a record.
  private func bulkInsertion(of record: StoredRecord) throws -> Int64? {
    let statement = try db.cachedStatement(
      sql: """
        SELECT number, last FROM _range WHERE type = ? AND first <= ?
        ORDER BY first DESC LIMIT 1
        """)
    let row = try Row.fetchOne(statement, arguments: [record.type.id.name, record.row])
    guard let row, let last: Int64 = row[1], last >= record.row else { return nil }
    return row[0]
  }
}
