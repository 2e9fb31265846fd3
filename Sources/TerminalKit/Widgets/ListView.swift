// The list: columns, a selection, a scrollbar, any number of rows of which it asks only for
// those it shows. UI actor.

package import UILoop

/// A table of rows with one selected.
@UI
package final class ListView: Widget {
  package struct Sort: Hashable, Sendable {
    package var column: String
    package var isAscending: Bool

    package init(column: String, isAscending: Bool) {
      self.column = column
      self.isAscending = isAscending
    }
  }

  package var columns: [ListColumn]
  package var source: any ListSource
  /// The columns that the list is sorted by, for the marks in the header.
  package var sort: [Sort] = []
  package var showsHeader: Bool
  /// What an empty list says.
  package var emptyText = ""
  /// Letters to mark in the cells, as typed into a search.
  package var highlighted = ""
  /// Widths that a person chose, by column.
  package var chosenWidths: [String: Int] = [:]
  /// Columns lie to the left of the first one: the header says so.
  package var hasMoreBefore = false
  package private(set) var selection = 0
  package private(set) var top = 0
  package var onSelect: @UI (Int) -> Void = { _ in }
  /// Enter, or a second click.
  package var onOpen: @UI (Int) -> Void = { _ in }
  /// A click on a column's title.
  package var onHeader: @UI (String) -> Void = { _ in }

  /// Widths of the last drawing, 0 for a column that had no room.
  package internal(set) var shownWidths: [String: Int] = [:]
  var headerAreas: [(area: Rect, column: String)] = []
  var bodyArea = Rect(column: 0, row: 0, columns: 0, rows: 0)

  package init(
    columns: [ListColumn], source: any ListSource = ListRows(), showsHeader: Bool = true
  ) {
    self.columns = columns
    self.source = source
    self.showsHeader = showsHeader
  }

  /// The selected row's number, nil in an empty list.
  package var selected: Int? { source.count == 0 ? nil : min(selection, source.count - 1) }

  /// Makes a column wider (narrower when negative) than it was drawn, for good.
  package func widen(_ column: String, by columns: Int) {
    guard let width = shownWidths[column], width > 0 else { return }
    chosenWidths[column] = min(max(2, width + columns), 400)
  }

  /// How wide a column is on the screen now; nil where it has no room.
  package func columnsShown(of column: String) -> Int? {
    shownWidths[column]
  }

  // MARK: Moving

  /// Selects a row (the nearest that exists, never a heading) and tells ``onSelect``.
  package func select(_ index: Int) {
    let old = selected
    place(index)
    if selected != old, let selected { onSelect(selected) }
  }

  /// Selects a row without telling: the program moved it, because rows came or went.
  package func place(_ index: Int) {
    let wanted = min(max(0, index), max(0, source.count - 1))
    selection = skipSections(from: wanted, step: wanted < selection ? -1 : 1)
  }

  /// Rows were put in or taken out before the view: what is shown stays where it is.
  package func shift(by rows: Int) {
    top = max(0, top + rows)
    place(selection + rows)
  }

  package func scroll(by rows: Int) {
    let visible = max(1, bodyArea.rows)
    top = min(max(0, top + rows), max(0, source.count - visible))
    select(min(max(selection, top), top + visible - 1))
  }

  private func skipSections(from index: Int, step: Int) -> Int {
    func isSection(_ index: Int) -> Bool { (source.row(index)?.kind ?? .entry) != .entry }
    var at = index
    while at >= 0, at < source.count, isSection(at) { at += step }
    if at >= 0, at < source.count { return at }
    at = index
    while at >= 0, at < source.count, isSection(at) { at -= step }
    return min(max(0, at), max(0, source.count - 1))
  }

  /// A page leaves one row of context.
  private var page: Int { max(1, bodyArea.rows - 1) }

  package var commands: [Command] {
    func moving(
      _ id: String, _ title: String, _ keys: [String], _ move: @escaping @UI (ListView) -> Void
    ) -> Command {
      Command("list." + id, title, keys: keys, isPlumbing: true) { [weak self] in
        if let self { move(self) }
      }
    }
    return [
      moving("down", "Down", ["Down", "j"]) { $0.select($0.selection + 1) },
      moving("up", "Up", ["Up", "k"]) { $0.select($0.selection - 1) },
      moving("pageDown", "Page down", ["PgDn", "C-f"]) { $0.select($0.selection + $0.page) },
      moving("pageUp", "Page up", ["PgUp", "C-b"]) { $0.select($0.selection - $0.page) },
      moving("halfDown", "Half a page down", ["C-d"]) { $0.select($0.selection + $0.page / 2) },
      moving("halfUp", "Half a page up", ["C-u"]) { $0.select($0.selection - $0.page / 2) },
      moving("first", "First", ["Home", "g g"]) { $0.select(0) },
      moving("last", "Last", ["End", "G"]) { $0.select($0.source.count - 1) },
      moving("open", "Open", ["Enter"]) { list in
        if let selected = list.selected { list.onOpen(selected) }
      },
    ]
  }

  package func handle(_ event: InputEvent) -> Bool {
    guard case .mouse(let mouse) = event else { return false }
    if mouse.kind == .press, let hit = headerAreas.first(where: { $0.area.contains(mouse.point) }) {
      onHeader(hit.column)
      return true
    }
    guard bodyArea.contains(mouse.point) else { return false }
    switch mouse.kind {
    case .wheelUp: scroll(by: -3)
    case .wheelDown: scroll(by: 3)
    case .press:
      var index = top + mouse.point.row - bodyArea.row
      guard index < source.count else { return true }
      while index > 0, source.row(index)?.kind == .more { index -= 1 }
      if index == selection { onOpen(index) } else { select(index) }
    case .release, .drag: return false
    }
    return true
  }

  // MARK: Drawing

  package func draw(in area: Rect, on grid: inout Grid, isFocused: Bool) {
    var body = area
    let header = showsHeader && area.rows > 2 ? body.takeRows(1) : area.line(-1)
    bodyArea = body
    keepSelectionVisible()
    let bar =
      source.count > body.rows ? body.takeColumns(-1) : Rect(column: 0, row: 0, columns: 0, rows: 0)
    let frame = ListFrame(list: self, content: body)
    frame.drawHeader(in: header, on: &grid)
    if source.count == 0 {
      let room = body.inset(columns: 1)
      let lines = Wrapping.lines(of: emptyText, columns: max(1, room.columns))
      for (offset, line) in lines.prefix(room.rows).enumerated() {
        grid.put(line, in: room.line(offset), .dim)
      }
    }
    for offset in 0..<body.rows where top + offset < source.count {
      let index = top + offset
      let isSelected = selectedRows.contains(index)
      let surface: Surface = isSelected ? (isFocused ? .selection : .idleSelection) : .page
      frame.drawRow(index, in: body.line(offset), surface: surface, on: &grid)
      if index == selection, isFocused {
        grid.cursor = Point(column: body.column, row: body.row + offset)
      }
    }
    Scrollbar.draw(in: bar, first: top, visible: body.rows, total: source.count, on: &grid)
    if source.count == 0, isFocused { grid.cursor = body.origin }
  }

  /// The selected row with the rows that hold the rest of it.
  private var selectedRows: ClosedRange<Int> {
    var last = selection
    while last + 1 < source.count, source.row(last + 1)?.kind == .more { last += 1 }
    return selection...last
  }

  private func keepSelectionVisible() {
    let visible = max(1, bodyArea.rows)
    selection = min(max(0, selection), max(0, source.count - 1))
    if selection < top { top = selection }
    let last = min(selectedRows.upperBound, selection + visible - 1)
    if last >= top + visible { top = last - visible + 1 }
    top = min(top, max(0, source.count - visible))
    // The heading of the first section should be seen with its first row.
    if top > 0, top == selection, source.row(top - 1)?.kind == .section { top -= 1 }
  }
}

/// A scrollbar one column wide.
@UI
package enum Scrollbar {
  package static func draw(
    in area: Rect, first: Int, visible: Int, total: Int, on grid: inout Grid
  ) {
    guard !area.isEmpty, total > visible, visible > 0 else { return }
    let length = max(1, area.rows * visible / total)
    let room = area.rows - length
    let last = max(1, total - visible)
    let start = min(room, (first * room + last / 2) / last)
    grid.fill(area, Style(.border), with: "│")
    let thumb = Rect(column: area.column, row: area.row + start, columns: 1, rows: length)
    grid.fill(thumb, Style(.border), with: "█")
  }
}
