import CPlatform
import CursesDriver
import TerminalKit
import Testing
import UILoop

/// Curses without a terminal: a picture that is read back cell by cell.
///
/// One test at a time, for there is one curses in a process.
@Suite(.serialized) struct CursesScreenTests {
  @UI private func withScreen(
    columns: Int = 20, rows: Int = 4, _ body: @UI (CursesScreen) -> Void
  ) throws {
    _ = platform_assume_utf8()
    let null = platform_memory_file("nothing-to-read")
    defer { platform_close(null) }
    let screen = try CursesScreen(
      terminal: "xterm-256color", input: null, size: Size(columns: columns, rows: rows),
      usesColour: true, isUnicode: true)
    body(screen)
    _ = screen.close()
  }

  @Test @UI func `a cell holds a whole grapheme cluster, also in the last column`() throws {
    try withScreen { screen in
      var grid = Grid(columns: 20, rows: 4)
      grid.put("札幌 e\u{301} ok", at: Point(column: 0, row: 0))
      grid.put("end", at: Point(column: 17, row: 3))
      _ = screen.frame(grid, palette: .dark)
      #expect(screen.scalars(row: 0, column: 0) == [0x672D])
      #expect(screen.scalars(row: 0, column: 2) == [0x5E4C])
      #expect(screen.scalars(row: 0, column: 5) == [0x65, 0x301])
      #expect(screen.scalars(row: 3, column: 19) == [0x64])
    }
  }

  @Test @UI func `an unchanged frame sends nothing, a cursor step little`() throws {
    try withScreen(columns: 120, rows: 36) { screen in
      func grid(selected: Int) -> Grid {
        var grid = Grid(columns: 120, rows: 36)
        for row in 0..<36 {
          let surface: Surface = row == selected ? .selection : .page
          grid.fill(grid.bounds.line(row), Style(.text, on: surface))
          grid.put("record number \(row)", in: grid.bounds.line(row), Style(.text, on: surface))
        }
        grid.cursor = Point(column: 0, row: selected)
        return grid
      }
      _ = screen.frame(grid(selected: 3), palette: .dark)
      #expect(screen.frame(grid(selected: 3), palette: .dark).isEmpty)
      let step = screen.frame(grid(selected: 4), palette: .dark)
      #expect(step.count <= 400)
      #expect(!step.isEmpty)
    }
  }

  @Test @UI func `a terminal that can't place its cursor is refused, and so is an unknown one`() {
    let null = platform_memory_file("nothing-to-read")
    defer { platform_close(null) }
    let size = Size(columns: 80, rows: 24)
    #expect(throws: TerminalRefusal.tooSimple("dumb")) {
      try CursesScreen(
        terminal: "dumb", input: null, size: size, usesColour: true, isUnicode: true)
    }
    #expect(throws: TerminalRefusal.unknown("no-such-terminal")) {
      try CursesScreen(
        terminal: "no-such-terminal", input: null, size: size, usesColour: true, isUnicode: true)
    }
  }
}
