import CloudKitWire
import Foundation
import RecordStore
import Records
import SimulationKit
import Sync
import Synchronization
import Testing

/// The flows of sync, with each statement and each request failing in turn: the library opens again,
/// nothing is lost, and the flow succeeds when it is tried again.
///
/// Ordinarily every thirteenth statement, and each request in one of three manners; all of them with
/// `SKYROS_LONG=1`.
struct SyncFaultTests {
  /// What sync has to do.
  enum Flow: String, CaseIterable {
    case newRecord, edit, delete, purge, page, conflict, settlement, model, comparison
  }

  private static let isLong = ProcessInfo.processInfo.environment["SKYROS_LONG"] == "1"

  @Test(arguments: Flow.allCases)
  func `a process that dies at any statement of a sync loses nothing and goes on`(
    flow: Flow
  ) async throws {
    var world = try await World(devices: 2, medium: .file)
    let desk = try await Desk(&world)
    var statement = 1
    while true {
      let work = try await desk.prepare(flow, round: statement, in: world)
      world.faults[0].arm(dyingAt: statement)
      // Whether it throws or answers that it can't go on: the process is dead.
      _ = try? await world.sync(0, through: work.transport)
      let isOver = world.faults[0].count < statement
      try await world.reopen(0)
      try await desk.check(work, in: world, "statement \(statement)")
      if isOver { break }
      statement += Self.isLong ? 1 : 13
    }
    #expect(statement > 6)
    try await world.close()
  }

  @Test(arguments: Flow.allCases)
  func `whichever request of a sync fails, before or after it arrived, the next one mends it`(
    flow: Flow
  ) async throws {
    var world = try await World(devices: 2, medium: .file)
    let desk = try await Desk(&world)
    var request = 0
    while true {
      var isOver = false
      let all = BrokenWay.Manner.allCases
      for manner in Self.isLong ? all : [all[request % all.count]] {
        let work = try await desk.prepare(flow, round: request, in: world)
        let way = BrokenWay(work.transport, at: request, manner)
        _ = try await world.sync(0, through: way)
        isOver = !way.hasFailed
        try await desk.check(work, in: world, "request \(request) \(manner)")
      }
      if isOver { break }
      request += 1
    }
    #expect(request > 2)
    try await world.close()
  }

  @Test func `a process that dies at any statement of its first sync sets up the next time`()
    async throws
  {
    var statement = 1
    while true {
      var world = try await World(devices: 2, medium: .file)
      let id = try await world.libraries[0].add(["name": .text("Kyoto")])
      world.faults[0].arm(dyingAt: statement)
      _ = try? await world.sync(0)
      let isOver = world.faults[0].count < statement
      try await world.reopen(0)
      try await world.expectConverged("statement \(statement)")
      #expect(try await world.libraries[1].snapshot(World.place, id) != nil)
      try await world.close()
      if isOver { break }
      statement += Self.isLong ? 1 : 15
    }
    #expect(statement > 6)
  }
}

/// The work of one round, and what must be true after it.
private struct Work {
  var record: RecordID
  /// What the record must be called everywhere; nothing where it must be gone or in the trash.
  var name: String?
  var transport: any SyncTransport
}

/// Two libraries that know each other, and the work that sync has to do between them.
private struct Desk {
  init(_ world: inout World) async throws {
    _ = try await world.libraries[0].add(["name": .text("first")])
    try await world.sync(0)
    try await world.sync(1)
  }

  /// Leaves the first library with something to sync, which is new in every round.
  func prepare(_ flow: SyncFaultTests.Flow, round: Int, in world: World) async throws -> Work {
    let mine = world.libraries[0]
    let theirs = world.libraries[1]
    let name = "\(flow) \(round)"
    switch flow {
    case .newRecord:
      let id = try await mine.add(["name": .text(name)])
      return Work(record: id, name: name, transport: world.network)
    case .page:
      let id = try await theirs.add(["name": .text(name)])
      for number in 0..<3 { _ = try await theirs.add(["name": .text("\(name) \(number)")]) }
      try await world.sync(1)
      return Work(record: id, name: name, transport: world.network)
    case .model:
      var model = mine.model
      model.types[0].fields.append(
        Field(id: FieldID(trusted: "added\(round)_\(model.types[0].fields.count)"), type: .text))
      _ = try await mine.apply(model)
      let id = try await mine.add(["name": .text(name)])
      return Work(record: id, name: name, transport: world.network)
    case .edit, .delete, .purge, .conflict, .settlement, .comparison:
      return try await prepareShared(flow, name, in: world)
    }
  }

