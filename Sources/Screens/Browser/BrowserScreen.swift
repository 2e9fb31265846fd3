// The first screen: types, the records of one type, the record under the cursor. UI actor.

internal import RecordStore
internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// Three panes, of which as many are shown as fit.
@UI
final class BrowserScreen: DeskLayer {
  let desk: Desk
  let offersDesk = true
  let types: TypesPane
  var listPane: ListPane?
  private(set) var recordPane: RecordPane?
  private(set) var focus = Pane.list
  private var pair = Pane.types
  var isZoomed = false
  private var frame = PaneFrame(
    area: Rect(column: 0, row: 0, columns: 80, rows: 24), focus: .list, pair: .types,
    isZoomed: false)
  private var following: Following?

  init(desk: Desk) {
    self.desk = desk
    types = TypesPane(desk: desk)
    types.onSelect = { [unowned self] in show($0) }
    types.onOpen = { [unowned self] in open($0) }
    let known = desk.library.state.types
    if let first = known.first(where: { $0.type.id == desk.lists.last }) ?? known.first {
      show(.type(first.type.id))
      types.select(.type(first.type.id))
    } else {
      focus = .types
    }
    following = desk.stage.follow { [unowned self] in noticeTypes() }
  }

  var title: String {
    var parts = [desk.libraryName]
    if let listPane { parts.append(listPane.title) }
    if focus == .record, let recordPane { parts.append(recordPane.title) }
    return parts.joined(separator: " › ")
  }

  var statusLine: StyledText {
    guard let listPane, types.selected == shown else { return StyledText() }
    return listPane.summary
  }

  var takesLetters: Bool { listPane?.typing != nil }

  /// Types may come and go, or change their fields.
  private func noticeTypes() {
    let types = desk.library.state.types
    let shown = listPane?.model.state.type
    Task { @UI [weak self] in
      guard let self else { return }
      if let shown, let now = types.first(where: { $0.type.id == shown.id }) {
        // The list's own view model follows changes of the fields it knows.
        if now.type != shown, let entry = self.shown { show(entry, again: true) }
      } else if let first = types.first {
        show(.type(first.type.id))
        self.types.select(.type(first.type.id))
      } else {
        closeList()
      }
    }
  }

  // MARK: What is shown

  /// The entry whose list is shown.
  var shown: TypesPane.Entry? {
    guard let listPane else { return nil }
    let type = listPane.model.state.type.id
    return listPane.view.map { .view(type, name: $0) } ?? .type(type)
  }

  func show(_ entry: TypesPane.Entry, again: Bool = false) {
    if !again, shown == entry { return }
    let view: SavedView?
    let id: TypeID
    switch entry {
    case .type(let type): (id, view) = (type, nil)
    case .view(let type, let name): (id, view) = (type, desk.lists.view(name, of: type))
    case .heading, .conflicts, .history, .trash: return
    }
    closeList()
    listPane = ListPane(desk: desk, type: id, view: view)
    listPane?.onCursor = { [unowned self] in showRecord() }
    desk.stage.invalidate()
  }

  /// Goes to the list of a type, also of one that was made a moment ago.
  func go(to type: TypeID) {
    show(.type(type))
    types.refresh()
    types.select(.type(type))
    move(to: .list)
  }

  private func closeList() {
    listPane?.remember()
    listPane?.close()
    listPane = nil
    recordPane?.close()
    recordPane = nil
  }

  func open(_ entry: TypesPane.Entry) {
    switch entry {
    case .type, .view: move(to: .list)
    case .heading: break
    case .conflicts: desk.openConflictList()
    case .history: desk.openHistory()
    case .trash: desk.openTrash()
    }
  }

  /// Shows the record under the cursor, where its pane is on the screen.
  func showRecord() {
    guard let listPane, frame.shows(.record) else { return }
    guard let id = listPane.model.state.cursorID else {
      if listPane.model.state.count == 0 { closeRecord() }
      return
    }
    let reference = RecordReference(type: listPane.model.state.type.id, id: id)
    guard recordPane?.model.state.reference != reference else { return }
    recordPane?.close()
    recordPane = RecordPane(desk: desk, reference: reference)
    readAhead(around: reference)
    desk.stage.invalidate()
  }

  /// Has the next records read before a key asks for them.
  private func readAhead(around reference: RecordReference) {
    guard let state = listPane?.model.state else { return }
    let rows = [state.cursor + 1, state.cursor - 1].compactMap { state.row(at: $0) }
    desk.library.readAhead(
      rows.map { RecordReference(type: reference.type, id: $0.id) }, from: reference)
  }

  /// The record under the cursor.
  var lookedAt: RecordReference? {
    guard let model = listPane?.model, let id = model.state.cursorID else { return nil }
    return RecordReference(type: model.state.type.id, id: id)
  }

  private func closeRecord() {
    recordPane?.close()
    recordPane = nil
    if focus == .record { focus = .list }
  }

  // MARK: Focus

  /// Whether there is anything to do in the pane.
  func canFocus(_ pane: Pane) -> Bool {
    switch pane {
    case .types: true
    case .list: listPane != nil
    case .record: listPane?.model.state.cursorID != nil
    }
  }

  func move(to pane: Pane) {
    guard canFocus(pane) else { return }
    focus = pane
    // Two panes: the focused one and the one it was come to from.
    if pane == .types { pair = .types }
    if pane == .record { pair = .list }
    frame = PaneFrame(area: frame.whole, focus: focus, pair: pair, isZoomed: isZoomed)
    showRecord()
    desk.stage.invalidate()
  }

  // MARK: Events

  func handle(_ event: InputEvent) -> Bool {
    if let listPane, listPane.typing != nil, listPane.handle(event) { return true }
    guard case .mouse(let mouse) = event else { return false }
    guard let pane = frame.areas.first(where: { $0.value.contains(mouse.point) })?.key else {
      return false
    }
    if mouse.kind == .press, pane != focus { move(to: pane) }
    switch pane {
    case .types: return types.list.handle(event)
    case .list: return listPane?.handle(event) ?? false
    case .record: return recordPane?.handle(event) ?? false
    }
  }

  // MARK: Drawing

  func draw(in area: Rect, on grid: inout Grid) {
    let before = frame.shows(.record)
    frame = PaneFrame(area: area, focus: focus, pair: pair, isZoomed: isZoomed)
    if frame.shows(.record), !before || recordPane == nil {
      Task { @UI [weak self] in self?.showRecord() }
    }
    for line in frame.lines { grid.verticalLine(line) }
    for pane in Pane.allCases where pane != focus { draw(pane, on: &grid) }
    // The focused one last: the cursor is its.
    grid.cursor = nil
    draw(focus, on: &grid)
  }

  private func draw(_ pane: Pane, on grid: inout Grid) {
    guard let area = frame.areas[pane], !area.isEmpty else { return }
    let isFocused = pane == focus
    grid.clipped(to: area) { grid in
      switch pane {
      case .types: types.draw(in: area, on: &grid, isFocused: isFocused)
      case .list:
        if let listPane {
          listPane.draw(in: area, on: &grid, isFocused: isFocused)
        } else {
          drawEmpty(in: area, on: &grid)
        }
      case .record: recordPane?.draw(in: area, on: &grid, isFocused: isFocused)
      }
    }
  }

  /// A library without a type: what to do about it.
  private func drawEmpty(in area: Rect, on grid: inout Grid) {
    let lines = Wrapping.lines(of: words.emptyLibrary, columns: max(1, area.columns - 2))
    for (offset, line) in lines.enumerated() {
      grid.put(line, in: area.inset(columns: 1).line(offset + 1), .dim)
    }
  }
}
