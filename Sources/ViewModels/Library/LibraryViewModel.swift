// An open library as a whole: its types with their counts, what a crash left behind, who writes.
// The other view models are made here. UI actor; counting runs in the store.

internal import Observation
package import RecordStore
package import Records
package import UILoop

/// What a person can do with a library as a whole.
@UI @Observable
package final class LibraryViewModel {
  /// Conflicts are counted up to here: more is "many".
  package static let conflictsMax = 1_000

  package internal(set) var state: LibraryState

  @ObservationIgnored package let library: Library
  @ObservationIgnored package let time: TimeSource
  @ObservationIgnored let ahead: RecordsAhead
  @ObservationIgnored let errands = Errands()
  @ObservationIgnored private var subscriptions: [Subscription] = []
  @ObservationIgnored private var isCounting = false
  @ObservationIgnored private var isOutdated = false

  package init(library: Library, time: @escaping TimeSource) {
    self.library = library
    self.time = time
    ahead = RecordsAhead(library: library, time: time)
    let model = library.model
    state = LibraryState(
      name: library.path.map { LibraryPlace.name(of: $0) }, path: library.path, model: model)
    state.types = model.visibleTypes.map { TypeEntry(type: $0, count: nil) }
  }

  /// Begins to follow the library; counts, and looks for drafts of sessions that did not end well.
  package func start() async {
    subscriptions = [
      Subscription(library.commits()) { [weak self] in self?.noticed($0) },
      Subscription(library.activity) { [weak self] in self?.noticed($0) },
    ]
    recount()
    await findDrafts()
    await idle()
  }

  package func stop() { subscriptions = [] }

  /// Returns when nothing is under way: for tests.
  package func idle() async { await errands.idle() }

  /// Ends everything and closes the file.
  package func close() async {
    stop()
    await idle()
    do { try await library.close() } catch { state.notice = .failed(Failure(error)) }
  }

  package func dismissNotice() { state.notice = nil }

  // MARK: Counting

  private func noticed(_ activity: WriterActivity) {
    if activity != state.activity { state.activity = activity }
  }

  private func noticed(_ commit: Commit) {
    ahead.forget()
    if commit.modelChanged { state.model = library.model }
    recount()
  }

  /// Counts again; while it counts, any number of commits asks for one more count.
  private func recount() {
    guard !isCounting else {
      isOutdated = true
      return
    }
    isCounting = true
    errands.run { [weak self] in
      repeat {
        self?.isOutdated = false
        await self?.count()
      } while self?.isOutdated == true
      self?.isCounting = false
    }
  }

  private func count() async {
    do {
      let counts = try await library.counts()
      let trash = try await library.trashCount()
      let conflicts = try await library.conflictedRecords(limit: Self.conflictsMax)
      var next = state
      next.types = state.model.visibleTypes.map {
        TypeEntry(type: $0, count: counts[$0.id] ?? 0)
      }
      next.trashCount = trash
      next.conflictCount = conflicts.count
      if next != state { state = next }
    } catch {
      state.notice = .failed(Failure(error))
    }
  }

  // MARK: Undoing

  /// Takes back the newest saved change of this device that is not undone yet.
  package func undo(progress: @escaping WriteTelling = { _ in }) async {
    do {
      state.notice = .undone(try await library.undo(progress: progress))
    } catch {
      state.notice = .failed(Failure(error))
    }
  }

  // MARK: Drafts that were left behind

  private func findDrafts() async {
    do {
      var found: [RecoveredDraft] = []
      for draft in try await library.journaledDrafts() {
        if draft.isDirty {
          found.append(recovered(draft))
        } else {
          try await library.discardDraft(draft.id)
        }
      }
      state.recovered = found
    } catch {
      state.notice = .failed(Failure(error))
    }
  }

  private func recovered(_ draft: Draft) -> RecoveredDraft {
    var title = ""
    if let field = state.model.type(draft.type)?.title {
      let reading = InputText(time: time())
      switch draft.input(of: field) {
      case .unread(let text): title = text
      case .value(let value): title = reading.text(of: value)
      }
      if title.isEmpty, let base = draft.base { title = reading.text(of: base.value(of: field)) }
      if draft.input(of: field) == .value(BulkEdit.mixed) { title = "" }
    }
    return RecoveredDraft(
      draft: draft, title: title.isEmpty ? nil : title, changed: draft.changedFields)
  }

  /// Drops a draft that was left behind.
  package func discardRecovered(_ id: DraftID) async {
    do {
      try await library.discardDraft(id)
      state.recovered.removeAll { $0.id == id }
    } catch {
      state.notice = .failed(Failure(error))
    }
  }
}

/// What a library is called where it lies.
enum LibraryPlace {
  static let ending = ".skyros"

  /// The folder's name without its ending.
  static func name(of path: String) -> String {
    let last = path.split(separator: "/").last.map(String.init) ?? path
    return last.hasSuffix(ending) ? String(last.dropLast(ending.count)) : last
  }
}
