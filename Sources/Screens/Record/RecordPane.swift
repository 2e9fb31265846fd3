// A record read in full: every field, long text wrapped, references to follow, who refers to it. Its
// cursor walks over the fields. UI actor.

internal import RecordStore
internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// One record on a pane or a screen.
@UI
final class RecordPane {
  private static let labelColumnsMax = 18

  let desk: Desk
  let model: RecordViewModel
  private var following: Following?
  private var work: Task<Void, Never>?
  private(set) var items: [RecordItem] = []
  private(set) var selected = 0
  /// All of the record, broken into lines where it was looked at.
  private var shownPage = RecordPage(items: [], labelColumns: 0, columns: 0)
  /// The first row of the page that is shown.
  private var top = TextPage().start
  private var bodyArea = Rect(column: 0, row: 0, columns: 0, rows: 0)
  private var wantsSelected = false

  init(desk: Desk, reference: RecordReference) {
    self.desk = desk
    model = desk.library.record(reference)
    following = desk.stage.follow { [model] in _ = model.state }
    work = Task { @UI [model] in await model.start() }
  }

  func close() {
    following = nil
    model.stop()
    work?.cancel()
  }

  var title: String {
    model.state.title ?? desk.words.untitled
  }

  var item: RecordItem? { items.indices.contains(selected) ? items[selected] : nil }

  var selectedField: FieldID? {
    if case .field(let id) = item?.kind { id } else { nil }
  }

  // MARK: Moving

  func move(to index: Int) {
    guard !items.isEmpty else { return }
    let step = index < selected ? -1 : 1
    var at = min(max(0, index), items.count - 1)
    while items.indices.contains(at), !canStop(at) { at += step }
    // Below the last field there are notes, at which nothing stops.
    if !items.indices.contains(at) {
      at =
        (step > 0 ? items.indices.last(where: canStop) : items.indices.first(where: canStop)) ?? 0
    }
    selected = at
    wantsSelected = true
    desk.stage.invalidate()
  }

  private func canStop(_ index: Int) -> Bool {
    switch items[index].kind {
    case .field, .referrer: true
    case .heading, .note: false
    }
  }

  /// One step down: through a text that is longer than the screen first.
  func step(_ direction: Int) {
    guard shownPage.text.blocks.indices.contains(selected) else { return }
    let bottom = shownPage.text.place(bodyArea.rows, after: top)
    if direction > 0, shownPage.text.start(of: selected + 1) > bottom {
      scroll(1)
    } else if direction < 0, shownPage.text.start(of: selected) < top {
      scroll(-1)
    } else {
      move(to: selected + direction)
    }
  }

  func page(_ direction: Int) {
    scroll(direction * max(1, bodyArea.rows - 1))
    let visible = items.indices.filter { canStop($0) && shownPage.text.start(of: $0) >= top }
    if let first = visible.first { selected = first }
  }

  func handle(_ event: InputEvent) -> Bool {
    guard case .mouse(let mouse) = event, bodyArea.contains(mouse.point) else { return false }
    switch mouse.kind {
    case .wheelDown: scroll(3)
    case .wheelUp: scroll(-3)
    case .press:
      let place = shownPage.text.place(mouse.point.row - bodyArea.row, after: top)
      let index = min(place.block, items.count - 1)
      if items.indices.contains(index), canStop(index) { selected = index }
    case .release, .drag: return false
    }
    return true
  }

  private func scroll(_ rows: Int) {
    top =
      rows < 0 ? shownPage.text.place(-rows, before: top) : shownPage.text.place(rows, after: top)
    top = min(top, lastTop(rows: bodyArea.rows))
    desk.stage.invalidate()
  }

  /// The first row that is shown when the last one is.
  private func lastTop(rows: Int) -> TextPage.Place {
    shownPage.text.place(rows, before: shownPage.text.end)
  }

  // MARK: Drawing

  func draw(in area: Rect, on grid: inout Grid, isFocused: Bool) {
    var area = area
    let state = model.state
    drawTitle(in: area.takeRows(1), on: &grid)
    drawState(&area, on: &grid)
    items = RecordItems(values: desk.values, words: desk.words).items(of: state)
    selected = min(selected, max(0, items.count - 1))
    if items.indices.contains(selected), !canStop(selected) { selected = 0 }
    bodyArea = area
    drawItems(in: area, on: &grid, isFocused: isFocused)
    if isFocused, grid.cursor == nil { grid.cursor = area.origin }
  }

