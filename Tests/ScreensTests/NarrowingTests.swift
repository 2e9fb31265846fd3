// Filters that are half-typed or wrong, and the pickers of order and groups: nothing is lost or done
// by a key that meant something else.

import RecordStore
import Records
import Screens
import TerminalKit
import TestKit
import Testing
import UILoop

@Suite(.serialized)
struct NarrowingTests {
  /// What stands right of the types, in one line.
  @UI private func pane(_ desk: PlacesDesk) -> String {
    desk.harness.lines.dropFirst().map { $0.dropFirst(21).trimmingPrefix(" ") }
      .joined(separator: " ")
  }

  @Test @UI func `a wrong filter is refused at Enter, and its whole sentence stays`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("f")
    await desk.type("nofield=3 (")
    await desk.press("Enter")
    #expect(desk.harness.lines[23].hasPrefix(" Enter Keep"))
    let sentence =
      "There is no field 'nofield' (the fields: name, country, population, visited, rating, due, "
      + "tags, notes and trip)."
    #expect(pane(desk).replacing("  ", with: " ").contains(sentence), "\(desk.text)")
    #expect(desk.text.contains("Porto"))
    #expect(desk.harness.driver.bells == 1)
    await desk.press("C-a", "C-k")
    await desk.type("country=PT")
    await desk.press("Enter")
    #expect(await desk.shows("1/1"))
    #expect(desk.text.contains("Filter country=PT"))
  }

  @Test @UI func `the list does not go empty on the way to a condition`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("f")
    for letter in "country=" {
      await desk.type(String(letter))
      #expect(desk.text.contains("Skyros "), "at \(letter)")
    }
    await desk.type("PT")
    #expect(await desk.shows("1/1"))
    for letter in " population>x" {
      await desk.type(String(letter))
      #expect(await desk.shows("1/1"), "at \(letter)")
    }
    #expect(await desk.shows("whole number is expected"))
  }

  @Test @UI func `a word that no condition begins with is searched for as it is typed`()
    async throws
  {
    let desk = try await PlacesDesk()
    await desk.press("f")
    await desk.type("skyr")
    #expect(await desk.shows("1/1"))
    await desk.type("=3")
    #expect(await desk.shows("3/3"))
  }

  @Test @UI func `order and groups are searched as one types, and no key acts on the list behind`()
    async throws
  {
    let desk = try await PlacesDesk()
    await desk.press("s")
    await desk.type("popul")
    await desk.press("Enter")
    #expect(await desk.shows("population↑"))
    await desk.press("b")
    await desk.type("admin")
    #expect(await desk.shows("Nothing found"))
    await desk.press("Enter", "Esc")
    #expect(await desk.shows("3/3"))
    #expect(try await desk.library.trashCount() == 0)
    await desk.press("s")
    await desk.type("own order")
    await desk.press("Enter")
    #expect(await desk.shows("population↓"))
  }
}
