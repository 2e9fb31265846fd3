// Searches longer than SQLite's own bounds: answered right, or refused with a reason.

import RecordStore
import Records
import TestKit
import Testing

struct SearchLimitTests {
  private func found(_ search: String, _ type: TypeID, _ fixture: Fixture) async throws -> Int {
    try await fixture.library.page(ListQuery(type: type, search: search), offset: 0, limit: 10)
      .count
  }

  /// Trips have no field that is searched: their text is looked through.
  private static let types = [(Fixture.place, "name"), (Fixture.trip, "title")]

  @Test(arguments: types)
  func `one word of more bytes than a pattern takes is found`(
    type: TypeID, field: String
  ) async throws {
    let fixture = try await Fixture(.memory)
    let word = String(repeating: "skyros", count: 10_000)
    try await fixture.add(type, [field: .text("A " + word)])
    try await fixture.add(type, [field: .text("B")])
    #expect(try await found(word, type, fixture) == 1)
    #expect(try await found(word.uppercased(), type, fixture) == 1)
    #expect(try await found("x" + word, type, fixture) == 0)
    let list = try await fixture.library.list(ListQuery(type: type, search: word))
    _ = await list.caughtUp()
    #expect(await list.state().count == 1)
  }

  @Test(arguments: types)
  func `a thousand words are searched for, and one more is refused`(
    type: TypeID, field: String
  ) async throws {
    let fixture = try await Fixture(.memory)
    let words = (0..<1000).map { "w\($0)" }
    let text = words.joined(separator: " ")
    try await fixture.add(type, [field: .text(text)])
    #expect(try await found(text, type, fixture) == 1)
    let refusal = StoreError.searchTooLong(wordsMax: 1000)
    for search in [text + " x", String(repeating: "札幌", count: 501) + "市", text + " - -"] {
      await #expect(throws: refusal) { try await found(search, type, fixture) }
    }
    let filter = ListQuery(type: type, filter: .not(.words(text + " more")))
    await #expect(throws: refusal) {
      try await fixture.library.page(filter, offset: 0, limit: 1)
    }
  }
}
