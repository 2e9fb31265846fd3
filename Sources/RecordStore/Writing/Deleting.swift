// Deleting, restoring and purging. A deleted record rests in the trash with its whole state; what
// refers to it does as its field's rule says.

internal import GRDB
package import Records

/// What a write of whole records did.
package struct WriteResult: Sendable, Hashable {
  /// Nothing where there was nothing to do.
  package let transaction: Int64?
  /// The records that were written, in the order asked for; those that followed come after.
  package let records: [RecordReference]
}

extension Library {
  /// Moves records into the trash, in one transaction; what refers to them does as its rule says.
  ///
  /// Cancelling the task ends it with `CancellationError`, and nothing is written; so it is with
  /// ``restore(_:progress:)`` and ``purge(_:progress:)``.
  ///
  /// - Throws: ``StoreError/referred(_:by:)`` where a rule denies it, and
  ///   ``StoreError/unknownRecord(_:_:)``; then nothing was written.
  package func delete(
    _ type: TypeID, _ ids: [RecordID], origin: Origin = .edit,
    progress: @escaping WriteTelling = { _ in }
  ) async throws -> WriteResult {
    try await writeRecords(TransactionHead(origin: origin), progress) { door in
      var deletion = Deletion(door)
      door.watch?.begin(total: ids.count)
      for id in ids {
        try deletion.delete(RecordReference(type: type, id: id))
        try door.watch?.count(1)
      }
      return try deletion.finish()
    }
  }

  /// Takes records out of the trash, as they were, with the references to them that their deletion
  /// took out of other records.
  ///
  /// - Throws: ``StoreError/hiddenType(_:)`` where the model has dropped the type.
  package func restore(
    _ records: [RecordReference], progress: @escaping WriteTelling = { _ in }
  ) async throws -> WriteResult {
    try await writeRecords(TransactionHead(origin: .edit), progress) { door in
      door.watch?.begin(total: records.count)
      let restored = try records.compactMap { reference -> RecordReference? in
        try door.watch?.count(1)
        let record = try door.stored(reference)
        guard !record.type.hidden else { throw StoreError.hiddenType(record.type.id) }
        guard record.isDeleted else { return nil }
        try door.revive(record)
        return reference
      }
      try RestoredReferences(door).bringBack(restored)
      return restored
    }
  }

  package func restore(
    _ type: TypeID, _ ids: [RecordID], progress: @escaping WriteTelling = { _ in }
  ) async throws -> WriteResult {
    try await restore(ids.map { RecordReference(type: type, id: $0) }, progress: progress)
  }

  /// Takes records out of the library for good.
  ///
  /// Their past values go from history too.
  package func purge(
    _ records: [RecordReference], progress: @escaping WriteTelling = { _ in }
  ) async throws -> WriteResult {
    try await writeRecords(TransactionHead(origin: .edit), progress) { door in
      door.watch?.begin(total: records.count)
      for reference in records {
        try door.watch?.count(1)
        try door.purge(try door.stored(reference))
      }
      return records
    }
  }

  package func purge(
    _ type: TypeID, _ ids: [RecordID], progress: @escaping WriteTelling = { _ in }
  ) async throws -> WriteResult {
    try await purge(ids.map { RecordReference(type: type, id: $0) }, progress: progress)
  }

  /// Settles a conflict by an ordinary save of the value that shall stand (invariant J3).
  ///
  /// - Parameter field: Nothing settles a deletion against an edit, by `.delete` or `.keep`.
  package func resolve(
    _ type: TypeID, _ id: RecordID, field: FieldID?, value: ConflictValue
  ) async throws -> WriteResult {
    let record = RecordReference(type: type, id: id)
    return try await resolve([ConflictChoice(record: record, field: field, value: value)])
  }

  /// Settles several conflicts in one save: all of them, or none.
  package func resolve(_ choices: [ConflictChoice]) async throws -> WriteResult {
    try await writeRecords(TransactionHead(origin: .edit)) { door in
      for choice in choices { try door.settle(choice) }
      var seen: Set<RecordReference> = []
      return choices.map(\.record).filter { seen.insert($0).inserted }
    }
  }

  private func writeRecords(
    _ head: TransactionHead, _ progress: @escaping WriteTelling = { _ in },
    _ body: @escaping @Sendable (WriteDoor) throws -> [RecordReference]
  ) async throws -> WriteResult {
    let (records, number) = try await longTransaction(head, progress, body)
    return WriteResult(transaction: number, records: records)
  }
}

/// What shall stand where writers disagree.
package struct ConflictChoice: Sendable, Hashable {
  package let record: RecordReference
  /// Nothing for a deletion against an edit.
  package let field: FieldID?
  package let value: ConflictValue

  package init(record: RecordReference, field: FieldID?, value: ConflictValue) {
    self.record = record
    self.field = field
    self.value = value
  }
}

