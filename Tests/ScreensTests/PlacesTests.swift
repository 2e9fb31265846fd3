// History, trash, help, palette, conflicts of drafts: the places around the browser.

import RecordStore
import Records
import Screens
import TerminalKit
import TestKit
import Testing
import UILoop
import Wording
import Wording

@Suite(.serialized)
struct PlacesTests {
  @Test @UI func `the history shows what changed, and undoes it`() async throws {
    let desk = try await PlacesDesk()
    let id = try await desk.id("Porto")
    try await desk.change(id, [.country: .text("Portugal")])
    await desk.press("H")
    #expect(await desk.shows("Porto: country"))
    #expect(desk.text.contains("PT → Portugal"))
    await desk.press("u")
    #expect(await desk.shows("Undone"))
    #expect(try await desk.value(.country, of: id) == .text("PT"))
    await desk.press("Esc")
    #expect(await desk.shows("1/3"))
  }

  @Test @UI func `a record's own history leaves the others out`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("j", "t")
    #expect(await desk.shows("added: Porto"))
    #expect(!desk.text.contains("added: Skyros"))
  }

  @Test @UI func `the trash restores, and purges after a question`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("d", "d", "T")
    #expect(await desk.shows("Porto"))
    await desk.press("r")
    #expect(await desk.shows("1 record restored."))
    await desk.press("d")
    #expect(await desk.shows("Purge 1 record?"))
    await desk.press("p")
    #expect(await desk.shows("1 record purged."))
    #expect(try await desk.library.trashCount() == 0)
  }

  @Test @UI func `help lists the keys, is searched and runs a command`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("?")
    #expect(await desk.shows("Narrows by conditions"))
    await desk.type("new record")
    await desk.press("Enter")
    #expect(await desk.shows("New Place"))
  }

  @Test @UI func `the palette finds a command by a few letters`() async throws {
    let desk = try await PlacesDesk()
    await desk.press(":")
    await desk.type("trash")
    await desk.press("Enter")
    #expect(await desk.shows("The trash is empty."))
  }

  @Test func `every command has words in both languages, and keys that exist`() {
    for entry in CommandTable.all {
      for words in [Words(.english), Words(.japanese)] {
        #expect(!entry.title(in: words).isEmpty, "\(entry.id)")
        #expect(!entry.help(in: words).isEmpty, "\(entry.id)")
      }
      for key in entry.keys { #expect(Key.sequence(named: key) != nil, "\(entry.id): \(key)") }
    }
    #expect(Set(CommandTable.all.map(\.id)).count == CommandTable.all.count)
  }

  @Test @UI func `columns are taken away and shown again while one looks`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("c", "j", "Space", "Esc")
    #expect(!desk.harness.lines[1].contains("country"))
    await desk.press("c", "0", "Esc")
    #expect(desk.harness.lines[1].contains("country"))
  }

  @Test @UI func `colours are edited on a copy that cancelling drops`() async throws {
    let desk = try await PlacesDesk()
    let before = desk.harness.stage.palette
    await desk.press("A", "Right")
    #expect(desk.harness.stage.palette != before)
    await desk.press("Esc", "d")
    #expect(await desk.shows("1/3"))
    #expect(desk.harness.stage.palette == before)
  }
}
