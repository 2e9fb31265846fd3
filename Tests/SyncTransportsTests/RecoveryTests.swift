import CloudKitWire
import Foundation
import RecordService
import RecordStore
import Records
import SimulationKit
import Sync
import SyncTransports
import Synchronization
import TestKit
import Testing

/// What went wrong between two syncs is repaired by comparing, by a plan that a person can read, and
/// with nothing wiped unasked.
struct RecoveryTests {
  /// Two libraries with the same three records.
  static func world() async throws -> (World, [RecordID]) {
    let world = try await World(devices: 2)
    var ids: [RecordID] = []
    for name in ["Kyoto", "Nara", "Uji"] {
      ids.append(try await world.libraries[0].add(["name": .text(name)]))
    }
    try await world.settle()
    return (world, ids)
  }

  static func names(_ library: Library, _ ids: [RecordID]) async throws -> [String] {
    var names: [String] = []
    for id in ids {
      guard let snapshot = try await library.snapshot(World.place, id), !snapshot.isDeleted,
        case .text(let name) = snapshot.value(of: World.name)
      else { continue }
      names.append(name)
    }
    return names
  }

  @Test func `a record that was damaged on the service is no trouble once it is repaired`()
    async throws
  {
    let (world, ids) = try await Self.world()
    defer { world.remove() }
    let client = ServiceClient(
      transport: world.network, zone: "Skyros", milliseconds: { world.clock.now })
    func rewrite(_ state: [UInt8]) async throws -> [UInt8] {
      guard case .message(let found, _) = await client.lookup([ids[0].description]),
        case .record(var record)? = found.records.first,
        case .bytes(let before)? = record.fields["skyros_state"]?.value
      else { throw TransportFailure.unreachable }
      record.fields = ["skyros_state": .bytes(state)]
      _ = await client.modify([RecordOperation(.update, record)])
      return before
    }
    let whole = try await rewrite([1, 2, 3])
    #expect(try await world.sync(1) == .done)
    #expect(try await world.libraries[1].syncBacklog().held == 1)
    #expect(try await SyncStatus.read(world.libraries[1], now: world.clock.now).health == .degraded)
    _ = try await rewrite(whole)
    #expect(try await world.sync(1) == .done)
    #expect(try await world.libraries[1].syncBacklog().held == 0)
    let status = try await SyncStatus.read(world.libraries[1], now: world.clock.now)
    #expect(status.summary == .succeeded)
    #expect(status.health == .ok)
  }

  @Test func `a conflict with a record that the service does not have deletes nothing`()
    async throws
  {
    let world = try await World(devices: 2)
    defer { world.remove() }
    try await world.settle()
    let id = try await world.libraries[0].add(["name": .text("Kyoto")])
    #expect(try await world.sync(0, through: FalseConflict(world.network, on: id)) == .done)
    try await world.settle()
    for library in world.libraries {
      #expect(try await library.snapshot(World.place, id)?.isDeleted == false)
      #expect(try await library.syncBacklog().conflicts == 0)
      #expect(try await library.syncBacklog().pending == 0)
    }
  }

  static func changeZone(_ world: World, _ type: ZoneOperationType) async throws {
    let zone = ZoneID("Skyros")
    _ = try await world.network.call(
      ServiceCall(
        .private, "zones/modify", body: ZonesModifyRequest([ZoneOperation(type, zone)]).body()))
  }

  static func isAsked(_ world: World, _ device: Int) async throws -> SyncPlan {
    guard case .stopped(let answer) = try await world.sync(device) else {
      throw MalformedMessage("it went on", at: 0)
    }
    #expect([AnswerClass.planToConfirm, .zoneGone].contains(answer.kind))
    let status = try await SyncStatus.read(world.libraries[device], now: world.clock.now)
    #expect(status.health == .broken)
    return try #require(status.plan)
  }

