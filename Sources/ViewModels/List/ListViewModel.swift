// A list of one type's records: its query, the rows around the visible ones, the cursor, the marks.
//
// UI actor. Reading runs in the store; keys are answered from what is here, and rows that are not
// read yet are shown as such. The cursor stays with its record through every change.

internal import Observation
package import RecordStore
package import Records
package import UILoop

/// What a person can do in a list.
@UI @Observable
package final class ListViewModel {
  /// The most rows kept around the visible ones: memory stays flat on a million records.
  static let rowsMax = 600
  /// The most rows that a screen shows at once.
  static let visibleMax = 400

  package internal(set) var state: ListViewState

  @ObservationIgnored package let library: Library
  @ObservationIgnored let time: TimeSource
  @ObservationIgnored var layout: ListLayout
  @ObservationIgnored var filter: Filter?
  /// The last filter with nothing half-typed at its end: what a mistake falls back to.
  @ObservationIgnored var settledFilter: Filter?
  @ObservationIgnored var list: RecordList?
  @ObservationIgnored let errands = Errands()
  @ObservationIgnored var queries = Newest()
  @ObservationIgnored var reads = Newest()
  @ObservationIgnored private var subscription: Subscription?
  @ObservationIgnored private var waiting: Opening?
  @ObservationIgnored private var isOpening = false
  @ObservationIgnored private var waitingForRows: [CheckedContinuation<Void, Never>] = []
  @ObservationIgnored var visible = 0..<40
  @ObservationIgnored var isReading = false
  @ObservationIgnored var version = 0
  /// Whether the rows are the beginning of the list, not matches from anywhere in it.
  @ObservationIgnored private var isBeginning = true
  @ObservationIgnored var markAnchor: Int?

  /// Nothing if the model has no such type.
  package init?(
    library: Library, type: TypeID, layout: ListLayout = ListLayout(), time: @escaping TimeSource
  ) {
    guard let definition = library.model.type(type) else { return nil }
    self.library = library
    self.layout = layout
    self.time = time
    state = ListViewState(type: definition)
    state.filterText = layout.filterText
    state.searchText = layout.searchText
    readFilter()
    showColumns()
  }

  /// Opens the list and begins to follow what changes in it.
  package func start() async {
    requery()
    await idle()
  }

  /// Returns when no list is being opened: its first rows are there, or there are none.
  package func opened() async {
    guard isOpening else { return }
    await withCheckedContinuation { waitingForRows.append($0) }
  }

  /// Lets the list go; the state stays as it is.
  package func stop() {
    subscription = nil
    list = nil
    waiting = nil
    _ = queries.ticket()
    _ = reads.ticket()
  }

  /// Returns when nothing is under way: for tests.
  package func idle() async { await errands.idle() }

  /// How the list is arranged now: for a saved view.
  package var arrangement: ListLayout { layout }

  // MARK: Opening

  var query: ListQuery {
    ListQuery(
      type: state.type.id, filter: filter, search: layout.searchText, sort: layout.sort,
      columns: state.columns.map(\.field.id), sections: layout.sections)
  }

  /// A query to open.
  private struct Opening {
    let query: ListQuery
    /// Whether the cursor stays with its record, or goes to the first match.
    let keepsCursor: Bool
    let ticket: Int
  }

  /// Opens the list of the query as it is now; the newest one counts.
  ///
  /// One opens at a time, and those that were overtaken while they waited are never begun: fast
  /// typing does not fill the store with searches that nobody wants any more.
  func requery(keepsCursor: Bool = true) {
    let ticket = queries.ticket()
    let query = query
    if let list, list.query == query {
      waiting = nil
      state.isStale = false
      return
    }
    state.isStale = state.phase == .ready
    waiting = Opening(query: query, keepsCursor: keepsCursor, ticket: ticket)
    guard !isOpening else { return }
    isOpening = true
    errands.run { [weak self] in
      while let next = self?.takeWaiting() { await self?.open(next) }
    }
  }

  private func takeWaiting() -> Opening? {
    defer { waiting = nil }
    if waiting == nil {
      isOpening = false
      for entry in waitingForRows { entry.resume() }
      waitingForRows = []
    }
    return waiting
  }

  private func open(_ opening: Opening) async {
    let ticket = opening.ticket
    guard queries.isCurrent(ticket) else { return }
    do {
      let list = try await library.list(opening.query)
      let updates = list.updates()
      let opened = await list.state()
      var cursor: Int?
      if opening.keepsCursor, let id = state.cursorID { cursor = try await list.index(of: id) }
      guard queries.isCurrent(ticket) else { return }
      let wasOpening = state.phase == .opening
      self.list = list
      subscription = Subscription(updates) { [weak self] in self?.take($0) }
      state.phase = .ready
      let isFound = cursor != nil
      moveRows(to: opened, cursor: cursor ?? (wasOpening ? state.cursor : 0))
      if !isFound { state.cursorID = nil }
      await read(force: true)
      guard queries.isCurrent(ticket) else { return }
      state.isStale = false
    } catch {
      guard queries.isCurrent(ticket) else { return }
      state.isStale = false
      if list == nil {
        state.phase = .failed(Failure(error))
      } else {
        state.notice = .failed(Failure(error))
      }
    }
  }

  // MARK: Changes

  func take(_ update: ListUpdate) {
    switch update {
    case .reset(let next):
      errands.run { [weak self] in await self?.reset(to: next) }
    case .changed(let diff, let next):
      apply(diff, next)
      errands.run { [weak self] in await self?.read(force: true) }
    case .arrived(let next):
      show(next)
    }
  }

  private func reset(to next: ListState) async {
    guard let list else { return }
    var cursor: Int?
    // A match that was shown first to be quick is not what the person went to.
    let staysFirst = !isBeginning && state.cursor == 0
    do {
      if !staysFirst, let id = state.cursorID { cursor = try await list.index(of: id) }
    } catch {
      state.notice = .failed(Failure(error))
    }
    guard list === self.list else { return }
    if cursor == nil { state.cursorID = nil }
    moveRows(to: next, cursor: cursor ?? state.cursor)
    await read(force: true)
  }

  private func apply(_ diff: ListDiff, _ next: ListState) {
    let positions = RowPositions(diff)
    var rows: [Int: ListRow] = [:]
    var gone: Set<RecordID> = []
    for (old, row) in state.rows {
      if let new = positions.position(of: old) { rows[new] = row } else { gone.insert(row.id) }
    }
    let isGone = state.count > 0 && positions.position(of: state.cursor) == nil
    let cursor = positions.place(of: state.cursor)
    markAnchor = markAnchor.flatMap { positions.position(of: $0) }
    state.rows = rows
    show(next)
    place(cursor: cursor)
    unmark(gone)
    state.cursorID = state.rows[state.cursor]?.id ?? (isGone ? nil : state.cursorID)
  }

  /// What left the list is not acted upon unseen.
  private func unmark(_ gone: Set<RecordID>) {
    guard case .some(let ids) = state.marks, !ids.isDisjoint(with: gone) else { return }
    state.marks = .some(ids.subtracting(gone))
  }

  /// Takes over a list that has nothing in common with the rows that are here.
  private func moveRows(to next: ListState, cursor: Int) {
    show(next)
    place(cursor: cursor)
    markAnchor = nil
  }

  private func show(_ next: ListState) {
    version = next.version
    state.count = next.count
    state.isComplete = next.isComplete
    isBeginning = next.isBeginning
    state.isPinned = next.isPinned
    state.arrived = next.arrived
    if state.sections != next.sections {
      state.sections = next.sections
      errands.run { [weak self] in await self?.nameSections() }
    }
    place(cursor: state.cursor)
  }

  /// Sections named beyond this show that they are records, not which.
  private static let sectionTitlesMax = 2000

  private func nameSections() async {
    guard let target = layout.sections.flatMap(state.type.field)?.type.target else { return }
    let references = state.sections.prefix(Self.sectionTitlesMax).flatMap(\.value.targets)
      .map { RecordReference(type: target, id: $0) }
    do {
      let titles = try await library.titles(references)
      state.sectionTitles = titles.reduce(into: [:]) { $0[$1.key.id] = $1.value }
    } catch {
      state.notice = .failed(Failure(error))
    }
  }

  private func place(cursor: Int) { state.cursor = max(0, min(cursor, state.count - 1)) }

  // MARK: Pinning

  /// Holds the list as it is; what changes meanwhile is counted.
  package func pin() async {
    await list?.pin()
    state.isPinned = true
  }

  /// Shows the list as it is now, and goes on following it.
  package func follow() async {
    await list?.follow()
    guard let list else { return }
    await reset(to: await list.state())
  }
}
