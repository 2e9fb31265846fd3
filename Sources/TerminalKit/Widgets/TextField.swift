// One line of text to be entered. UI actor.

package import UILoop

/// A text input of one line, with a cursor that moves by grapheme clusters and a view that follows it.
@UI
package final class TextField: Input {
  package private(set) var buffer: EditBuffer
  /// Shown while there is no text.
  package var placeholder: String
  /// Each character is shown as this one, for secrets.
  package var mask: Character?
  /// More typed text is refused.
  package var charactersMax: Int
  package var onChange: @UI () -> Void = {}
  /// Called with the number of characters that did not fit any more.
  package var onCut: @UI (Int) -> Void = { _ in }
  /// The first grapheme cluster that is shown.
  private var first = 0
  private var lastArea = Rect(column: 0, row: 0, columns: 0, rows: 0)

  package init(
    _ text: String = "", placeholder: String = "", mask: Character? = nil,
    charactersMax: Int = 1_000_000
  ) {
    buffer = EditBuffer(text)
    self.placeholder = placeholder
    self.mask = mask
    self.charactersMax = charactersMax
  }

  /// The value.
  ///
  /// Setting it puts the cursor at its end and forgets the undo steps.
  package var text: String {
    get { buffer.text }
    set {
      buffer = EditBuffer(newValue)
      first = 0
    }
  }

  /// Replaces the text as if a person had: it can be undone, and counts as a change.
  package func enter(_ text: String) {
    buffer.replaceAll(with: text)
    onChange()
  }

  package func handle(_ event: InputEvent) -> Bool {
    switch event {
    case .key(let key):
      if key.typed != nil, buffer.lines[0].count >= charactersMax {
        onCut(1)
        return true
      }
      switch buffer.apply(key) {
      case .ignored: return false
      case .moved: return true
      case .changed:
        onChange()
        return true
      }
    case .paste(let paste):
      let (fitting, cut) = paste.fitting(charactersMax - buffer.lines[0].count)
      buffer.paste(fitting)
      onChange()
      if cut > 0 { onCut(cut) }
      return true
    case .mouse(let mouse) where mouse.kind == .press && lastArea.contains(mouse.point):
      buffer.move(to: position(at: mouse.point.column))
      return true
    default:
      return false
    }
  }

  private func position(at column: Int) -> EditBuffer.Position {
    var at = lastArea.column
    var offset = first
    let line = buffer.lines[0]
    while offset < line.count {
      let width = columns(of: line[offset])
      if at + width > column { break }
      at += width
      offset += 1
    }
    return EditBuffer.Position(line: 0, offset: offset)
  }

  private func columns(of character: Character) -> Int {
    TextWidth.columns(mask ?? character)
  }

  package func draw(in area: Rect, on grid: inout Grid, isFocused: Bool) {
    let area = area.line(0)
    lastArea = area
    guard !area.isEmpty else { return }
    let surface: Surface = isFocused ? .focusedField : .field
    grid.fill(area, Style(.text, on: surface))
    if buffer.isEmpty, !isFocused || !placeholder.isEmpty {
      grid.put(placeholder, in: area, Style(.placeholder, on: surface))
    }
    let line = buffer.lines[0]
    scroll(to: buffer.cursor.offset, in: line, columns: area.columns, isFocused: isFocused)
    var column = area.column
    var offset = first
    grid.clipped(to: area) { grid in
      while offset < line.count, column < area.endColumn {
        if isFocused, offset == buffer.cursor.offset {
          grid.cursor = Point(column: column, row: area.row)
        }
        let shown = mask ?? line[offset]
        column = grid.put(
          String(shown), at: Point(column: column, row: area.row), Style(.text, on: surface))
        offset += 1
      }
    }
    if isFocused {
      if offset == buffer.cursor.offset {
        grid.cursor = Point(column: min(column, area.endColumn - 1), row: area.row)
      }
      grid.isCursorVisible = true
    }
    if first > 0 { grid.put("‹", at: area.origin, Style(.dim, on: surface)) }
    if offset < line.count || column > area.endColumn {
      let last = Point(column: area.endColumn - 1, row: area.row)
      if grid.cursor != last { grid.put("›", at: last, Style(.dim, on: surface)) }
    }
  }

  /// Moves the view so that the cursor, and the column of a cursor at the end, lie in it.
  private func scroll(to offset: Int, in line: EditLine, columns: Int, isFocused: Bool) {
    guard isFocused else {
      first = 0
      return
    }
    first = min(first, line.count)
    // One cluster of context before the cursor, under the mark that says there is more.
    if offset <= first { first = max(0, offset - 1) }
    // From the cursor backwards: a pasted megabyte lies before it.
    var used = 1
    var start = offset
    while start > first {
      let width = self.columns(of: line[start - 1])
      if used + width > columns { break }
      used += width
      start -= 1
    }
    first = start
  }
}
