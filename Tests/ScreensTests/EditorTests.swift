// The form: typing, saving, cancelling, and what others save meanwhile.

import RecordStore
import Records
import Screens
import TerminalKit
import TestKit
import Testing
import UILoop

@Suite(.serialized)
struct EditorTests {
  @Test @UI func `what is typed is marked, with the old value beside, and saved`() async throws {
    let desk = try await PlacesDesk()
    let porto = try await desk.id("Porto")
    await desk.press("j", "e")
    #expect(await desk.shows("Edit Porto"))
    await desk.type("!")
    #expect(await desk.shows("*name"))
    #expect(desk.harness.lines[1].contains("Porto!"))
    #expect(desk.harness.lines[1].hasSuffix("Porto"))
    await desk.press("C-s")
    #expect(await desk.shows("Saved."))
    #expect(try await desk.value(.name, of: porto) == .text("Porto!"))
  }

  @Test @UI func `cancelling asks only when something was typed, and leaves no trace`() async throws
  {
    let desk = try await PlacesDesk()
    let before = try await desk.library.history(limit: 100).count
    await desk.press("e", "Esc")
    #expect(await desk.shows("1/3"))
    await desk.press("e")
    await desk.type("x")
    await desk.press("Esc")
    #expect(await desk.shows("Unsaved changes"))
    await desk.press("k")
    #expect(desk.text.contains("札幌市x"))
    await desk.press("Esc", "d")
    #expect(await desk.shows("1/3"))
    #expect(try await desk.library.history(limit: 100).count == before)
  }

