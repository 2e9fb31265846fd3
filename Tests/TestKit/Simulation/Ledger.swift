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
  }

  private struct Place: Hashable {
    let record: RecordReference
    let key: RegisterKey
  }

  package private(set) var records: Set<RecordReference> = []
  package private(set) var purged: Set<RecordReference> = []
  private var writes: [Place: [Write]] = [:]
  /// The newest transaction that was taken in, by device.
  private var newest: [Int: Int64] = [:]

  package init() {}

  /// How many transactions of its own a library has in its log.
  package static func newestNumber(of library: Library) async throws -> Int64 {
    try await library.history(limit: 1).first?.number ?? 0
  }

  /// Takes in what a library wrote since the last time; not what it got by sync.
  package mutating func take(_ library: Library, device: Int) async throws {
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
    for entry in entries where entry.origin != .sync {
      var changes = entry.changes
      if entry.recordCount > changes.count {
        changes = try await library.changes(of: entry.number, offset: 0, limit: 10_000)
      }
      for change in changes {
        touched.insert(change.record)
        if change.kind == .purge { purged.insert(change.record) }
      }
    }
    records.formUnion(touched)
    for record in touched {
      guard let state = try await library.snapshot(record.type, record.id)?.state else { continue }
      take(state, of: record, by: library.device)
    }
  }

  private mutating func take(_ state: RecordState, of record: RecordReference, by device: DeviceID)
  {
    for (key, register) in state.registers {
      let place = Place(record: record, key: key)
      for sibling in register.siblings where sibling.stamp.device == device {
        guard writes[place]?.contains(where: { $0.stamp == sibling.stamp }) != true else {
          continue
        }
        writes[place, default: []].append(
          Write(
            record: record, key: key, stamp: sibling.stamp, payload: sibling.payload,
            seen: state.vector))
      }
    }
  }

  /// The writes of a record that no other write of the same register had seen, by register.
  package func survivors(of record: RecordReference) -> [RegisterKey: [Write]] {
    var result: [RegisterKey: [Write]] = [:]
    for (place, writes) in writes where place.record == record {
      result[place.key] = writes.filter { write in
        !writes.contains { $0.stamp != write.stamp && $0.seen.covers(write.stamp) }
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
      !deletes.contains { $0.stamp == write.stamp || $0.seen.covers(write.stamp) }
    }
    return unseen ? .disputed : .deleted
  }
}
