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
  /// The first row of the page that is shown.
  private var top = 0
  /// Where each item begins on the page, and where the last ends.
  private var starts: [Int] = [0]
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
    guard items.indices.contains(selected), starts.count > selected + 1 else { return }
    let bottom = top + bodyArea.rows
    if direction > 0, starts[selected + 1] > bottom {
      top += 1
    } else if direction < 0, starts[selected] < top {
      top -= 1
    } else {
      move(to: selected + direction)
      return
    }
    desk.stage.invalidate()
  }

  func page(_ direction: Int) {
    let rows = max(1, bodyArea.rows - 1)
    top = min(max(0, top + direction * rows), max(0, (starts.last ?? 0) - bodyArea.rows))
    let visible = items.indices.filter { canStop($0) && starts[$0] >= top }
    if let first = visible.first { selected = first }
    desk.stage.invalidate()
  }

  func handle(_ event: InputEvent) -> Bool {
    guard case .mouse(let mouse) = event, bodyArea.contains(mouse.point) else { return false }
    switch mouse.kind {
    case .wheelDown: scroll(3)
    case .wheelUp: scroll(-3)
    case .press:
      let row = top + mouse.point.row - bodyArea.row
      if let index = items.indices.last(where: { starts[$0] <= row }), canStop(index) {
        selected = index
      }
    case .release, .drag: return false
    }
    return true
  }

  private func scroll(_ rows: Int) {
    top = min(max(0, top + rows), max(0, (starts.last ?? 0) - bodyArea.rows))
    desk.stage.invalidate()
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
    let page = RecordPage(
      items: items, labelColumns: labelColumns, columns: max(8, area.columns - 2))
    starts = page.starts
    keepSelectedVisible(rows: area.rows)
    var inner = area
    let bar = page.rows > area.rows ? inner.takeColumns(-1) : area.line(-1)
    grid.clipped(to: inner) { grid in
      for (index, block) in page.blocks.enumerated() {
        let row = area.row + starts[index] - top
        guard row < area.endRow, row + block.count > area.row else { continue }
        draw(
          block, at: Point(column: inner.column, row: row), columns: inner.columns,
          isSelected: index == selected && isFocused, on: &grid)
      }
    }
    if isFocused, items.indices.contains(selected) {
      let row = min(max(area.row, area.row + starts[selected] - top), area.endRow - 1)
      grid.cursor = Point(column: area.column + 1, row: row)
    }
    Scrollbar.draw(in: bar, first: top, visible: area.rows, total: page.rows, on: &grid)
  }

  private func draw(
    _ block: [StyledText], at point: Point, columns: Int, isSelected: Bool, on grid: inout Grid
  ) {
    for (offset, line) in block.enumerated() {
      let area = Rect(column: point.column, row: point.row + offset, columns: columns, rows: 1)
      guard area.row >= bodyArea.row, area.row < bodyArea.endRow else { continue }
      if isSelected { grid.fill(area, Style(.text, on: .selection)) }
      let text = isSelected ? line.on(.selection) : line
      grid.put(text, in: area.inset(columns: 1))
    }
  }

  private func keepSelectedVisible(rows: Int) {
    let total = starts.last ?? 0
    if wantsSelected, starts.count > selected + 1 {
      wantsSelected = false
      let start = selected == 0 ? 0 : starts[selected]
      let end = min(starts[selected + 1], start + rows)
      if start < top { top = start }
      if end > top + rows { top = end - rows }
      // What follows the last field that can be stopped at is seen with it.
      let isLast = !items.indices.contains { $0 > selected && canStop($0) }
      if isLast, total - rows <= start { top = max(top, total - rows) }
    }
    top = min(max(0, top), max(0, total - rows))
  }
}
