// The browser: before, keys, and the grid's text after.

import RecordStore
import Records
import Screens
import TerminalKit
import TestKit
import Testing
import UILoop
import ViewModels
import Wording

@Suite(.serialized)
struct BrowserTests {
  @Test @UI func `the first screen shows types, rows and keys on 80 by 24`() async throws {
    let desk = try await PlacesDesk()
    #expect(await desk.shows("Skyros"))
    let lines = desk.harness.lines
    #expect(lines[0] == " in memory › Place")
    #expect(lines[1].hasPrefix("  Place"))
    #expect(lines[1].contains("name      country  population↓"))
    #expect(lines[2].contains("札幌市    JP           1959000"))
    #expect(lines[3].contains("Porto     PT            231800"))
    #expect(lines[4].contains("Skyros    GR              2994"))
    #expect(lines[22].hasPrefix(" 1/3"))
    #expect(lines[22].hasSuffix("not syncing"))
    #expect(lines[23].hasPrefix(" Enter Open  e Edit  a New  / Search  ? Help"))
  }

  @Test @UI func `a wide screen shows the record beside the list`() async throws {
    let desk = try await PlacesDesk(columns: 200, rows: 60)
    #expect(await desk.shows("population  1959000"))
    #expect(desk.harness.lines[2].contains("札幌市"))
    await desk.press("j")
    #expect(await desk.shows("population  231800"))
  }

  @Test @UI func `a step shows the next record in the frame that answers the key`() async throws {
    let desk = try await PlacesDesk(columns: 200, rows: 60)
    #expect(await desk.shows("population  1959000"))
    await desk.model.idle()
    let frames = desk.harness.driver.presentations
    desk.harness.stage.dispatch([.key(Key("j"))])
    #expect(desk.harness.driver.grid.text.contains("population  231800"))
    #expect(desk.harness.driver.presentations == frames + 1)
  }

  @Test @UI func `a narrow screen shows one pane and still works`() async throws {
    let desk = try await PlacesDesk(columns: 40, rows: 10)
    #expect(await desk.shows("Porto"))
    #expect(!desk.text.contains("Trip"))
    await desk.press("j", "Enter")
    #expect(await desk.shows("population  231800"))
    await desk.press("Esc", "h")
    #expect(await desk.shows("Trip"))
  }

  @Test @UI func `the cursor stands on the selected row, in each pane`() async throws {
    let desk = try await PlacesDesk()
    #expect(await desk.shows("Skyros"))
    await desk.press("j")
    #expect(desk.harness.cursor == Point(column: 21, row: 3))
    await desk.press("h")
    #expect(desk.harness.cursor == Point(column: 0, row: 1))
  }