  @Test func `a zone that somebody deleted is asked about, and sent again if wanted`()
    async throws
  {
    let (world, ids) = try await Self.world()
    defer { world.remove() }
    try await Self.changeZone(world, .delete)
    try await world.libraries[0].set(ids[0], ["name": .text("Kioto")])
    let plan = try await Self.isAsked(world, 0)
    #expect(plan == SyncPlan(reason: .zoneGone, kept: 0, absent: 2, edited: 1))
    #expect(plan.sentAgain(.sendAgain) == 3)
    #expect(plan.deletedHere(.deleteHere) == 2)
    // Nothing happens however often it is tried.
    _ = try await Self.isAsked(world, 0)
    #expect(try await Self.names(world.libraries[0], ids) == ["Kioto", "Nara", "Uji"])
    try await world.libraries[0].decideSyncPlan(.sendAgain)
    #expect(try await world.sync(0) == .done)
    #expect(try await world.libraries[0].syncPlan() == nil)
    // The other one met the deletion, too, and finds all of it there again.
    #expect(try await world.sync(1) == .done)
    #expect(try await Self.names(world.libraries[1], ids) == ["Kioto", "Nara", "Uji"])
    try await world.expectConverged()
  }

  @Test func `a zone that somebody deleted and made anew is asked about, and its end taken over`()
    async throws
  {
    let (world, ids) = try await Self.world()
    defer { world.remove() }
    try await Self.changeZone(world, .delete)
    try await Self.changeZone(world, .create)
    try await world.libraries[0].set(ids[0], ["name": .text("Kioto")])
    let plan = try await Self.isAsked(world, 0)
    #expect(plan == SyncPlan(reason: .recreated, kept: 0, absent: 2, edited: 1))
    try await world.libraries[0].decideSyncPlan(.deleteHere)
    #expect(try await world.sync(0) == .done)
    // What was edited since stays, disputed; the others rest in the trash.
    #expect(try await Self.names(world.libraries[0], ids) == ["Kioto"])
    #expect(try await world.libraries[0].snapshot(World.place, ids[1])?.isDeleted == true)
    #expect(try await world.libraries[0].syncBacklog().conflicts == 1)
  }

