// What tells of sync between the programs that have a library open, and where a record stands.

import RecordStore
import Records
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10))) struct SyncNoticesTests {
  private static func reopen(_ fixture: Fixture) async throws -> Library {
    let path = try #require(fixture.library.path)
    return try await Library.open(at: path, surroundings: fixture.world.surroundings)
  }

  @Test func `one program at a time has the lease, and looking at it takes nothing`()
    async throws
  {
    let fixture = try await Fixture(.file)
    let other = try await Self.reopen(fixture)
    #expect(!SyncLease.isHeld(other))
    var lease = try SyncLease.take(fixture.library)
    #expect(lease != nil)
    #expect(SyncLease.isHeld(other))
    #expect(SyncLease.isHeld(fixture.library))
    #expect(try SyncLease.take(other) == nil)
    lease = nil
    #expect(!SyncLease.isHeld(other))
    #expect(try SyncLease.take(other) != nil)
    try await other.close()
    withExtendedLifetime(lease) {}
  }

  @Test func `who lets the lease go wakes the others`() async throws {
    let fixture = try await Fixture(.file)
    let other = try await Self.reopen(fixture)
    var lease = try SyncLease.take(fixture.library)
    #expect(lease != nil)
    var notices = other.syncNotices().makeAsyncIterator()
    // Until everything that taking it stirred up has come in.
    try await fixture.library.requestSync()
    while try await !other.takeSyncRequest() { _ = await notices.next() }
    lease = nil
    while SyncLease.isHeld(other) { _ = await notices.next() }
    try await other.close()
  }

  @Test(arguments: Kind.allCases)
  func `whatever changes in the books of sync is told`(kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    var notices = fixture.library.syncNotices().makeAsyncIterator()
    try await fixture.library.saveSyncSettings(
      SyncSettings(service: "file:/x", container: "c", zone: "z"))
    #expect(await notices.next() != nil)
    #expect(try await fixture.library.syncSettings()?.zone == "z")
  }

  @Test func `a request of another program is told`() async throws {
    let fixture = try await Fixture(.file)
    let other = try await Self.reopen(fixture)
    var notices = fixture.library.syncNotices().makeAsyncIterator()
    try await other.requestSync()
    while try await !fixture.library.takeSyncRequest() { _ = await notices.next() }
    try await other.close()
  }

  @Test func `where a record stands: waiting, set aside, taken, purged`() async throws {
    let fixture = try await Fixture(.memory)
    let library = fixture.library
    let id = try await fixture.add(Fixture.place, ["name": .text("Skyros")])
    let reference = RecordReference(type: Fixture.place, id: id)
    var expected = SyncStanding()
    expected.isPending = true
    #expect(try await library.syncStanding(of: reference) == expected)
    #expect(try await library.unsyncedReferences(limit: 10).pending == [reference])

    let pending = try await library.pendingRecords(limit: 1)
    try await library.park(pending.map { ($0, "BAD_REQUEST", "too blue") })
    let parked = try #require(try await library.syncStanding(of: reference)?.parked)
    #expect(parked.reason == "BAD_REQUEST")
    #expect(parked.detail == "too blue")
    #expect(try await library.unsyncedReferences(limit: 10).parked == [reference])

    try await library.unparkAll()
    try await library.acknowledge(
      pending.map {
        Acknowledgement(
          reference: $0.reference, number: $0.number, remote: RemoteCopy(tag: "1"))
      })
    expected.isPending = false
    expected.isOnService = true
    #expect(try await library.syncStanding(of: reference) == expected)
    #expect(try await library.unsyncedReferences(limit: 10).pending.isEmpty)

    let stranger = RecordReference(type: Fixture.place, id: RecordID(high: 1, low: 1))
    #expect(try await library.syncStanding(of: stranger) == nil)
  }

  @Test func `several conflicts are settled in one save, or none of them`() async throws {
    let here = try await Fixture(.memory, seed: 1)
    let there = try await Fixture(.memory, seed: 2)
    let name = FieldID(trusted: "name")
    var records: [RecordReference] = []
    for number in 0..<2 {
      let id = try await here.add(Fixture.place, ["name": .text("place \(number)")])
      records.append(RecordReference(type: Fixture.place, id: id))
    }
    try await there.take(records, from: here)
    for record in records {
      try await here.set(record, [name: .text("here")])
      try await there.set(record, [name: .text("there")])
    }
    try await here.take(records, from: there)
    #expect(try await here.library.syncBacklog().conflicts == 2)

    await #expect(throws: StoreError.self) {
      try await here.library.resolve([
        ConflictChoice(record: records[0], field: name, value: .value(.text("mine"))),
        ConflictChoice(record: records[1], field: name, value: .value(.empty)),
      ])
    }
    #expect(try await here.library.syncBacklog().conflicts == 2)

    let result = try await here.library.resolve(
      records.map { ConflictChoice(record: $0, field: name, value: .value(.text("mine"))) })
    #expect(result.records == records)
    #expect(try await here.library.syncBacklog().conflicts == 0)
    _ = try await here.library.undo()
    #expect(try await here.snapshot(Fixture.place, records[0].id).value(of: name) != .text("mine"))
  }
}

extension Fixture {
  /// Takes in another library's records as sync does.
  fileprivate func take(_ records: [RecordReference], from other: Fixture) async throws {
    var page = RemotePage()
    for record in records {
      let snapshot = try await other.snapshot(record.type, record.id)
      page.changes.append(
        RemoteChange(
          reference: record, content: .state(snapshot.state), remote: RemoteCopy(tag: "1")))
    }
    _ = try await library.apply(page)
  }

  fileprivate func set(_ record: RecordReference, _ values: [FieldID: Value]) async throws {
    var draft = Draft(
      id: library.surroundings.newDraftID(),
      editing: try await snapshot(record.type, record.id))
    for (field, value) in values { draft.set(value, of: field) }
    _ = try await library.commit(draft)
  }
}