  @Test @UI func `searching narrows the list as one types, and Esc shows all again`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("/")
    await desk.type("札幌")
    #expect(await desk.shows("1/1"))
    #expect(!desk.text.contains("Porto"))
    await desk.press("Enter", "Esc")
    #expect(await desk.shows("Porto"))
  }

  @Test @UI func `a filter narrows, and its mistake is shown at its place`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("f")
    await desk.type("population>200000")
    #expect(await desk.shows("1/2"))
    await desk.type("x")
    #expect(await desk.shows("whole number is expected"))
    #expect(desk.text.contains("Porto"))
    await desk.press("Esc")
    #expect(await desk.shows("Skyros"))
  }

  @Test @UI func `Tab completes a field's name in a filter`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("f")
    await desk.type("cou")
    await desk.press("Tab")
    #expect(desk.text.contains("Filter country"))
  }

  @Test @UI func `the sort menu sorts by the chosen column`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("s")
    await desk.type("coun")
    await desk.press("Enter")
    #expect(await desk.shows("country↑"))
    #expect(desk.harness.lines[2].contains("Skyros"))
  }

  @Test @UI func `marked records go to the trash after a question, and one undo brings them back`()
    async throws
  {
    let desk = try await PlacesDesk()
    await desk.press("Space", "Space")
    #expect(await desk.shows("2 marked"))
    await desk.press("d")
    #expect(await desk.shows("Delete 2 records?"))
    await desk.press("d")
    #expect(await desk.shows("2 records moved to the trash"))
    #expect(try await desk.library.trashCount() == 2)
    await desk.press("u")
    #expect(await desk.shows("Undone"))
    #expect(try await desk.library.trashCount() == 0)
  }

  @Test @UI func `one record goes at once, with undo and redo`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("d")
    #expect(await desk.shows("moved to the trash; u brings back"))
    await desk.press("u")
    #expect(await desk.shows("U makes it again"))
    #expect(try await desk.library.trashCount() == 0)
    await desk.press("U")
    #expect(await desk.shows("Made again"))
    #expect(try await desk.library.trashCount() == 1)
  }

  @Test @UI func `copying puts the title on the person's clipboard`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("y")
    #expect(desk.harness.driver.copied == ["札幌市"])
  }

  @Test @UI func `a record that is saved elsewhere appears, and the cursor stays`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("j")
    #expect(await desk.shows("2/3"))
    try await PlacesDesk.add(
      [.name: .text("Tokyo"), .population: .integer(37_000_000)], to: desk.library)
    #expect(await desk.shows("Tokyo"))
    #expect(await desk.shows("3/4"))
  }

  @Test @UI func `control and direction characters of a record are shown, never sent`() async throws
  {
    let desk = try await PlacesDesk()
    try await PlacesDesk.add(
      [
        .name: .text("a\u{1B}[31mb\u{202E}c\u{7}"), .population: .integer(99_000_000),
      ], to: desk.library)
    #expect(await desk.shows("a␛[31mb·c␇"))
    let controls = desk.text.unicodeScalars.filter { $0.value < 32 && $0 != "\n" }
    #expect(controls.isEmpty)
    #expect(!desk.text.unicodeScalars.contains("\u{202E}"))
  }

  @Test @UI func `an empty list says what to do`() async throws {
    let desk = try await PlacesDesk(isEmpty: true)
    #expect(await desk.shows("No Place yet. Press a to add one"))
  }

  @Test @UI func `Japanese has its own words`() async throws {
    let desk = try await PlacesDesk(language: .japanese)
    #expect(await desk.shows("編集"))
    #expect(desk.text.contains("履歴"))
  }

  @Test @UI func `q leaves when nothing would be dropped`() async throws {
    let desk = try await PlacesDesk()
    var hasQuit = false
    desk.desk.quit = { hasQuit = true }
    await desk.press("q")
    #expect(hasQuit)
  }

  @Test @UI func `a list is grouped under headings that the cursor passes over`() async throws {
    let desk = try await PlacesDesk()
    try await PlacesDesk.add(
      [.name: .text("Braga"), .country: .text("PT"), .population: .integer(140_000)],
      to: desk.library)
    await desk.press("b")
    #expect(await desk.shows("Group by"))
    await desk.type("country")
    await desk.press("Enter")
    #expect(await desk.shows("PT  2"))
    let lines = desk.harness.lines.map { $0.dropFirst(21) }
    #expect(lines[2].hasPrefix("GR  1"))
    #expect(lines[3].contains("Skyros"))
    #expect(lines[4].hasPrefix("JP  1"))
    #expect(lines[5].contains("札幌市"))
    #expect(lines[6].hasPrefix("PT  2"))
    #expect(lines[7].contains("Porto"))
    #expect(lines[8].contains("Braga"))
    await desk.press("Home")
    #expect(desk.harness.cursor == Point(column: 21, row: 3))
    await desk.press("j")
    #expect(desk.harness.cursor == Point(column: 21, row: 5))
    #expect(await desk.shows("2/4"))
    await desk.press("G")
    #expect(await desk.shows("4/4"))
    #expect(desk.harness.cursor == Point(column: 21, row: 8))
    await desk.press("b")
    await desk.type("no gr")
    await desk.press("Enter")
    #expect(await !desk.shows("PT  2"))
  }

  @Test @UI func `a view is saved under its type, gone to, and dropped`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("f")
    await desk.type("country=PT")
    await desk.press("Enter", "w")
    #expect(await desk.shows("Save view"))
    await desk.type("Portugal")
    await desk.press("Enter")
    #expect(await desk.shows("View saved: Portugal"))
    #expect(desk.harness.lines[0] == " in memory › Place · Portugal")
    #expect(desk.harness.lines[2].hasPrefix("  · Portugal"))
    await desk.press("h", "k")
    #expect(await desk.shows("1/3"))
    await desk.press("j")
    #expect(await desk.shows("1/1"))
    await desk.press("d", "d")
    #expect(await desk.shows("1/3"))
    #expect(!desk.text.contains("Portugal"))
  }

  @Test @UI func `columns that do not fit are scrolled to, and the title stays`() async throws {
    let desk = try await PlacesDesk(columns: 40, rows: 10)
    await desk.press("c")
    for _ in 0..<3 { await desk.press("G", "Space") }
    await desk.press("Esc")
    #expect(desk.harness.lines[1].hasSuffix("›"))
    #expect(desk.harness.lines[1].contains("country"))
    await desk.press(">")
    #expect(desk.harness.lines[1].hasPrefix("‹ name"))
    #expect(!desk.harness.lines[1].contains("country"))
    #expect(desk.harness.lines[2].contains("札幌市"))
    await desk.press("<")
    #expect(desk.harness.lines[1].contains("country"))
  }

  @Test @UI func `a suspicious text is inspected character by character`() async throws {
    let desk = try await PlacesDesk(columns: 100)
    try await PlacesDesk.add(
      [.name: .text("evil\u{202E}gnp"), .population: .integer(99_000_000)], to: desk.library)
    #expect(await desk.shows("evil·gnp"))
    await desk.press("Home", "Enter")
    #expect(await desk.shows("made 2023"))
    await desk.press("i")
    #expect(await desk.shows("U+202E"))
    #expect(desk.text.contains("RIGHT-TO-LEFT OVERRIDE"))
    #expect(desk.text.contains("8 characters, 8 code points, 10 bytes"))
    #expect(!desk.text.unicodeScalars.contains("\u{202E}"))
    await desk.press("Esc")
    #expect(await desk.shows("population"))
  }

  @Test @UI func `copying the marked takes all of them`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("*", "y")
    #expect(await desk.shows("Copied: 3 records"))
    #expect(
      desk.harness.driver.copied == ["札幌市\tJP\t1959000\nPorto\tPT\t231800\nSkyros\tGR\t2994"])
  }

  @Test @UI func `from the types one can search and add at once`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("h", "/")
    await desk.type("Porto")
    #expect(await desk.shows("1/1"))
    await desk.press("Esc", "h", "a")
    #expect(await desk.shows("New Place"))
  }

  @Test @UI func `undo says what it took back`() async throws {
    let desk = try await PlacesDesk()
    let id = try await desk.id("Porto")
    try await desk.change(id, [.country: .text("Portugal")])
    await desk.press("u")
    #expect(await desk.shows("Undone – Porto: country. U makes it again."))
    #expect(try await desk.value(.country, of: id) == .text("PT"))
  }

  @Test @UI func `the record's cursor goes to the last field and back to the first`() async throws {
    let desk = try await PlacesDesk(columns: 100)
    await desk.press("Enter")
    #expect(await desk.shows("made 2023"))
    let first = desk.harness.cursor
    await desk.press("G")
    let lines = desk.harness.lines
    let trip = try #require(lines.firstIndex { $0.contains("│ trip") })
    #expect(desk.harness.cursor?.row == trip)
    await desk.press("j")
    #expect(desk.harness.cursor?.row == trip)
    await desk.press("g", "g")
    #expect(desk.harness.cursor == first)
  }

  @Test @UI func `a long text is gone through by rows, and passed by at once`() async throws {
    let desk = try await PlacesDesk()
    let text = (1...20_000).map { "line \($0) of the notes" }.joined(separator: "\n")
    try await desk.change(try await desk.id("札幌市"), [.notes: .text(text)])
    await desk.press("Enter")
    #expect(await desk.shows("line 1 of the notes"))
    await desk.press("G", "k")
    #expect(await desk.shows("line 1 of the notes"))
    #expect(!desk.harness.text.contains("line 20000 of"))
    await desk.press("j", "j")
    #expect(await desk.shows("line 18 of the notes"))
    await desk.press("G")
    #expect(await desk.shows("line 20000 of the notes"))
    #expect(await desk.shows("made 2023"))
    await desk.press("PgUp")
    #expect(await desk.shows("line 19975 of the notes"))
    await desk.press("g", "g")
    #expect(await desk.shows("札幌市"))
    #expect(!desk.harness.text.contains("line 20000 of"))
  }

  @Test @UI func `the key bar shows no key that would be typed`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("/")
    #expect(desk.harness.lines[23] == " Enter Keep  Esc Show all  F1 Help  C-p Commands")
    await desk.press("Esc", "e")
    #expect(await desk.shows("C-s Save"))
    #expect(desk.harness.lines[23].contains("F1 Help"))
    #expect(!desk.harness.lines[23].contains("? Help"))
    await desk.press("F1")
    #expect(await desk.shows("Saves everything in the form"))
  }
}