  @Test func `a service that was restored from before gets again what it lost, unasked`()
    async throws
  {
    var (world, ids) = try await Self.world()
    defer { world.remove() }
    let path = world.folder.appending(path: "service.sqlite").path()
    let copy = world.folder.appending(path: "copy").path()
    try await ServiceBackup.make(of: path, into: copy)
    // After the backup: a new record, an edit, a deletion, a purge.
    ids.append(try await world.libraries[0].add(["name": .text("Osaka")]))
    try await world.libraries[0].set(ids[0], ["name": .text("Kioto")])
    _ = try await world.libraries[0].delete(World.place, [ids[1]])
    _ = try await world.libraries[0].delete(World.place, [ids[2]])
    _ = try await world.libraries[0].purge(World.place, [ids[2]])
    try await world.settle()
    let other = world.folder.appending(path: "restored.sqlite").path()
    try await ServiceBackup.restore(from: copy, to: other)
    let service = try await RecordService.open(path: other)
    world.setNetwork(try await EmbeddedTransport(service: service, container: World.container))
    for device in [0, 1, 0, 1] { #expect(try await world.sync(device) == .done) }
    for library in world.libraries {
      #expect(try await Self.names(library, ids) == ["Kioto", "Osaka"])
      #expect(try await library.syncBacklog().pending == 0)
    }
    #expect(try await world.libraries[0].snapshot(World.place, ids[2]) == nil)
  }

  @Test func `a device that was away for longer than deletions are kept is asked`() async throws {
    let (world, ids) = try await Self.world()
    defer { world.remove() }
    _ = try await world.libraries[0].delete(World.place, [ids[1], ids[2]])
    _ = try await world.libraries[0].purge(World.place, [ids[1], ids[2]])
    try await world.sync(0)
    world.clock.advance(400 * 86_400_000)
    try await world.service.upkeep()
    try await world.libraries[1].set(ids[2], ["population": .integer(5)])
    let plan = try await Self.isAsked(world, 1)
    #expect(plan == SyncPlan(reason: .deleted, kept: 1, absent: 1, edited: 1))
    #expect(plan.suggestion == .deleteHere)
    try await world.libraries[1].decideSyncPlan(.deleteHere)
    #expect(try await world.sync(1) == .done)
    // The deletion is taken over; the edit survives it.
    #expect(try await Self.names(world.libraries[1], ids) == ["Kyoto", "Uji"])
    #expect(try await world.libraries[1].snapshot(World.place, ids[1])?.isDeleted == true)
  }

  @Test func `a token that is none is tried twice, and then nothing is lost by it`() async throws {
    let (world, ids) = try await Self.world()
    defer { world.remove() }
    try await world.libraries[1].updateSyncSettings { $0.token = "AAAA" }
    #expect(try await world.sync(1) == .done)
    #expect(try await Self.names(world.libraries[1], ids) == ["Kyoto", "Nara", "Uji"])
    #expect(try await world.libraries[1].syncPlan() == nil)
    try await world.expectConverged()
  }

  @Test func `a service that can't tell why records are gone is not believed without asking`()
    async throws
  {
    let (world, ids) = try await Self.world()
    defer { world.remove() }
    _ = try await world.libraries[0].delete(World.place, [ids[1]])
    _ = try await world.libraries[0].purge(World.place, [ids[1]])
    try await world.sync(0)
    // The deletion itself is forgotten, and the token says nothing to anybody.
    world.clock.advance(400 * 86_400_000)
    try await world.service.upkeep()
    try await world.libraries[1].updateSyncSettings { $0.token = "AAAA" }
    let plan = try await Self.isAsked(world, 1)
    #expect(plan == SyncPlan(reason: .unknown, kept: 2, absent: 1, edited: 0))
    #expect(plan.suggestion == nil)
    try await world.libraries[1].decideSyncPlan(.sendAgain)
    #expect(try await world.sync(1) == .done)
    #expect(try await Self.names(world.libraries[1], ids) == ["Kyoto", "Nara", "Uji"])
    #expect(try await world.libraries[1].syncBacklog().pending == 0)
  }

  @Test func `a repair that is cut in the middle goes on where it was`() async throws {
    let (world, ids) = try await Self.world()
    defer { world.remove() }
    try await Self.changeZone(world, .delete)
    _ = try await Self.isAsked(world, 0)
    try await world.libraries[0].decideSyncPlan(.sendAgain)
    for statement in stride(from: 1, through: 40, by: 3) {
      world.faults[0].arm(failingAt: statement)
      _ = try? await world.sync(0)
    }
    world.faults[0].arm(failingAt: nil)
    try await world.settle()
    for library in world.libraries {
      #expect(try await Self.names(library, ids) == ["Kyoto", "Nara", "Uji"])
    }
  }

  // MARK: Copies

  @Test func `a library whose file was put back becomes another device, and loses no edit`()
    async throws
  {
    let world = try await World(devices: 1)
    defer { world.remove() }
    let path = world.folder.appending(path: "one.skyros").path()
    let surroundings = world.clock.surroundings(device: 0, faults: Faults())
    var library = try await Library.create(
      at: path, model: Model(types: [World.type]), surroundings: surroundings)
    try await library.saveSyncSettings(
      SyncSettings(service: "file:test", container: World.container, zone: "Skyros"))
    let id = try await library.add(["name": .text("Kyoto"), "visits": .integer(1)])
    try await world.sync(library)
    try await library.close()
    let file = URL(filePath: path + "/library.sqlite")
    let log = URL(filePath: path + "/library.sqlite-wal")
    let snapshot = (try Data(contentsOf: file), try? Data(contentsOf: log))
    library = try await Library.open(at: path, surroundings: surroundings)
    let before = library.device
    try await library.set(id, ["population": .integer(1)])
    try await world.sync(library)
    try await library.close()
    // As a machine's snapshot does it: the same file, with what was in it before.
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: snapshot.0)
    try handle.close()
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: file.path() + suffix)
    }
    try snapshot.1?.write(to: log)
    library = try await Library.open(at: path, surroundings: surroundings)
    #expect(library.device == before)
    try await library.set(id, ["name": .text("Kioto"), "visits": .integer(2)])
    for _ in 0..<2 { #expect(try await world.sync(library) == .done) }
    #expect(library.device != before)
    try await world.sync(0)
    for library in [library, world.libraries[0]] {
      let copy = try #require(try await library.snapshot(World.place, id))
      #expect(copy.value(of: World.name) == .text("Kioto"))
      #expect(copy.value(of: World.population) == .integer(1))
      #expect(copy.state.conflicts(in: World.type).isEmpty)
      #expect(try await library.syncBacklog().pending == 0)
    }
    // It happens once.
    let now = library.device
    try await library.set(id, ["population": .integer(2)])
    for _ in 0..<2 { try await world.sync(library) }
    #expect(library.device == now)
    try await library.close()
  }

  // MARK: Echoes

  @Test func `an own write that comes back is known, and counts as nothing received`()
    async throws
  {
    let world = try await World(devices: 1)
    defer { world.remove() }
    let library = world.libraries[0]
    let id = try await library.add(["name": .text("Kyoto")])
    // The reply is lost, and the write arrived.
    let losing = LosingNetwork(world.network, action: "records/modify", times: 2)
    _ = try await world.sync(0, through: losing)
    #expect(try await world.sync(0) == .done)
    #expect(try await library.syncBacklog().pending == 0)
    let counts = try await library.events(limit: 100).reduce(into: SyncCounts()) {
      $0 += $1.counts
    }
    #expect(counts.received == 0)
    #expect(counts.applied == 0)
    #expect(counts.skipped > 0)
    #expect(try await library.snapshot(World.place, id)?.isPending == false)
    #expect(try await library.history(limit: 10).filter { $0.origin == .sync }.isEmpty)
  }

  @Test func `a settled conflict is sent once, and nobody echoes it`() async throws {
    let world = try await World(devices: 2)
    defer { world.remove() }
    let id = try await world.libraries[0].add(["name": .text("Kyoto"), "notes": .text("a\nb")])
    try await world.settle()
    try await world.libraries[0].set(id, ["name": .text("Kioto"), "notes": .text("a1\nb")])
    try await world.libraries[1].set(id, ["name": .text("京都"), "notes": .text("a2\nb")])
    try await world.settle()
    for field in [World.name, FieldID(trusted: "notes")] {
      _ = try await world.libraries[1].resolve(
        World.place, id, field: field, value: .value(.text("Kyoto")))
    }
    let network = CountingNetwork(world.network)
    for device in [1, 0, 1, 0] { try await world.sync(device, through: network) }
    #expect(network.calls("records/modify") == 1)
    for library in world.libraries { #expect(try await library.syncBacklog().conflicts == 0) }
  }
}