  @Test @UI func `a save that is refused keeps the form and says why`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("a")
    #expect(await desk.shows("New Place"))
    await desk.press("Down")
    await desk.type("JP")
    await desk.press("C-s")
    #expect(await desk.shows("Must not be empty."))
    #expect(desk.text.contains("JP"))
    #expect(desk.harness.cursor?.row == 2)
    await desk.type("Otaru")
    await desk.press("C-s")
    #expect(await desk.shows("Otaru"))
    #expect(try await desk.library.counts()[.place] == 4)
  }

  @Test @UI func `a number that is none is kept as typed, and told when the field is left`()
    async throws
  {
    let desk = try await PlacesDesk()
    await desk.press("e", "Tab", "Tab")
    await desk.type("x")
    #expect(!desk.text.contains("whole number"))
    await desk.press("Tab")
    #expect(await desk.shows("A whole number is expected."))
    #expect(desk.text.contains("1959000x"))
  }

  @Test @UI func `undo and redo go through all fields`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("e")
    await desk.type("x")
    await desk.press("Tab")
    await desk.type("y")
    #expect(desk.text.contains("JPy"))
    await desk.press("A-u", "A-u")
    #expect(!desk.text.contains("JPy"))
    #expect(!desk.text.contains("札幌市x"))
    await desk.press("A-r")
    #expect(desk.text.contains("札幌市x"))
  }

  @Test @UI func `a check box, a choice and a date have keys of their own`() async throws {
    let desk = try await PlacesDesk()
    let id = try await desk.id("札幌市")
    await desk.press("e", "Tab", "Tab", "Tab", "Space", "Tab", "g", "Tab", "C-t", "PgUp")
    #expect(desk.text.contains("[x]"))
    #expect(desk.text.contains("good"))
    #expect(desk.text.contains("2026-11-28"))
    await desk.press("C-s")
    #expect(await desk.shows("Saved."))
    #expect(try await desk.value(.visited, of: id) == .boolean(true))
    #expect(try await desk.value(.rating, of: id) == .text("good"))
    #expect(
      try await desk.value(.due, of: id) == CalendarDate(text: "2026-11-28").map { .date($0) })
  }

  @Test @UI func `what others save in other fields is merged, and told`() async throws {
    let desk = try await PlacesDesk()
    let id = try await desk.id("札幌市")
    await desk.press("e")
    await desk.type("x")
    try await desk.change(id, [.country: .text("Japan")])
    #expect(await desk.shows("changed underneath"))
    await desk.press("C-s")
    #expect(await desk.shows("Saved."))
    #expect(try await desk.value(.name, of: id) == .text("札幌市x"))
    #expect(try await desk.value(.country, of: id) == .text("Japan"))
  }

  @Test @UI func `the same field saved by two is shown side by side, and nothing is lost`()
    async throws
  {
    let desk = try await PlacesDesk()
    let id = try await desk.id("札幌市")
    await desk.press("e")
    await desk.type("x")
    try await desk.change(id, [.name: .text("Sapporo")])
    #expect(await desk.shows("Sapporo"))
    await desk.press("C-s")
    #expect(await desk.shows("Save conflict"))
    #expect(desk.text.contains("札幌市x"))
    #expect(desk.text.contains("Sapporo"))
    #expect(try await desk.value(.name, of: id) == .text("Sapporo"))
    await desk.press("m", "C-s")
    #expect(await desk.shows("Saved."))
    #expect(try await desk.value(.name, of: id) == .text("札幌市x"))
  }

  @Test @UI func `a record deleted meanwhile can be restored with what was typed`() async throws {
    let desk = try await PlacesDesk()
    let id = try await desk.id("札幌市")
    await desk.press("e")
    await desk.type("x")
    _ = try await desk.library.delete(.place, [id])
    #expect(await desk.shows("to the trash meanwhile"))
    await desk.press("C-s")
    #expect(await desk.shows("Restore and save"))
    await desk.press("s")
    #expect(await desk.shows("Saved."))
    #expect(try await desk.value(.name, of: id) == .text("札幌市x"))
  }

  @Test @UI func `pasted text goes into the field and never acts`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("e")
    desk.harness.paste("q\nd\u{1B}")
    await desk.rest()
    #expect(desk.text.contains("札幌市q d"))
    #expect(desk.text.contains("Edit"))
  }

  @Test @UI func `what others changed in marked records is saved over only after a question`()
    async throws
  {
    let desk = try await PlacesDesk()
    let id = try await desk.id("札幌市")
    await desk.press("Space", "Space", "Space", "e", "Tab")
    await desk.type("X")
    try await desk.change(id, [.country: .text("Japan")])
    await desk.press("C-s")
    #expect(await desk.shows("Meanwhile 1 of the records changed"))
    await desk.press("k")
    #expect(try await desk.value(.country, of: id) == .text("Japan"))
    await desk.press("C-s")
    #expect(await desk.shows("Meanwhile 1 of the records changed"))
    await desk.press("s")
    #expect(await desk.shows("Saved"))
    #expect(try await desk.value(.country, of: id) == .text("X"))
  }

  @Test @UI func `marked records are edited in one form, in one change`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("Space", "Space", "e")
    #expect(await desk.shows("Edit 2 Place"))
    #expect(desk.text.contains("(they differ)"))
    await desk.press("Tab")
    await desk.type("XX")
    await desk.press("C-s")
    #expect(await desk.shows("Saved 2 records."))
    let porto = try await desk.id("Porto")
    #expect(try await desk.value(.country, of: porto) == .text("XX"))
    #expect(try await desk.library.history(limit: 1).first?.recordCount == 2)
  }

  @Test @UI func `a form of several records shows where they differ, never its stand-in`()
    async throws
  {
    let desk = try await PlacesDesk(columns: 100)
    let trip = try await PlacesDesk.add([.name: .text("Summer")], of: .trip, to: desk.library)
    try await desk.change(try await desk.id("Porto"), [.trip: .reference(trip)])
    await desk.press("*", "e")
    #expect(await desk.shows("3 records: only the fields that you change are written"))
    #expect(desk.harness.lines.filter { $0.contains("(they differ)") }.count >= 3)
    #expect(!desk.text.contains("mixed"))
    await desk.type("X")
    #expect(await desk.shows("*name"))
    #expect(!desk.text.contains("mixed"))
  }
}
