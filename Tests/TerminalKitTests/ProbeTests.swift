import CPlatform
import TestKit
import Testing

/// The real driver in a pseudo-terminal, by way of a small program.
@Suite(.serialized) struct ProbeTests {
  private let probePath = BuiltProgram.path("TerminalProbe")

  private func probe(
    columns: Int = 60, rows: Int = 14, _ environment: [String: String] = [:]
  ) throws -> PseudoTerminal {
    try PseudoTerminal(probePath, environment: environment, columns: columns, rows: rows)
  }

  @Test func `the first screen is whole, and untrusted text is shown, not obeyed`() throws {
    let terminal = try probe()
    let text = try terminal.wait(for: "q Quit")
    #expect(text.contains("札幌市"))
    #expect(text.contains("esc ␛[31mred"))
    #expect(text.contains("evil ·gnp.exe"))
    #expect(terminal.screen.isAlternate)
    #expect(terminal.screen.strayControls == [])
    #expect(terminal.screen.unknown == [])
    for row in 0..<14 where terminal.screen.line(row).contains("█") {
      #expect(terminal.screen.line(row).hasSuffix("█"))
    }
    terminal.press("q")
    #expect(try terminal.waitForEnd() == 0)
  }

  @Test func `the real cursor follows the selection, one step costs little and one write`() throws {
    let terminal = try probe(columns: 120, rows: 36)
    try terminal.wait(for: "q Quit")
    let before = terminal.output.count
    terminal.press("j")
    try terminal.wait(for: "the next row") { $0.cursorRow == 4 && !$0.modes.contains(2026) }
    #expect(terminal.output.count - before <= 400)
    terminal.press("Down", "Down", "k")
    try terminal.wait(for: "the fifth row") { $0.cursorRow == 5 }
    terminal.press("q")
    _ = try terminal.waitForEnd()
  }

  @Test func `leaving restores every mode, and gives out what went to standard error`() throws {
    let terminal = try probe()
    try terminal.wait(for: "q Quit")
    #expect(terminal.screen.modes.isSuperset(of: [1049, 2004, 1004, 1002, 1006]))
    terminal.press("q")
    #expect(try terminal.waitForEnd() == 0)
    #expect(terminal.screen.modes.isDisjoint(with: [1049, 2004, 1004, 1002, 1006, 2026]))
    #expect(terminal.screen.isCursorVisible)
    #expect(terminal.screen.text.contains("a note on standard error"))
  }

