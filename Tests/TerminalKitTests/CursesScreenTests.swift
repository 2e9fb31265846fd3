import CPlatform
import CursesDriver
import TerminalKit
import TestKit
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

  @Test @UI
  func `hostile text reaches the terminal as symbols, and the frame around it stays whole`() throws
  {
    let hostile = [
      "\u{1B}[2J\u{1B}]0;title\u{07}", "\u{9B}31m\u{9D}52;c;x\u{9C}", "evil\u{202E}gnp.exe",
      "\u{2066}a\u{2069}\u{200F}", "zero\u{200B}\u{200D}\u{FEFF}width", "a\tb\r\nc\u{08}\u{7F}\0",
      "a" + String(repeating: "\u{301}", count: 10_000), "\u{301}\u{302}leading",
      String(repeating: "札", count: 300_000), "👨‍👩‍👧‍👦🏳️‍🌈👍🏽❤️1️⃣", "שָׁלוֹם عليكم", "ᄀ\u{1161}\u{11A8} क्षि நி",
      "\u{E0041}\u{E007F}tags", "\u{2028}\u{2029}\u{3164}\u{115F}", "\u{10FFFF}\u{378}\u{FFFE}",
    ]
    try withScreen(columns: 40, rows: hostile.count + 2) { screen in
      var grid = Grid(columns: 40, rows: hostile.count + 2)
      let inner = grid.frame(grid.bounds, title: hostile[0])
      for (row, text) in hostile.enumerated() { grid.put(text, in: inner.line(row)) }
      var emulator = ScreenEmulator(columns: 40, rows: hostile.count + 2)
      emulator.feed(screen.frame(grid, palette: .dark))
      #expect(emulator.strayControls == [])
      #expect(emulator.unknown == [])
      for row in 1...hostile.count {
        #expect(emulator.cells(row: row).first == "│")
        #expect(emulator.cells(row: row).last == "│")
        #expect(emulator.line(row) == grid.text(row: row))
      }
    }
  }

  @Test @UI func `a random succession of pictures always ends in the last one`() throws {
    let seed = TestSeed.next()
    var random = SeededGenerator(seed: seed)
    let pieces = ["a", "札", "e\u{301}", " ", "👨", "─", "long words ", "ｶﾞ", "🇯🇵"]
    try withScreen(columns: 24, rows: 5) { screen in
      var emulator = ScreenEmulator(columns: 24, rows: 5)
      for step in 0..<200 {
        var grid = Grid(columns: 24, rows: 5)
        for row in 0..<5 {
          let count = Int.random(in: 0...14, using: &random)
          let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)]
          }
          let surface: Surface = Bool.random(using: &random) ? .selection : .page
          grid.put(
            text.joined(), at: Point(column: Int.random(in: 0...20, using: &random), row: row),
            Style(.text, on: surface))
        }
        grid.cursor = Point(
          column: Int.random(in: 0..<24, using: &random), row: Int.random(in: 0..<5, using: &random)
        )
        emulator.feed(screen.frame(grid, palette: .dark))
        #expect(emulator.text == grid.text, "seed \(seed), step \(step)")
        #expect(
          Point(column: emulator.cursorColumn, row: emulator.cursorRow) == grid.cursor,
          "seed \(seed), step \(step)")
      }
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
