import CPlatform
import Foundation
import TestKit
import Testing

/// The real program in a pseudo-terminal, as a person at a keyboard uses it.
@Suite(.serialized) struct TerminalTests {
  private func open(_ program: Program) throws -> PseudoTerminal {
    try PseudoTerminal(
      Program.binary.path(), environment: program.environment, columns: 100, rows: 30)
  }

  @Test func `a record is added, seen, edited, cancelled and still there after leaving`()
    async throws
  {
    try await Program.withLibrary { program in
      let terminal = try open(program)
      try terminal.wait(for: "No Place yet")
      terminal.press("a")
      try terminal.wait(for: "New Place")
      terminal.send("札幌")
      try terminal.wait(for: "札幌")
      terminal.press("C-s")
      try terminal.wait(for: "the list with the new record") {
        $0.text.contains("札幌") && $0.text.contains("Saved")
      }
      terminal.press("e")
      try terminal.wait(for: "the form") { $0.isCursorVisible }
      terminal.send("市 evil \u{202E}gnp")
      try terminal.wait(for: "市 evil ·gnp")
      #expect(terminal.screen.strayControls == [])
      terminal.press("Esc")
      try terminal.wait(for: "the question before dropping") { $0.text.contains("[ ") }
      terminal.press("d")
      try terminal.wait(for: "the list") { !$0.text.contains("gnp") && !$0.isCursorVisible }
      terminal.resize(columns: 40, rows: 10)
      try terminal.wait(for: "the narrow list") {
        $0.text.contains("札幌") && $0.line(9).contains("Open")
      }
      terminal.press("q")
      #expect(try terminal.waitForEnd() == 0)
      #expect(terminal.screen.modes.isDisjoint(with: [1049, 2004, 1004, 1002, 1006]))
      let listed = try program.run("list", "Place", "--json")
      #expect(listed.output.contains("札幌"))
      #expect(!listed.output.contains("evil"))
    }
  }

  @Test func `a view that was saved is there in the next session, and so is its type`()
    async throws
  {
    try await Program.withLibrary { program in
      _ = try program.add("Trip", "name=Summer")
      _ = try program.add("Place", "name=Porto", "country=PT")
      _ = try program.add("Place", "name=Vigo", "country=ES")
      let first = try open(program)
      try first.wait(for: "Vigo")
      first.press("f")
      first.send("country=PT")
      try first.wait(for: "the filtered list") { !$0.text.contains("Vigo") }
      first.press("Enter", "w")
      try first.wait(for: "Save view")
      first.send("Portugal")
      first.press("Enter")
      try first.wait(for: "View saved: Portugal")
      first.press("q")
      #expect(try first.waitForEnd() == 0)

      let listed = try program.run("list", "Place", "--view", "Portugal", "--ndjson")
      #expect(listed.lines.count == 1, "\(listed.errors)")
      #expect(listed.output.contains("Porto"))
      let unknown = try program.run("list", "Place", "--view", "Spain")
      #expect(unknown.status == 2)
      #expect(unknown.errors == "Place has no saved view 'Spain'. Its views: Portugal.\n")

      let second = try open(program)
      try second.wait(for: "· Portugal")
      try second.wait(for: "Vigo")
      second.press("W")
      try second.wait(for: "Views")
      second.press("Enter")
      try second.wait(for: "the view") { !$0.text.contains("Vigo") && $0.text.contains("Porto ") }
      second.press("q")
      #expect(try second.waitForEnd() == 0)
    }
  }

  @Test func `what was typed into a form is offered again after a kill`() async throws {
    try await Program.withLibrary { program in
      let first = try open(program)
      try first.wait(for: "No Place yet")
      first.press("a")
      try first.wait(for: "New Place")
      first.send("Unsaved Porto")
      try first.wait(for: "Unsaved Porto")
      try waitUntilWritten("Unsaved Porto", in: program.library)
      // One write follows the other: when the second is on its way, the first is committed.
      first.send("!")
      try waitUntilWritten("Unsaved Porto!", in: program.library)
      first.signal(9)
      _ = try first.waitForEnd()
      let second = try open(program)
      try second.wait(for: "Unsaved Porto")
      second.signal(Int32(PLATFORM_TERM))
      #expect(try second.waitForEnd() >= 0)
      #expect(!second.screen.isAlternate)
    }
  }

  /// Waits until one of the library's draft files holds the text, looking again whenever one changes.
  private func waitUntilWritten(_ text: String, in library: String) throws {
    let changes = platform_inotify()
    defer { platform_close(changes) }
    try #require(platform_inotify_watch(changes, library) >= 0)
    let wanted = Data(text.utf8)
    for _ in 0..<1000 {
      for file in try FileManager.default.contentsOfDirectory(atPath: library) {
        guard file.hasPrefix("drafts") else { continue }
        let data = FileManager.default.contents(atPath: library + "/" + file) ?? Data()
        if data.range(of: wanted) != nil { return }
      }
      var entry = platform_poll_entry(fd: changes, events: PLATFORM_READABLE, ready: 0)
      try #require(platform_poll(&entry, 1, 60_000_000_000) > 0, "no draft was written")
      platform_inotify_drain(changes)
    }
    Issue.record("the draft never reached its journal")
  }
}
