import RecordStore
import Records
import TestKit
import Testing
import UILoop
import ViewModels

/// What a person sees while typing: nothing of it needs the store's answer.
@UI struct EditorTypingTests {
  @Test func `a new form starts with the defaults, clean`() async throws {
    let places = try await Places()
    let editor = try await places.newEditor()
    #expect(editor.state.mode == .new)
    #expect(editor.shown(.rating)?.input == .value(.text("fair")))
    #expect(!editor.state.isDirty)
    #expect(!editor.state.canUndo)
  }

  @Test func `a text that reads becomes a value at each key`() async throws {
    let places = try await Places()
    let editor = try await places.newEditor()
    editor.enter("42", in: .population)
    #expect(editor.shown(.population)?.input == .value(.integer(42)))
    #expect(editor.state.isDirty)
  }

  @Test func `the text stays as it was typed until the field is left`() async throws {
    let places = try await Places()
    let editor = try await places.newEditor()
    editor.focus(.population)
    editor.enter("0042", in: .population)
    #expect(editor.shown(.population)?.text == "0042")
    editor.focus(.name)
    #expect(editor.shown(.population)?.text == "42")
  }

  @Test func `a mistake is reported when the field is left, not before`() async throws {
    let places = try await Places()
    let editor = try await places.newEditor()
    editor.focus(.population)
    editor.enter("4x", in: .population)
    #expect(editor.shown(.population)?.input == .unread("4x"))
    #expect(editor.shown(.population)?.problem == nil)
    editor.focus(.name)
    #expect(editor.shown(.population)?.problem == .unreadable(.integer))
    #expect(editor.shown(.population)?.text == "4x")
  }

  @Test func `a reported mistake goes as soon as it is mended`() async throws {
    let places = try await Places()
    let editor = try await places.newEditor()
    editor.enter("-5", in: .population)
    editor.focus(.name)
    #expect(
      editor.shown(.population)?.problem == .refused(.belowMinimum(.integer(0))))
    editor.type("5", in: .population)
    #expect(editor.shown(.population)?.problem == nil)
  }

  @Test func `undo takes back a word, redo brings it again`() async throws {
    let places = try await Places()
    let editor = try await places.newEditor()
    editor.enter("New York", in: .name)
    editor.undo()
    #expect(editor.shown(.name)?.text == "New ")
    editor.undo()
    #expect(editor.shown(.name)?.text == "")
    #expect(!editor.state.canUndo)
    editor.redo()
    editor.redo()
    #expect(editor.shown(.name)?.text == "New York")
  }

  @Test func `a paste is a step of its own`() async throws {
    let places = try await Places()
    let editor = try await places.newEditor()
    editor.enter("a", in: .name)
    editor.type("a pasted text", in: .name)
    editor.enter("!", in: .name)
    editor.undo()
    #expect(editor.shown(.name)?.text == "a pasted text")
    editor.undo()
    #expect(editor.shown(.name)?.text == "a")
  }

  @Test func `undo goes to the field that it changes`() async throws {
    let places = try await Places()
    let editor = try await places.newEditor()
    editor.enter("Porto", in: .name)
    editor.focus(.country)
    editor.undo()
    #expect(editor.state.focus == FieldPlace(field: .name))
  }

  @Test func `undoing everything leaves a clean form`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto")])
    let editor = try await places.editor(id)
    editor.enter("!", in: .name)
    #expect(editor.shown(.name)?.isChanged == true)
    #expect(editor.shown(.name)?.base == .text("Porto"))
    editor.undo()
    #expect(!editor.state.isDirty)
  }

  @Test func `reverting puts a field back to what the record says`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto"), .country: .text("PT")])
    let editor = try await places.editor(id)
    editor.enter("x", in: .country)
    editor.clear(.name)
    editor.revert(.country)
    #expect(editor.shown(.country)?.text == "PT")
    #expect(editor.shown(.name)?.isChanged == true)
  }

  @Test func `a reference shows what it points to, a lost one shows that it is gone`() async throws
  {
    let places = try await Places()
    let trip = try await places.add([.name: .text("Norte")], to: .trip)
    let id = try await places.add([.name: .text("Porto"), .trip: .reference(trip)])
    let editor = try await places.editor(id)
    let reference = RecordReference(type: .trip, id: trip)
    #expect(
      editor.shown(.trip)?.references == [ResolvedReference(reference: reference, title: "Norte")])
    let stranger = RecordID(high: 1, low: 2)
    editor.set(.reference(stranger), of: .trip)
    await editor.idle()
    #expect(editor.shown(.trip)?.references.first?.title == nil)
  }

  // MARK: Leaving

  @Test func `cancelling a clean form closes it without a question`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto")])
    let editor = try await places.editor(id)
    editor.cancel()
    #expect(editor.state.phase == .closed(.discarded))
  }

  @Test func `cancelling asks when something would be dropped, and typing on is the answer no`()
    async throws
  {
    let places = try await Places()
    let editor = try await places.newEditor()
    editor.enter("P", in: .name)
    editor.cancel()
    #expect(editor.state.asksToDiscard)
    #expect(editor.state.phase == .editing)
    editor.keepEditing()
    #expect(!editor.state.asksToDiscard)
    #expect(editor.shown(.name)?.text == "P")
  }

  @Test func `a discarded form leaves no trace`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto")])
    let before = try await places.snapshot(id)
    let history = try await places.library.history(limit: 100)
    let editor = try await places.editor(id)
    editor.enter("!", in: .name)
    editor.set(.integer(5), of: .visits)
    editor.cancel()
    editor.discard()
    await editor.idle()
    #expect(try await places.snapshot(id) == before)
    #expect(try await places.library.history(limit: 100) == history)
    #expect(try await places.library.journaledDrafts().isEmpty)
    #expect(editor.state.phase == .closed(.discarded))
  }

  @Test func `a closed form takes no more typing`() async throws {
    let places = try await Places()
    let editor = try await places.newEditor()
    editor.discard()
    editor.enter("late", in: .name)
    #expect(editor.shown(.name)?.text == "")
  }
}
