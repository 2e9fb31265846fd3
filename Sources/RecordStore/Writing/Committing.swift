// Saving drafts: re-read, merge three ways, check, write, all in one transaction (DESIGN.md 3).
// Several drafts, and the related ones of each, are saved together or not at all.

internal import GRDB
package import Records

/// What came of a commit of one or more drafts.
package struct CommitResult: Sendable, Hashable {
  /// The gravest of the outcomes: gone, conflict, merged, applied, unchanged.
  package let outcome: CommitOutcome
  /// Nothing where nothing was written.
  package let transaction: Int64?
  package let outcomes: [DraftID: CommitOutcome]
  /// The records that the drafts are now.
  ///
  /// A new record of a type with a natural key is known by its key's id, not by the one that the
  /// draft began with.
  package let records: [DraftID: RecordID]
}

extension Library {
  /// Saves a draft, and its related drafts with it.
  ///
  /// - Throws: ``StoreError/invalid(_:)``, ``StoreError/unread(_:)``; then nothing was written.
  package func commit(_ draft: Draft, origin: Origin = .edit) async throws -> CommitResult {
    try await commit([draft], origin: origin)
  }

  /// Saves several drafts in one transaction: all of them, or, where one is gone or in conflict,
  /// none.
  package func commit(_ drafts: [Draft], origin: Origin = .edit) async throws -> CommitResult {
    let all = drafts.flatMap(\.withRelated)
    let unread = all.flatMap(\.unreadFields)
    guard unread.isEmpty else { throw StoreError.unread(unread) }
    do {
      let head = TransactionHead(origin: origin, note: nil, undoes: nil)
      let (plan, number) = try await transaction(head) { door in
        let plan = try CommitPlan(all, door)
        guard plan.isWritable else { throw NothingWritten(plan: plan.outcomes) }
        try plan.write(door)
        return PlanSummary(outcomes: plan.outcomes, records: plan.records)
      }
      return CommitResult(
        outcome: Self.gravest(plan.outcomes.values), transaction: number, outcomes: plan.outcomes,
        records: plan.records)
    } catch let refusal as NothingWritten {
      return CommitResult(
        outcome: Self.gravest(refusal.plan.values), transaction: nil, outcomes: refusal.plan,
        records: [:])
    }
  }

  private static func gravest(_ outcomes: some Collection<CommitOutcome>) -> CommitOutcome {
    var conflicts: [FieldConflict] = []
    var merged: [FieldID] = []
    for outcome in outcomes {
      if case .gone = outcome { return .gone }
      if case .conflict(let fields) = outcome { conflicts += fields }
      if case .merged(let fields) = outcome { merged += fields }
    }
    if !conflicts.isEmpty { return .conflict(conflicts) }
    if !merged.isEmpty { return .merged(Set(merged).sorted()) }
    return outcomes.contains(.applied) ? .applied : .unchanged
  }
}

extension Draft {
  /// The draft and all that are saved with it, itself first.
  var withRelated: [Draft] { [self] + related.flatMap(\.withRelated) }
}

/// Rolls a transaction back: some draft could not be saved.
private struct NothingWritten: Error {
  let plan: [DraftID: CommitOutcome]
}

private struct PlanSummary: Sendable {
  let outcomes: [DraftID: CommitOutcome]
  let records: [DraftID: RecordID]
}

/// What a commit will write, after everything was read and merged.
private struct CommitPlan {
  private struct Write {
    let draft: Draft
    let type: RecordType
    let record: RecordID
    let previous: StoredRecord?
    var values: [FieldID: Value]

    /// Not there yet, or in the trash.
    var isNew: Bool { draft.isNew && previous?.isDeleted ?? true }
  }

  private(set) var outcomes: [DraftID: CommitOutcome] = [:]
  private(set) var records: [DraftID: RecordID] = [:]
  private var writes: [Write] = []
  private let drafts: [DraftID]

  var isWritable: Bool {
    !outcomes.values.contains {
      switch $0 {
      case .gone, .conflict: true
      default: false
      }
    }
  }

