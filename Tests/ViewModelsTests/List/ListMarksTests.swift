import Foundation
import RecordStore
import Records
import TestKit
import Testing
import UILoop
import ViewModels

/// Marks, and what is done with the marked: each in one transaction.
@UI struct ListMarksTests {
  func open(_ places: Places, _ names: String...) async throws -> (ListViewModel, [RecordID]) {
    var ids: [RecordID] = []
    for name in names { ids.append(try await places.add([.name: .text(name)])) }
    let model = try #require(
      ListViewModel(library: places.library, type: .place, time: Places.time))
    await model.start()
    await until { model.state.isComplete }
    await model.idle()
    return (model, ids)
  }

  @Test func `marks are toggled, inverted and cleared`() async throws {
    let (model, ids) = try await open(try await Places(), "A", "B", "C")
    model.toggleMark()
    model.moveCursor(by: 2)
    model.toggleMark()
    #expect(model.state.marks == .some([ids[0], ids[2]]))
    model.toggleMark()
    #expect(model.targetCount == 1)
    model.invertMarks()
    #expect(model.targetCount == 2)
    #expect(!model.isMarked(ids[0]))
    #expect(try await model.targets() == [ids[1], ids[2]])
    model.clearMarks()
    #expect(model.targetCount == 1)
  }

  @Test func `a range goes from the last toggled row`() async throws {
    let (model, ids) = try await open(try await Places(), "A", "B", "C", "D")
    model.moveCursor(to: 3)
    model.toggleMark()
    model.moveCursor(to: 1)
    await model.markRange(to: 1)
    #expect(try await model.targets() == [ids[1], ids[2], ids[3]])
  }

  @Test func `deleting takes all marked ones in one transaction, one undo brings them back`()
    async throws
  {
    let places = try await Places()
    let (model, _) = try await open(places, "A", "B", "C")
    let before = try await places.library.history(limit: 100).count
    model.markAll()
    await model.deleteTargets()
    guard case .deleted(count: 3, let transaction?) = model.state.notice else {
      Issue.record("\(String(describing: model.state.notice))")
      return
    }
    #expect(try await places.library.history(limit: 100).count == before + 1)
    await until { model.state.count == 0 }
    #expect(model.state.marks == .none)
    _ = try await places.library.undo(transaction)
    await until { model.state.count == 3 }
  }

  @Test func `a marked record that leaves the list loses its mark`() async throws {
    let places = try await Places()
    let (model, ids) = try await open(places, "A", "B")
    model.toggleMark()
    model.moveCursor(by: 1)
    model.toggleMark()
    _ = try await places.library.delete(.place, [ids[0]])
    await until { model.state.count == 1 }
    #expect(model.state.marks == .some([ids[1]]))
  }

  @Test func `a failing delete keeps the marks and says why`() async throws {
    let places = try await Places()
    let (model, ids) = try await open(places, "A", "B")
    model.toggleMark()
    places.world.faults.arm(failingAt: 1)
    await model.deleteTargets()
    places.world.faults.arm(failingAt: nil)
    guard case .failed = model.state.notice else {
      Issue.record("\(String(describing: model.state.notice))")
      return
    }
    #expect(model.state.marks == .some([ids[0]]))
    #expect(model.state.count == 2)
  }

  @Test func `several marked records are edited in one form`() async throws {
    let places = try await Places()
    let (model, ids) = try await open(places, "A", "B", "C")
    model.toggleMark()
    model.moveCursor(by: 1)
    model.toggleMark()
    let editor = try #require(await model.editTargets())
    await editor.start()
    #expect(editor.state.mode == .bulk(count: 2))
    editor.type("PT", in: .country)
    #expect(await editor.save())
    #expect(try await places.value(.country, of: ids[0]) == .text("PT"))
    #expect(try await places.value(.country, of: ids[1]) == .text("PT"))
    #expect(try await places.value(.country, of: ids[2]) == .empty)
  }

  @Test func `without marks the record under the cursor is edited by itself`() async throws {
    let (model, ids) = try await open(try await Places(), "A", "B")
    model.moveCursor(to: 1)
    let editor = try #require(await model.editTargets())
    #expect(editor.state.mode == .edit)
    #expect(editor.state.record == ids[1])
  }

  @Test func `the marked records are exported, or the whole list`() async throws {
    let places = try await Places()
    let folder = try TemporaryFolder()
    let (model, ids) = try await open(places, "A", "B, the second", "C")
    model.moveCursor(by: 1)
    model.toggleMark()
    let marked = folder.file("marked.csv")
    await model.export(to: marked, format: .csv)
    #expect(model.state.notice == .exported(count: 1, path: marked))
    let text = try String(contentsOfFile: marked, encoding: .utf8)
    #expect(text.contains("\(ids[1]),\"B, the second\""))
    #expect(!text.contains(ids[0].description))
    model.clearMarks()
    let all = folder.file("all.ndjson")
    await model.export(to: all, format: .ndjson)
    #expect(model.state.notice == .exported(count: 3, path: all))
    let lines = try String(contentsOfFile: all, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 3)
  }

  @Test func `an export never overwrites a file`() async throws {
    let folder = try TemporaryFolder()
    let (model, _) = try await open(try await Places(), "A")
    let path = folder.file("a.json")
    await model.export(to: path, format: .json)
    let before = try String(contentsOfFile: path, encoding: .utf8)
    await model.export(to: path, format: .json)
    guard case .failed(.store(.file)) = model.state.notice else {
      Issue.record("\(String(describing: model.state.notice))")
      return
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
  }

  @Test func `all that is marked is copied, also what was never on the screen`() async throws {
    let places = try await Places()
    for number in 0..<1500 {
      try await places.add([.name: .text("N\(10_000 + number)")])
    }
    let model = try #require(
      ListViewModel(library: places.library, type: .place, time: Places.time))
    await model.start()
    model.markAll()
    #expect(try await model.targets().count == 1500)
    model.toggleMark()
    let rows = await model.targetRows()
    #expect(rows.count == 1499)
    #expect(rows.first?.title == "N10001")
    #expect(rows.last?.title == "N11499")
  }
}
