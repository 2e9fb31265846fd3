// Text to be read: wrapped, scrolled. UI actor.

package import UILoop

/// Lines of styled text, wrapped to the width.
@UI
package final class TextViewer: Widget {
  /// The hard lines.
  package var lines: [StyledText] { didSet { wrapped = nil } }
  package private(set) var top = 0
  private var wrapped: (columns: Int, lines: [StyledText])?
  private var area = Rect(column: 0, row: 0, columns: 0, rows: 0)

  package init(_ lines: [StyledText] = []) {
    self.lines = lines
  }

  package convenience init(text: String) {
    self.init(
      text.split(separator: "\n", omittingEmptySubsequences: false).map { StyledText(String($0)) })
  }

  package func scroll(by rows: Int) {
    top = max(0, top + rows)
  }

  package func scrollToStart() { top = 0 }

  package var commands: [Command] {
    func scrolling(
      _ id: String, _ title: String, _ keys: [String], _ move: @escaping @UI (TextViewer) -> Void
    ) -> Command {
      Command("text." + id, title, keys: keys, isPlumbing: true) { [weak self] in
        if let self { move(self) }
      }
    }
    return [
      scrolling("down", "Down", ["Down", "j"]) { $0.scroll(by: 1) },
      scrolling("up", "Up", ["Up", "k"]) { $0.scroll(by: -1) },
      scrolling("pageDown", "Page down", ["PgDn", "Space", "C-f"]) {
        $0.scroll(by: max(1, $0.area.rows - 1))
      },
      scrolling("pageUp", "Page up", ["PgUp", "C-b"]) { $0.scroll(by: -max(1, $0.area.rows - 1)) },
      scrolling("first", "First", ["Home", "g g"]) { $0.scrollToStart() },
      scrolling("last", "Last", ["End", "G"]) { $0.top = .max / 2 },
    ]
  }

  package func handle(_ event: InputEvent) -> Bool {
    guard case .mouse(let mouse) = event, area.contains(mouse.point) else { return false }
    switch mouse.kind {
    case .wheelUp: scroll(by: -3)
    case .wheelDown: scroll(by: 3)
    default: return false
    }
    return true
  }

  package func draw(in area: Rect, on grid: inout Grid, isFocused: Bool) {
    self.area = area
    guard !area.isEmpty else { return }
    let shown = wrappedLines(columns: max(1, area.columns - 1))
    top = min(top, max(0, shown.count - area.rows))
    for (offset, line) in shown.dropFirst(top).prefix(area.rows).enumerated() {
      grid.put(line, in: area.line(offset))
    }
    let bar = Rect(column: area.endColumn - 1, row: area.row, columns: 1, rows: area.rows)
    Scrollbar.draw(in: bar, first: top, visible: area.rows, total: shown.count, on: &grid)
    if isFocused { grid.cursor = area.origin }
  }

  private func wrappedLines(columns: Int) -> [StyledText] {
    if let wrapped, wrapped.columns == columns { return wrapped.lines }
    let result = lines.flatMap { $0.wrapped(columns: columns) }
    wrapped = (columns, result)
    return result
  }
}

extension StyledText {
  /// The text in lines that fit, each piece in its style.
  package func wrapped(columns: Int) -> [StyledText] {
    let characters = runs.flatMap { run in run.text.map { (character: $0, style: run.style) } }
    return Wrapping.shownRanges(of: characters.map(\.character), columns: columns).map { range in
      var line = StyledText()
      var text = ""
      var style = Style.text
      for piece in characters[range] {
        if piece.style != style {
          line.append(text, style)
          text = ""
          style = piece.style
        }
        text.append(piece.character)
      }
      line.append(text, style)
      return line
    }
  }
}