  init(_ drafts: [Draft], _ door: WriteDoor) throws {
    self.drafts = drafts.map(\.id)
    var identities: [RecordID: RecordID] = [:]
    for draft in drafts {
      let type = try door.reading.type(draft.type)
      let id = draft.isNew ? try door.identity(of: draft, type: type) : draft.record
      if id != draft.record { identities[draft.record] = id }
      try add(draft, type: type, id: id, door)
      records[draft.id] = id
    }
    guard isWritable else { return }
    var unique = UniqueValues()
    var problems: [FieldProblem] = []
    for index in writes.indices {
      writes[index].values = writes[index].values.mapValues { $0.renaming(identities) }
      let write = writes[index]
      var found = try door.problems(
        write.values, of: write.type, id: write.record, isNew: write.isNew)
      found += unique.claim(write.values, of: write.type, for: write.record)
        .filter { problem in !found.contains { $0.field == problem.field } }
      // Told by the record that the draft's owner knows.
      problems += found.map {
        FieldProblem(
          type: $0.type, record: write.draft.record, field: $0.field, reason: $0.reason)
      }
    }
    guard problems.isEmpty else { throw StoreError.invalid(problems) }
  }

  private mutating func add(
    _ draft: Draft, type: RecordType, id: RecordID, _ door: WriteDoor
  ) throws {
    let current = try door.reading.record(type, id)
    guard let current, !current.isDeleted else {
      guard draft.isNew else {
        outcomes[draft.id] = .gone
        return
      }
      // A record in the trash comes back under its natural key, as what it is now said to be.
      var values = draft.changes
      for field in type.visibleFields where current?.shown[field.id] != nil {
        values[field.id] = values[field.id] ?? .empty
      }
      outcomes[draft.id] = .applied
      writes.append(
        Write(draft: draft, type: type, record: id, previous: current, values: values))
      return
    }
    // A new record that lives already was saved before its answer was lost, or by another session
    // that took up the same draft: what it says now is merged like any edit.
    let merge = DraftMerge(draft, onto: current.snapshot, type: type)
    if !merge.conflicts.isEmpty {
      outcomes[draft.id] = .conflict(merge.conflicts)
    } else if merge.writes.isEmpty {
      outcomes[draft.id] = .unchanged
    } else {
      outcomes[draft.id] = merge.drift.isEmpty ? .applied : .merged(merge.drift)
      writes.append(
        Write(draft: draft, type: type, record: id, previous: current, values: merge.writes))
    }
  }

  func write(_ door: WriteDoor) throws {
    for write in writes {
      try door.write(write.values, to: write.type, id: write.record, previous: write.previous)
    }
    guard door.isDirty else { return }
    for draft in drafts {
      try door.execute(
        "INSERT OR IGNORE INTO _consumed (draft, number) VALUES (?, ?)",
        [ColumnCodec.stored(draft.id), door.number])
    }
  }
}

/// The values that only one record may have, as far as one commit writes them: none of its records is
/// in the file yet, where ``WriteDoor/problems(_:of:id:isNew:)`` looks.
private struct UniqueValues {
  private struct Claim: Hashable {
    let type: TypeID
    let field: FieldID
    let value: Value
  }

  private var holders: [Claim: RecordID] = [:]

  /// Notes what a record is going to have; answers what another one of the commit has already.
  mutating func claim(
    _ values: [FieldID: Value], of type: RecordType, for id: RecordID
  ) -> [FieldProblem] {
    var problems: [FieldProblem] = []
    for field in type.visibleFields where field.unique || field.id == type.key {
      guard let value = values[field.id], !value.isEmpty else { continue }
      let claim = Claim(type: type.id, field: field.id, value: value)
      if let other = holders[claim] {
        problems.append(
          FieldProblem(type: type.id, record: id, field: field.id, reason: .notUnique(other)))
      } else {
        holders[claim] = id
      }
    }
    return problems
  }
}

