import CloudKitWire
import Foundation
import FoundationNetworking
import RecordService
import RecordStore
import Records
import SimulationKit
import Sync
import SyncTransports
import Synchronization
import TestKit
import Testing

/// Signing in without a token file, and setting up another service.
struct PairingTests {
  /// What a person does in a browser: the code into the form, and wherever it leads.
  static func signIn(_ page: String, code: String) async throws -> (Int, String) {
    var request = URLRequest(url: try #require(URL(string: page)))
    request.httpMethod = "POST"
    request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "content-type")
    request.httpBody = Data("code=\(code)".utf8)
    let (body, response) = try await URLSession.shared.data(for: request)
    return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: body, as: UTF8.self))
  }

  @Test func `a browser brings the tokens, and they are kept for their owner only`() async throws {
    let world = try await World(devices: 1)
    defer { world.remove() }
    _ = try await world.service.addUser("mia")
    let code = try await world.service.makeSignInCode(user: "mia")
    let path = world.folder.appending(path: "paired.json").path()
    try await HTTPSyncTests.serving(world.service) { base in
      world.service.publicURL = base
      let (pages, shown) = AsyncStream<String>.makeStream()
      async let paired = BrowserPairing.pair(
        base: base, container: World.container, secret: 0x5EC2E7, path: path
      ) { shown.yield($0) }
      for await page in pages.prefix(1) {
        #expect(page.hasPrefix(base + "/sign-in/"))
        let (status, text) = try await Self.signIn(page, code: code)
        #expect(status == 200)
        #expect(text.contains("Signed in"))
      }
      let tokens = try await paired
      #expect(tokens.save())
      let kept = try #require(TokenStore.read(path))
      let transport = HTTPTransport(base: base, container: World.container, tokens: kept)
      _ = try await world.libraries[0].add(["name": .text("Kyoto")])
      #expect(try await world.sync(0, through: transport) == .done)
      await transport.close()
    }
  }

  @Test func `nobody there is told as such`() async throws {
    await #expect(throws: PairingFailure.transport(.unreachable)) {
      _ = try await BrowserPairing.pair(
        base: "http://127.0.0.1:9", container: World.container, secret: 1, path: nil
      ) { _ in }
    }
  }

  // MARK: Another service

  static func settings(zone: String, user: String) -> SyncSettings {
    var settings = SyncSettings(service: "file:test", container: World.container, zone: zone)
    settings.user = user
    return settings
  }

  static func client(_ world: World, zone: String) async -> (ServiceClient, String) {
    let client = ServiceClient(
      transport: world.network, zone: zone, milliseconds: { world.clock.now })
    let finding = await SyncSetup.reach(client)
    return (client, finding.user ?? "")
  }

  @Test func `records of two zones are not mixed unasked, and what was not sent is counted`()
    async throws
  {
    let world = try await World(devices: 2)
    defer { world.remove() }
    let (other, user) = await Self.client(world, zone: "Other")
    try await world.libraries[1].saveSyncSettings(Self.settings(zone: "Other", user: user))
    _ = try await world.libraries[0].add(["name": .text("Kyoto")])
    _ = try await world.libraries[1].add(["name": .text("Oslo")])
    for device in 0..<2 { try await world.sync(device) }
    _ = try await world.libraries[0].add(["name": .text("Nara")])
    let settings = Self.settings(zone: "Other", user: user)
    let change = ServiceChange(kind: .other, unsent: 1, records: 2, hasRecordsThere: true)
    await #expect(throws: ServiceChangeRefusal.asks(change)) {
      try await SyncSetup.adopt(settings, in: world.libraries[0], client: other)
    }
    #expect(try await world.libraries[0].syncSettings()?.zone == "Skyros")
    #expect(try await world.libraries[0].syncBacklog().pending == 1)
    let mixed = try await SyncSetup.adopt(
      settings, in: world.libraries[0], client: other, isWanted: true)
    #expect(mixed.unsent == 1)
    #expect(try await world.libraries[0].syncBacklog().pending == 2)
    try await world.expectConverged()
    #expect(try await world.libraries[1].counts().values.reduce(0, +) == 3)
  }

  @Test
  func `an empty zone takes a library over when it is wanted, and the same one changes nothing`()
    async throws
  {
    let world = try await World(devices: 1)
    defer { world.remove() }
    _ = try await world.libraries[0].add(["name": .text("Kyoto")])
    try await world.sync(0)
    let (client, user) = await Self.client(world, zone: "Empty")
    let settings = Self.settings(zone: "Empty", user: user)
    let expected = ServiceChange(kind: .other, unsent: 0, records: 1, hasRecordsThere: false)
    await #expect(throws: ServiceChangeRefusal.asks(expected)) {
      try await SyncSetup.adopt(settings, in: world.libraries[0], client: client)
    }
    #expect(try await world.libraries[0].syncSettings()?.zone == "Skyros")
    let change = try await SyncSetup.adopt(
      settings, in: world.libraries[0], client: client, isWanted: true)
    #expect(change == expected)
    #expect(try await world.sync(0) == .done)
    let again = try await SyncSetup.adopt(settings, in: world.libraries[0], client: client)
    #expect(again.kind == .same)
    #expect(try await world.libraries[0].syncBacklog().pending == 0)
  }

  // MARK: Beyond the protocol

  @Test func `nothing beyond the protocol is asked of a service that did not say so`()
    async throws
  {
    let world = try await World(devices: 1)
    defer { world.remove() }
    _ = try await world.libraries[0].add(["name": .text("Kyoto")])
    let plain = PlainNetwork(world.network)
    #expect(try await world.sync(0, through: plain) == .done)
    #expect(plain.extended == 0)
    #expect(plain.named == 0)
    // The same service, once it says what it can.
    _ = try await world.libraries[0].add(["name": .text("Nara")])
    let telling = PlainNetwork(world.network, isTelling: true)
    #expect(try await world.sync(0, through: telling) == .done)
    #expect(telling.extended > 0)
    #expect(telling.named == 1)
  }
}

/// Counts what is asked beyond the protocol, and hides what the service advertises.
final class PlainNetwork: SyncTransport {
  private let inner: any SyncTransport
  private let isTelling: Bool
  private let counts = Mutex((extended: 0, named: 0))

  init(_ inner: any SyncTransport, isTelling: Bool = false) {
    self.inner = inner
    self.isTelling = isTelling
  }

  var extended: Int { counts.withLock(\.extended) }
  var named: Int { counts.withLock(\.named) }

  func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply {
    counts.withLock { counts in
      if call.isExtended || call.hasGzip || call.waitSeconds != nil { counts.extended += 1 }
      if call.idempotencyKey != nil { counts.named += 1 }
    }
    var reply = try await inner.call(call)
    if !isTelling { reply.headers[ServiceExtensions.headerName] = nil }
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
