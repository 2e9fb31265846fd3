import RecordStore
import Records
import SimulationKit
import Sync
import Synchronization
import Testing

/// What a device is called reaches the others, and does no harm there.
struct DeviceNameTests {
  @Test func `each library knows what the others are called`() async throws {
    let world = try await World(devices: 3)
    defer { world.remove() }
    _ = try await world.libraries[0].add(["name": .text("Kyoto")])
    for _ in 0..<2 { try await world.settle() }
    let expected = Dictionary(
      uniqueKeysWithValues: world.libraries.enumerated().map { ($1.device, "device \($0)") })
    for library in world.libraries { #expect(try await library.deviceNames() == expected) }
    // Once said, it is not said again.
    let counting = CountingWay(inner: world.network)
    try await world.sync(0, through: counting)
    #expect(counting.writes.withLock(\.self) == 0)
    for library in world.libraries { #expect(try await !library.hasPendingShapes()) }
    try await world.close()
  }

  @Test func `a name is one short line of what can be seen, or none`() {
    #expect(DeviceName.shown("ann's laptop") == "ann's laptop")
    #expect(DeviceName.shown("札幌 \u{2003} 端末") == "札幌 端末")
    #expect(DeviceName.shown("\u{202E}pot\u{1B}[2J\npal\u{7}\u{200B} ") == "pot[2Jpal")
    #expect(DeviceName.shown(" \n\u{2029}\u{E000}") == nil)
    #expect(DeviceName.shown(String(repeating: "x", count: 100_000))?.count == 64)
  }

  @Test func `of two names for one device the later stands, wherever it travelled`() {
    let device = DeviceID(rawValue: 7)
    func state(_ name: String, _ milliseconds: Int64) -> RecordState {
      let stamp = Stamp(time: HybridTime(milliseconds: milliseconds), device: device)
      var state = RecordState()
      state.write(
        .value(.text(name)),
        to: .element(FieldID(trusted: "device"), ExactText(device.description)), stamp: stamp)
      return state
    }
    let states = [state("new", 2), state("old", 1)]
    #expect(DeviceName.names(in: states) == [device: "new"])
    #expect(DeviceName.names(in: states.reversed()) == [device: "new"])
  }
}

/// Counts what is sent.
private final class CountingWay: ForwardingTransport {
  let inner: any SyncTransport
  let writes = Mutex(0)

  init(inner: any SyncTransport) { self.inner = inner }

  func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply {
    if call.action == "records/modify" { writes.withLock { $0 += 1 } }
    return try await inner.call(call)
  }
}
