import RecordStore
import Records
import TestKit
import Testing
import UILoop
import ViewModels

/// Several records in one form, and a record with its related ones.
@UI struct EditorManyTests {
  func bulk(_ places: Places, _ ids: [RecordID]) async throws -> EditorViewModel {
    var snapshots: [Snapshot] = []
    for id in ids { snapshots.append(try await places.snapshot(id)) }
    let editor = try #require(
      EditorViewModel(library: places.library, bulk: snapshots, time: Places.time))
    await editor.start()
    return editor
  }

  @Test func `shared values are shown, differing ones are mixed`() async throws {
    let places = try await Places()
    let a = try await places.add([.name: .text("Porto"), .country: .text("PT")])
    let b = try await places.add([.name: .text("Ovar"), .country: .text("PT")])
    let editor = try await bulk(places, [a, b])
    #expect(editor.state.mode == .bulk(count: 2))
    #expect(editor.shown(.country)?.text == "PT")
    #expect(editor.shown(.name)?.isMixed == true)
    #expect(editor.shown(.name)?.text == "")
    #expect(!editor.state.isDirty)
  }

  @Test func `what is typed goes into all records, in one transaction`() async throws {
    let places = try await Places()
    let a = try await places.add([.name: .text("Porto"), .country: .text("PT")])
    let b = try await places.add([.name: .text("Vigo"), .country: .text("ES")])
    let before = try await places.library.history(limit: 100).count
    let editor = try await bulk(places, [a, b])
    editor.type("Iberia", in: .country)
    #expect(await editor.save())
    #expect(try await places.library.history(limit: 100).count == before + 1)
    #expect(try await places.value(.country, of: a) == .text("Iberia"))
    #expect(try await places.value(.country, of: b) == .text("Iberia"))
    #expect(try await places.value(.name, of: a) == .text("Porto"))
    #expect(try await places.value(.name, of: b) == .text("Vigo"))
  }

  @Test func `a mixed field can be cleared, and undo makes it mixed again`() async throws {
    let places = try await Places()
    let a = try await places.add([.name: .text("Porto"), .country: .text("PT")])
    let b = try await places.add([.name: .text("Vigo"), .country: .text("ES")])
    let editor = try await bulk(places, [a, b])
    editor.clear(.country)
    editor.undo()
    #expect(editor.shown(.country)?.isMixed == true)
    editor.redo()
    #expect(await editor.save())
    #expect(try await places.value(.country, of: a) == .empty)
    #expect(try await places.value(.country, of: b) == .empty)
  }

  @Test func `one record that is gone stops all of them`() async throws {
    let places = try await Places()
    let a = try await places.add([.name: .text("Porto")])
    let b = try await places.add([.name: .text("Vigo")])
    let editor = try await bulk(places, [a, b])
    editor.type("X", in: .country)
    _ = try await places.library.delete(.place, [b])
    #expect(await !editor.save())
    #expect(editor.state.refusal == .bulk(conflicts: [], gone: [b]))
    #expect(try await places.value(.country, of: a) == .empty)
    await editor.refreshBulk()
    #expect(editor.state.mode == .bulk(count: 1))
    #expect(await editor.save())
    #expect(try await places.value(.country, of: a) == .text("X"))
  }

  @Test func `a bulk edit overwrites what others changed only after a look`() async throws {
    let places = try await Places()
    let a = try await places.add([.name: .text("Porto")])
    let b = try await places.add([.name: .text("Vigo")])
    let editor = try await bulk(places, [a, b])
    editor.type("X", in: .country)
    try await places.change(a, [.country: .text("PT")])
    #expect(await !editor.save())
    #expect(editor.state.refusal == .bulk(conflicts: [a], gone: []))
    await editor.refreshBulk()
    #expect(await editor.save())
    #expect(try await places.value(.country, of: a) == .text("X"))
    #expect(try await places.value(.country, of: b) == .text("X"))
  }

  @Test func `a value that one field refuses is refused for all`() async throws {
    let places = try await Places()
    let a = try await places.add([.name: .text("Porto")])
    let b = try await places.add([.name: .text("Vigo")])
    let editor = try await bulk(places, [a, b])
    editor.clear(.name)
    #expect(await !editor.save())
    #expect(editor.state.refusal == .invalid([FieldPlace(field: .name)]))
  }

  // MARK: Related records

  func trip(_ places: Places) async throws -> (RecordID, EditorViewModel) {
    let id = try await places.add([.name: .text("Norte")], to: .trip)
    let draft = Draft(
      id: places.library.surroundings.newDraftID(), editing: try await places.snapshot(id, .trip))
    let editor = try #require(
      EditorViewModel(library: places.library, draft: draft, time: Places.time))
    await editor.start()
    return (id, editor)
  }

  @Test func `a related record is saved with the main one, all or nothing`() async throws {
    let places = try await Places()
    let (id, editor) = try await trip(places)
    let relation = try #require(editor.relatedTypes.first)
    #expect(relation.type.id == .place)
    let form = try #require(editor.addRelated(relation))
    #expect(editor.state.form(form)?.field(.trip)?.references.first?.title == "Norte")
    editor.type("Douro", in: .name)
    let history = try await places.library.history(limit: 100).count
    #expect(await !editor.save())
    #expect(editor.state.refusal == .invalid([FieldPlace(form: form, field: .name)]))
    #expect(try await places.snapshot(id, .trip).value(of: .name) == .text("Norte"))
    editor.enter("Porto", in: .name, of: form)
    #expect(await editor.save())
    #expect(try await places.library.history(limit: 100).count == history + 1)
    let referrers = try await places.library.referrers(
      of: RecordReference(type: .trip, id: id), limit: 10)
    #expect(referrers.count == 1)
  }

  @Test func `records that refer to it can be edited along, or let go`() async throws {
    let places = try await Places()
    let (id, editor) = try await trip(places)
    let place = try await places.add([.name: .text("Porto"), .trip: .reference(id)])
    let relation = try #require(editor.relatedTypes.first)
    await editor.loadRelated(relation)
    let form = try #require(editor.state.forms.last)
    #expect(form.record == place)
    editor.type("Oporto", in: .name, of: form.id)
    #expect(editor.state.isDirty)
    editor.removeRelated(form.id)
    #expect(!editor.state.isDirty)
    await editor.loadRelated(relation)
    let again = try #require(editor.state.forms.last)
    editor.type("Oporto", in: .name, of: again.id)
    #expect(await editor.save())
    #expect(try await places.value(.name, of: place) == .text("Oporto"))
  }

  @Test func `what must be unique is in no form of several records`() async throws {
    let places = try await Places()
    let a = try await places.add([.name: .text("Porto"), .code: .text("OPO")])
    let b = try await places.add([.name: .text("Vigo")])
    let several = try await bulk(places, [a, b])
    #expect(several.state.forms[0].fields.allSatisfy { $0.id != .code })
    several.enter("X", in: .code)
    #expect(!several.state.isDirty)
    // A model that changes meanwhile does not bring it in.
    var model = places.library.model
    let type = try #require(model.types.firstIndex { $0.id == .place })
    model.types[type].fields.append(Field(id: FieldID(trusted: "more"), type: .text))
    await several.start()
    _ = try await places.library.apply(model)
    await until { several.state.forms[0].fields.contains { $0.id == FieldID(trusted: "more") } }
    #expect(several.state.forms[0].fields.allSatisfy { $0.id != .code })
    let one = try await bulk(places, [a])
    #expect(one.state.forms[0].fields.contains { $0.id == .code })
  }

  @Test func `no stand-in for differing values is ever shown`() async throws {
    let places = try await Places()
    let a = try await places.add([.name: .text("Porto")])
    let b = try await places.add([.name: .text("Vigo")])
    let editor = try await bulk(places, [a, b])
    editor.type("X", in: .name)
    #expect(editor.shown(.name)?.base == .empty)
  }
}
