// Importing on the screen: what is proposed, how far it is, a try and what it refuses.

import Foundation
import RecordStore
import Records
import Screens
import TerminalKit
import TestKit
import Testing
import UILoop
import Wording

@Suite(.serialized)
struct ImportScreenTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Opens the import of a file, from the list of places.
  @UI private func open(_ desk: PlacesDesk, _ name: String, _ text: String) async throws {
    let path = folder.file(name)
    try Data(text.utf8).write(to: URL(filePath: path))
    await desk.press("I")
    await desk.type(path)
    await desk.press("Enter")
  }

  @Test @UI func `the type that one stands on is proposed, and what becomes of the rows is said`()
    async throws
  {
    let desk = try await PlacesDesk()
    try await open(desk, "c300.csv", "name,country,population\nLinaria,GR,300\n")
    #expect(await desk.shows("Into Place: every row becomes a new record; K chooses a key."))
    await desk.press("K")
    await desk.type("name")
    await desk.press("Enter")
    #expect(await desk.shows("Into Place, updated by name."))
    await desk.press("C-s")
    #expect(await desk.shows("1 added"))
  }

  @Test @UI func `a try that takes nothing keeps the columns and says that it was one`()
    async throws
  {
    let desk = try await PlacesDesk()
    try await open(desk, "p.csv", "name,population\nOvar,many\nBraga,few\n")
    #expect(await desk.shows("Into Place"))
    await desk.press("t")
    #expect(await desk.shows("A try, nothing written: none of 2 rows could be taken."))
    #expect(desk.text.contains("line 2: 'many' does not fit 'population'"))
    #expect(desk.text.contains("line 3"))
    #expect(desk.text.contains("Ovar · Braga"))
    #expect(desk.harness.lines[23].contains("Enter Field"))
  }

  @Test func `the meter says once how far it is, and of what`() {
    func text(
      _ fraction: Double?, isExamining: Bool = false, isTrying: Bool = false,
      _ words: Words = Words()
    ) -> String {
      ImportMeter(
        words: words, isExamining: isExamining, isTrying: isTrying, fraction: fraction, rows: 8_000,
        milliseconds: 4_000
      ).text
    }
    #expect(
      text(0.21) == "[###             ]  21 %  Importing  8000 rows  2000 rows/s  0:15 left")
    #expect(text(0.21, isTrying: true).contains("  Trying  8000 rows"))
    #expect(text(nil, isTrying: true) == "Trying…")
    #expect(
      text(0.01, isExamining: true, isTrying: true)
        == "[                ]   1 %  Examining  8000 rows")
    #expect(text(0.21, isTrying: true, Words(.japanese)).contains("試行中  8000 行"))
  }
}
