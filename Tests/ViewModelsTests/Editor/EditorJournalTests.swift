import Foundation
import RecordStore
import Records
import TestKit
import Testing
import UILoop
import ViewModels

/// A crash gives back what was typed.
@UI struct EditorJournalTests {
  let folder: TemporaryFolder
  let world = TestWorld()

  init() throws { folder = try TemporaryFolder() }

  func library() async throws -> Library {
    let path = folder.file("a.skyros")
    do {
      return try await Library.open(at: path, surroundings: world.surroundings)
    } catch StoreError.missing {
      return try await Library.create(
        at: path, model: Places.model, surroundings: world.surroundings)
    }
  }

  /// Types into a new form, and ends the session without saving.
  func crashWhileTyping() async throws {
    let library = try await library()
    let model = LibraryViewModel(library: library, time: Places.time)
    let editor = try #require(model.newEditor(.place))
    await editor.start()
    editor.enter("Porto", in: .name)
    editor.enter("12x", in: .population)
    await editor.idle()
    try await library.close()
  }

  @Test func `the draft is offered at the next start, and opens as it was typed`() async throws {
    try await crashWhileTyping()
    let library = try await library()
    let model = LibraryViewModel(library: library, time: Places.time)
    await model.start()
    #expect(model.state.name == "a")
    let offer = try #require(model.state.recovered.first)
    #expect(model.state.recovered.count == 1)
    #expect(offer.title == "Porto")
    #expect(offer.isNew)
    let editor = try #require(await model.recoveredEditor(offer.id))
    await editor.start()
    #expect(model.state.recovered.isEmpty)
    #expect(editor.state.isRecovered)
    #expect(editor.state.isDirty)
    #expect(editor.shown(.name)?.text == "Porto")
    #expect(editor.shown(.population)?.text == "12x")
    #expect(editor.shown(.population)?.problem == .unreadable(.integer))
    editor.type("12", in: .population)
    #expect(await editor.save())
    await editor.idle()
    #expect(try await library.journaledDrafts().isEmpty)
    await model.close()
  }

  @Test func `a recovered draft that is discarded at once does not come back`() async throws {
    try await crashWhileTyping()
    let model = LibraryViewModel(library: try await library(), time: Places.time)
    await model.start()
    let offer = try #require(model.state.recovered.first)
    let editor = try #require(await model.recoveredEditor(offer.id))
    await editor.start()
    editor.discard()
    await editor.idle()
    await model.close()
    let again = LibraryViewModel(library: try await library(), time: Places.time)
    await again.start()
    #expect(again.state.recovered.isEmpty)
    await again.close()
  }

  @Test func `a draft saved as a new record leaves nothing behind`() async throws {
    let first = try await library()
    let model = LibraryViewModel(library: first, time: Places.time)
    let maker = try #require(model.newEditor(.place))
    await maker.start()
    maker.enter("Porto", in: .name)
    #expect(await maker.save())
    let record = RecordReference(type: .place, id: maker.state.record)
    let editor = try #require(await model.editor(record))
    await editor.start()
    editor.type("Oporto", in: .name)
    _ = try await first.delete(.place, [record.id])
    _ = try await first.purge(.place, [record.id])
    #expect(await !editor.save())
    #expect(await editor.saveAsNew())
    await editor.idle()
    await model.close()
    let second = try await library()
    #expect(try await second.journaledDrafts().isEmpty)
    try await second.close()
  }

  @Test func `a dropped offer does not come back`() async throws {
    try await crashWhileTyping()
    let library = try await library()
    let model = LibraryViewModel(library: library, time: Places.time)
    await model.start()
    let offer = try #require(model.state.recovered.first)
    await model.discardRecovered(offer.id)
    #expect(model.state.recovered.isEmpty)
    await model.close()
    let again = LibraryViewModel(library: try await self.library(), time: Places.time)
    await again.start()
    #expect(again.state.recovered.isEmpty)
    await again.close()
  }

