import RecordStore
import Records
import TestKit
import Testing
import UILoop
import ViewModels

/// Every answer that a save can get; only those that are on disk close the form.
@UI struct EditorSavingTests {
  @Test func `a new record is saved with its defaults`() async throws {
    let places = try await Places()
    let editor = try await places.newEditor()
    editor.enter("Porto", in: .name)
    let isClosed = await editor.save()
    #expect(isClosed)
    let reference = RecordReference(type: .place, id: editor.state.record)
    guard case .closed(.saved(let number, let merged, let records)) = editor.state.phase else {
      Issue.record("\(editor.state.phase)")
      return
    }
    #expect(number != nil)
    #expect(merged.isEmpty)
    #expect(records == [reference])
    #expect(try await places.value(.name, of: reference.id) == .text("Porto"))
    #expect(try await places.value(.rating, of: reference.id) == .text("fair"))
  }

  @Test func `a new record that another session saved meanwhile is asked about`() async throws {
    let places = try await Places()
    let editor = try await places.newEditor()
    editor.enter("Porto", in: .name)
    editor.enter("PT", in: .country)
    let type = try #require(places.library.model.type(.place))
    // The same draft, taken up elsewhere.
    var theirs = Draft(
      id: DraftID(RecordID(high: 9, low: 9)), new: editor.state.record, of: type)
    theirs.set(.text("Gaia"), of: .name)
    theirs.set(.integer(7), of: .population)
    _ = try await places.library.commit(theirs)
    #expect(!(await editor.save()))
    #expect(editor.state.refusal == .conflict([FieldPlace(field: .name)]))
    #expect(editor.shown(.name)?.text == "Porto")
    editor.keepMine(.name)
    #expect(await editor.save())
    #expect(try await places.value(.name, of: editor.state.record) == .text("Porto"))
    #expect(try await places.value(.country, of: editor.state.record) == .text("PT"))
    #expect(try await places.value(.population, of: editor.state.record) == .integer(7))
  }

  @Test func `saving without a change writes nothing`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto")])
    let history = try await places.library.history(limit: 100)
    let editor = try await places.editor(id)
    await editor.save()
    #expect(editor.state.phase == .closed(.unchanged))
    #expect(try await places.library.history(limit: 100) == history)
  }

  @Test func `a missing value keeps the form open and goes to the field`() async throws {
    let places = try await Places()
    let editor = try await places.newEditor()
    editor.enter("PT", in: .country)
    let isClosed = await editor.save()
    #expect(!isClosed)
    #expect(editor.state.phase == .editing)
    #expect(editor.state.refusal == .invalid([FieldPlace(field: .name)]))
    #expect(editor.state.focus == FieldPlace(field: .name))
    #expect(editor.shown(.name)?.problem == .refused(.required))
    #expect(editor.shown(.country)?.text == "PT")
    editor.enter("Porto", in: .name)
    #expect(editor.state.refusal == nil)
  }

  @Test func `a text that does not read keeps the form open, text whole`() async throws {
    let places = try await Places()
    let editor = try await places.newEditor()
    editor.enter("Porto", in: .name)
    editor.enter("12 000 or so", in: .population)
    await editor.save()
    #expect(editor.state.refusal == .unread([FieldPlace(field: .population)]))
    #expect(editor.shown(.population)?.text == "12 000 or so")
  }

  @Test func `what another device left is never in the way`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto"), .population: .integer(1)])
    var model = Places.model
    model.types[0].fields[3].min = .integer(10)
    let strict = try #require(model.type(.place)?.field(.population))
    #expect(Constraints(strict).problem(with: .integer(1)) != nil)
    let editor = try await places.editor(id)
    editor.enter("!", in: .name)
    #expect(await editor.save())
  }

  @Test func `a value that is taken is shown at its field until it changes`() async throws {
    let places = try await Places()
    let taken = try await places.add([.name: .text("Porto"), .code: .text("OPO")])
    let editor = try await places.newEditor()
    editor.enter("Ovar", in: .name)
    editor.enter("OPO", in: .code)
    await editor.save()
    #expect(editor.state.refusal == .invalid([FieldPlace(field: .code)]))
    #expect(editor.shown(.code)?.problem == .refused(.notUnique(taken)))
    editor.enter("2", in: .code)
    #expect(editor.shown(.code)?.problem == nil)
    #expect(await editor.save())
  }

  @Test func `a failing store keeps the form open, and the next save succeeds`() async throws {
    let places = try await Places()
    let editor = try await places.newEditor()
    editor.enter("Porto", in: .name)
    places.world.faults.arm(failingAt: 1)
    await editor.save()
    guard case .failed = editor.state.refusal else {
      Issue.record("\(String(describing: editor.state.refusal))")
      return
    }
    #expect(editor.state.phase == .editing)
    #expect(editor.shown(.name)?.text == "Porto")
    places.world.faults.arm(failingAt: nil)
    #expect(await editor.save())
  }

  @Test func `typing goes on while a save runs, and keeps the form open`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto")])
    let editor = try await places.editor(id)
    editor.enter("1", in: .name)
    let saving = Task { @UI in await editor.save() }
    await until { editor.state.phase == .saving }
    // The answer needs this actor, which this test holds: the key comes first.
    editor.enter("2", in: .name)
    let isClosed = await saving.value
    #expect(!isClosed)
    #expect(try await places.value(.name, of: id) == .text("Porto1"))
    #expect(editor.shown(.name)?.text == "Porto12")
    #expect(editor.shown(.name)?.base == .text("Porto1"))
    #expect(await editor.save())
    #expect(try await places.value(.name, of: id) == .text("Porto12"))
  }

  @Test func `typing during a save that merges leaves the other's edit as it is`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto"), .country: .text("PT")])
    let editor = try await places.editor(id)
    editor.enter("1", in: .name)
    try await places.change(id, [.country: .text("Portugal")])
    let saving = Task { @UI in await editor.save() }
    await until { editor.state.phase == .saving }
    editor.enter("2", in: .name)
    #expect(await !saving.value)
    #expect(editor.shown(.country)?.text == "Portugal")
    #expect(await editor.save())
    #expect(try await places.value(.name, of: id) == .text("Porto12"))
    #expect(try await places.value(.country, of: id) == .text("Portugal"))
  }

  @Test func `a save can be taken back from history`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto")])
    let editor = try await places.editor(id)
    editor.type("Oporto", in: .name)
    await editor.save()
    let model = LibraryViewModel(library: places.library, time: Places.time)
    await model.undo()
    guard case .undone = model.state.notice else {
      Issue.record("\(String(describing: model.state.notice))")
      return
    }
    #expect(try await places.value(.name, of: id) == .text("Porto"))
  }
}