/// Carries out some calls and loses what they answer.
final class LosingNetwork: SyncTransport {
  private let inner: any SyncTransport
  private let action: String
  private let left: Counter

  init(_ inner: any SyncTransport, action: String, times: Int) {
    self.inner = inner
    self.action = action
    left = Counter(times)
  }

  func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply {
    let reply = try await inner.call(call)
    if call.action == action, left.take() { throw .interrupted }
    return reply
  }

  func upload(
    _ content: UploadContent, to address: String
  ) async throws(TransportFailure) -> ServiceReply {
    try await inner.upload(content, to: address)
  }

  func download(
    _ address: String, from offset: Int64, _ take: @escaping ContentSink
  ) async throws(TransportFailure) -> ServiceReply {
    try await inner.download(address, from: offset, take)
  }

  func close() async {}
}

/// Counts down.
final class Counter: Sendable {
  private let left: Mutex<Int>

  init(_ count: Int) { left = Mutex(count) }

  func take() -> Bool {
    left.withLock { left in
      left -= 1
      return left >= 0
    }
  }
}

/// Answers the first save of a record with a conflict that nobody is part of.
private final class FalseConflict: ForwardingTransport {
  let inner: any SyncTransport
  private let name: String
  private let once = Counter(1)

  init(_ inner: any SyncTransport, on id: RecordID) {
    self.inner = inner
    name = id.description
  }

  func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply {
    guard call.action == "records/modify", once.take() else { return try await inner.call(call) }
    let entry = #"{"recordName":"\#(name)","reason":"x","serverErrorCode":"CONFLICT"}"#
    return ServiceReply(status: 200, body: Array(#"{"records":[\#(entry)]}"#.utf8))
  }
}
