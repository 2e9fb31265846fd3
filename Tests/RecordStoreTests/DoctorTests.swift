import Foundation
import GRDB
import RecordStore
import Records
import Synchronization
import TestKit
import Testing

/// The doctor finds what is wrong, and puts right what can be made again.
struct DoctorTests {
  /// Damages a closed library as another program would, past every guard of ours.
  func damage(_ fixture: Fixture, _ sql: String) async throws {
    let queue = try DatabaseQueue(path: fixture.folder.file("test.skyros/library.sqlite"))
    try await queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  func filled() async throws -> Fixture {
    let fixture = try await Fixture(.file)
    for number in 0..<20 {
      try await fixture.add(
        Fixture.place, ["name": .text("札幌 \(number)"), "population": .integer(Int64(number))])
    }
    return fixture
  }

  @Test(arguments: Kind.allCases)
  func `a library in order has no findings`(kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let id = try await fixture.add(Fixture.place, ["name": .text("Porto")])
    try await fixture.set(Fixture.place, id, ["name": .text("Lisboa")])
    _ = try await fixture.library.delete(Fixture.place, [id])
    let report = try await fixture.library.examine()
    #expect(report.findings == [])
    #expect(report.transactions == 4)
    #expect(try await fixture.library.repair() == report)
  }

  @Test func `a damaged file is told as that, and the rest is examined`() async throws {
    let fixture = try await Fixture(.file)
    for number in 0..<300 {
      try await fixture.add(
        Fixture.place,
        ["name": .text("\(number)"), "notes": .text(String(repeating: "long ", count: 200))])
    }
    try await fixture.library.close()
    let path = fixture.folder.file("test.skyros/library.sqlite")
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: try file.seekToEnd() / 2)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 16_384))
    try file.close()
    let again = try await Library.open(
      at: fixture.folder.file("test.skyros"), surroundings: fixture.world.surroundings)
    let report = try await again.repair()
    #expect(report.findings.contains { if case .file = $0 { true } else { false } })
    try await again.close()
  }

  @Test(arguments: [
    ("DROP INDEX \"Place.population\"", DoctorFinding.missingIndex(name: "Place.population")),
    ("DROP TRIGGER \"Place.update\"", .missingGuard(table: "Place")),
    (
      "DROP TRIGGER \"_count.update\"; UPDATE _count SET living = 7 WHERE type = 'Place'",
      .count(type: Fixture.place, noted: 7, found: 20)
    ),
    ("DROP TABLE \"Place._search\"", .search(type: Fixture.place)),
    (
      "INSERT INTO \"Place._search\"(\"Place._search\") VALUES ('delete-all')",
      .search(type: Fixture.place)
    ),
  ])
  func `what can be made again is found and repaired, after a backup`(
    damage: String, finding: DoctorFinding
  ) async throws {
    let fixture = try await filled()
    try await self.damage(fixture, damage)
    let found = try await fixture.library.examine()
    #expect(found.findings.contains(finding))
    let repaired = try await fixture.library.repair()
    #expect(repaired.findings == [])
    #expect(repaired.repaired == found.findings)
    #expect(repaired.backup.map { FileManager.default.fileExists(atPath: $0) } == true)
    // It works again, through the door.
    let id = try await fixture.add(Fixture.place, ["name": .text("new")])
    #expect(
      try await fixture.snapshot(Fixture.place, id).value(of: FieldID(trusted: "name"))
        == .text("new"))
    try await fixture.library.close()
  }

  @Test func `a record whose state does not read is named and left alone`() async throws {
    let fixture = try await filled()
    let id = try await fixture.add(Fixture.place, ["name": .text("bad")])
    try await damage(
      fixture,
      "DROP TRIGGER \"Place.update\"; UPDATE Place SET _causal = x'02FF' WHERE name = 'bad'")
    let report = try await fixture.library.repair()
    #expect(report.findings == [.state(RecordReference(type: Fixture.place, id: id))])
    #expect(report.repaired == [.missingGuard(table: "Place")])
    try await fixture.library.close()
  }

  /// Runs once, when the clock is read next.
  private final class Once: Sendable {
    private let body = Mutex<(@Sendable () -> Void)?>(nil)

    func arm(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }

    func run() {
      let body = body.withLock { body in
        defer { body = nil }
        return body
      }
      body?()
    }
  }

  @Test func `a repaired count holds what was saved after the library was examined`() async throws {
    let once = Once()
    let world = TestWorld()
    var surroundings = world.surroundings
    surroundings.milliseconds = { [clock = surroundings.milliseconds] in
      once.run()
      return clock()
    }
    let folder = try TemporaryFolder()
    let library = try await Library.create(
      at: folder.file("test.skyros"), model: Fixture.model, surroundings: surroundings)
    let file = folder.file("test.skyros/library.sqlite")
    /// Writes as a transaction of ours does: between an open row of the log and its seal.
    @Sendable func write(_ sql: String) {
      do {
        let queue = try DatabaseQueue(path: file)
        try queue.write { db in
          try db.execute(
            sql: """
              INSERT INTO _transaction (number, at, time, device, author, origin, sealed, records)
              SELECT max(number) + 1, max(at), max(time) + 1, device, 'x', 'edit', 0, 0
              FROM _transaction;
              \(sql);
              UPDATE _transaction SET sealed = 1 WHERE NOT sealed;
              """)
        }
        try queue.close()
      } catch {
        Issue.record(error)
      }
    }
    write("UPDATE _count SET living = 7 WHERE type = 'Place'")
    once.arm {
      write(
        """
        INSERT INTO Place (_row, _id, _created, _time, _device)
          VALUES (1, randomblob(16), 1, 1, 1);
        UPDATE _count SET living = living + 1, next = 2 WHERE type = 'Place'
        """)
    }
    let report = try await library.repair()
    #expect(report.findings == [])
    #expect(try await library.counts()[Fixture.place] == 1)
    try await library.close()
  }
}
