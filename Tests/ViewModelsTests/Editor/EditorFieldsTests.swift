import Foundation
import RecordStore
import Records
import TestKit
import Testing
import UILoop
import ViewModels

/// What is done to a field beside typing in it.
@UI struct EditorFieldsTests {
  @Test func `a check mark goes from nothing to yes, to no, to yes`() async throws {
    let editor = try await Places().newEditor()
    editor.toggle(.visited)
    #expect(editor.shown(.visited)?.input == .value(.boolean(true)))
    editor.toggle(.visited)
    #expect(editor.shown(.visited)?.input == .value(.boolean(false)))
    editor.toggle(.name)
    #expect(editor.shown(.name)?.input == .value(.empty))
  }

  @Test func `a date begins today, and steps by days over the end of a month`() async throws {
    let editor = try await Places().newEditor()
    editor.step(.founded, by: 1)
    #expect(editor.shown(.founded)?.text == "2026-11-21")
    editor.step(.founded, by: 10)
    #expect(editor.shown(.founded)?.text == "2026-12-01")
    editor.undo()
    #expect(editor.shown(.founded)?.text == "2026-11-21")
  }

  @Test func `a number steps to its end and no further`() async throws {
    let editor = try await Places().newEditor()
    editor.step(.visits, by: 2)
    editor.step(.visits, by: -5)
    #expect(editor.shown(.visits)?.input == .value(.integer(-3)))
    editor.set(.integer(.max), of: .visits)
    editor.step(.visits, by: 1)
    #expect(editor.shown(.visits)?.input == .value(.integer(.max)))
  }

  @Test func `a choice steps along its list and stays at the ends`() async throws {
    let editor = try await Places().newEditor()
    editor.step(.rating, by: 1)
    #expect(editor.shown(.rating)?.text == "good")
    editor.step(.rating, by: 1)
    #expect(editor.shown(.rating)?.text == "good")
    editor.clear(.rating)
    editor.step(.rating, by: -1)
    #expect(editor.shown(.rating)?.text == "low")
  }

  @Test func `a file is attached, and one that is not there is said and changes nothing`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("porto.txt")
    try Data("ponte".utf8).write(to: URL(filePath: path))
    let places = try await Places()
    let editor = try await places.newEditor()
    await editor.attach(folder.file("none"), to: .photo)
    #expect(editor.state.failure != nil)
    #expect(editor.shown(.photo)?.input == .value(.empty))
    await editor.attach(path, to: .photo)
    #expect(editor.state.failure == nil)
    editor.enter("Porto", in: .name)
    #expect(await editor.save())
    guard case .attachment(let saved) = try await places.value(.photo, of: editor.state.record)
    else {
      Issue.record("no attachment")
      return
    }
    #expect(saved.name == "porto.txt")
    #expect(saved.size == 5)
  }

  @Test func `a picked value is one undo step`() async throws {
    let places = try await Places()
    let trip = try await places.add([.name: .text("Norte")], to: .trip)
    let editor = try await places.newEditor()
    let picker = try #require(editor.picker(for: .trip))
    await picker.start()
    let answer = try #require(picker.answer)
    editor.set(answer, of: .trip)
    await editor.idle()
    let reference = RecordReference(type: .trip, id: trip)
    #expect(
      editor.shown(.trip)?.references == [ResolvedReference(reference: reference, title: "Norte")])
    editor.undo()
    #expect(!editor.state.canUndo)
    #expect(editor.picker(for: .name) == nil)
  }

  @Test func `tags of other records are proposed while one types`() async throws {
    let places = try await Places()
    try await places.add([.name: .text("A"), .tags: .tags(nonEmpty: TagSet(["coast", "cold"]))])
    try await places.add([.name: .text("B"), .tags: .tags(nonEmpty: TagSet(["coast", "hill"]))])
    let editor = try await places.newEditor()
    #expect(editor.suggestedTags("co", for: .tags, in: .main).isEmpty)
    await editor.idle()
    #expect(editor.suggestedTags("co", for: .tags, in: .main) == ["coast", "cold"])
    #expect(editor.suggestedTags("x", for: .tags, in: .main).isEmpty)
  }
}
