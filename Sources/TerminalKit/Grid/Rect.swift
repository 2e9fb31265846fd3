// Places and areas of the screen, in cells. Pure values.

/// A cell's place; the origin is the top left corner.
package struct Point: Hashable, Sendable {
  package var column: Int
  package var row: Int

  package init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

package struct Size: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

/// An area of cells.
///
/// It may be empty; its size is never negative.
package struct Rect: Hashable, Sendable {
  package var column: Int
  package var row: Int
  package var columns: Int
  package var rows: Int

  package init(column: Int, row: Int, columns: Int, rows: Int) {
    self.column = column
    self.row = row
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  package init(_ size: Size) {
    self.init(column: 0, row: 0, columns: size.columns, rows: size.rows)
  }

  package var isEmpty: Bool { columns == 0 || rows == 0 }
  /// The first column right of it.
  package var endColumn: Int { column + columns }
  /// The first row below it.
  package var endRow: Int { row + rows }
  package var origin: Point { Point(column: column, row: row) }
  package var size: Size { Size(columns: columns, rows: rows) }

  package func contains(_ point: Point) -> Bool {
    point.column >= column && point.column < endColumn && point.row >= row && point.row < endRow
  }

  package func intersection(_ other: Rect) -> Rect {
    let left = max(column, other.column)
    let top = max(row, other.row)
    return Rect(
      column: left, row: top, columns: min(endColumn, other.endColumn) - left,
      rows: min(endRow, other.endRow) - top)
  }

  /// The same area, smaller by that much on each side.
  package func inset(columns dx: Int = 0, rows dy: Int = 0) -> Rect {
    Rect(column: column + dx, row: row + dy, columns: columns - 2 * dx, rows: rows - 2 * dy)
  }

  /// One row of it, counted from its top; empty when it has no such row.
  package func line(_ index: Int) -> Rect {
    guard index >= 0, index < rows else {
      return Rect(column: column, row: row, columns: columns, rows: 0)
    }
    return Rect(column: column, row: row + index, columns: columns, rows: 1)
  }

  /// Takes that many rows off the top (off the bottom when negative); self keeps the rest.
  package mutating func takeRows(_ count: Int) -> Rect {
    let taken = min(abs(count), rows)
    let top = count >= 0 ? row : endRow - taken
    let result = Rect(column: column, row: top, columns: columns, rows: taken)
    if count >= 0 { row += taken }
    rows -= taken
    return result
  }

  /// Takes that many columns off the left (off the right when negative); self keeps the rest.
  package mutating func takeColumns(_ count: Int) -> Rect {
    let taken = min(abs(count), columns)
    let left = count >= 0 ? column : endColumn - taken
    let result = Rect(column: left, row: row, columns: taken, rows: rows)
    if count >= 0 { column += taken }
    columns -= taken
    return result
  }

  /// An area of that size (or what fits of it) in the middle.
  package func centred(columns wanted: Int, rows wantedRows: Int) -> Rect {
    let width = min(max(0, wanted), columns)
    let height = min(max(0, wantedRows), rows)
    return Rect(
      column: column + (columns - width) / 2, row: row + (rows - height) / 2, columns: width,
      rows: height)
  }
}
