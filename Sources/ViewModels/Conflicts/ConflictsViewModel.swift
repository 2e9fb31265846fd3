// The inbox of conflicts: every record whose writers disagree, fed by the store. Settling is an
// ordinary save, also of several records at once. UI actor; reading runs in the store.

internal import Observation
package import RecordStore
package import Records
package import UILoop

/// A record whose writers disagree.
package struct ConflictedRecord: Sendable, Hashable, Identifiable {
  package let reference: RecordReference
  package let title: String
  package let conflicts: [Conflict]
  /// The devices of all sides, and when the newest of them was written.
  package let devices: [DeviceID]
  package let newest: Timestamp

  package var id: RecordReference { reference }
}

/// What came of the last intention, until the next.
package enum ConflictsNotice: Sendable, Hashable {
  case settled(count: Int, transaction: Int64?)
  case failed(Failure)
}

package struct ConflictsState: MarkedList, Sendable, Hashable {
  package var isLoaded = false
  package var records: [ConflictedRecord] = []
  package var cursor = 0
  package var marks: Set<RecordReference> = []
  package var notice: ConflictsNotice?

  package init() {}

  package var items: [ConflictedRecord] { records }
}

/// What a person can do with conflicts.
@UI @Observable
package final class ConflictsViewModel {
  package private(set) var state = ConflictsState()

  @ObservationIgnored private let library: Library
  @ObservationIgnored private let errands = Errands()
  @ObservationIgnored private var subscription: Subscription?
  @ObservationIgnored private var reads = Newest()

  package init(library: Library) { self.library = library }

  /// Reads the conflicts and begins to follow them.
  package func start() async {
    subscription = Subscription(library.commits()) { [weak self] _ in
      self?.errands.run { [weak self] in await self?.read() }
    }
    await read()
  }

  package func stop() { subscription = nil }

  /// Returns when nothing is under way: for tests.
  package func idle() async { await errands.idle() }

  private func read() async {
    let ticket = reads.ticket()
    do {
      let records = try await Self.conflicts(in: library)
      guard reads.take(ticket) else { return }
      var next = state
      let selected = state.selected?.id
      next.isLoaded = true
      next.records = records
      next.settle(on: selected)
      if next != state { state = next }
    } catch {
      guard reads.take(ticket) else { return }
      state.isLoaded = true
      state.notice = .failed(Failure(error))
    }
  }

  /// The newest first.
  private nonisolated static func conflicts(in library: Library) async throws -> [ConflictedRecord]
  {
    let found = try await library.conflictedRecords(limit: LibraryViewModel.conflictsMax)
    let titles = try await library.titles(found)
    var records: [ConflictedRecord] = []
    for (typeID, references) in Dictionary(grouping: found, by: \.type) {
      guard let type = library.model.type(typeID) else { continue }
      let snapshots = try await library.snapshots(typeID, references.map(\.id))
      for reference in references {
        guard let snapshot = snapshots[reference.id] else { continue }
        let conflicts = snapshot.state.conflicts(in: type)
        let stamps = conflicts.flatMap { $0.sides.map(\.stamp) }
        guard let newest = stamps.max() else { continue }
        records.append(
          ConflictedRecord(
            reference: reference, title: titles[reference] ?? "", conflicts: conflicts,
            devices: Set(stamps.map(\.device)).sorted(),
            newest: Timestamp(milliseconds: newest.time.milliseconds)))
      }
    }
    return records.sorted {
      ($1.newest.milliseconds, $0.title) < ($0.newest.milliseconds, $1.title)
    }
  }

  // MARK: Intentions

  package func moveCursor(to index: Int) { state.moveCursor(to: index) }

  package func toggleMark() { state.toggleMark() }

  /// Marks all, or none where all are marked.
  package func toggleAllMarks() { state.toggleAllMarks() }

  /// Settles every conflict of the targets with the side that is shown now, in one save.
  package func takeShown() async {
    let targets = state.targets
    let choices = targets.flatMap { record in
      record.conflicts.compactMap { conflict in
        conflict.sides.first.map {
          ConflictChoice(record: record.reference, field: conflict.field, value: $0.value)
        }
      }
    }
    do {
      let result = try await library.resolve(choices)
      state.marks = []
      state.notice = .settled(count: targets.count, transaction: result.transaction)
    } catch {
      state.notice = .failed(Failure(error))
    }
    await read()
  }

  package func dismissNotice() { state.notice = nil }
}