extension WriteDoor {
  /// A record that has to be there.
  fileprivate func stored(_ reference: RecordReference) throws -> StoredRecord {
    guard let record = try reading.record(try reading.type(reference.type), reference.id) else {
      throw StoreError.unknownRecord(reference.type, reference.id)
    }
    return record
  }

  fileprivate func settle(_ choice: ConflictChoice) throws {
    let record = try stored(choice.record)
    let (type, id) = (record.type, record.id)
    switch (choice.field, choice.value) {
    case (let field?, .value(let value)):
      let problems = try problems([field: value], of: type, id: id, isNew: false)
      guard problems.isEmpty else { throw StoreError.invalid(problems) }
      try write([field: value], to: type, id: id, previous: record)
    case (_, .delete):
      var state = record.state
      state.delete(stamp: stamp(above: state.vector))
      try put(state, of: type, id: id, previous: record)
    default: try revive(record)
    }
  }

  /// Takes a record out of the trash, or keeps it where a deletion disputes it.
  func revive(_ record: StoredRecord) throws {
    var state = record.state
    state.revive(stamp: stamp(above: state.vector))
    try put(state, of: record.type, id: record.id, previous: record)
  }
}

/// A deletion and what follows from it.
struct Deletion {
  private let door: WriteDoor
  private var deleted: Set<RecordReference> = []
  private var order: [RecordReference] = []
  private var denials: [(record: RecordID, by: RecordReference)] = []

  init(_ door: WriteDoor) { self.door = door }

  mutating func delete(_ first: RecordReference) throws {
    var waiting = [first]
    while let reference = waiting.popLast() {
      guard !deleted.contains(reference) else { continue }
      let record = try door.stored(reference)
      let type = record.type
      guard !record.isDeleted else { continue }
      deleted.insert(reference)
      order.append(reference)
      waiting += try follow(reference)
      guard let current = try door.reading.record(type, reference.id) else { continue }
      var state = current.state
      state.delete(stamp: door.stamp(above: state.vector))
      try door.put(state, of: type, id: reference.id, previous: current)
    }
  }

  /// Refuses what a rule denies, unless what refers was deleted as well.
  func finish() throws -> [RecordReference] {
    if let first = denials.first(where: { !deleted.contains($0.by) }) {
      let all = denials.filter { $0.record == first.record && !deleted.contains($0.by) }
      throw StoreError.referred(first.record, by: all.map(\.by))
    }
    return order
  }

  /// Applies the rules of the fields that refer to a record; answers what has to be deleted too.
  private mutating func follow(_ target: RecordReference) throws -> [RecordReference] {
    var cascade: [RecordReference] = []
    for type in door.model.types {
      for field in type.fields where field.type.target == target.type {
        // What nobody sees neither deletes nor refuses. Its reference stays, as its other values do.
        let isSeen = !type.hidden && !field.hidden
        guard isSeen || field.onDelete == .nullify else { continue }
        for id in try door.reading.referrers(of: target.id, type: type, field: field, limit: nil) {
          let referrer = RecordReference(type: type.id, id: id)
          switch field.onDelete {
          case .cascade: cascade.append(referrer)
          case .deny: denials.append((target.id, referrer))
          case .nullify: try nullify(target.id, in: field, of: referrer, type: type)
          }
        }
      }
    }
    return cascade
  }

  private func nullify(
    _ target: RecordID, in field: Field, of referrer: RecordReference, type: RecordType
  ) throws {
    guard !deleted.contains(referrer),
      let record = try door.reading.record(type, referrer.id), !record.isDeleted
    else { return }
    var value = Value.empty
    if case .references(let ids) = record.shown[field.id] {
      value = .references(sorted: ids.filter { $0 != target })
    }
    try door.write([field.id: value], to: type, id: record.id, previous: record)
  }
}

extension Reading {
  /// The living records that refer to a record by a field.
  func referrers(
    of target: RecordID, type: RecordType, field: Field, limit: Int?
  ) throws -> [RecordID] {
    let bound = limit.map { " LIMIT \($0)" } ?? ""
    let statement: Statement
    if TypeSchema.hasColumn(field) {
      statement = try db.cachedStatement(
        sql: """
          SELECT _id FROM \(TypeSchema(type).table)
          WHERE \(TypeSchema.quoted(field.id.name)) = ?\(bound)
          """)
      return try Row.fetchAll(statement, arguments: [ColumnCodec.stored(target)])
        .compactMap { ColumnCodec.recordID($0[0]) }
    }
    statement = try db.cachedStatement(
      sql: "SELECT source FROM _link WHERE target = ? AND type = ? AND field = ?\(bound)")
    return try Row.fetchAll(
      statement,
      arguments: [
        ColumnCodec.stored(target), type.id.name.databaseValue, field.id.name.databaseValue,
      ]
    ).compactMap { ColumnCodec.recordID($0[0]) }
  }
}
