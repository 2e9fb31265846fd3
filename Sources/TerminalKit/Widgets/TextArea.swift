// Many lines of text to be entered, wrapped to the width. UI actor.

package import UILoop

/// A text input of several lines.
@UI
package final class TextArea: Input {
  package private(set) var buffer: EditBuffer
  package var placeholder: String
  package var charactersMax: Int
  package var onChange: @UI () -> Void = {}
  /// Called with the number of characters that did not fit any more.
  package var onCut: @UI (Int) -> Void = { _ in }
  private let rowsMin: Int
  private let rowsMax: Int
  /// The hard line and the row in it that are shown first.
  private var top = (line: 0, row: 0)
  private var lastArea = Rect(column: 0, row: 0, columns: 0, rows: 0)
  /// How hard lines are broken, by line: a long one costs once, and a key in it a few rows.
  private var wraps: [Int: [Range<Int>]] = [:]
  private var wrapsColumns = 0
  private var wrapsRevision = 0
  /// The column that up and down try to keep.
  private var wishedColumn: Int?

  package init(
    _ text: String = "", placeholder: String = "", rowsMin: Int = 3, rowsMax: Int = 8,
    charactersMax: Int = 1_000_000
  ) {
    buffer = EditBuffer(text, isMultiline: true)
    self.placeholder = placeholder
    self.rowsMin = max(1, rowsMin)
    self.rowsMax = max(rowsMin, rowsMax)
    self.charactersMax = charactersMax
  }

  /// The value.
  ///
  /// Setting it forgets the undo steps.
  package var text: String {
    get { buffer.text }
    set {
      buffer = EditBuffer(newValue, isMultiline: true)
      wraps = [:]
      wrapsRevision = buffer.revision
      top = (0, 0)
    }
  }

  /// Replaces the text as if a person had: it can be undone, and counts as a change.
  package func enter(_ text: String) {
    buffer.replaceAll(with: text)
    onChange()
  }

  package func rows(columns: Int) -> Int {
    var rows = 0
    for line in buffer.lines.indices {
      rows += ranges(line, columns: max(1, columns - 1)).count
      if rows >= rowsMax { return rowsMax }
    }
    return max(rowsMin, rows)
  }

  private var count: Int { buffer.lines.reduce(buffer.lines.count - 1) { $0 + $1.count } }

  package func handle(_ event: InputEvent) -> Bool {
    switch event {
    case .key(let key): return handle(key)
    case .paste(let paste):
      let (fitting, cut) = paste.fitting(charactersMax - count)
      buffer.paste(fitting)
      onChange()
      if cut > 0 { onCut(cut) }
      return true
    case .mouse(let mouse) where lastArea.contains(mouse.point):
      return handle(mouse)
    default: return false
    }
  }

  private func handle(_ key: Key) -> Bool {
    switch key {
    case .up: return moveRows(-1)
    case .down: return moveRows(1)
    case Key(.pageUp): return moveRows(-max(1, lastArea.rows - 1))
    case Key(.pageDown): return moveRows(max(1, lastArea.rows - 1))
    case .enter:
      buffer.insert("\n")
      onChange()
      return true
    default: break
    }
    if key.typed != nil, count >= charactersMax {
      onCut(1)
      return true
    }
    let outcome = buffer.apply(key)
    if outcome != .ignored { wishedColumn = nil }
    if outcome == .changed { onChange() }
    return outcome != .ignored
  }

  private func handle(_ mouse: InputEvent.Mouse) -> Bool {
    switch mouse.kind {
    case .wheelUp: _ = moveRows(-3)
    case .wheelDown: _ = moveRows(3)
    case .press:
      let (line, row) = place(after: mouse.point.row - lastArea.row, from: top)
      buffer.move(to: position(line: line, row: row, column: mouse.point.column - lastArea.column))
    case .release, .drag: return false
    }
    return true
  }

  // MARK: Rows

  private var width: Int { max(1, lastArea.columns - 1) }

  private func ranges(_ line: Int) -> [Range<Int>] { ranges(line, columns: width) }

  private func ranges(_ line: Int, columns: Int) -> [Range<Int>] {
    if columns != wrapsColumns {
      wraps = [:]
      wrapsColumns = columns
    }
    followChange()
    if let known = wraps[line] { return known }
    let ranges = Wrapping.ranges(of: buffer.lines[line], columns: columns)
    wraps[line] = ranges
    return ranges
  }

  /// Breaks anew what the last change of the text touched.
  private func followChange() {
    guard buffer.revision != wrapsRevision else { return }
    let isNext = buffer.revision == wrapsRevision + 1
    wrapsRevision = buffer.revision
    if isNext, case .line(let line, let from, let removed, let inserted) = buffer.lastChange {
      wraps[line] = wraps[line].map { rows in
        Wrapping.ranges(
          of: buffer.lines[line], columns: wrapsColumns, since: rows,
          change: (from, removed, inserted))
      }
    } else {
      wraps = [:]
    }
  }

  /// The row of the cursor in its hard line, and its column there.
  private var cursorPlace: (row: Int, column: Int) {
    let line = buffer.lines[buffer.cursor.line]
    let ranges = ranges(buffer.cursor.line)
    let offset = buffer.cursor.offset
    let row = ranges.lastIndex { $0.lowerBound <= offset } ?? 0
    let column = line[ranges[row].lowerBound..<offset].reduce(0) { $0 + TextWidth.columns($1) }
    return (row, column)
  }

  /// Moves by rows as they are seen; false at the text's edge, so that a form can take the key.
  private func moveRows(_ rows: Int) -> Bool {
    let from = cursorPlace
    let column = wishedColumn ?? from.column
    let start = (line: buffer.cursor.line, row: from.row)
    let target = rows > 0 ? place(after: rows, from: start) : place(before: -rows, from: start)
    guard target != start else { return false }
    buffer.move(to: position(line: target.line, row: target.row, column: column))
    wishedColumn = column
    return true
  }

  private func place(after rows: Int, from start: (line: Int, row: Int)) -> (line: Int, row: Int) {
    var (line, row) = start
    for _ in 0..<max(0, rows) {
      if row + 1 < ranges(line).count {
        row += 1
      } else if line + 1 < buffer.lines.count {
        line += 1
        row = 0
      }
    }
    return (line, row)
  }

  private func place(before rows: Int, from start: (line: Int, row: Int)) -> (line: Int, row: Int) {
    var (line, row) = start
    for _ in 0..<max(0, rows) {
      if row > 0 {
        row -= 1
      } else if line > 0 {
        line -= 1
        row = ranges(line).count - 1
      }
    }
    return (line, row)
  }

  private func position(line: Int, row: Int, column: Int) -> EditBuffer.Position {
    let rows = ranges(line)
    let range = rows[min(row, rows.count - 1)]
    var used = 0
    var offset = range.lowerBound
    // The end of a wrapped row belongs to the next one.
    let end = row + 1 < rows.count ? range.upperBound - 1 : range.upperBound
    while offset < end {
      let width = TextWidth.columns(buffer.lines[line][offset])
      if used + width > column { break }
      used += width
      offset += 1
    }
    return EditBuffer.Position(line: line, offset: offset)
  }

  // MARK: Drawing

  package func draw(in area: Rect, on grid: inout Grid, isFocused: Bool) {
    lastArea = area
    guard !area.isEmpty else { return }
    let surface: Surface = isFocused ? .focusedField : .field
    let style = Style(.text, on: surface)
    grid.fill(area, style)
    if buffer.isEmpty { grid.put(placeholder, in: area, Style(.placeholder, on: surface)) }
    let cursor = cursorPlace
    if isFocused { follow(row: cursor.row) } else { top = (0, 0) }
    var line = top.line
    var row = top.row
    var rows = ranges(line)
    for offset in 0..<area.rows {
      if row < rows.count {
        let text = buffer.lines[line].text(rows[row])
        grid.clipped(to: area) {
          $0.put(text, at: Point(column: area.column, row: area.row + offset), style)
        }
      }
      if isFocused, line == buffer.cursor.line, row == cursor.row {
        grid.cursor = Point(
          column: area.column + min(cursor.column, area.columns - 1), row: area.row + offset)
        grid.isCursorVisible = true
      }
      row += 1
      if row >= rows.count {
        guard line + 1 < buffer.lines.count else { break }
        line += 1
        row = 0
        rows = ranges(line)
      }
    }
    let isCut = line + 1 < buffer.lines.count || row < rows.count
    let corner = Point(column: area.endColumn - 1, row: area.endRow - 1)
    if isCut { grid.put("↓", at: corner, Style(.dim, on: surface)) }
    if top.line > 0 || top.row > 0 {
      grid.put("↑", at: Point(column: corner.column, row: area.row), Style(.dim, on: surface))
    }
  }

  /// Moves the view so that the cursor's row lies in it.
  private func follow(row: Int) {
    let cursor = (line: buffer.cursor.line, row: row)
    top.line = min(top.line, buffer.lines.count - 1)
    top.row = min(top.row, ranges(top.line).count - 1)
    if cursor < top {
      top = cursor
      return
    }
    let earliest = place(before: lastArea.rows - 1, from: cursor)
    if top < earliest { top = earliest }
  }
}
