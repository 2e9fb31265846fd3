// How a list's header and rows are drawn. UI actor.

internal import UILoop

/// Widths for one drawing of a list.
@UI
struct ListFrame {
  let list: ListView
  private let widths: [Int]

  /// Blank columns between two columns of the list.
  private static let gap = 2
  /// The badge and a blank.
  private static let gutter = 2

  init(list: ListView, content: Rect) {
    self.list = list
    let shares = list.columns.map { column -> Share in
      guard let chosen = list.chosenWidths[column.id] else { return column.width }
      return .fixed(chosen, priority: column.width.priority)
    }
    widths = Share.distribute(shares, over: content.columns - Self.gutter, gap: Self.gap)
    list.shownWidths = Dictionary(
      zip(list.columns.map(\.id), widths), uniquingKeysWith: { first, _ in first })
  }

  private func cellAreas(in area: Rect) -> [Rect] {
    var at = area.column + Self.gutter
    return widths.map { width in
      defer { at += width == 0 ? 0 : width + Self.gap }
      return Rect(column: at, row: area.row, columns: width, rows: width == 0 ? 0 : 1)
        .intersection(area)
    }
  }

  func drawHeader(in area: Rect, on grid: inout Grid) {
    list.headerAreas = []
    guard !area.isEmpty else { return }
    grid.fill(area, Style(.label, .underline))
    for (column, cell) in zip(list.columns, cellAreas(in: area)) where !cell.isEmpty {
      let mark = list.sort.first { $0.column == column.id }.map { $0.isAscending ? "↑" : "↓" }
      let title = column.title + (mark ?? "")
      grid.put(title, in: cell, Style(.label, [.underline, .bold]), align: column.alignment)
      list.headerAreas.append((cell, column.id))
    }
    if list.hasMoreBefore { grid.put("‹", in: area.line(0), Style(.dim)) }
    if list.columns.count > 1, widths.contains(0) {
      var end = area
      grid.put("›", in: end.takeColumns(-1), Style(.dim))
    }
  }

  func drawRow(_ index: Int, in area: Rect, surface: Surface, on grid: inout Grid) {
    guard let row = list.source.row(index) else {
      grid.fill(area, Style(.text, on: surface))
      grid.put("…", in: area.inset(columns: Self.gutter), Style(.dim, on: surface))
      return
    }
    let onto: Surface = surface == .page && row.isMarked ? .marked : surface
    grid.fill(area, Style(.text, on: onto))
    if row.kind == .section {
      grid.put(row.cells.first?.text ?? "", in: area, Style(.heading, on: onto))
      return
    }
    var badge = area
    badge = badge.takeColumns(1)
    if let glyph = row.badge {
      grid.put(glyph.text, in: badge, Style(glyph.role, on: onto))
    } else if row.isMarked {
      grid.put("*", in: badge, Style(.accent, on: onto))
    }
    for (position, cell) in cellAreas(in: area).enumerated() where !cell.isEmpty {
      guard position < row.cells.count else { break }
      let content = row.cells[position]
      let style = Style(content.role, on: onto)
      let align = list.columns[position].alignment
      if list.highlighted.isEmpty {
        grid.put(content.text, in: cell, style, align: align)
      } else {
        let text = Highlight.mark(list.highlighted, in: content.text, style)
        grid.clipped(to: cell) { $0.put(text, in: cell, align: align) }
      }
    }
  }
}

/// Occurrences of what was searched for, made to stand out.
package enum Highlight {
  package static func mark(_ wanted: String, in text: String, _ style: Style) -> StyledText {
    var result = StyledText()
    // No screen shows more of one line.
    let letters = Array(text.prefix(1000))
    let query = wanted.lowercased().map { $0 }
    guard !query.isEmpty else { return StyledText(text, style) }
    let folded = letters.map { Character($0.lowercased().first.map(String.init) ?? String($0)) }
    var plain = ""
    var index = 0
    while index < letters.count {
      if index + query.count <= letters.count, Array(folded[index..<index + query.count]) == query {
        result.append(plain, style)
        plain = ""
        let found = Style(.match, on: style.surface, style.attributes)
        result.append(String(letters[index..<index + query.count]), found)
        index += query.count
      } else {
        plain.append(letters[index])
        index += 1
      }
    }
    result.append(plain, style)
    return result
  }
}
