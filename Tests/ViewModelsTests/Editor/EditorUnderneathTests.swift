import RecordStore
import Records
import TestKit
import Testing
import UILoop
import ViewModels

/// The record moves while its form is open: what was typed stays, and nothing is overwritten that
/// the person did not see.
@UI struct EditorUnderneathTests {
  @Test func `a change from elsewhere is named, with its field and author`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto"), .country: .text("PT")])
    let editor = try await places.editor(id)
    editor.enter("!", in: .name)
    try await places.change(id, [.country: .text("Portugal")])
    await until { editor.state.underneath != nil }
    guard case .changed(let drifts) = editor.state.underneath else { return }
    #expect(drifts.map(\.field) == [.country])
    #expect(drifts.first?.base == .text("PT"))
    #expect(drifts.first?.theirs == .text("Portugal"))
    #expect(drifts.first?.isContested == false)
    #expect(drifts.first?.by?.author == "mia")
    #expect(drifts.first?.by?.deviceName == "kitchen")
    #expect(editor.shown(.name)?.text == "Porto!")
    #expect(editor.shown(.country)?.text == "PT")
  }

  @Test func `different fields merge, and both edits stand`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto"), .country: .text("PT")])
    let editor = try await places.editor(id)
    editor.enter("!", in: .name)
    try await places.change(id, [.country: .text("Portugal")])
    await editor.save()
    guard case .closed(.saved(_, _, _)) = editor.state.phase else {
      Issue.record("\(editor.state.phase)")
      return
    }
    #expect(try await places.value(.name, of: id) == .text("Porto!"))
    #expect(try await places.value(.country, of: id) == .text("Portugal"))
  }

  @Test func `tags and counters of both sides add up`() async throws {
    let places = try await Places()
    let id = try await places.add([
      .name: .text("Porto"), .tags: .tags(TagSet(["a"])), .visits: .integer(1),
    ])
    let editor = try await places.editor(id)
    editor.set(.tags(TagSet(["a", "mine"])), of: .tags)
    editor.set(.integer(3), of: .visits)
    editor.enter("!", in: .name)
    try await places.change(
      id,
      [
        .name: .text("Oporto"), .tags: .tags(TagSet(["a", "theirs"])), .visits: .integer(2),
      ])
    await until { editor.state.underneath != nil }
    #expect(editor.shown(.tags)?.drift?.isContested == false)
    editor.keepMine(.name)
    #expect(await editor.save())
    #expect(try await places.value(.tags, of: id) == .tags(TagSet(["a", "mine", "theirs"])))
    #expect(try await places.value(.visits, of: id) == .integer(4))
    #expect(try await places.value(.name, of: id) == .text("Porto!"))
  }

  @Test func `the same field is a conflict: nothing written, every side shown`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto")])
    let editor = try await places.editor(id)
    editor.type("Oporto", in: .name)
    try await places.change(id, [.name: .text("Porto (Norte)")])
    let history = try await places.library.history(limit: 100)
    let isClosed = await editor.save()
    #expect(!isClosed)
    #expect(editor.state.refusal == .conflict([FieldPlace(field: .name)]))
    let drift = try #require(editor.shown(.name)?.drift)
    #expect(drift.base == .text("Porto"))
    #expect(drift.mine == .text("Oporto"))
    #expect(drift.theirs == .text("Porto (Norte)"))
    #expect(drift.isContested)
    #expect(try await places.library.history(limit: 100) == history)
  }

  @Test func `keeping mine overwrites knowingly`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto"), .country: .text("PT")])
    let editor = try await places.editor(id)
    editor.type("Oporto", in: .name)
    try await places.change(id, [.name: .text("Porto (Norte)"), .country: .text("ES")])
    await editor.save()
    editor.keepMine(.name)
    #expect(editor.state.refusal == nil)
    #expect(editor.shown(.name)?.drift?.choice == .mine)
    #expect(await editor.save())
    #expect(try await places.value(.name, of: id) == .text("Oporto"))
    #expect(try await places.value(.country, of: id) == .text("ES"))
  }

  @Test func `taking theirs gives mine up, and undo brings it back`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto")])
    let editor = try await places.editor(id)
    editor.type("Oporto", in: .name)
    try await places.change(id, [.name: .text("Porto (Norte)")])
    await editor.save()
    editor.takeTheirs(.name)
    #expect(editor.shown(.name)?.text == "Porto (Norte)")
    editor.undo()
    #expect(editor.shown(.name)?.text == "Oporto")
    editor.redo()
    #expect(await editor.save())
    #expect(try await places.value(.name, of: id) == .text("Porto (Norte)"))
  }

  @Test func `a choice is void when they change it again`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto")])
    let editor = try await places.editor(id)
    editor.type("mine", in: .name)
    try await places.change(id, [.name: .text("theirs 1")])
    await editor.save()
    editor.keepMine(.name)
    try await places.change(id, [.name: .text("theirs 2")])
    await until { editor.shown(.name)?.drift?.theirs == .text("theirs 2") }
    #expect(editor.shown(.name)?.drift?.choice == nil)
    #expect(await !editor.save())
  }

  @Test func `a deleted record is a state, and can be restored and saved`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto")])
    let editor = try await places.editor(id)
    editor.type("Oporto", in: .name)
    _ = try await places.library.delete(.place, [id])
    await until { editor.state.underneath == .inTrash }
    #expect(await !editor.save())
    #expect(editor.state.refusal == .gone(.main, inTrash: true))
    #expect(editor.shown(.name)?.text == "Oporto")
    #expect(await editor.restoreAndSave())
    let saved = try await places.snapshot(id)
    #expect(!saved.isDeleted)
    #expect(saved.value(of: .name) == .text("Oporto"))
  }

  @Test func `what was typed for a purged record can be saved as a new one`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto"), .country: .text("PT")])
    let editor = try await places.editor(id)
    editor.type("Oporto", in: .name)
    _ = try await places.library.delete(.place, [id])
    _ = try await places.library.purge(.place, [id])
    await editor.save()
    #expect(editor.state.refusal == .gone(.main, inTrash: false))
    #expect(await editor.saveAsNew())
    #expect(editor.state.record != id)
    let saved = try await places.snapshot(editor.state.record)
    #expect(saved.value(of: .name) == .text("Oporto"))
    #expect(saved.value(of: .country) == .text("PT"))
  }

  @Test func `a form follows the model, and what was typed goes along`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto"), .country: .text("PT")])
    let editor = try await places.editor(id)
    editor.enter("2", in: .population)
    editor.type("P-1", in: .code)

    var model = places.library.model
    let type = try #require(model.types.firstIndex { $0.id == .place })
    let code = try #require(model.types[type].fields.firstIndex { $0.id == .code })
    // The code becomes long text: a new field under the old name. And a field is added.
    model.types[type].fields[code].hidden = true
    let longer = Field(id: FieldID(trusted: "code_2"), name: "code", type: .longText)
    model.types[type].fields += [longer, Field(id: FieldID(trusted: "river"), type: .text)]
    _ = try await places.library.apply(model, losing: true)
    await until { editor.state.main.field(longer.id) != nil }
    #expect(editor.shown(.code) == nil)
    #expect(editor.shown(longer.id)?.text == "P-1")
    #expect(editor.shown(.population)?.text == "2")
    editor.type("Douro", in: FieldID(trusted: "river"))
    #expect(await editor.save())
    #expect(try await places.value(longer.id, of: id) == .text("P-1"))
    #expect(try await places.value(FieldID(trusted: "river"), of: id) == .text("Douro"))
    #expect(try await places.value(.population, of: id) == .integer(2))
  }
}
