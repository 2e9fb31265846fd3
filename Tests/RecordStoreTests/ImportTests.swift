// Importing tables: one transaction, all or nothing, taken back as a whole.

import Foundation
import RecordStore
import Records
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10))) struct ImportTests {
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
  func `an import that was undone can be made again, into the type that it made`(
    _ kind: Kind
  ) async throws {
    let fixture = try await Fixture(kind)
    var request = try Self.write(Self.rows(20), fixture)
    request.type = "City"
    request.key = "code"
    _ = try await fixture.library.importTable(request) { _ in }
    let city = TypeID(trusted: "City")
    _ = try await fixture.library.undo()
    let trashed = try #require(try await fixture.library.trash(limit: 1, offset: 0).first)
    #expect(fixture.library.model.type(city)?.hidden == true)
    await #expect(throws: StoreError.hiddenType(city)) {
      try await fixture.library.restore(city, [trashed.record.id])
    }
    let report = try await fixture.library.importTable(request) { _ in }
    #expect(report.isNewType)
    #expect(report.takenCount == 20)
    #expect(fixture.library.model.type(city)?.hidden == false)
    #expect(try await fixture.library.counts()[city] == 20)
    #expect(try await fixture.library.trashCount() == 0)
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

  @Test(arguments: Kind.allCases)
  func `a type is found however its name is capitalized`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    var request = try Self.write(Self.rows(3), fixture)
    request.type = "place"
    let report = try await fixture.library.importTable(request)
    #expect(report.type == Fixture.place)
    #expect(!report.isNewType)
    #expect(try await fixture.library.counts()[Fixture.place] == 3)
    var model = fixture.library.model
    model.types.removeAll { $0.id == Fixture.place }
    _ = try await fixture.library.apply(model, losing: true)
    // Dropped, it comes back with what it had.
    request.key = "code"
    #expect(try await fixture.library.importTable(request).unchanged == 3)
    #expect(fixture.library.model.type(Fixture.place)?.hidden == false)
    #expect(try await fixture.library.counts()[Fixture.place] == 3)
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

  /// Rows of about 120 bytes, enough of them for the table's guard and indexes to be taken away.
  private static func manyRows(_ count: Int) -> [String] {
    ["code,name,population,notes"]
      + (0..<count).map { number in
        let pad = String(repeating: "x", count: 100)
        return "C\(number),Place \(number),\(count - number),\(pad) 札幌\(number)"
      }
  }

  @Test(arguments: Kind.allCases)
  func `a large import leaves the table guarded and indexed, and so does its undo`(
    _ kind: Kind
  ) async throws {
    let fixture = try await Fixture(kind)
    let library = fixture.library
    try await fixture.add(Fixture.place, ["name": .text("Mine"), "population": .integer(7)])
    let report = try await library.importTable(try Self.write(Self.manyRows(2100), fixture))
    #expect(report.added == 2100)
    #expect(try await library.examine().findings == [])
    let query = ListQuery(type: Fixture.place, search: "札幌2077")
    #expect(try await library.count(query) == 1)
    let first = try await library.page(ListQuery(type: Fixture.place), offset: 0, limit: 1)
    #expect(first.map(\.title) == ["Place 0"])

    _ = try await library.undo()
    #expect(try await library.counts()[Fixture.place] == 1)
    #expect(try await library.trashCount() == 2100)
    #expect(try await library.examine().findings == [])
    #expect(try await library.count(query) == 0)
    let kept = ListQuery(type: Fixture.place, search: "mine")
    #expect(try await library.count(kept) == 1)
  }

  @Test(arguments: Kind.allCases)
  func `undo of an import leaves what was edited since, and the rest comes back as it was`(
    _ kind: Kind
  ) async throws {
    let fixture = try await Fixture(kind)
    let library = fixture.library
    var request = try Self.write(Self.rows(40), fixture)
    request.type = "Town"
    let town = TypeID(trusted: "Town")
    // The type is there before, so that taking the import back leaves it.
    request.key = "code"
    _ = try await library.importTable(request)
    _ = try await library.undo()
    let number = try #require(try await library.importTable(request).transaction)
    let rows = try await library.page(ListQuery(type: town), offset: 0, limit: 100)
    try await fixture.set(town, rows[3].id, ["name": .text("Changed")])
    _ = try await library.delete(town, [rows[5].id])
    let before = try await library.snapshots(town, rows.map(\.id)).mapValues(\.fields)

    let undo = try await library.undo(number)
    #expect(undo.skipped.keys.map(\.id) == [rows[3].id])
    #expect(try await library.trashCount() == 39)
    #expect(try await library.examine().findings == [])
    let trashed = try await library.snapshots(town, rows.map(\.id))
    #expect(trashed.values.filter { !$0.isDeleted }.map(\.id) == [rows[3].id])
    #expect(trashed.mapValues(\.fields) == before)

    _ = try await library.undo(undo.transaction)
    let back = try await library.snapshots(town, rows.map(\.id))
    #expect(back.mapValues(\.fields) == before)
    #expect(back.values.filter(\.isDeleted).map(\.id) == [rows[5].id])
    #expect(try await library.examine().findings == [])
  }

  @Test func `a library that is closed leaves no log for the next start to read`() async throws {
    let fixture = try await Fixture(.file)
    _ = try await fixture.library.importTable(try Self.write(Self.manyRows(2100), fixture))
    try await fixture.library.close()
    let log = URL(filePath: fixture.folder.file("test.skyros/library.sqlite-wal"))
    #expect((try? Data(contentsOf: log))?.count ?? 0 == 0)
  }

  @Test func `a dry run of a large file leaves the table as it was`() async throws {
    let fixture = try await Fixture(.file)
    let before = try await fixture.dump()
    var request = try Self.write(Self.manyRows(2100), fixture)
    request.isDryRun = true
    #expect(try await fixture.library.importTable(request).added == 2100)
    #expect(try await fixture.library.examine().findings == [])
    #expect(try await fixture.dump() == before)
  }

  @Test(arguments: Kind.allCases)
  func `a record that a later row of the file changes is found by its new words only`(
    _ kind: Kind
  ) async throws {
    let fixture = try await Fixture(kind)
    var request = try Self.write(
      ["code,name", "B,Second", "A,First", "B,Third", "A,Fourth"], fixture)
    request.key = "code"
    let report = try await fixture.library.importTable(request)
    #expect((report.added, report.updated) == (2, 2))
    #expect(try await fixture.library.examine().findings == [])
    for (word, count) in ["first": 0, "second": 0, "third": 1, "fourth": 1] {
      let query = ListQuery(type: Fixture.place, search: word)
      #expect(try await fixture.library.count(query) == count, "\(word)")
    }
  }

  @Test(arguments: Kind.allCases)
  func `each record of an import is inserted once in its history, with references or without`(
    _ kind: Kind
  ) async throws {
    let fixture = try await Fixture(kind)
    let mine = try await fixture.add(Fixture.place, ["name": .text("Mine")])
    let request = try Self.write(
      ["code,name,twins", "A,One,", "B,Two,\(mine)", "C,Three,"], fixture)
    let report = try await fixture.library.importTable(request)
    #expect(report.added == 3)
    let rows = try await fixture.library.page(
      ListQuery(type: Fixture.place), offset: 0, limit: 10)
    #expect(rows.count == 4)
    for row in rows {
      let past = try await fixture.library.history(
        of: RecordReference(type: Fixture.place, id: row.id))
      #expect(past.flatMap(\.changes).map(\.kind) == [.insert], "\(row.title)")
    }
  }

  @Test(arguments: Kind.allCases, [true, false])
  func `undo of an import leaves what was edited since, and says so`(
    _ kind: Kind, isReferred: Bool
  ) async throws {
    var model = Fixture.model
    if !isReferred { model.types[0].fields.removeAll { $0.id == FieldID("twins") } }
    let fixture = try await Fixture(kind, model: model)
    let report = try await fixture.library.importTable(try Self.write(Self.rows(2100), fixture))
    let number = try #require(report.transaction)
    let query = ListQuery(type: Fixture.place, sort: [SortKey(field: FieldID("population"))])
    let rows = try await fixture.library.page(query, offset: 1200, limit: 2)
    try await fixture.set(Fixture.place, rows[0].id, ["notes": .text("mine")])
    // Changed and put back: as it was.
    try await fixture.set(Fixture.place, rows[1].id, ["notes": .text("mine")])
    _ = try await fixture.library.undo()
    let undo = try await fixture.library.undo(number)
    let reference = RecordReference(type: Fixture.place, id: rows[0].id)
    #expect(undo.skipped == [reference: [FieldID("notes")]])
    #expect(try await fixture.library.counts()[Fixture.place] == 1)
    #expect(try await fixture.library.trashCount() == 2099)
    #expect(try await fixture.library.examine().findings == [])
  }
}