  private func drawTitle(in area: Rect, on grid: inout Grid) {
    var line = area
    let state = model.state
    var badges = StyledText()
    if !state.conflicts.isEmpty {
      badges.append("! " + desk.words.conflictCount(state.conflicts.count), Style(.warning))
    }
    switch desk.sync.state.badge(of: state.reference, isPending: state.isPending) {
    case .parked: badges.append("  ▪ " + desk.words.setAside, Style(.warning))
    case .pending: badges.append("  ↑ " + desk.words.pending, .dim)
    case nil: break
    }
    if !badges.isEmpty { grid.put(badges, in: line.takeColumns(-(badges.columns + 1))) }
    grid.put(title, in: line.inset(columns: 1), Style(.title))
  }

  private func drawState(_ area: inout Rect, on grid: inout Grid) {
    let words = desk.words
    let sentence: (String, Role)? =
      switch model.state.phase {
      case .loading, .present: nil
      case .inTrash: (words.recordInTrash, .warning)
      case .gone: (words.recordGone, .warning)
      case .failed(let failure): (words.sentence(for: failure, in: desk.model), .error)
      }
    guard let sentence else { return }
    for line in Wrapping.lines(of: sentence.0, columns: max(1, area.columns - 2)).prefix(4) {
      grid.put(line, in: area.takeRows(1).inset(columns: 1), Style(sentence.1))
    }
  }

  private func drawItems(in area: Rect, on grid: inout Grid, isFocused: Bool) {
    let labels = items.filter { if case .field = $0.kind { true } else { false } }
    let widest = labels.map { TextWidth.columns($0.label) }.max() ?? 0
    let labelColumns = min(widest, Self.labelColumnsMax, max(4, area.columns / 3))
    shownPage = RecordPage(
      items: items, labelColumns: labelColumns,
      // A margin on either side, and the scroll bar, drawn or not: a text is not broken anew by it.
      columns: max(8, area.columns - 3), last: shownPage)
    keepSelectedVisible(rows: area.rows)
    var inner = area
    let end = shownPage.text.end
    let isLonger = shownPage.text.place(area.rows, after: shownPage.text.start) < end
    let bar = isLonger ? inner.takeColumns(-1) : area.line(-1)
    var place = top
    var cursorRow: Int?
    grid.clipped(to: inner) { grid in
      for row in area.row..<area.endRow where place < end {
        let isSelected = place.block == selected
        if isSelected, cursorRow == nil { cursorRow = row }
        let line = Rect(column: inner.column, row: row, columns: inner.columns, rows: 1)
        draw(
          shownPage.text.line(at: place), in: line, isSelected: isSelected && isFocused, on: &grid)
        place = shownPage.text.place(1, after: place)
      }
    }
    if isFocused, items.indices.contains(selected) {
      let row = cursorRow ?? (shownPage.text.start(of: selected) < top ? area.row : area.endRow - 1)
      grid.cursor = Point(column: area.column + 1, row: row)
    }
    if isLonger { drawScrollbar(in: bar, rows: area.rows, on: &grid) }
  }

  private func drawScrollbar(in bar: Rect, rows: Int, on grid: inout Grid) {
    let total = shownPage.text.rows(before: shownPage.text.end)
    let first = top == lastTop(rows: rows) ? total - rows : shownPage.text.rows(before: top)
    Scrollbar.draw(in: bar, first: first, visible: rows, total: max(total, rows + 1), on: &grid)
  }

  private func draw(_ line: StyledText, in area: Rect, isSelected: Bool, on grid: inout Grid) {
    if isSelected { grid.fill(area, Style(.text, on: .selection)) }
    grid.put(isSelected ? line.on(.selection) : line, in: area.inset(columns: 1))
  }

  private func keepSelectedVisible(rows: Int) {
    top = shownPage.text.nearest(top)
    let last = lastTop(rows: rows)
    if wantsSelected, items.indices.contains(selected) {
      wantsSelected = false
      let start = shownPage.text.start(of: selected)
      let end = min(
        shownPage.text.start(of: selected + 1), shownPage.text.place(rows, after: start))
      if start < top { top = start }
      if end > shownPage.text.place(rows, after: top) {
        top = shownPage.text.place(rows, before: end)
      }
      // What follows the last field that can be stopped at is seen with it.
      let isLast = !items.indices.contains { $0 > selected && canStop($0) }
      if isLast, last <= start { top = max(top, last) }
    }
    top = min(top, last)
  }
}
