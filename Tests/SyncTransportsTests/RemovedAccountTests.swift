import CloudKitWire
import RecordStore
import Records
import SimulationKit
import Sync
import Testing

/// An account that the service removed: told as such, and nothing here goes with it.
struct RemovedAccountTests {
  @Test func `a removed account stops sync, keeps what waits, and another account takes it over`()
    async throws
  {
    let world = try await World(devices: 1)
    defer { world.remove() }
    let library = world.libraries[0]
    let sent = try await library.add(["name": .text("Kyoto")])
    try await world.sync(0)
    let waiting = try await library.add(["name": .text("Osaka")])
    let rest = try await world.sync(0, through: RemovedAccount(inner: world.network))
    guard case .stopped(let answer) = rest else {
      Issue.record("\(rest)")
      return
    }
    #expect(answer.kind == .accountRemoved)
    let status = try await SyncStatus.read(library, now: world.clock.now)
    #expect(status.summary == .accountNotAvailable)
    #expect(status.health == .broken)
    #expect(status.failure?.error == "accountRemoved")
    #expect(status.backlog.pending == 1)
    // As `skyros sync setup --mix` does it, once there is a new account.
    let other = try await World(devices: 0)
    defer { other.remove() }
    var settings = SyncSettings(
      service: "file:other", container: World.container, zone: "Skyros")
    settings.user = "another"
    let clock = world.clock
    let client = ServiceClient(
      transport: other.network, zone: "Skyros", milliseconds: { clock.now })
    #expect(await SyncSetup.reach(client).answer.kind == .success)
    let change = try await SyncSetup.adopt(settings, in: library, client: client, isWanted: true)
    #expect(change.unsent == 1 && change.records == 2)
    try await library.updateSyncSettings { $0.user = nil }
    #expect(try await world.sync(0, through: other.network) == .done)
    #expect(try await library.syncBacklog().pending == 0)
    for id in [sent, waiting] {
      #expect(
        try await library.syncStanding(of: .init(type: World.place, id: id))?.isOnService == true)
    }
    try await world.close()
  }
}

/// A service on which the account of these tokens is no more.
private struct RemovedAccount: ForwardingTransport {
  let inner: any SyncTransport

  func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply {
    var error = ServiceError(.authenticationRequired, "The account was removed.")
    error.extensionErrorCode = ServiceError.accountRemoved
    return ServiceReply(status: error.code.status, body: error.body())
  }
}