  @Test(arguments: [("T", 132), ("F", 139)])
  func `a crash restores the terminal, and its message is not lost`(
    key: String, status: Int32
  ) throws {
    let terminal = try probe(columns: 120)
    try terminal.wait(for: "q Quit")
    terminal.press(key)
    #expect(try terminal.waitForEnd() == status)
    #expect(terminal.screen.modes.isDisjoint(with: [1049, 2004, 1004, 1002, 1006, 2026]))
    #expect(terminal.screen.isCursorVisible)
    #expect(terminal.screen.text.contains("a note on standard error"))
    if key == "T" { #expect(terminal.screen.text.contains("the probe was told to trap")) }
  }

  @Test(arguments: [PLATFORM_TERM, PLATFORM_HUP, PLATFORM_INT])
  func `a signal ends the program with the terminal restored`(signal: Int) throws {
    let terminal = try probe()
    try terminal.wait(for: "q Quit")
    terminal.signal(Int32(signal))
    #expect(try terminal.waitForEnd() == 128 + Int32(signal))
    #expect(terminal.screen.modes.isDisjoint(with: [1049, 2004, 1004, 1002, 1006, 2026]))
  }

  @Test func `sixty sizes in a row end in the right picture`() throws {
    let terminal = try probe()
    try terminal.wait(for: "q Quit")
    for step in 0..<60 { terminal.resize(columns: 30 + step, rows: 8 + step / 4) }
    terminal.resize(columns: 50, rows: 12)
    try terminal.wait(for: "the last size") {
      $0.line(11).contains("/ Type") && $0.line(0) == " Probe" && $0.line(2).hasSuffix("Number")
    }
    terminal.press("q")
    _ = try terminal.waitForEnd()
  }

  @Test func `another program gets the terminal for a while, and it comes back`() throws {
    let terminal = try probe()
    try terminal.wait(for: "q Quit")
    terminal.press("E")
    try terminal.wait(for: "editing") { !$0.isAlternate && $0.text.contains("editing") }
    #expect(!terminal.screen.modes.contains(2004))
    terminal.send("\n")
    try terminal.wait(for: "editor ended with 0")
    #expect(terminal.screen.isAlternate)
    terminal.press("q")
    _ = try terminal.waitForEnd()
  }

  @Test func `a paste is text, never keys`() throws {
    let terminal = try probe()
    try terminal.wait(for: "q Quit")
    terminal.press("/")
    terminal.paste("q quit \u{1B}[31m 東京")
    try terminal.wait(for: "q quit ␛[31m 東京")
    // An Esc with a letter right behind it would be Alt with that letter.
    terminal.press("Esc")
    try terminal.wait(for: "the field to be left") { !$0.isCursorVisible }
    terminal.press("y")
    try terminal.wait(for: "the clipboard") { $0.clipboard == ["Y29waWVk"] }
    terminal.press("q")
    #expect(try terminal.waitForEnd() == 0)
  }

  @Test func `terminals that can't be drawn on are refused without a single control byte`() throws {
    for (name, reason) in [("dumb", "tooSimple"), ("nonsense", "unknown"), ("", "noName")] {
      let terminal = try probe(["TERM": name])
      #expect(try terminal.waitForEnd() == 2)
      #expect(terminal.screen.text.contains(reason))
      #expect(!terminal.output.contains(0x1B))
    }
  }

  @Test(arguments: [
    "vt100", "linux", "screen", "tmux-256color", "xterm", "xterm-color", "screen-256color",
    "ansi",
  ])
  func `it works on terminals with few abilities`(name: String) throws {
    let terminal = try probe(["TERM": name])
    try terminal.wait(for: "q Quit")
    terminal.press("j", "j")
    try terminal.wait(for: "the third row") { $0.cursorRow == 5 }
    terminal.press("q")
    #expect(try terminal.waitForEnd() == 0)
    let sent = String(decoding: terminal.output, as: UTF8.self)
    if !name.hasSuffix("256color") { #expect(!sent.contains("38;5;") && !sent.contains("48;5;")) }
  }

  @Test func `it stops by its key and goes on, as any program under a shell`() throws {
    let terminal = try PseudoTerminal(
      "/bin/sh", ["-i"], environment: ["PS1": "ready> "], columns: 70, rows: 14)
    try terminal.wait(for: "ready>")
    terminal.send("\(probePath)\n")
    try terminal.wait(for: "q Quit")
    terminal.press("j", "C-z")
    try terminal.wait(for: "the shell") { !$0.isAlternate && $0.text.contains("ready>") }
    #expect(terminal.screen.modes.isDisjoint(with: [2004, 1004, 1002, 1006]))
    terminal.resize(columns: 60, rows: 12)
    terminal.send("fg\n")
    try terminal.wait(for: "the program in its new size") {
      $0.isAlternate && $0.line(11).contains("q Quit") && $0.cursorRow == 4
    }
    terminal.press("q")
    try terminal.wait(for: "the shell again") { !$0.isAlternate }
    terminal.send("exit\n")
    _ = try terminal.waitForEnd()
  }

  @Test func `NO_COLOR sends no colour, and an ASCII locale only ASCII`() throws {
    let terminal = try probe(["NO_COLOR": "1", "LANG": "C", "LC_ALL": "C"])
    try terminal.wait(for: "q Quit")
    terminal.press("j", "q")
    _ = try terminal.waitForEnd()
    let sent = String(decoding: terminal.output, as: UTF8.self)
    for sequence in sent.split(separator: "\u{1B}[").dropFirst() {
      let parameters = sequence.prefix { $0.isNumber || $0 == ";" }
      guard sequence.dropFirst(parameters.count).first == "m" else { continue }
      let codes = parameters.split(separator: ";").compactMap { Int($0) }
      #expect(codes.allSatisfy { $0 < 30 || $0 == 39 || $0 == 49 })
    }
    #expect(terminal.output.allSatisfy { $0 < 0x80 })
  }

  @Test func `a UTF-8 locale that is not installed here still shows Unicode`() throws {
    let terminal = try probe(["LANG": "xx_XX.UTF-8", "LC_ALL": "xx_XX.UTF-8"])
    let text = try terminal.wait(for: "q Quit")
    #expect(text.contains("札幌市"))
    terminal.press("q")
    _ = try terminal.waitForEnd()
  }
}
