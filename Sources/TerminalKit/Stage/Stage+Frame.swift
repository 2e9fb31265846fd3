// How one frame is put together: breadcrumb, the layers, status line, key bar. UI actor.

package import UILoop

extension Stage {
  func drawLayers(on grid: inout Grid) {
    let need = sizeMin
    barAreas = []
    guard grid.columns >= need.columns, grid.rows >= need.rows else {
      let sentence = phrases.tooSmall(need, grid.size)
      grid.put(sentence, in: grid.bounds.line(0), .text)
      grid.cursor = Point(column: 0, row: 0)
      return
    }
    var area = grid.bounds
    // A low screen gives its rows to the content.
    if grid.rows >= 8 { drawBreadcrumb(in: area.takeRows(1), on: &grid) }
    let bar = area.takeRows(-1)
    let lines = messageLines(in: grid.size)
    let status = area.takeRows(-max(1, lines.count))
    let first = layers.lastIndex { !$0.isOverlay } ?? 0
    for layer in layers[first...] {
      grid.cursor = nil
      grid.isCursorVisible = false
      grid.clipped(to: area) { layer.draw(in: area, on: &$0) }
    }
    if lines.count > 1 {
      drawMessage(lines, in: status, on: &grid)
    } else {
      drawStatus(in: status, on: &grid)
    }
    drawKeyBar(in: bar, on: &grid)
    if !prefix.isEmpty { drawContinuations(above: status.row, on: &grid) }
    // A reader of the screen must find something: at worst the content's first line.
    if grid.cursor == nil { grid.cursor = area.origin }
  }

  private func drawBreadcrumb(in area: Rect, on grid: inout Grid) {
    grid.fill(area, Style(.title, on: .bar))
    let titles = layers.map(\.title).filter { !$0.isEmpty }
    Breadcrumb.draw(titles, in: area.inset(columns: 1), on: &grid)
  }

  /// A message that is too long for the status line, in lines that hold all of it.
  ///
  /// On a screen of a few rows half of them at most: the rest is found among the last messages.
  private func messageLines(in size: Size) -> [StyledText] {
    guard let message, message.columns > size.columns - 2 else { return [] }
    let wrapped = message.wrapped(columns: max(1, size.columns - 2))
    return Array(wrapped.prefix(max(1, size.rows / 2)))
  }

  private func drawMessage(_ lines: [StyledText], in area: Rect, on grid: inout Grid) {
    grid.fill(area, Style(.text, on: .bar))
    for (offset, line) in lines.enumerated() {
      grid.put(line.on(.bar), in: area.line(offset).inset(columns: 1))
    }
  }

  private func drawStatus(in area: Rect, on grid: inout Grid) {
    grid.fill(area, Style(.text, on: .bar))
    var room = area.inset(columns: 1)
    let pulse = pulse().on(.bar)
    let width = min(pulse.columns, room.columns)
    // An error is worth more than the pulse where both don't fit.
    let left = (message ?? top?.statusLine ?? StyledText()).on(.bar)
    if message == nil || left.columns + width < room.columns {
      grid.put(pulse, in: room.takeColumns(-width))
      _ = room.takeColumns(-1)
    }
    grid.put(left, in: room)
  }

  private func drawKeyBar(in area: Rect, on grid: inout Grid) {
    grid.fill(area, .text)
    let shown = availableCommands.filter { $0.prominence > 0 }
    let ordered = shown.enumerated().sorted {
      ($1.element.prominence, $0.offset) < ($0.element.prominence, $1.offset)
    }.map(\.element)
    var column = area.column
    for command in ordered {
      let key = keyMap.label(of: command, whileTyping: top?.takesLetters == true)
      guard !key.isEmpty else { continue }
      let width = TextWidth.columns(key) + 1 + TextWidth.columns(command.title)
      guard column + width + 1 <= area.endColumn else { continue }
      let isOff = command.whyNot() != nil
      let start = column + 1
      var end = grid.put(
        key, at: Point(column: start, row: area.row), Style(isOff ? .dim : .key))
      end = grid.put(
        command.title, at: Point(column: end + 1, row: area.row), Style(isOff ? .dim : .text))
      barAreas.append(
        (Rect(column: start, row: area.row, columns: width, rows: 1), command))
      column = end + 1
    }
  }

  /// What can follow the keys typed so far.
  private func drawContinuations(above row: Int, on grid: inout Grid) {
    guard
      case .prefix(let longer) = keyMap.match(prefix, among: availableCommands)
    else { return }
    let lines = longer.map { entry in
      (entry.rest.map(\.description).joined(separator: " "), entry.command.title)
    }
    let keyWidth = lines.map { TextWidth.columns($0.0) }.max() ?? 0
    let width = keyWidth + 2 + (lines.map { TextWidth.columns($0.1) }.max() ?? 0) + 4
    let typed = prefix.map(\.description).joined(separator: " ")
    let title = phrases.keysAfter(typed)
    let columns = min(grid.columns, max(width, TextWidth.columns(title) + 6))
    let rows = min(row, lines.count + 2)
    let area = Rect(column: grid.columns - columns, row: row - rows, columns: columns, rows: rows)
    grid.fill(area, Style(.text, on: .dialog))
    let inner = grid.frame(area, title: title, Style(.activeBorder, on: .dialog))
    for (index, line) in lines.enumerated() where index < inner.rows {
      var at = inner.line(index).inset(columns: 1)
      grid.put(line.0, in: at.takeColumns(keyWidth), Style(.key, on: .dialog))
      _ = at.takeColumns(2)
      grid.put(line.1, in: at, Style(.text, on: .dialog))
    }
  }
}

/// Where a person is: titles from the outermost in; the outer ones give way.
@UI
package enum Breadcrumb {
  package static func draw(_ titles: [String], in area: Rect, on grid: inout Grid) {
    guard let last = titles.last else { return }
    var parents = Array(titles.dropLast())
    var isCut = false
    func path() -> StyledText {
      var text = StyledText()
      if isCut { text.append("… › ", Style(.dim, on: .bar)) }
      for parent in parents { text.append(parent + " › ", Style(.dim, on: .bar)) }
      text.append(last, Style(.title, on: .bar))
      return text
    }
    while path().columns > area.columns, !parents.isEmpty {
      parents.removeFirst()
      isCut = true
    }
    grid.put(path(), in: area)
  }
}
