// Grids to bytes: keeps the picture that the terminal has, and gives the changes of each
// frame as one block of bytes. It owns curses, and writes to no terminal itself. UI actor (curses
// bears one thread only, and there is only one curses in a process).

internal import CNCurses
internal import CPlatform
package import TerminalKit
package import UILoop

/// The picture that curses thinks the terminal shows.
@UI
package final class CursesScreen {
  private let sink: Int32
  private var shown = Grid(columns: 0, rows: 0)
  private var palette: Palette?
  private var looks: [Style: ResolvedLook] = [:]
  /// What the locale can show: all of Unicode, or only ASCII.
  private let isUnicode: Bool
  package let colours: Int
  private var cells: [cncurses_cell] = []

  /// Begins a picture for the terminal of that name.
  ///
  /// - Parameter input: a descriptor that curses may hold; it never reads it.
  package init(
    terminal: String, input: Int32, size: Size, usesColour: Bool, isUnicode: Bool
  ) throws(TerminalRefusal) {
    sink = platform_memory_file("skyros-frame")
    guard sink >= 0 else { throw .noDescriptor }
    let code = cncurses_open(
      terminal, sink, input, Int32(size.columns), Int32(size.rows), usesColour ? 1 : 0)
    switch Int(code) {
    case CNCURSES_OPENED: break
    case CNCURSES_TOO_SIMPLE: throw .tooSimple(terminal)
    case CNCURSES_NO_MEMORY: throw .noDescriptor
    default: throw .unknown(terminal)
    }
    colours = Int(cncurses_colours())
    self.isUnicode = isUnicode
  }

  /// The bytes that make the terminal show the grid.
  package func frame(_ grid: Grid, palette: Palette) -> [UInt8] {
    if palette != self.palette {
      self.palette = palette
      looks = [:]
      shown = Grid(columns: 0, rows: 0)
    }
    if shown.size != grid.size {
      cncurses_resize(Int32(grid.columns), Int32(grid.rows))
      cncurses_blank()
      shown = Grid(columns: grid.columns, rows: grid.rows)
    }
    for row in 0..<grid.rows { putRow(row, of: grid) }
    shown = grid
    let cursor = grid.cursor ?? Point(column: 0, row: 0)
    cncurses_update(
      Int32(min(max(0, cursor.row), max(0, grid.rows - 1))),
      Int32(min(max(0, cursor.column), max(0, grid.columns - 1))), grid.isCursorVisible ? 1 : 0)
    return takeSink()
  }

  /// The next frame is sent whole.
  package func forget() {
    cncurses_forget()
    shown = Grid(columns: 0, rows: 0)
  }

  /// The bytes that give the screen back to the shell.
  ///
  /// The next frame takes it again.
  package func leave() -> [UInt8] {
    cncurses_leave()
    return takeSink()
  }

  /// What makes room for the shell's prompt: without a screen of our own, ours stays on the terminal.
  package var roomForPrompt: [UInt8] {
    cncurses_has_other_screen() == 0 ? [0x0D, 0x0A] : []
  }

  /// The bytes that give the screen back after a crash.
  package var resetSequence: [UInt8] {
    var buffer = [CChar](repeating: 0, count: 256)
    let count = cncurses_reset_sequence(&buffer, buffer.count)
    return buffer[..<count].map { UInt8(bitPattern: $0) }
  }

  /// Ends curses; the bytes that this takes.
  package func close() -> [UInt8] {
    let last = leave()
    cncurses_close()
    platform_close(sink)
    return last
  }

  /// What curses holds in a cell, for tests.
  package func scalars(row: Int, column: Int) -> [UInt32] {
    var scalars = [UInt32](repeating: 0, count: 8)
    let count = cncurses_read(Int32(row), Int32(column), &scalars)
    return Array(scalars[..<Int(count)])
  }

  // MARK: Cells

  /// Puts down the part of a row that differs from what is shown.
  private func putRow(_ row: Int, of grid: Grid) {
    grid.withCells(ofRow: row) { new in
      shown.withCells(ofRow: row) { old in
        guard var first = new.indices.first(where: { new[$0] != old[$0] }),
          let last = new.indices.last(where: { new[$0] != old[$0] })
        else { return }
        // A wide glyph is put down whole.
        while first > 0, new[first].columns == 0 { first -= 1 }
        cells.removeAll(keepingCapacity: true)
        for column in first...last { cells.append(cell(new[column])) }
        cncurses_put(Int32(row), Int32(first), cells, cells.count)
      }
    }
  }

  private func cell(_ cell: Cell) -> cncurses_cell {
    let look = look(of: cell.style)
    var result = cncurses_cell()
    result.base = cell.base
    result.marks = (cell.marks[0], cell.marks[1], cell.marks[2], cell.marks[3])
    result.columns = cell.columns
    result.attributes = look.attributes.rawValue
    result.foreground = number(of: look.foreground)
    result.background = number(of: look.background)
    if !isUnicode, cell.base >= 0x80 {
      result.base = ASCIIFallback.scalar(for: cell.base)
      result.marks = (0, 0, 0, 0)
    }
    return result
  }

  private func look(of style: Style) -> ResolvedLook {
    if let known = looks[style] { return known }
    let look = palette?.resolve(style, colours: colours) ?? ResolvedLook()
    looks[style] = look
    return look
  }

  private func number(of colour: Colour) -> Int16 {
    switch colour {
    case .standard: -1
    case .indexed(let index): Int16(index)
    }
  }

  private func takeSink() -> [UInt8] {
    var bytes: [UInt8] = []
    let count = platform_take_file(sink, nil, 0)
    guard count > 0 else { return [] }
    bytes = [UInt8](repeating: 0, count: Int(count))
    let taken = platform_take_file(sink, &bytes, bytes.count)
    return Array(bytes.prefix(Int(max(0, taken))))
  }
}

/// What stands for a character where the locale has only ASCII.
enum ASCIIFallback {
  static func scalar(for scalar: UInt32) -> UInt32 {
    let stand: Character
    switch scalar {
    case 0x2500, 0x2010...0x2015: stand = "-"
    case 0x2502: stand = "|"
    case 0x250C, 0x2510, 0x2514, 0x2518, 0x251C, 0x2524, 0x252C, 0x2534, 0x253C: stand = "+"
    case 0x2588: stand = "#"
    case 0x2026: stand = "~"
    case 0xB7: stand = "."
    case 0x203A, 0x2192: stand = ">"
    case 0x2039, 0x2190: stand = "<"
    case 0x2191: stand = "^"
    case 0x2193: stand = "v"
    case 0x2400...0x2421: stand = "?"
    default: stand = "?"
    }
    return UInt32(stand.asciiValue ?? 0x3F)
  }
}
