// Undo of a saved transaction: a new one that takes it back, synced like any other. What was changed
// again since stays as it is and is told; undoing an undo is the same thing once more.

internal import GRDB
package import Records

/// What an undo did.
package struct UndoResult: Sendable, Hashable {
  package let transaction: Int64
  package let undone: Int64
  /// Fields that were changed again since, and were left.
  package let skipped: [RecordReference: [FieldID]]
}

extension Library {
  /// Takes a transaction back; without a number, this device's newest one that came from an edit, an
  /// import or a migration, stands, and did something that was not changed again since.
  ///
  /// Cancelling the task ends it with `CancellationError`, and nothing is written.
  ///
  /// - Throws: ``StoreError/nothingToUndo``, ``StoreError/unknownTransaction(_:)``,
  ///   ``StoreError/purged(_:)``, ``StoreError/alreadyUndone(_:by:)``,
  ///   ``StoreError/changedSince(_:)``.
  package func undo(
    _ number: Int64? = nil, progress: @escaping WriteTelling = { _ in }
  ) async throws -> UndoResult {
    let head = TransactionHead(origin: .undo, note: nil, undoes: nil)
    let (result, own) = try await longTransaction(head, progress) { door in
      guard let number else { return try Undoing.newest(door) }
      var undoing = Undoing(number, door)
      return try undoing.run()
    }
    guard let own else { throw StoreError.changedSince(result.target) }
    return UndoResult(transaction: own, undone: result.target, skipped: result.skipped)
  }
}

extension Reading {
  fileprivate func newestToUndo(of device: DeviceID, below limit: Int64) throws -> Int64? {
    let origins = Origin.allCases.filter(\.isUndoneByDefault)
      .map { "'\($0.rawValue)'" }.joined(separator: ", ")
    let numbers = try Int64.fetchCursor(
      db,
      sql: """
        SELECT number FROM _transaction WHERE device = ? AND origin IN (\(origins)) AND sealed
          AND number > 1 AND number < ?
        ORDER BY number DESC
        """,
      arguments: [Int64(bitPattern: device.rawValue), limit])
    while let number = try numbers.next() {
      if try undoing(number) == nil, try leavesSomething(number) { return number }
    }
    return nil
  }

