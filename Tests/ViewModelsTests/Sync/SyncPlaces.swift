// Libraries in memory around one service on a file in a temporary folder, with view models of their
// sync: nothing waits for real time.

import CloudKitWire
import RecordService
import RecordStore
import Records
import Sync
import SyncTransports
import TestKit
import UILoop
import ViewModels

/// The service of a test.
struct ServicePlace: SyncServices {
  static let container = "iCloud.skyros.test"

  let folder: TemporaryFolder
  let service: RecordService

  init(_ world: TestWorld) async throws {
    folder = try TemporaryFolder()
    var settings = ServiceSettings()
    settings.requestsPerSecond = 1_000_000
    settings.requestsBurst = 1_000_000
    service = try await RecordService.open(
      path: folder.file("service.sqlite"), settings: settings,
      surroundings: ServiceSurroundings(
        milliseconds: { world.now },
        random: { count in (0..<count).map { _ in UInt8(truncatingIfNeeded: world.random()) } },
        sleep: { _ in try? await Pause.untilCancelled() }))
  }

  var standard: SyncSetupRequest {
    SyncSetupRequest(address: "file:/here", container: Self.container, zone: "Skyros")
  }

  func open(
    _ settings: SyncSettings, library path: String?
  ) async throws(SyncProblem) -> any SyncTransport {
    guard settings.service == standard.address else {
      throw .serviceFile(path: settings.service, reason: "no such file")
    }
    do {
      return try await EmbeddedTransport(service: service, container: settings.container)
    } catch {
      throw .failed(Failure(error))
    }
  }

  /// A request with this name of a token file is signed in for in a browser, by nobody.
  static let browser = "browser"
  static let page = "http://sign.in.test/page"

  func reach(
    _ request: SyncSetupRequest, library path: String?,
    showPage: @escaping @Sendable (String) -> Void,
    _ body: @escaping @Sendable (SyncSettings, ServiceClient) async throws -> ServiceChange
  ) async throws(SyncProblem) -> ServiceChange {
    guard request.address.hasPrefix("file:") else { throw .badAddress(request.address) }
    do {
      if request.tokenFile == Self.browser {
        showPage(Self.page)
        try await Pause.untilCancelled()
      }
      let transport = try await EmbeddedTransport(service: service, container: Self.container)
      let client = ServiceClient(transport: transport, zone: request.zone, milliseconds: { 0 })
      var settings = SyncSettings(
        service: request.address, container: request.container, zone: request.zone)
      settings.user = await SyncSetup.reach(client).user
      settings.hasZone = true
      return try await body(settings, client)
    } catch let problem as SyncProblem {
      throw problem
    } catch {
      throw .failed(Failure(error))
    }
  }
}

enum Pause {
  /// Waits for as long as nobody cancels.
  static func untilCancelled() async throws {
    let (never, entry) = AsyncStream.makeStream(of: Void.self)
    for await _ in never {}
    entry.finish()
    try Task.checkCancellation()
  }

  /// A moment passes at once; a wait after a failure never does.
  static let surroundings: @Sendable (Duration) async throws -> Void = { duration in
    try Task.checkCancellation()
    if duration > .milliseconds(100) { try await untilCancelled() }
    await Task.yield()
  }
}

/// A library with the view model of its sync.
@UI
final class SyncPlace {
  let places: Places
  let timers = ManualTimers()
  let sync: SyncViewModel

  init(_ service: ServicePlace?, seed: UInt64) async throws {
    let world = TestWorld(seed: seed, machine: "machine-\(seed)")
    places = try await Places(world)
    sync = SyncViewModel(
      library: places.library, services: service,
      surroundings: SyncSurroundings(
        milliseconds: { world.now }, sleep: Pause.surroundings, jitter: { 0.5 }),
      timers: timers)
  }

  var state: SyncState { sync.state }

  /// Whether something comes to hold, with the time passing that view models pace themselves by.
  func comes(_ condition: @escaping @UI (SyncState) -> Bool) async -> Bool {
    await eventually {
      self.timers.advance(by: .milliseconds(100))
      return condition(self.sync.state)
    }
  }
}
