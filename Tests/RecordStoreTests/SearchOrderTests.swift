// What a search shows first, and what a filter shows while its whole order is on its way.

import Foundation
import Records
import TestKit
import Testing

@testable import RecordStore

struct SearchOrderTests {
  private func titles(_ query: ListQuery, _ library: Library) async throws -> [String] {
    try await library.page(query, offset: 0, limit: 1000).map(\.title)
  }

  /// More rows than a search sorts by the key of each.
  private func importMany(
    _ fixture: Fixture, _ count: Int, notes: String, needle: (Int) -> Bool = { _ in false }
  ) async throws {
    let rows = (0..<count).map { number in
      "C\(number),\(needle(number) ? "Needle" : "Place") \(number),\(number),\(notes)"
    }
    let text = (["code,name,population,notes"] + rows).joined(separator: "\n") + "\n"
    let path = fixture.folder.file("many.csv")
    try Data(text.utf8).write(to: URL(filePath: path))
    let today = try #require(CalendarDate(year: 2026, month: 11, day: 21))
    let request = ImportRequest(path: path, type: "Place", time: .utc(today: today))
    #expect(try await fixture.library.importTable(request).added == count)
  }

  @Test(arguments: Kind.allCases)
  func `what is called by the words comes before what has them elsewhere`(
    _ kind: Kind
  ) async throws {
    let fixture = try await Fixture(kind)
    let records: [(String, Int64, String)] = [
      ("Lisboa", 900, "south of Porto"), ("Vila do Porto", 800, ""), ("Portobello", 700, ""),
      ("Porto_x", 650, ""), ("Porto", 600, ""), ("porto", 500, ""), ("Faro", 400, ""),
    ]
    for (name, population, notes) in records {
      try await fixture.add(
        Fixture.place,
        [
          "name": .text(name), "population": .integer(population),
          "notes": notes.isEmpty ? .empty : .text(notes),
        ])
    }
    let query = ListQuery(type: Fixture.place, search: " porto ")
    let ranked = ["Porto", "porto", "Portobello", "Porto_x", "Vila do Porto", "Lisboa"]
    #expect(try await titles(query, fixture.library) == ranked)
    let list = try await fixture.library.list(query)
    _ = await list.caughtUp()
    #expect(try await list.rows(0..<10).rows.map { $0?.title } == ranked)

    // Where the person chose an order, that is what counts.
    let sorted = ListQuery(
      type: Fixture.place, search: "porto",
      sort: [SortKey(field: FieldID("population"), descending: true)])
    #expect(try await titles(sorted, fixture.library).first == "Lisboa")

    // A title that fits now moves up, in the list that is open.
    let lisboa = try #require(
      try await fixture.library.find(Fixture.place, titled: "Lisboa", limit: 1).first)
    try await fixture.set(Fixture.place, lisboa, ["name": .text("Porto")])
    _ = await list.caughtUp()
    let now = try await titles(query, fixture.library)
    #expect(now.prefix(3) == ["Porto", "Porto", "porto"])
    #expect(try await list.rows(0..<10).rows.map { $0?.title } == now)
  }

  @Test func `words that thousands of records have rank their titles too`() async throws {
    let fixture = try await Fixture(.memory)
    try await importMany(fixture, 5100, notes: "a quiet harbour")
    for (name, population) in [("Old harbour", 3), ("Harbourside", 2), ("Harbour", 1)] {
      try await fixture.add(
        Fixture.place, ["name": .text(name), "population": .integer(Int64(population))])
    }
    for filter in [nil, Filter.field(FieldID("population"), .isPresent)] {
      let query = ListQuery(type: Fixture.place, filter: filter, search: "harbour")
      let list = try await fixture.library.list(query)
      _ = await list.caughtUp()
      let state = await list.state()
      #expect(state.count == 5103)
      let first = try await list.rows(0..<4).rows.map { $0?.title }
      #expect(first == ["Harbour", "Harbourside", "Old harbour", "Place 5099"])
      #expect(try await list.rows(5102..<5103).rows.map { $0?.title } == ["Place 0"])
    }
    // Words of the filter are the same words.
    let words = ListQuery(
      type: Fixture.place,
      filter: .all([.words("harbour"), .field(FieldID("name"), .contains("side"))]))
    #expect(try await titles(words, fixture.library) == ["Harbourside"])
    let list = try await fixture.library.list(words)
    _ = await list.caughtUp()
    #expect(try await list.rows(0..<4).rows.map { $0?.title } == ["Harbourside"])
  }

  @Test func `a filter whose matches come late in the order shows some of them at once`()
    async throws
  {
    let fixture = try await Fixture(.memory)
    // In the order of the list, the largest first, they are the last.
    try await importMany(fixture, 4200, notes: "") { $0 < 50 }
    let filter = Filter.field(FieldID("name"), .contains("needle"))
    let query = ListQuery(type: Fixture.place, filter: filter)
    let plan = try ListPlan(query, model: fixture.library.model)
    let some = try await fixture.library.read { try $0.window(plan, limit: 10) }
    #expect(some.rows.count == 10 && !some.isBeginning)
    // More than there are: then all rows of this table were looked at.
    let all = try await fixture.library.read { try $0.window(plan, limit: 60) }
    #expect(all.rows.count == 50 && all.isBeginning)
    let list = try await fixture.library.list(query)
    _ = await list.caughtUp()
    let state = await list.state()
    #expect(state.isBeginning && state.isComplete && state.count == 50)
    #expect(try await list.rows(0..<1).rows.map { $0?.title } == ["Needle 49"])
    await list.pin()
    #expect(await list.state().count == 50)
  }
}
