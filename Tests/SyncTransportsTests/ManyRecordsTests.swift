import CloudKitWire
import RecordStore
import Records
import SimulationKit
import Sync
import Synchronization
import TestKit
import Testing

/// Thousands of records at once: batches and pages overlap, and nothing is lost or sent twice.
struct ManyRecordsTests {
  private static let count = 1_500

  /// Saves places in one transaction.
  private func fill(_ library: Library) async throws -> [RecordID] {
    var drafts: [Draft] = []
    for number in 0..<Self.count {
      var draft = Draft(
        id: library.surroundings.newDraftID(), new: library.surroundings.newRecordID(),
        of: World.type)
      draft.set(.text("Place \(number)"), of: World.name)
      draft.set(.integer(Int64(number)), of: World.population)
      // Some that are not plain, at the beginning, in the middle and at the end.
      if number % 450 == 3 { draft.set(.tags(TagSet(["t"])), of: World.tags) }
      drafts.append(draft)
    }
    _ = try await library.commit(drafts)
    return drafts.map(\.record)
  }

  /// Nothing waits, and both have as many.
  private func expectQuiet(_ world: World, count: Int) async throws {
    for device in [0, 1, 0] { try await world.sync(device) }
    for library in world.libraries {
      let backlog = try await library.syncBacklog()
      #expect(backlog.pending + backlog.parked + backlog.held == 0)
      #expect(try await library.counts()[World.place] == count)
    }
  }

  @Test func `each is sent once and taken in once, whatever overlaps`() async throws {
    let world = try await World(devices: 2)
    defer { world.remove() }
    let ids = try await fill(world.libraries[0])
    let witness = Witness(world.network)
    var exported = SyncCounts()
    var imported = SyncCounts()
    let sum = Mutex((SyncCounts(), SyncCounts()))
    let rest = try await world.sync(0, through: witness) { event in
      guard event.outcome == .succeeded else { return }
      sum.withLock {
        if event.phase == .export { $0.0 += event.counts } else { $0.1 += event.counts }
      }
    }
    #expect(rest == .done)
    (exported, imported) = sum.withLock { $0 }
    #expect(exported.sent == Self.count)
    #expect(exported.acknowledged == Self.count)
    #expect(imported.applied == 0)
    #expect(try await world.libraries[0].syncBacklog().pending == 0)
    #expect(witness.batchesAtOnceMax == 1)
    // What comes back is our own: its fields were not asked for.
    #expect(witness.fieldsOfEcho == 0)
    try await world.sync(1)
    for id in ids {
      let mine = try await world.libraries[0].snapshot(World.place, id)
      let theirs = try await world.libraries[1].snapshot(World.place, id)
      #expect(mine?.state == theirs?.state)
      #expect(mine?.fields == theirs?.fields)
    }
    #expect(try await world.libraries[1].examine().findings.isEmpty)
    try await expectQuiet(world, count: Self.count)
  }

  @Test func `what somebody else wrote among our own comes in whole`() async throws {
    let world = try await World(devices: 2)
    defer { world.remove() }
    _ = try await world.libraries[0].add(["name": .text("first")])
    for device in [0, 1] { try await world.sync(device) }
    _ = try await fill(world.libraries[0])
    let ids = Mutex<[RecordID]>([])
    let between = Between(world.network) {
      let theirs = world.libraries[1]
      let id = try await theirs.add(["name": .text("Oslo"), "tags": .tags(TagSet(["theirs"]))])
      ids.withLock { $0.append(id) }
      #expect(try await world.sync(1) == .done)
    }
    #expect(try await world.sync(0, through: between) == .done)
    let id = try #require(ids.withLock { $0.first })
    let mine = try await world.libraries[0].snapshot(World.place, id)
    #expect(mine?.value(of: World.name) == .text("Oslo"))
    #expect(mine?.value(of: World.tags) == .tags(TagSet(["theirs"])))
    try await expectQuiet(world, count: Self.count + 2)
  }

  @Test func `a save while batches are on their way stays pending until it is sent`() async throws {
    let world = try await World(devices: 2)
    defer { world.remove() }
    let ids = try await fill(world.libraries[0])
    let between = Between(world.network, at: "records/modify", after: 1) {
      // One of a batch that is on its way or written already, and one of a later one.
      for id in [ids[1_100], ids[Self.count - 1]] {
        try await world.libraries[0].set(id, ["name": .text("edited meanwhile")])
      }
    }
    _ = try await world.sync(0, through: between)
    try await expectQuiet(world, count: Self.count)
    for id in [ids[1_100], ids[Self.count - 1]] {
      #expect(
        try await world.libraries[1].snapshot(World.place, id)?.value(of: World.name)
          == .text("edited meanwhile"))
    }
  }
}

/// Counts what is asked for.
private final class Witness: ForwardingTransport {
  let inner: any SyncTransport
  private let state = Mutex((now: 0, most: 0, fields: 0))

  init(_ inner: any SyncTransport) { self.inner = inner }

  var batchesAtOnceMax: Int { state.withLock(\.most) }
  /// Fields in pages that followed a large batch.
  var fieldsOfEcho: Int { state.withLock(\.fields) }

  func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply {
    let isBatch = call.action == "records/modify"
    if isBatch {
      state.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
    }
    let reply = try await inner.call(call)
    state.withLock { if isBatch { $0.now -= 1 } }
    if call.action == "changes/zone", let message = try? ZoneChangesResponse(body: reply.body),
      case .page(let page)? = message.zones.first
    {
      let fields = page.records.reduce(0) { sum, result in
        guard case .record(let record) = result, record.recordType == "Place" else { return sum }
        return sum + record.fields.count
      }
      state.withLock { $0.fields += fields }
    }
    return reply
  }
}

/// Does something once, before a certain call goes out.
private final class Between: ForwardingTransport {
  let inner: any SyncTransport
  private let action: String
  private let deed: @Sendable () async throws -> Void
  private let left: Mutex<Int>

  /// - Parameter count: Calls of that name that go out before.
  init(
    _ inner: any SyncTransport, at action: String = "changes/zone", after count: Int = 1,
    _ deed: @escaping @Sendable () async throws -> Void
  ) {
    self.inner = inner
    self.action = action
    self.deed = deed
    left = Mutex(count)
  }

  func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply {
    let isNow = left.withLock { left in
      if call.action == action { left -= 1 }
      return call.action == action && left == -1
    }
    if isNow {
      do { try await deed() } catch { Issue.record(error) }
    }
    return try await inner.call(call)
  }
}
