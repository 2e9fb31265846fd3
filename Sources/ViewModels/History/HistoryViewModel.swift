// History: a library's, or one record's. The newest first, read page by page. UI actor.

internal import Observation
package import RecordStore
internal import Records
package import UILoop

/// What came of the last intention, until the next.
package enum HistoryNotice: Sendable, Hashable {
  case undone(UndoResult)
  case failed(Failure)
}

/// All that is shown of a history.
package struct HistoryState: Sendable, Hashable {
  /// The record whose history it is; nothing for the library's.
  package let record: RecordReference?
  /// The newest first.
  package var entries: [TransactionEntry] = []
  package var isLoaded = false
  package var hasMore = false
  package var cursor = 0
  /// The changes of opened transactions, beyond those that an entry names itself.
  package var changes: [Int64: [RecordChange]] = [:]
  package var notice: HistoryNotice?

  package var selected: TransactionEntry? {
    entries.indices.contains(cursor) ? entries[cursor] : nil
  }
}

/// What a person can do with the past.
@UI @Observable
package final class HistoryViewModel {
  /// Transactions read at once: a few screens.
  package static let pageSize = 100
  /// The most changes of one transaction that are shown.
  package static let changesMax = 1_000

  package private(set) var state: HistoryState

  @ObservationIgnored package let library: Library
  @ObservationIgnored private let errands = Errands()
  @ObservationIgnored private var subscription: Subscription?
  @ObservationIgnored private var reads = Newest()

  package init(library: Library, record: RecordReference? = nil) {
    self.library = library
    state = HistoryState(record: record)
  }

  /// Reads the newest entries and begins to follow what is added.
  package func start() async {
    subscription = Subscription(library.commits()) { [weak self] in self?.noticed($0) }
    await read()
  }

  package func stop() { subscription = nil }

  /// Returns when nothing is under way: for tests.
  package func idle() async { await errands.idle() }

  private func noticed(_ commit: Commit) {
    if let record = state.record, !commit.touches(record) { return }
    errands.run { [weak self] in await self?.read() }
  }

  // MARK: Reading

  /// Reads as much as was shown before; the cursor stays with its transaction.
  private func read() async {
    let ticket = reads.ticket()
    let count = max(Self.pageSize, state.entries.count)
    do {
      let entries = try await page(limit: count, before: nil)
      guard reads.take(ticket) else { return }
      let selected = state.selected?.number
      state.entries = entries
      state.isLoaded = true
      state.hasMore = state.record == nil && entries.count == count
      let index = entries.firstIndex { $0.number == selected } ?? state.cursor
      state.cursor = max(0, min(index, entries.count - 1))
    } catch {
      guard reads.take(ticket) else { return }
      state.isLoaded = true
      state.notice = .failed(Failure(error))
    }
  }

  private func page(limit: Int, before: Int64?) async throws -> [TransactionEntry] {
    guard let record = state.record else {
      return try await library.history(limit: limit, before: before)
    }
    return try await library.history(of: record).sorted { $0.number > $1.number }
  }

  /// Reads the page after the last one.
  package func loadMore() async {
    guard state.hasMore, let last = state.entries.last else { return }
    do {
      let entries = try await page(limit: Self.pageSize, before: last.number)
      // A commit may have read anew meanwhile: append only what follows.
      guard state.entries.last?.number == last.number else { return }
      state.entries += entries
      state.hasMore = entries.count == Self.pageSize
    } catch {
      state.notice = .failed(Failure(error))
    }
  }

  package func moveCursor(to position: Int) {
    state.cursor = max(0, min(position, state.entries.count - 1))
    guard state.hasMore, state.cursor > state.entries.count - Self.pageSize / 2 else { return }
    errands.run { [weak self] in await self?.loadMore() }
  }

  package func moveCursor(by rows: Int) { moveCursor(to: state.cursor + rows) }

  /// Shows all changes of a transaction, or no longer.
  package func toggleChanges(of number: Int64) async {
    guard state.changes[number] == nil else {
      state.changes[number] = nil
      return
    }
    do {
      state.changes[number] = try await library.changes(
        of: number, offset: 0, limit: Self.changesMax)
    } catch {
      state.notice = .failed(Failure(error))
    }
  }

  // MARK: Undoing

  /// Takes a saved transaction back, by a new one.
  package func undo(_ number: Int64, progress: @escaping WriteTelling = { _ in }) async {
    do {
      state.notice = .undone(try await library.undo(number, progress: progress))
    } catch {
      state.notice = .failed(Failure(error))
    }
    await read()
  }

  package func dismissNotice() { state.notice = nil }
}