extension WriteDoor {
  /// Writes values into a record: a new one, one that is there, or one that comes out of the trash.
  func write(
    _ values: [FieldID: Value], to type: RecordType, id: RecordID, previous: StoredRecord?
  ) throws {
    var state = previous?.state ?? RecordState()
    let stamp = stamp(above: state.vector)
    if previous?.isDeleted == true { state.revive(stamp: stamp) }
    let isSeen = previous?.pending == nil
    for (field, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let field = type.field(field) else { continue }
      guard state.fits(value, in: field, writer: device) else {
        throw StoreError.invalid([
          FieldProblem(type: type.id, record: id, field: field.id, reason: value.overflow)
        ])
      }
      // Nothing pending: others have seen all of it. Otherwise some of it may be unseen, and a base
      // that goes further back is right too, but for a counter's share (see RecordState.rename).
      let seen =
        isSeen
        ? state.vector.time(of: device)
        : field.merge == .sum ? try reading.acknowledged(id, by: device) : .zero
      state.write(value, to: field, stamp: stamp, acknowledged: seen)
    }
    // A record without values is written too, or there was nothing to join or to delete against (J1).
    if state.registers.isEmpty { state.revive(stamp: stamp) }
    try put(state, of: type, id: id, previous: previous)
  }

  /// Writes values into a record that stays in the trash.
  func writeInTrash(_ values: [FieldID: Value], _ record: StoredRecord) throws {
    var state = record.state
    let stamp = stamp(above: state.vector)
    for (field, value) in values {
      if let field = record.type.field(field) { state.write(value, to: field, stamp: stamp) }
    }
    state.delete(stamp: stamp)
    try put(state, of: record.type, id: record.id, previous: record)
  }

  /// What the constraints of the type do not allow in the values that are written.
  func problems(
    _ values: [FieldID: Value], of type: RecordType, id: RecordID, isNew: Bool
  ) throws -> [FieldProblem] {
    var result: [FieldProblem] = []
    for field in type.visibleFields where isNew || values[field.id] != nil {
      let value = values[field.id] ?? .empty
      var reason = Constraints(field).problem(with: value)
      if reason == nil, field.unique || field.id == type.key, !value.isEmpty,
        let other = try holder(of: value, in: field, type: type, except: id)
      {
        reason = .notUnique(other)
      }
      if let reason {
        result.append(FieldProblem(type: type.id, record: id, field: field.id, reason: reason))
      }
    }
    return result
  }

  /// Another living record that has the value.
  func holder(
    of value: Value, in field: Field, type: RecordType, except id: RecordID?
  ) throws -> RecordID? {
    let schema = TypeSchema(type)
    let column = TypeSchema.quoted(field.id.name)
    // The first condition is the index's (it may fold case), the second the exact one.
    let statement = try db.cachedStatement(
      sql: """
        SELECT _id FROM \(schema.table)
        WHERE \(SortTerm(field).expression) = ?1 AND \(column) = ?2 AND _id IS NOT ?3 LIMIT 1
        """)
    let stored = ColumnCodec.stored(value)
    var folded = stored
    if case .decimal(let decimal) = value { folded = decimal.approximate.databaseValue }
    let other = id.map(ColumnCodec.stored) ?? .null
    let row = try Row.fetchOne(statement, arguments: [folded, stored, other])
    return row.flatMap { ColumnCodec.recordID($0[0]) }
  }
}

extension ColumnCodec {
  static func stored(_ id: DraftID) -> DatabaseValue { stored(id.id) }
}

extension Value {
  /// Why a counter can't hold it, together with what other devices counted.
  fileprivate var overflow: FieldProblem.Reason {
    if case .integer(let count) = self, count < 0 { return .belowMinimum(.integer(.min)) }
    return .aboveMaximum(.integer(.max))
  }

  /// References to records that turned out to have another id.
  func renaming(_ identities: [RecordID: RecordID]) -> Value {
    switch self {
    case .reference(let id): .reference(identities[id] ?? id)
    case .references(let ids): .references(sorted: ids.map { identities[$0] ?? $0 })
    default: self
    }
  }
}
