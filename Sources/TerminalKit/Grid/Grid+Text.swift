// Text and lines into the grid. Everything cut at the clip.

/// Where text stands in the room it is given.
package enum Alignment: Sendable {
  case leading, centre, trailing
}

extension Grid {
  /// Puts text on one line, from `point`, at most `limit` columns; returns the column after it.
  ///
  /// Text that is longer ends in `…`.
  @discardableResult
  package mutating func put(
    _ text: String, at point: Point, limit: Int = .max, _ style: Style = .text
  ) -> Int {
    let room = min(limit, max(0, columns - point.column))
    guard room > 0 else { return point.column }
    if let end = putASCII(text, at: point, room: room, style) { return end }
    var column = point.column
    let shown = TextWidth.truncate(text, to: room)
    DisplayText.glyphs(of: shown) { glyph in
      // Marks that stand for something hidden are dim, to be told from a real dot.
      let isHidden = glyph.base == DisplayText.hiddenMark
      let glyphStyle = isHidden ? style.with(.dim) : style
      column = put(glyph, at: Point(column: column, row: point.row), glyphStyle)
    }
    return column
  }

  /// The common case without any string work; nil when the text is not plain or too long.
  private mutating func putASCII(
    _ text: String, at point: Point, room: Int, _ style: Style
  ) -> Int? {
    var text = text
    guard text.utf8.count <= room else { return nil }
    return text.withUTF8 { bytes in
      guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return nil }
      for (offset, byte) in bytes.enumerated() {
        put(
          Glyph(base: UInt32(byte)),
          at: Point(column: point.column + offset, row: point.row), style)
      }
      return point.column + bytes.count
    }
  }

  /// Puts text into the first row of an area, aligned, shortened with `…` if need be.
  package mutating func put(
    _ text: String, in area: Rect, _ style: Style = .text, align: Alignment = .leading
  ) {
    guard !area.isEmpty else { return }
    var column = area.column
    if align != .leading {
      let spare = max(0, area.columns - TextWidth.columns(text))
      column += align == .trailing ? spare : spare / 2
    }
    clipped(to: area) { grid in
      grid.put(
        text, at: Point(column: column, row: area.row), limit: area.endColumn - column, style)
    }
  }

  /// Puts styled text from `point`, at most `limit` columns; returns the column after it.
  @discardableResult
  package mutating func put(_ text: StyledText, at point: Point, limit: Int = .max) -> Int {
    var column = point.column
    for run in text.runs {
      let left = limit == .max ? .max : limit - (column - point.column)
      guard left > 0 else { break }
      column = put(
        run.text, at: Point(column: column, row: point.row), limit: left, run.style)
    }
    return column
  }

  package mutating func put(
    _ text: StyledText, in area: Rect, align: Alignment = .leading
  ) {
    guard !area.isEmpty else { return }
    let spare = max(0, area.columns - text.columns)
    let shift = align == .leading ? 0 : align == .trailing ? spare : spare / 2
    put(
      text, at: Point(column: area.column + shift, row: area.row), limit: area.columns - shift)
  }

  /// A line along a row.
  package mutating func horizontalLine(_ area: Rect, _ style: Style = .border) {
    fill(area.line(0), style, with: "─")
  }

  /// A line down a column.
  package mutating func verticalLine(_ area: Rect, _ style: Style = .border) {
    fill(Rect(column: area.column, row: area.row, columns: 1, rows: area.rows), style, with: "│")
  }

  /// A frame with a title in its upper edge; returns the area inside.
  @discardableResult
  package mutating func frame(
    _ area: Rect, title: String = "", _ style: Style = .border, titleStyle: Style? = nil
  ) -> Rect {
    guard area.columns >= 2, area.rows >= 2 else { return area.inset(columns: 1, rows: 1) }
    horizontalLine(area.line(0), style)
    horizontalLine(area.line(area.rows - 1), style)
    let side = Rect(column: area.column, row: area.row + 1, columns: 1, rows: area.rows - 2)
    verticalLine(side, style)
    verticalLine(
      Rect(column: area.endColumn - 1, row: side.row, columns: 1, rows: side.rows), style)
    let corners: [(UInt32, Int, Int)] = [
      (0x250C, area.column, area.row), (0x2510, area.endColumn - 1, area.row),
      (0x2514, area.column, area.endRow - 1), (0x2518, area.endColumn - 1, area.endRow - 1),
    ]
    for (base, column, row) in corners {
      put(Glyph(base: base), at: Point(column: column, row: row), style)
    }
    if !title.isEmpty, area.columns > 6 {
      let shown = " " + TextWidth.truncate(title, to: area.columns - 6) + " "
      put(
        shown, at: Point(column: area.column + 2, row: area.row), limit: area.columns - 4,
        titleStyle ?? Style(.title, on: style.surface))
    }
    return area.inset(columns: 1, rows: 1)
  }
}
