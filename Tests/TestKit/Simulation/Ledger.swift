// The book of a run: every write that a library acknowledged to its person, read from the library's
// own log, with what its author had seen. From it follows, by rules of its own and not by the code
// under test, what must stand at the end (invariants J1 to J4).

package import RecordStore
package import Records

package struct Ledger: Sendable {
  /// One write of one register.
  package struct Write: Sendable, Hashable {
    package let record: RecordReference
    package let key: RegisterKey
    package let stamp: Stamp
    package let payload: Payload
    /// What its author's copy had seen right after it, itself included.
    package let seen: VersionVector
    /// Of a deletion: what its author takes to be deleted.
    ///
    /// A conflict that an undo brought back has one that deletes no more than it did.
    fileprivate let deleted: VersionVector
    /// Other writes of the register in the same save: the sides of a conflict that came back.
    fileprivate let beside: Set<Stamp>
  }

  private struct Counter: Hashable {
    let record: RecordReference
    let field: FieldID
  }

  private struct FieldOfType: Hashable {
    let type: TypeID
    let field: FieldID
  }

  private struct Place: Hashable {
    let record: RecordReference
    let key: RegisterKey
  }

  package private(set) var records: Set<RecordReference> = []
  package private(set) var purged: Set<RecordReference> = []
  private var writes: [Place: [Write]] = [:]
  /// What was added to each counter, by whomever.
  private var additions: [Counter: Int64] = [:]
  /// Counters that some library had settle otherwise than by their sum for a while.
  private var resettled: Set<FieldOfType> = []
  /// The newest transaction that was taken in, by device.
  private var newest: [Int: Int64] = [:]

  package init() {}

  /// How many transactions of its own a library has in its log.
  package static func newestNumber(of library: Library) async throws -> Int64 {
    try await library.history(limit: 1).first?.number ?? 0
  }

  /// Begins with a library that is a copy of another: what its log holds by now, the original wrote.
  package mutating func begin(with copy: Library, device: Int) async throws {
    newest[device] = try await Self.newestNumber(of: copy)
  }

  /// Takes in what a library wrote since the last time; not what it got by sync.
  package mutating func take(_ library: Library, device: Int) async throws {
    noteResettled(in: library.model)
    var entries: [TransactionEntry] = []
    let last = newest[device] ?? 0
    var before: Int64?
    reading: while true {
      let page = try await library.history(limit: 8, before: before)
      for entry in page {
        guard entry.number > last else { break reading }
        entries.append(entry)
      }
      guard let oldest = page.last else { break }
      before = oldest.number
    }
    guard let number = entries.first?.number else { return }
    newest[device] = number
    var touched: Set<RecordReference> = []
    var undone: Set<RecordReference> = []
    for entry in entries where entry.origin != .sync {
      var changes = entry.changes
      if entry.recordCount > changes.count {
        changes = try await library.changes(of: entry.number, offset: 0, limit: 10_000)
      }
      for change in changes {
        touched.insert(change.record)
        if entry.origin == .undo { undone.insert(change.record) }
        if change.kind == .purge { purged.insert(change.record) }
        count(change, by: library.model)
      }
    }
    records.formUnion(touched)
    for record in touched {
      guard let state = try await library.snapshot(record.type, record.id)?.state else { continue }
      take(state, of: record, by: library.device, inUndo: undone.contains(record))
    }
  }

  private mutating func noteResettled(in model: Model) {
    for type in model.types {
      for field in type.fields where field.type == .counter && field.merge != .sum {
        resettled.insert(FieldOfType(type: type.id, field: field.id))
      }
    }
  }

  private mutating func count(_ change: RecordChange, by model: Model) {
    for (field, values) in change.fields
    where model.type(change.record.type)?.field(field)?.type == .counter {
      additions[Counter(record: change.record, field: field), default: 0] +=
        values.after.count - values.before.count
    }
  }

  /// What all additions to a counter come to; nothing where it did not settle by their sum all along.
  package func sum(of field: FieldID, in record: RecordReference) -> Int64? {
    guard !resettled.contains(FieldOfType(type: record.type, field: field)) else { return nil }
    return additions[Counter(record: record, field: field)] ?? 0
  }

  private mutating func take(
    _ state: RecordState, of record: RecordReference, by device: DeviceID, inUndo: Bool
  ) {
    for (key, register) in state.registers {
      let place = Place(record: record, key: key)
      let own = register.siblings.filter { $0.stamp.device == device }
      for sibling in own {
        guard writes[place]?.contains(where: { $0.stamp == sibling.stamp }) != true else {
          continue
        }
        var deleted = state.vector
        if inUndo, case .deleted(let seen) = sibling.payload { deleted = seen }
        writes[place, default: []].append(
          Write(
            record: record, key: key, stamp: sibling.stamp, payload: sibling.payload,
            seen: state.vector, deleted: deleted, beside: Set(own.map(\.stamp))))
      }
    }
  }

  /// The writes of a record that no other write of the same register had seen, by register.
  package func survivors(of record: RecordReference) -> [RegisterKey: [Write]] {
    var result: [RegisterKey: [Write]] = [:]
    for (place, writes) in writes where place.record == record {
      result[place.key] = writes.filter { write in
        !writes.contains {
          !$0.beside.contains(write.stamp) && $0.seen.covers(write.stamp)
        }
      }
    }
    return result
  }

  /// What the record has to be: deleted if a delete stands that had seen every other write that
  /// stands; disputed if one stands that no such delete had seen.
  package func existence(of record: RecordReference) -> RecordState.Existence {
    let standing = survivors(of: record).values.flatMap(\.self)
    let deletes = standing.filter { if case .deleted = $0.payload { true } else { false } }
    guard !deletes.isEmpty else { return .alive }
    let unseen = standing.contains { write in
      !deletes.contains { $0.stamp == write.stamp || $0.deleted.covers(write.stamp) }
    }
    return unseen ? .disputed : .deleted
  }
}
