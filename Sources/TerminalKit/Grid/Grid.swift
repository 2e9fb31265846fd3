// The picture of a screen: rows of cells, and where the real cursor stands. A value;
// widgets draw into it, a driver shows it, a test reads it. It holds no raw text: whatever is put
// in goes through the display transform.

/// A screenful of cells.
///
/// Coordinates are always the grid's own; drawing is cut at ``clip``. A wide glyph that is cut in
/// half, by the clip or by something drawn over it, leaves a blank.
package struct Grid: Equatable, Sendable {
  package let columns: Int
  package let rows: Int
  private(set) var cells: [Cell]
  /// Where drawing has an effect.
  package private(set) var clip: Rect
  /// Where the real cursor stands: the selected row or the focused field, also while it is hidden.
  package var cursor: Point?
  /// Whether the cursor is drawn by the terminal.
  ///
  /// True only in text inputs.
  package var isCursorVisible = false

  package init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    cells = Array(repeating: Cell(), count: self.columns * self.rows)
    clip = Rect(column: 0, row: 0, columns: columns, rows: rows)
  }

  package var size: Size { Size(columns: columns, rows: rows) }
  package var bounds: Rect { Rect(size) }

  package subscript(row row: Int, column column: Int) -> Cell {
    cells[row * columns + column]
  }

  /// The cells of one row, for a driver.
  package func withCells<Result>(
    ofRow row: Int, _ body: (UnsafeBufferPointer<Cell>) -> Result
  ) -> Result {
    cells.withUnsafeBufferPointer { all in
      body(UnsafeBufferPointer(rebasing: all[row * columns..<(row + 1) * columns]))
    }
  }

  /// Draws with the clip narrowed to `area`.
  package mutating func clipped(to area: Rect, _ body: (inout Grid) -> Void) {
    let before = clip
    clip = clip.intersection(area)
    if !clip.isEmpty { body(&self) }
    clip = before
  }

  /// Everything blank again, the clip whole, no cursor.
  package mutating func reset() {
    cells.withUnsafeMutableBufferPointer { $0.update(repeating: Cell()) }
    clip = bounds
    cursor = nil
    isCursorVisible = false
  }

  // MARK: Drawing

  /// Puts one glyph down; returns the column after it.
  ///
  /// Outside the clip nothing is drawn.
  @discardableResult
  package mutating func put(_ glyph: Glyph, at point: Point, _ style: Style) -> Int {
    let end = point.column + glyph.columns
    guard point.row >= clip.row, point.row < clip.endRow, end > clip.column,
      point.column < clip.endColumn
    else { return end }
    guard glyph.columns == 2 else {
      set(Cell(glyph, style), point.row, point.column)
      return end
    }
    let isCut = point.column < clip.column || end > clip.endColumn
    if isCut {
      for column in max(point.column, clip.column)..<min(end, clip.endColumn) {
        set(Cell(style: style), point.row, column)
      }
    } else {
      set(Cell(glyph, style), point.row, point.column)
      set(.rightHalf(style), point.row, point.column + 1, keepsLeft: true)
    }
    return end
  }

  /// Stores a cell, and blanks the other half of a wide glyph that it cuts.
  private mutating func set(_ cell: Cell, _ row: Int, _ column: Int, keepsLeft: Bool = false) {
    let index = row * columns + column
    let old = cells[index].columns
    if old == 0, !keepsLeft, column > 0 { cells[index - 1] = Cell(style: cells[index - 1].style) }
    if old == 2, column + 1 < columns, cells[index + 1].columns == 0 {
      cells[index + 1] = Cell(style: cells[index + 1].style)
    }
    cells[index] = cell
  }

  /// Fills an area with one narrow character.
  package mutating func fill(_ area: Rect, _ style: Style, with scalar: Unicode.Scalar = " ") {
    let part = area.intersection(clip)
    guard !part.isEmpty else { return }
    var cell = Cell(style: style)
    cell.base = scalar.value
    for row in part.row..<part.endRow {
      // Only the edges can cut a wide glyph in half.
      set(cell, row, part.column)
      set(cell, row, part.endColumn - 1)
      guard part.columns > 2 else { continue }
      let start = row * columns + part.column + 1
      for index in start..<start + part.columns - 2 { cells[index] = cell }
    }
  }

  // MARK: Reading, for tests and for copying

  /// One row as text, without blanks at its end.
  package func text(row: Int) -> String {
    var text = ""
    for column in 0..<columns { self[row: row, column: column].append(to: &text) }
    while text.last == " " { text.removeLast() }
    return text
  }

  /// The whole picture as text, a line a row.
  package var text: String {
    (0..<rows).map { text(row: $0) }.joined(separator: "\n")
  }
}