  @Test func `a recovered draft of a record that moved says what changed`() async throws {
    let library = try await library()
    let type = try #require(library.model.type(.place))
    var made = Draft(
      id: world.surroundings.newDraftID(), new: world.surroundings.newRecordID(), of: type)
    made.set(.text("Porto"), of: .name)
    _ = try await library.commit(made)
    let base = try #require(try await library.snapshot(.place, made.record))
    var left = Draft(id: world.surroundings.newDraftID(), editing: base)
    left.set(.text("Oporto"), of: .name)
    try await library.journal(left)
    try await library.close()

    let second = try await self.library()
    var other = Draft(id: world.surroundings.newDraftID(), editing: base)
    other.set(.text("Porto (Norte)"), of: .name)
    _ = try await second.commit(other)
    let model = LibraryViewModel(library: second, time: Places.time)
    await model.start()
    let editor = try #require(await model.recoveredEditor(left.id))
    await editor.start()
    #expect(editor.shown(.name)?.text == "Oporto")
    #expect(editor.shown(.name)?.drift?.theirs == .text("Porto (Norte)"))
    #expect(editor.shown(.name)?.drift?.isContested == true)
    editor.discard()
    await editor.idle()
    await model.close()
  }

  @Test func `a saved form leaves nothing in the journal`() async throws {
    let first = try await library()
    let model = LibraryViewModel(library: first, time: Places.time)
    let editor = try #require(model.newEditor(.place))
    await editor.start()
    editor.enter("Porto", in: .name)
    #expect(await editor.save())
    await editor.idle()
    try await first.close()
    let second = try await library()
    #expect(try await second.journaledDrafts().isEmpty)
    try await second.close()
  }

  @Test func `a save behind another writer waits visibly, form open, and then is done`()
    async throws
  {
    let library = try await library()
    let model = LibraryViewModel(library: library, time: Places.time)
    let editor = try #require(model.newEditor(.place))
    await editor.start()
    editor.enter("Porto", in: .name)
    // Another program holds the writers' lock, and says in it what it does.
    let lock = open(folder.file("a.skyros/library.lock"), O_RDWR)
    try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
    let words = Array("an import, process 4711\n".utf8)
    try #require(pwrite(lock, words, words.count, 0) == words.count)
    try #require(ftruncate(lock, words.count) == 0)
    let saving = Task { @UI in await editor.save() }
    await until { editor.state.phase == .waiting(behind: "an import, process 4711") }
    #expect(editor.shown(.name)?.text == "Porto")
    close(lock)
    #expect(await saving.value)
    await editor.idle()
    await model.close()
  }

  @Test func `a bulk edit that a crash ended is offered, and goes into all its records`()
    async throws
  {
    let first = try await library()
    var ids: [RecordID] = []
    for name in ["Porto", "Vigo", "Ovar"] {
      let type = try #require(first.model.type(.place))
      var draft = Draft(
        id: first.surroundings.newDraftID(), new: first.surroundings.newRecordID(), of: type)
      draft.set(.text(name), of: .name)
      _ = try await first.commit(draft)
      ids.append(draft.record)
    }
    let found = try await first.snapshots(.place, ids)
    let editor = try #require(
      EditorViewModel(
        library: first, bulk: ids.compactMap { found[$0] }, time: Places.time))
    await editor.start()
    editor.enter("Iberia", in: .country)
    await editor.idle()
    try await first.close()

    let second = try await library()
    let model = LibraryViewModel(library: second, time: Places.time)
    await model.start()
    let offer = try #require(model.state.recovered.first)
    #expect(offer.title == nil)
    #expect(offer.changed == [.country])
    _ = try await second.delete(.place, [ids[2]])
    let again = try #require(await model.recoveredEditor(offer.id))
    await again.start()
    #expect(again.state.mode == .bulk(count: 2))
    #expect(again.state.isRecovered)
    #expect(again.shown(.country)?.text == "Iberia")
    #expect(again.shown(.name)?.isMixed == true)
    #expect(await again.save())
    await again.idle()
    for id in ids.prefix(2) {
      #expect(try await second.snapshot(.place, id)?.value(of: .country) == .text("Iberia"))
    }
    #expect(try await second.journaledDrafts().isEmpty)
    await model.close()
  }
}
