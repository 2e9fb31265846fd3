import RecordStore
import Records
import TestKit
import Testing

/// Open drafts outlive their session, once each, and never disturb a living one.
struct DraftJournalTests {
  private static let type = RecordType(
    id: TypeID(trusted: "Note"), fields: [Field(id: FieldID(trusted: "name"), type: .text)])
  private let name = FieldID(trusted: "name")
  private let world = TestWorld()

  private func draft(_ text: String) -> Draft {
    let surroundings = world.surroundings
    var draft = Draft(
      id: surroundings.newDraftID(), new: surroundings.newRecordID(), of: Self.type)
    draft.set(.unread(text), of: name)
    return draft
  }

  private func library(_ folder: TemporaryFolder) async throws -> Library {
    let path = folder.file("a.skyros")
    do {
      return try await Library.open(at: path, surroundings: world.surroundings)
    } catch StoreError.missing {
      return try await Library.create(
        at: path, model: Model(types: [Self.type]), surroundings: world.surroundings)
    }
  }

  @Test func `what a session left behind is offered to the next, newest version only`()
    async throws
  {
    let folder = try TemporaryFolder()
    let first = try await library(folder)
    var draft = draft("ab")
    try await first.journal(draft)
    draft.set(.unread("abc"), of: name)
    try await first.journal(draft)
    try await first.close()
    let second = try await library(folder)
    let found = try await second.journaledDrafts()
    #expect(found.map(\.id) == [draft.id])
    #expect(found.first?.input(of: name) == .unread("abc"))
    #expect(found.first?.isRecovered == true)
    try await second.close()
  }

  @Test func `the drafts of a living session are its own`() async throws {
    let folder = try TemporaryFolder()
    let first = try await library(folder)
    let second = try await library(folder)
    try await first.journal(draft("mine"))
    #expect(try await first.journaledDrafts().isEmpty)
    #expect(try await second.journaledDrafts().isEmpty)
    try await first.close()
    #expect(try await second.journaledDrafts().count == 1)
    try await second.close()
  }

  @Test func `a draft that is taken up again belongs to who took it`() async throws {
    let folder = try TemporaryFolder()
    let first = try await library(folder)
    try await first.journal(draft("left"))
    try await first.close()
    let second = try await library(folder)
    let taken = try #require(try await second.journaledDrafts().first)
    try await second.journal(taken)
    let third = try await library(folder)
    #expect(try await third.journaledDrafts().isEmpty)
    try await second.discardDraft(taken.id)
    try await second.close()
    #expect(try await third.journaledDrafts().isEmpty)
    try await third.close()
  }

  @Test func `a draft that was committed before the crash is not offered`() async throws {
    let folder = try TemporaryFolder()
    let first = try await library(folder)
    var draft = draft("")
    draft.set(.text("saved"), of: name)
    try await first.journal(draft)
    _ = try await first.commit(draft)
    try await first.close()
    let second = try await library(folder)
    #expect(try await second.journaledDrafts().isEmpty)
    try await second.close()
  }

  @Test func `discarding what was never journaled is no error`() async throws {
    let folder = try TemporaryFolder()
    let library = try await library(folder)
    try await library.discardDraft(world.surroundings.newDraftID())
    try await library.close()
  }
}
