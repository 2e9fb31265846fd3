// The middle pane: the records of one type, with a line for what they are narrowed by. UI actor.

internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// A list of records, its search and filter inputs.
@UI
final class ListPane {
  /// Which input is being typed into.
  enum Typing { case search, filter }

  let desk: Desk
  let model: ListViewModel
  let list: ListView
  let search: TextField
  let filter: FilterInput
  private(set) var typing: Typing?
  /// What the saved view is called that is shown.
  private(set) var view: String?
  private let source: RecordRows
  private var following: Following?
  private var work: Task<Void, Never>?
  /// Told when another record is under the cursor.
  var onCursor: @UI () -> Void = {}
  private var seenCursor: RecordID?

  /// - Parameter view: A saved view of the type; nothing for the type's own list.
  init?(desk: Desk, type: TypeID, view: SavedView? = nil) {
    let layout = view?.layout ?? desk.lists.layouts[type] ?? ListLayout()
    self.view = view?.name
    guard let model = desk.library.list(type, layout: layout) else { return nil }
    self.desk = desk
    self.model = model
    source = RecordRows(desk: desk, model: model)
    list = ListView(columns: [], source: source)
    search = TextField(layout.searchText, placeholder: desk.words.searchHint)
    filter = FilterInput(desk: desk, type: model.state.type, text: layout.filterText)
    list.onSelect = { [unowned self] in
      self.model.moveCursor(to: source.sections.position(at: $0))
      // In the frame that answers the key, not in one of its own.
      noticeCursor()
    }
    list.onHeader = { [unowned self] name in
      self.model.sort(by: FieldID(trusted: name))
    }
    search.onChange = { [unowned self] in self.model.search(self.search.text) }
    filter.onChange = { [unowned self] in self.model.typeFilter(self.filter.text) }
    following = desk.stage.follow { [unowned self] in noticed() }
    work = Task { @UI [model] in await model.start() }
  }

  func close() {
    model.stop()
    following = nil
    work?.cancel()
  }

  /// Keeps how the list is arranged for the next time its type is opened.
  ///
  /// A saved view stays as it was saved.
  func remember() {
    let type = model.state.type.id
    desk.lists.last = type
    if view == nil { desk.lists.layouts[type] = model.arrangement }
  }

  /// Keeps the arrangement under a name.
  func save(as name: String) -> Bool {
    let view = SavedView(name: name, type: model.state.type.id, layout: model.arrangement)
    var isKept = false
    desk.changeLists { isKept = $0.keep(view) }
    if isKept { self.view = name }
    return isKept
  }

  var title: String { model.state.type.displayName + (view.map { " · " + $0 } ?? "") }

  // MARK: Following

  private func noticed() {
    let state = model.state
    // What follows may change what is observed: later, on its own.
    if state.cursorID != seenCursor { Task { @UI [weak self] in self?.noticeCursor() } }
    if state.notice != nil { Task { @UI [weak self] in self?.tell() } }
  }

  private func noticeCursor() {
    guard model.state.cursorID != seenCursor else { return }
    seenCursor = model.state.cursorID
    onCursor()
  }

  /// Says what came of the last intention, once.
  private func tell() {
    guard let notice = model.state.notice else { return }
    model.dismissNotice()
    switch notice {
    case .failed(let failure): desk.say(failure)
    case .deleted(let count, _): desk.say(desk.words.deleted(count), .success)
    case .exported(let count, let path): desk.say(desk.words.exported(count, path), .success)
    case .tooMany(let count, let max):
      desk.say(desk.words.tooManyToEdit(count, max), .warning)
    }
  }

  // MARK: Typing

  func begin(_ typing: Typing) {
    self.typing = typing
    if typing == .filter { filter.type = model.state.type }
  }

  /// Takes an event when an input is open; returns whether it meant something.
  func handle(_ event: InputEvent) -> Bool {
    guard let typing else { return list.handle(event) }
    if case .key(let key) = event {
      switch key {
      case .enter:
        keep(typing)
        return true
      case .escape:
        self.typing = nil
        clear(typing)
        return true
      case .up, .down, "PgUp", "PgDn":
        // The list can be walked while one types.
        if typing == .filter, filter.handle(event) { return true }
        return false
      default: break
      }
    }
    let taken = typing == .search ? search.handle(event) : filter.handle(event)
    if case .key = event { return true }
    return taken || list.handle(event)
  }

  /// Goes into the list as it is narrowed; a filter that is none stays open, with what is wrong.
  private func keep(_ typing: Typing) {
    if typing == .filter {
      model.filter(filter.text)
      guard model.state.mistake == nil else {
        filter.insist()
        desk.stage.driver.ringBell()
        return
      }
    }
    self.typing = nil
  }

