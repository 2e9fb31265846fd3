// Importing tables: one transaction, all or nothing, taken back as a whole.

import Foundation
import RecordStore
import Records
import TestKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct ImportTests {
  private static func write(_ rows: [String], _ fixture: Fixture) throws -> ImportRequest {
    let path = fixture.folder.file("table.csv")
    try Data((rows.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
    guard let today = CalendarDate(year: 2026, month: 11, day: 21) else { fatalError("a day") }
    return ImportRequest(path: path, type: "Place", time: .utc(today: today))
  }

  private static func rows(_ count: Int) -> [String] {
    ["code,name,population"] + (0..<count).map { "C\($0),Place \($0),\($0)" }
  }

  @Test(arguments: Kind.allCases)
  func `an import is one transaction, and undo takes all of it back`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let kept = try await fixture.add(Fixture.place, ["name": .text("Mine")])
    let request = try Self.write(Self.rows(1100), fixture)
    let report = try await fixture.library.importTable(request) { _ in }
    let number = try #require(report.transaction)
    #expect(report.added == 1100)
    #expect(report.refusedCount == 0)
    #expect(try await fixture.library.counts()[Fixture.place] == 1101)
    let entry = try #require(try await fixture.library.history(limit: 1).first)
    #expect(entry.number == number)
    #expect(entry.origin == .importFile)
    #expect(entry.recordCount == 1100)
    #expect(entry.changes.count == Library.changesPerEntryMax)
    #expect(try await fixture.library.changes(of: number, offset: 1095, limit: 20).count == 5)
    let undo = try await fixture.library.undo()
    #expect(undo.undone == number)
    #expect(try await fixture.library.counts()[Fixture.place] == 1)
    #expect(try await !fixture.snapshot(Fixture.place, kept).isDeleted)
    _ = try await fixture.library.undo(undo.transaction)
    #expect(try await fixture.library.counts()[Fixture.place] == 1101)
    let found = ListQuery(type: Fixture.place, search: "\"place 77\"")
    #expect(try await fixture.library.count(found) == 1)
  }

  @Test func `whichever statement fails, an import is whole or not at all`() async throws {
    let fixture = try await Fixture(.file)
    var request = try Self.write(["code,name", "A,One", "B,Two"], fixture)
    request.key = "code"
    _ = try await fixture.library.importTable(request) { _ in }
    request = try Self.write(["code,name", "B,Zwei", "C,Three", "D,Four"], fixture)
    request.key = "code"
    let before = try await fixture.dump()
    var statement = 1
    while true {
      fixture.world.faults.arm(failingAt: statement)
      do {
        let report = try await fixture.library.importTable(request) { _ in }
        #expect(report.added == 2)
        #expect(report.updated == 1)
        break
      } catch is Faults.Injected {
        #expect(try await fixture.dump() == before, "statement \(statement)")
      }
      statement += 1
    }
    #expect(statement > 3)
    fixture.world.faults.arm(failingAt: nil)
    _ = try await fixture.library.undo()
    let query = ListQuery(type: Fixture.place, sort: [SortKey(field: FieldID("name"))])
    let titles = try await fixture.library.page(query, offset: 0, limit: 9).map(\.title)
    #expect(titles == ["One", "Two"])
  }
}
