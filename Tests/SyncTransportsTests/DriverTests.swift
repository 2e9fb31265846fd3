import Foundation
import RecordStore
import Records
import SimulationKit
import Sync
import Synchronization
import Testing

/// What the driver itself owes: its waits, its books when a pause comes, its ear for requests.
struct DriverTests {
  @Test func `a wait that is cut short is over, and its timer with it`() async throws {
    let world = try await World(devices: 1)
    defer { world.remove() }
    let sleeper = Sleeper()
    let driver = Self.driver(world, NoNetwork(inner: world.network), sleeper)
    let watching = Task { try await driver.watch() }
    var sleeps = sleeper.begun.makeAsyncIterator()
    _ = await sleeps.next()
    #expect(sleeper.cancelled == 0)
    driver.post(.requested(.user))
    _ = await sleeps.next()
    #expect(sleeper.cancelled == 1)
    watching.cancel()
    _ = await watching.result
    #expect(sleeper.cancelled == 2)
    try await world.close()
  }

  @Test func `a pause leaves what a page came to as it was`() async throws {
    let world = try await World(devices: 2)
    defer { world.remove() }
    _ = try await world.libraries[0].add(["name": .text("Kyoto")])
    try await world.sync(0)
    let library = world.libraries[1]
    _ = try await library.add(["name": .text("Osaka")])
    let pausing = PausingWay(inner: world.network, library: library)
    #expect(try await world.sync(1, through: pausing) == .paused)
    let imports = try await library.events(limit: 10, phase: .import)
    #expect(imports.map(\.outcome) == [.succeeded])
    #expect(imports.first?.counts.received == 1)
    #expect(try await library.events(limit: 10).allSatisfy { $0.outcome != .running })
    #expect(try await library.syncBacklog().pending == 1)
    try await world.close()
  }

  /// Without the wait for the library, the request is never heard: the limit is for that alone.
  @Test(.timeLimit(.minutes(2)))
  func `a request is heard although the library failed when it was looked for`() async throws {
    let world = try await World(devices: 1)
    defer { world.remove() }
    let (events, entry) = AsyncStream<SyncEvent>.makeStream()
    let driver = Self.driver(world, world.network, Sleeper()) { entry.yield($0) }
    let watching = Task { try await driver.watch() }
    var next = events.makeAsyncIterator()
    while let event = await next.next() {
      if event.phase == .import, event.outcome == .succeeded { break }
    }
    // The first write is the request itself, the second takes it.
    world.faults[0].arm(failingAt: 2)
    try await world.libraries[0].requestSync()
    #expect(await next.next()?.trigger == .user)
    watching.cancel()
    _ = await watching.result
    try await world.close()
  }

  private static func driver(
    _ world: World, _ transport: any SyncTransport, _ sleeper: Sleeper,
    onEvent: @escaping @Sendable (SyncEvent) -> Void = { _ in }
  ) -> SyncDriver {
    let clock = world.clock
    return SyncDriver(
      library: world.libraries[0], transport: transport,
      surroundings: SyncSurroundings(
        milliseconds: { clock.now }, sleep: { try await sleeper.sleep($0) }, jitter: { 1 }),
      onEvent: onEvent)
  }
}

/// Short sleeps are over at once, all others when they are cancelled.
private final class Sleeper: Sendable {
  let begun: AsyncStream<Void>
  private let entry: AsyncStream<Void>.Continuation
  private let count = Mutex(0)

  init() { (begun, entry) = AsyncStream.makeStream() }

  var cancelled: Int { count.withLock(\.self) }

  func sleep(_ duration: Duration) async throws {
    guard duration >= .seconds(1) else { return }
    let (forever, open) = AsyncStream<Void>.makeStream()
    await withTaskCancellationHandler {
      entry.yield()
      for await _ in forever {}
    } onCancel: {
      count.withLock { $0 += 1 }
    }
    withExtendedLifetime(open) {}
    try Task.checkCancellation()
  }
}

/// A network on which nothing is reached.
private struct NoNetwork: ForwardingTransport {
  let inner: any SyncTransport

  func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply {
    throw .unreachable
  }
}

/// Somebody pauses sync while a page of the feed is on its way.
private struct PausingWay: ForwardingTransport {
  let inner: any SyncTransport
  let library: Library

  func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply {
    let reply = try await inner.call(call)
    if call.action == "changes/zone" {
      do { try await library.pauseSync(true) } catch { throw .interrupted }
    }
    return reply
  }
}