  /// Work on a record that both have.
  private func prepareShared(
    _ flow: SyncFaultTests.Flow, _ name: String, in world: World
  ) async throws -> Work {
    let mine = world.libraries[0]
    let theirs = world.libraries[1]
    let id = try await mine.add(["name": .text("shared")])
    try await world.sync(0)
    try await world.sync(1)
    var work = Work(record: id, name: name, transport: world.network)
    switch flow {
    case .delete, .purge:
      _ = try await mine.delete(World.place, [id])
      if flow == .purge { _ = try await mine.purge(World.place, [id]) }
      work.name = nil
    case .conflict:
      try await theirs.set(id, ["name": .text("theirs")])
      try await world.sync(1)
      world.clock.advance(60_000)
      try await mine.set(id, ["name": .text(name)])
    case .settlement:
      try await theirs.set(id, ["name": .text("theirs")])
      try await mine.set(id, ["name": .text("mine")])
      try await world.sync(1)
      try await world.sync(0)
      _ = try await mine.resolve(
        World.place, id, field: World.name, value: .value(.text(name)))
    case .comparison:
      try await mine.set(id, ["name": .text(name)])
      work.transport = TokenRefuser(world.network)
    default: try await mine.set(id, ["name": .text(name)])
    }
    return work
  }

  /// Both libraries are equal, hold what was saved, and have nothing to do.
  func check(_ work: Work, in world: World, _ comment: Comment) async throws {
    for _ in 0..<2 { for device in 0..<2 { try await world.sync(device) } }
    for (device, library) in world.libraries.enumerated() {
      let snapshot = try await library.snapshot(World.place, work.record)
      if let name = work.name {
        #expect(snapshot?.value(of: World.name) == .text(name), "\(comment), library \(device)")
      } else {
        #expect(snapshot?.isDeleted ?? true, "\(comment), library \(device)")
      }
      let backlog = try await library.syncBacklog()
      #expect(backlog.pending + backlog.parked + backlog.held == 0, "\(comment): \(backlog)")
    }
    let states = try await [0, 1].asyncMap {
      try await world.libraries[$0].snapshot(World.place, work.record)?.state
        .travelling(in: World.type)
    }
    if work.name != nil { #expect(states[0] == states[1], comment) }
    for library in world.libraries {
      let events = try await library.events(limit: 50)
      #expect(!events.contains { $0.outcome == .running }, comment)
    }
  }
}

extension Array {
  fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async throws -> [T] {
    var result: [T] = []
    for element in self { result.append(try await transform(element)) }
    return result
  }
}

/// A way on which one request fails.
private final class BrokenWay: ForwardingTransport {
  enum Manner: CaseIterable {
    /// It never arrives.
    case before
    /// It is carried out, and its answer is lost.
    case after
    /// Its answer breaks off.
    case within
  }

  let inner: any SyncTransport
  private let failing: Int
  private let manner: Manner
  private let count = Mutex(0)

  init(_ inner: any SyncTransport, at request: Int, _ manner: Manner) {
    self.inner = inner
    failing = request
    self.manner = manner
  }

  var hasFailed: Bool { count.withLock { $0 > failing } }

  func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply {
    let number = count.withLock { count in
      count += 1
      return count - 1
    }
    guard number == failing else { return try await inner.call(call) }
    if manner == .before { throw .timedOut }
    var reply = try await inner.call(call)
    if manner == .after { throw .interrupted }
    reply.body.removeLast(reply.body.count / 2)
    return reply
  }
}

/// A service that refuses the first change token that it is shown, as older than its memory.
private final class TokenRefuser: ForwardingTransport {
  let inner: any SyncTransport
  private let hasRefused = Mutex(false)

  init(_ inner: any SyncTransport) { self.inner = inner }

  func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply {
    let isFirst = hasRefused.withLock { hasRefused in
      defer { if call.action == "changes/zone" { hasRefused = true } }
      return call.action == "changes/zone" && !hasRefused
    }
    guard isFirst else { return try await inner.call(call) }
    var error = ServiceError(.badRequest, "too old")
    error.extensionErrorCode = ServiceError.tokenExpired
    error.tokenRefusal = .retention
    return ServiceReply(status: error.code.status, body: error.body())
  }
}
