import Foundation
import Logging
import RecordService
import RecordServiceHTTP
import RecordStore
import Records
import SimulationKit
import Sync
import SyncTransports
import Testing

/// The same over HTTP, with a server on a free port of loopback.
struct HTTPSyncTests {
  @Test func `two libraries sync over HTTP, and the newest token is kept for its owner only`()
    async throws
  {
    let world = try await World(devices: 2)
    defer { world.remove() }
    let path = world.folder.appending(path: "tokens.json").path()
    _ = try await world.service.addUser("mia")
    let issued = try await world.service.addTokens(
      user: "mia", container: World.container, environment: .production)
    let json = Array(
      #"{"apiToken":"\#(issued.apiToken)","webAuthToken":"\#(issued.webAuthToken)"}"#.utf8)
    try await Self.serving(world.service) { base in
      let tokens = try #require(TokenStore(json: json, path: path))
      let transport = HTTPTransport(base: base, container: World.container, tokens: tokens)
      #expect(try await world.sync(0, through: transport) == .done)
      #expect(TokenStore.read(path) == nil, "tokens that were only tried were written")
      #expect(tokens.save())
      let id = try await world.libraries[0].add(["name": .text("Kyoto")])
      #expect(try await world.sync(0, through: transport) == .done)
      #expect(try await world.sync(1, through: transport) == .done)
      #expect(
        try await world.libraries[1].snapshot(World.place, id)?.value(of: World.name)
          == .text("Kyoto"))
      await transport.close()
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    #expect(TokenStore.read(path) != nil)
  }

  @Test func `a token file that two machines were set up with stays good for a third`() async throws
  {
    let world = try await World(devices: 2)
    defer { world.remove() }
    _ = try await world.service.addUser("mia")
    let issued = try await world.service.addTokens(
      user: "mia", container: World.container, environment: .production)
    let json = Array(
      #"{"apiToken":"\#(issued.apiToken)","webAuthToken":"\#(issued.webAuthToken)"}"#.utf8)
    let files = (0..<2).map { world.folder.appending(path: "tokens-\($0).json").path() }
    try await Self.serving(world.service) { base in
      for (machine, file) in files.enumerated() {
        let tokens = try #require(TokenStore(json: json, path: file))
        let transport = HTTPTransport(base: base, container: World.container, tokens: tokens)
        #expect(try await world.sync(machine, through: transport) == .done)
        #expect(tokens.save())
        await transport.close()
      }
    }
    // Each has a session of its own, and the file's has not moved on.
    #expect(try await world.service.sessions().count == 3)
    let texts = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
    #expect(texts[0] != texts[1])
    for text in texts { #expect(!text.contains(issued.webAuthToken)) }
    let session = String(issued.webAuthToken.prefix { $0 != "." })
    for text in texts { #expect(!text.contains(session)) }
  }

  // The world's clock stands years before the server's.
  @Test func `a refused sign-in beside a clock that is years off names the clock`() async throws {
    let world = try await World(devices: 1)
    defer { world.remove() }
    try await Self.serving(world.service) { base in
      let tokens = TokenStore(
        apiToken: String(repeating: "0", count: 64), webAuthToken: "no", path: nil)
      let transport = HTTPTransport(base: base, container: World.container, tokens: tokens)
      guard case .stopped(let answer) = try await world.sync(0, through: transport) else {
        Issue.record("it went on")
        return
      }
      #expect(answer.kind == .clockSkew)
      let status = try await SyncStatus.read(world.libraries[0], now: world.clock.now)
      #expect(status.summary == .error)
      #expect(status.health == .broken)
      await transport.close()
    }
  }

  @Test func `a service that is off is no network, and edits wait`() async throws {
    let world = try await World(devices: 1)
    defer { world.remove() }
    _ = try await world.libraries[0].add(["name": .text("Kyoto")])
    let tokens = TokenStore(apiToken: "0", webAuthToken: nil, path: nil)
    let transport = HTTPTransport(
      base: "http://127.0.0.1:9", container: World.container, tokens: tokens)
    #expect(
      try await world.sync(0, through: transport) == .waiting(Answer(.transport(.unreachable))))
    let status = try await SyncStatus.read(world.libraries[0], now: world.clock.now)
    #expect(status.summary == .noNetwork)
    #expect(status.backlog.pending == 1)
    await transport.close()
  }

  /// Runs the body with the address of a server that is gone afterwards.
  static func serving(
    _ service: RecordService, _ body: (String) async throws -> Void
  ) async throws {
    var settings = ServerSettings()
    settings.port = 0
    var quiet = Logger(label: "test")
    quiet.logLevel = .critical
    let (ports, found) = AsyncStream<Int>.makeStream()
    let server = try RecordServer(service, settings: settings, logger: quiet) { found.yield($0) }
    let running = Task { try await server.run() }
    for await port in ports.prefix(1) {
      do {
        try await body("http://127.0.0.1:\(port)")
      } catch {
        running.cancel()
        throw error
      }
    }
    running.cancel()
    // A server that is cancelled may say so.
    do { try await running.value } catch is CancellationError {}
  }
}