  /// Whether a transaction was a purge, or what it changed was purged since.
  ///
  /// One that changed no record (a copy that took a new device id) is neither.
  fileprivate func isPurged(_ number: Int64) throws -> Bool {
    let hasChanges = try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM _change WHERE number = ?)", arguments: [number])
    guard hasChanges == true else { return false }
    return try !leavesSomething(number)
  }

  /// Whether a transaction left anything that can still be taken back: purging can't be, nor what
  /// was done before to records that are purged.
  fileprivate func leavesSomething(_ number: Int64) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (
          SELECT 1 FROM _change AS c WHERE number = ?1 AND kind <> 'purge' AND NOT EXISTS (
            SELECT 1 FROM _change AS p WHERE p.id = c.id AND p.kind = 'purge' AND p.seq > c.seq))
        OR EXISTS (SELECT 1 FROM _range WHERE number = ?1)
        OR EXISTS (SELECT 1 FROM _model WHERE number = ?1)
        """,
      arguments: [number]) ?? true
  }
}

/// Takes one transaction back inside another.
struct Undoing {
  struct Answer: Sendable {
    let target: Int64
    let skipped: [RecordReference: [FieldID]]
  }

  let target: Int64
  let door: WriteDoor
  var skipped: [RecordReference: [FieldID]] = [:]
  var deletion: Deletion

  /// Rows that are held at once.
  static let pageRows: Int64 = 1000

  init(_ target: Int64, _ door: WriteDoor) {
    self.target = target
    self.door = door
    deletion = Deletion(door)
  }

  /// Takes back the newest transaction of which anything stands.
  ///
  /// What was overtaken is passed by, or nothing before it could ever be undone.
  static func newest(_ door: WriteDoor) throws -> Answer {
    var overtaken: Int64?
    var limit = door.number
    while let target = try door.reading.newestToUndo(of: door.device, below: limit) {
      limit = target
      var undoing = Undoing(target, door)
      do {
        let answer = try undoing.run()
        if door.isDirty { return answer }
      } catch StoreError.changedSince {}
      overtaken = overtaken ?? target
    }
    throw overtaken.map(StoreError.changedSince) ?? StoreError.nothingToUndo
  }

  mutating func run() throws -> Answer {
    let known = try Row.fetchOne(
      door.db, sql: "SELECT records FROM _transaction WHERE number = ? AND number < ?",
      arguments: [target, door.number])
    // The first one made the library.
    guard let known, target > 1 else { throw StoreError.unknownTransaction(target) }
    if let other = try door.reading.undoing(target) {
      throw StoreError.alreadyUndone(target, by: other)
    }
    if try door.reading.isPurged(target) { throw StoreError.purged(target) }
    let model = try modelBefore()
    try door.execute(
      "UPDATE _transaction SET undoes = ? WHERE number = ?", [target, door.number])
    door.watch?.begin(total: known[0])
    try takeBackChanges()
    try takeBackRanges()
    _ = try deletion.finish()
    if let model {
      var migration = Migration(door, to: model.keeping(door.model))
      try migration.run()
    }
    return Answer(target: target, skipped: skipped)
  }

  /// Takes back what the log has a row for, newest first, a page at a time.
  private mutating func takeBackChanges() throws {
    var seq = Int64.max
    while true {
      let changes = try Row.fetchAll(
        door.db.cachedStatement(
          sql: """
            SELECT seq, type, id, kind, before FROM _change WHERE number = ? AND seq < ?
            ORDER BY seq DESC LIMIT \(Self.pageRows)
            """),
        arguments: [target, seq])
      for change in changes {
        try takeBack(change)
        try door.watch?.count(1)
      }
      guard let last = changes.last else { return }
      seq = last[0]
    }
  }

  private mutating func takeBack(_ change: Row) throws {
    let type = try door.reading.type(TypeID(trusted: change[1]))
    guard let id = ColumnCodec.recordID(change[2]),
      let record = try door.reading.record(type, id)
    else { return }
    let before = try BeforeCodec.fields(Blob.bytes(change[4]))
    let settled = try stillSettled(BeforeCodec.sides(Blob.bytes(change[4])), in: record)
    switch ChangeKind(rawValue: change[3]) {
    case .insert, .restore:
      let edited = try editedFields(of: record, since: change[0])
      guard edited.isEmpty else {
        skipped[record.reference] = edited
        return
      }
      if !before.isEmpty { try revert(record, to: before, seq: change[0]) }
      if !record.isDeleted { try deletion.delete(record.reference) }
    case .delete:
      guard record.isDeleted else { break }
      // Where it was disputed before, it is again.
      let sides = settled.filter { $0.key == .existence }
      if sides.isEmpty { try door.revive(record) } else { try reopen(sides, of: record.reference) }
    case .update:
      let sides = record.isDeleted ? [:] : settled
      let rest = before.filter { sides[.field($0.key)] == nil }
      try revert(record, to: rest, seq: change[0])
      try reopen(sides, of: record.reference)
    case .purge, nil: break
    }
  }

  /// Puts fields back to what they were, merging with what was written since where the field can.
  private mutating func revert(
    _ record: StoredRecord, to before: [FieldID: Value], seq: Int64
  ) throws {
    let steps = try door.reading.past(of: record.reference, from: seq)
    guard let step = steps.first(where: { $0.seq == seq }), !before.isEmpty else { return }
    var fields = record.shown
    for (field, change) in step.change.fields { fields[field] = change.after }
    let snapshot = record.snapshot
    let base = Snapshot(
      type: snapshot.type, id: snapshot.id, fields: fields, state: snapshot.state,
      created: snapshot.created, modified: snapshot.modified, isDeleted: snapshot.isDeleted,
      isPending: snapshot.isPending)
    var draft = Draft(id: DraftID(record.id), editing: base)
    for (field, value) in before { draft.set(value, of: field) }
    let merge = DraftMerge(draft, onto: snapshot, type: record.type)
    if !merge.conflicts.isEmpty { skipped[record.reference] = merge.conflicts.map(\.field) }
    guard !merge.writes.isEmpty else { return }
    let taken = try door.problems(merge.writes, of: record.type, id: record.id, isNew: false)
      .filter { if case .notUnique = $0.reason { true } else { false } }
    guard taken.isEmpty else { throw StoreError.invalid(taken) }
    if record.isDeleted {
      try door.writeInTrash(merge.writes, record)
    } else {
      try door.write(merge.writes, to: record.type, id: record.id, previous: record)
    }
  }

  /// The model before a migration, which becomes the model again; what that one added is hidden.
  private func modelBefore() throws -> Model? {
    let version = try Int.fetchOne(
      door.db, sql: "SELECT version FROM _model WHERE number = ?", arguments: [target])
    guard let version,
      let text = try String.fetchOne(
        door.db, sql: "SELECT yaml FROM _model WHERE version < ? ORDER BY version DESC LIMIT 1",
        arguments: [version])
    else { return nil }
    let made = try String.fetchOne(
      door.db, sql: "SELECT yaml FROM _model WHERE version = ?", arguments: [version])
    // What came later may have been taken back: only hidden types and fields are left of it.
    guard let made, try ModelText.model(of: made).visible == door.model.visible else {
      throw StoreError.changedSince(target)
    }
    return try ModelText.model(of: text)
  }
}

extension Model {
  /// The model without what it has dropped.
  fileprivate var visible: Model {
    Model(
      types: visibleTypes.map { type in
        var type = type
        type.fields = type.visibleFields
        return type
      })
  }
}
