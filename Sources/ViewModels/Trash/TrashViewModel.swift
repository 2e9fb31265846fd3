// The trash: what was deleted and can come back, until it is purged. UI actor.

internal import Observation
package import RecordStore
internal import Records
package import UILoop

/// What came of the last intention, until the next.
package enum TrashNotice: Sendable, Hashable {
  case restored(count: Int, transaction: Int64?)
  case purged(count: Int)
  case failed(Failure)
}

/// All that is shown of the trash.
package struct TrashState: MarkedList, Sendable, Hashable {
  /// The last deleted first, as far as they are read.
  package var entries: [TrashEntry] = []
  package var count = 0
  package var isLoaded = false
  package var cursor = 0
  package var marks: Set<RecordReference> = []
  /// Purging can't be taken back: the person is asked, with how many records it takes.
  package var asksToPurge: Int?
  package var notice: TrashNotice?

  package var items: [TrashEntry] { entries }
  package var hasMore: Bool { entries.count < count }
}

/// What a person can do with deleted records.
@UI @Observable
package final class TrashViewModel {
  package static let pageSize = 200

  package private(set) var state = TrashState()

  @ObservationIgnored package let library: Library
  @ObservationIgnored private let errands = Errands()
  @ObservationIgnored private var subscription: Subscription?
  @ObservationIgnored private var reads = Newest()

  package init(library: Library) { self.library = library }

  package func start() async {
    subscription = Subscription(library.commits()) { [weak self] _ in
      self?.errands.run { [weak self] in await self?.read() }
    }
    await read()
  }

  package func stop() { subscription = nil }

  /// Returns when nothing is under way: for tests.
  package func idle() async { await errands.idle() }

  // MARK: Reading

  private func read() async {
    let ticket = reads.ticket()
    let limit = max(Self.pageSize, state.entries.count)
    do {
      let entries = try await library.trash(limit: limit, offset: 0)
      let count = try await library.trashCount()
      guard reads.take(ticket) else { return }
      let selected = state.selected?.record
      var next = state
      next.entries = entries
      next.count = count
      next.isLoaded = true
      next.settle(on: selected)
      if next != state { state = next }
    } catch {
      guard reads.take(ticket) else { return }
      state.isLoaded = true
      state.notice = .failed(Failure(error))
    }
  }

  package func loadMore() async {
    guard state.hasMore else { return }
    let start = state.entries.count
    do {
      let entries = try await library.trash(limit: Self.pageSize, offset: start)
      guard state.entries.count == start else { return }
      let known = Set(state.entries.map(\.record))
      state.entries += entries.filter { !known.contains($0.record) }
    } catch {
      state.notice = .failed(Failure(error))
    }
  }

  package func moveCursor(to position: Int) {
    state.moveCursor(to: position)
    guard state.hasMore, state.cursor > state.entries.count - Self.pageSize / 2 else { return }
    errands.run { [weak self] in await self?.loadMore() }
  }

  package func moveCursor(by rows: Int) { moveCursor(to: state.cursor + rows) }

  package func toggleMark() { state.toggleMark() }

  package func clearMarks() { state.marks = [] }

  // MARK: Intentions

  /// Brings the targets back, in one transaction; none of them if the task is cancelled.
  package func restoreTargets(progress: @escaping WriteTelling = { _ in }) async {
    await write {
      try await $0.restore($1, progress: progress)
    } done: {
      .restored(count: $0, transaction: $1)
    }
  }

  /// Asks whether the targets may go for good.
  package func askToPurge() {
    let count = state.targets.count
    state.asksToPurge = count == 0 ? nil : count
  }

  package func keepTargets() { state.asksToPurge = nil }

  /// Purges the targets, in one transaction; only after ``askToPurge()``.
  package func purgeTargets(progress: @escaping WriteTelling = { _ in }) async {
    guard state.asksToPurge != nil else { return }
    state.asksToPurge = nil
    await write {
      try await $0.purge($1, progress: progress)
    } done: { count, _ in
      .purged(count: count)
    }
  }

  private func write(
    _ body: (Library, [RecordReference]) async throws -> WriteResult,
    done: (Int, Int64?) -> TrashNotice
  ) async {
    let targets = state.targets.map(\.record)
    guard !targets.isEmpty else { return }
    do {
      let result = try await body(library, targets)
      state.notice = done(result.records.count, result.transaction)
      state.marks = []
    } catch {
      state.notice = .failed(Failure(error))
    }
    await read()
  }

  package func dismissNotice() { state.notice = nil }
}
