import GRDB
import RecordStore
import Records
import TestKit
import Testing

/// The event log of sync.
struct SyncEventTests {
  private func fail(
    _ library: Library, _ phase: SyncPhase, _ error: String, at time: Int64, detail: String = "x"
  ) async throws {
    var event = try await library.beginEvent(phase, trigger: .retry, at: time)
    event.outcome = .failed
    event.error = error
    event.detail = detail
    event.endedAt = time + 10
    event.movedAt = time + 10
    event.counts.sent = 2
    try await library.endEvent(event)
  }

  @Test(arguments: Kind.allCases)
  func `a failure that repeats itself is one event with its number and its last time`(
    kind: Kind
  ) async throws {
    let fixture = try await Fixture(kind)
    let library = fixture.library
    for number in 0..<5 {
      try await fail(
        library, .setup, "unreachable", at: Int64(number) * 1_000, detail: "try \(number)")
    }
    let events = try await library.events(limit: 10)
    #expect(events.count == 1)
    let event = try #require(events.first)
    #expect(event.attempts == 5)
    #expect(event.startedAt == 0)
    #expect(event.endedAt == 4_010)
    #expect(event.detail == "try 4")
    #expect(event.counts.sent == 10)
    try await library.close()
  }

  @Test func `another cause, another phase or a success in between is another event`() async throws
  {
    let fixture = try await Fixture(.memory)
    let library = fixture.library
    try await fail(library, .setup, "unreachable", at: 0)
    try await fail(library, .setup, "timedOut", at: 1)
    try await fail(library, .import, "timedOut", at: 2)
    var good = try await library.beginEvent(.import, trigger: .retry, at: 3)
    good.outcome = .succeeded
    good.endedAt = 4
    try await library.endEvent(good)
    try await fail(library, .import, "timedOut", at: 5)
    let events = try await library.events(limit: 10)
    #expect(events.map(\.attempts) == [1, 1, 1, 1, 1])
  }

  @Test func `a log of an earlier Skyros has its events counted once each`() async throws {
    var fixture = try await Fixture(.file)
    try await fail(fixture.library, .setup, "unreachable", at: 0)
    let path = fixture.folder.file("test.skyros/library.sqlite")
    try await fixture.library.close()
    let file = try DatabaseQueue(path: path)
    try await file.write { try $0.execute(sql: "ALTER TABLE _event DROP COLUMN attempts") }
    try file.close()
    try await fixture.open()
    #expect(try await fixture.library.events(limit: 10).map(\.attempts) == [1])
    try await fail(fixture.library, .setup, "unreachable", at: 1)
    #expect(try await fixture.library.events(limit: 10).map(\.attempts) == [2])
    try await fixture.library.close()
  }
}