  private func clear(_ typing: Typing) {
    switch typing {
    case .search:
      search.text = ""
      model.clearSearch()
    case .filter:
      filter.text = ""
      model.filter("")
    }
  }

  /// Shows everything again; returns whether anything was hidden.
  func widen() -> Bool {
    guard !model.state.searchText.isEmpty || !model.state.filterText.isEmpty else { return false }
    clear(.search)
    clear(.filter)
    return true
  }

  // MARK: Drawing

  func draw(in area: Rect, on grid: inout Grid, isFocused: Bool) {
    var area = area
    let state = model.state
    list.columns = source.columns()
    list.sort = state.columns.compactMap { column in
      column.sort.map { .init(column: column.field.id.name, isAscending: $0 == .ascending) }
    }
    list.highlighted = state.searchText
    list.emptyText = emptyText
    let row = source.sections.row(of: state.cursor)
    if list.selected != row { list.place(row) }
    list.hasMoreBefore = source.skipped > 0
    drawNarrowing(&area, on: &grid, isFocused: isFocused)
    drawNews(&area, on: &grid)
    list.draw(in: area, on: &grid, isFocused: isFocused && typing == nil)
    if typing != nil { drawInput(on: &grid) }
    let first = list.top
    // Asked for beside the drawing, which only reads.
    let rows = source.sections
    let visible =
      rows.position(at: first)..<rows.position(at: first + max(1, area.rows) - 1) + 1
    Task { @UI [model] in model.show(visible) }
  }

  private var inputArea = Rect(column: 0, row: 0, columns: 0, rows: 0)

  private func drawNarrowing(_ area: inout Rect, on grid: inout Grid, isFocused: Bool) {
    let state = model.state
    if typing != nil {
      filter.mistake = state.mistake
      let rows = typing == .filter ? filter.rows(columns: area.columns - 2) : 1
      inputArea = area.takeRows(min(rows, max(1, area.rows - 2)))
      return
    }
    guard !state.searchText.isEmpty || !state.filterText.isEmpty else { return }
    var text = StyledText()
    if !state.searchText.isEmpty {
      text.append(desk.words.search + " ", .dim)
      text.append(state.searchText + "  ", Style(.accent))
    }
    if !state.filterText.isEmpty {
      text.append(desk.words.filter + " ", .dim)
      text.append(state.filterText, Style(state.mistake == nil ? .accent : .error))
    }
    grid.put(text, in: area.takeRows(1).inset(columns: 1))
  }

  private func drawInput(on grid: inout Grid) {
    switch typing {
    case .search:
      var line = inputArea.inset(columns: 1)
      grid.put(desk.words.search, in: line.takeColumns(desk.words.columns(desk.words.search)), .dim)
      _ = line.takeColumns(1)
      search.draw(in: line, on: &grid, isFocused: true)
    case .filter: filter.draw(in: inputArea.inset(columns: 1), on: &grid)
    case nil: break
    }
  }

  /// A pinned list says what it does not show.
  private func drawNews(_ area: inout Rect, on grid: inout Grid) {
    let state = model.state
    guard state.isPinned else { return }
    let text = desk.words.pinned(arrived: state.arrived)
    grid.put(text, in: area.takeRows(1).inset(columns: 1), Style(.warning))
  }

  private var emptyText: String {
    let state = model.state
    switch state.phase {
    case .opening: return desk.words.loading
    case .failed(let failure): return desk.words.sentence(for: failure, in: desk.model)
    case .ready:
      // The first window of a filter may be empty while the rest is still being looked through.
      if state.isStale || !state.isComplete { return desk.words.searching }
      let isNarrowed = !state.searchText.isEmpty || !state.filterText.isEmpty
      return isNarrowed ? desk.words.nothingFound : desk.words.emptyList(state.type.displayName)
    }
  }

  /// `12 of 4,812`, marks, the order.
  var summary: StyledText {
    let state = model.state
    var text = StyledText()
    if state.count > 0 {
      text.append("\(state.cursor + 1)/\(state.count)\(state.isComplete ? "" : "+")", .dim)
    } else if state.phase == .ready, state.isComplete {
      text.append(desk.words.records(0), .dim)
    }
    if state.marks != .none {
      text.append("  " + desk.words.marked(state.markedCount), Style(.accent))
    }
    if state.isStale || (state.phase == .ready && !state.isComplete) {
      text.append("  " + desk.words.searching, .dim)
    }
    return text
  }
}

extension ListPane {
  /// Shows columns that are further to the right, or back to the left.
  func scrollColumns(by columns: Int) {
    source.scrollColumns(by: columns)
    desk.stage.invalidate()
  }

  /// How wide a column is on the screen now.
  func columnsShown(of field: FieldID) -> Int {
    list.columnsShown(of: field.name) ?? 10
  }
}
