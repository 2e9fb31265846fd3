// One cell of the screen. Plain bytes: grids are compared and cleared as blocks of memory.

/// A glyph in a style; the right half of a wide glyph is a cell of its own.
package struct Cell: Hashable, Sendable {
  package var marks: SIMD4<UInt32> = .zero
  package var base: UInt32 = 0x20
  package var style: Style = .text
  /// 1 or 2 columns; 0 for the right half of a wide glyph.
  package var columns: UInt8 = 1

  package init(style: Style = .text) {
    self.style = style
  }

  init(_ glyph: Glyph, _ style: Style) {
    marks = glyph.marks
    base = glyph.base
    columns = UInt8(glyph.columns)
    self.style = style
  }

  static func rightHalf(_ style: Style) -> Cell {
    var cell = Cell(style: style)
    cell.base = 0
    cell.columns = 0
    return cell
  }

  package func append(to text: inout String) {
    guard columns > 0 else { return }
    var glyph = Glyph(base: base, columns: Int(columns))
    glyph.marks = marks
    glyph.append(to: &text)
  }
}
