// How a newcomer gets about: from an empty list to the types, out of every screen, back from what was
// done; and what a key says that does nothing.

import Foundation
import RecordStore
import Records
import Screens
import TerminalKit
import TestKit
import Testing
import UILoop

@Suite(.serialized)
struct FindingTheWayTests {
  @Test @UI func `Tab goes round the panes, also from an empty list, and the bar says so`()
    async throws
  {
    let desk = try await PlacesDesk(isEmpty: true)
    #expect(desk.harness.lines[23].contains("Tab Panes"))
    await desk.press("Tab")
    #expect(desk.harness.cursor == Point(column: 0, row: 1))
    await desk.press("Tab")
    #expect(desk.harness.cursor?.column ?? 0 > 20)
    await desk.press("S-Tab")
    #expect(desk.harness.cursor == Point(column: 0, row: 1))
  }

  @Test @UI func `q leaves every screen, and the program only on the first`() async throws {
    let desk = try await PlacesDesk()
    var hasQuit = false
    desk.desk.quit = { hasQuit = true }
    for (key, place) in [
      ("T", "The trash is empty."), ("H", "added: Porto"), ("S", "this machine only"),
      ("C", "Nobody disagrees"), ("M", "Rename"), ("A", "Foreground"), ("c", "Columns"),
    ] {
      await desk.press(key)
      #expect(await desk.shows(place))
      await desk.press("q")
      #expect(await desk.shows("1/3"), "from \(key)")
      #expect(!hasQuit)
    }
    await desk.press("q")
    #expect(hasQuit)
  }

  @Test @UI func `a key that does nothing in the types says so`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("h", "e")
    #expect(await desk.shows("e does nothing here"))
    await desk.press("d")
    #expect(await desk.shows("Only a saved view is dropped here"))
  }

  @Test @UI func `what is typed ahead of the trash acts on what is in it`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("d")
    #expect(await desk.shows("moved to the trash"))
    desk.harness.press("T", "r")
    #expect(await desk.shows("1 record restored."))
    await desk.press("u")
    #expect(await desk.shows("Undone"))
    #expect(try await desk.library.trashCount() == 1)
  }

  @Test @UI func `an import's list is shown when one comes back from it`() async throws {
    let desk = try await PlacesDesk(isEmpty: true)
    let folder = try TemporaryFolder()
    let path = folder.file("harbours.csv")
    try Data("harbour,depth\nLinaria,5\nLoutra,4\n".utf8).write(to: URL(filePath: path))
    await desk.press("I")
    await desk.type(path)
    await desk.press("Enter")
    #expect(await desk.shows("Into Harbours"))
    await desk.press("C-s")
    #expect(await desk.shows("2 added"))
    await desk.press("Esc")
    #expect(await desk.shows("Linaria"))
    #expect(desk.harness.lines[0] == " in memory › Harbours")
    #expect(await desk.shows("1/2"))
    await desk.press("Tab", "Tab", "Up")
    #expect(await desk.shows("No Place yet") || desk.text.contains("› Trip"))
  }

  @Test @UI func `a path to a folder is told from a path to nothing`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("I")
    await desk.type("/tmp/")
    await desk.press("Enter")
    #expect(await desk.shows("This is a folder: type on."))
    await desk.type("no such thing at all")
    #expect(await desk.shows("There is no such file."))
  }

  @Test @UI func `work that takes long says what it is, and its meter moves`() async throws {
    let desk = try await PlacesDesk()
    let (gate, opening) = AsyncStream<Void>.makeStream()
    desk.desk.labour("deleting 34006 records") { _ in for await _ in gate {} }
    #expect(await desk.shows("deleting 34006 records… not syncing"))
    desk.harness.timers.advance(by: .seconds(2))
    let early = desk.harness.lines[22]
    #expect(early.contains("deleting 34006 records… ["))
    #expect(early.contains("] 2 s"))
    desk.harness.timers.advance(by: .milliseconds(500))
    #expect(desk.harness.lines[22] != early)
    opening.finish()
    #expect(await eventually { !desk.harness.settle().contains("deleting") })
    #expect(desk.harness.timers.pendingCount == 0)
  }

  @Test @UI func `what is counted says how far it is, and a key stops it`() async throws {
    let desk = try await PlacesDesk(columns: 100)
    let (gate, opening) = AsyncStream<Void>.makeStream()
    let witness = Witness()
    desk.desk.labour("deleting 4000 records") { tell in
      tell(WriteProgress(done: 1000, total: 4000))
      await withTaskCancellationHandler {
        for await _ in gate {}
      } onCancel: {
        opening.finish()
      }
      witness.wasStopped = Task.isCancelled
    }
    #expect(await eventually { desk.harness.settle().contains("C-c Stop") })
    desk.harness.timers.advance(by: .seconds(2))
    #expect(desk.harness.lines[22].contains("25 %  1000 of 4000"), "\(desk.harness.text)")
    await desk.press("C-c")
    #expect(await eventually { !desk.harness.settle().contains("deleting") })
    #expect(witness.wasStopped)
    await desk.press("C-c")
    #expect(await desk.shows("C-c ends nothing here"))
  }

  @Test @UI func `a library that can't be written is browsed, says so, and refuses in a sentence`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("r.skyros")
    let desk = try await PlacesDesk(columns: 200, readingOnly: path)
    #expect(await desk.shows("Skyros"))
    #expect(desk.harness.lines[22].contains("read-only"))
    let refusal = "This library is read-only: '\(path)' can't be written here"
    for key in ["e", "a", "d", "u", "I"] {
      await desk.press(key)
      #expect(await desk.shows(refusal), "\(key)")
      #expect(!desk.harness.lines[23].contains("C-s Save"))
      await desk.press("j")
    }
    await desk.press("Enter", "Enter")
    #expect(await desk.shows(refusal))
    await desk.press("Esc", "H")
    #expect(await desk.shows("Skyros"))
    await desk.press("u")
    #expect(await desk.shows(refusal))
  }

  @Test @UI func `a transaction is called so on every screen`() async throws {
    let desk = try await PlacesDesk()
    await desk.press("d", "u", "H")
    #expect(await desk.shows("undo of transaction 5"))
    await desk.press("j")
    #expect(await desk.shows("Transaction 5"))
    #expect(desk.text.contains("It was undone already, by transaction 6."))
    await desk.press("Esc", "U")
    #expect(await desk.shows("Made again, in transaction 7."))
  }
}

@UI private final class Witness {
  var wasStopped = false
}
