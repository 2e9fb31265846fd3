import CloudKitWire
import Crypto
import RecordService
import Testing

/// Credentials: what each reaches, how tokens rotate, and that nobody meets another's data.
struct AccountTests {
  private struct Door {
    let bench: ServiceBench
    let api: String
    var web: String

    func ask(
      _ action: String, _ body: String = "{}", database: String = "private",
      credentials: String? = nil, method: String = "POST", environment: String = "production",
      container: String = ServiceBench.container, headers: [String: String] = [:]
    ) async -> ServiceResponse {
      let query = credentials ?? "ckAPIToken=\(api)&ckWebAuthToken=\(PercentEncoding.encode(web))"
      return await bench.service.respond(
        to: ServiceRequest(
          method, "/database/1/\(container)/\(environment)/\(database)/\(action)?\(query)",
          headers: headers, body: Array(body.utf8)))
    }
  }

  private func door(_ settings: ServiceSettings = .init()) async throws -> Door {
    let bench = try await ServiceBench(settings)
    let tokens = try await bench.service.addTokens(
      user: "alice", container: ServiceBench.container, environment: .production)
    return Door(bench: bench, api: tokens.apiToken, web: tokens.webAuthToken)
  }

  private let header = "x-apple-cloudkit-web-auth-token"

  @Test func `no credential, a wrong one and a foreign one are refused`() async throws {
    let door = try await door()
    for credentials in ["", "ckAPIToken=", "ckAPIToken=00"] {
      let response = await door.ask("zones/list", credentials: credentials, method: "GET")
      #expect(response.status == 401)
      #expect(try response.json.code == "AUTHENTICATION_FAILED")
    }
    #expect(await door.ask("zones/list", method: "GET").status == 200)
    #expect(await door.ask("zones/list", environment: "development").status == 401)
    #expect(await door.ask("zones/list", container: "iCloud.other").status == 401)
  }

  @Test func `a user is asked for where one is needed, with a page to sign in`() async throws {
    let door = try await door()
    let api = "ckAPIToken=\(door.api)"
    for credentials in [api, api + "&ckWebAuthToken=", api + "&ckWebAuthToken=x.y"] {
      let response = await door.ask("zones/list", credentials: credentials)
      #expect(response.status == 421)
      let url = try response.json["redirectURL"]?.string ?? ""
      #expect(url.hasPrefix(door.bench.service.publicURL + "/sign-in/"))
    }
    // The world reads public, and no more.
    let query = #"{"query":{"recordType":"T"}}"#
    #expect(
      await door.ask("records/query", query, database: "public", credentials: api).status == 200)
    let write = #"{"operations":[\#(operation("create", "r"))]}"#
    #expect(
      await door.ask("records/modify", write, database: "public", credentials: api).status == 421)
    #expect(
      await door.ask("users/caller", database: "public", credentials: api, method: "GET").status
        == 421)
  }

  @Test func `a token rotates, and the old one has its grace`() async throws {
    var door = try await door()
    let settings = door.bench.service.settings
    let first = door.web
    let second = try #require(await door.ask("zones/list").header(header))
    #expect(second != first)
    // The same answer again, as long as the new one was not used.
    #expect(await door.ask("zones/list").header(header) == second)
    door.web = second
    #expect(await door.ask("zones/list").header(header) == second)
    // Error responses carry it too.
    #expect(await door.ask("records/query", "rubbish").header(header) == second)
    door.bench.advance(milliseconds: settings.rotationMilliseconds)
    let third = try #require(await door.ask("zones/list").header(header))
    #expect(third != second)
    door.web = first
    #expect(await door.ask("zones/list").header(header) == second)
    door.bench.advance(milliseconds: settings.rotationGraceMilliseconds)
    #expect(await door.ask("zones/list").status == 421)
    door.web = third
    #expect(await door.ask("zones/list").status == 200)
    door.bench.advance(milliseconds: settings.sessionMilliseconds + 1)
    #expect(await door.ask("zones/list").status == 421)
  }

  @Test func `machines that carry one token get sessions of their own, and don't rotate it away`()
    async throws
  {
    var door = try await door()
    let carried = door.web
    let settings = door.bench.service.settings
    #expect(settings.extensions.header.contains("own-session"))
    var machines: [String] = []
    for _ in 0..<3 {
      let answer = await door.ask("zones/list", headers: ["x-skyros-session": "own"])
      #expect(answer.header("x-skyros-session") == "own")
      machines.append(try #require(answer.header(header)))
    }
    #expect(Set(machines + [carried]).count == 4)
    // One of them works for a day, and takes each new token.
    door.web = machines[0]
    for _ in 0..<200 {
      door.bench.advance(milliseconds: settings.rotationMilliseconds + 1_000)
      let answer = await door.ask("zones/list")
      #expect(answer.header("x-skyros-session") == nil)
      door.web = try #require(answer.header(header))
    }
    for token in [machines[1], machines[2], carried, door.web] {
      door.web = token
      #expect(await door.ask("zones/list").status == 200)
    }
    #expect(try await door.bench.service.sessions().count == 4)
  }

  @Test func `who never takes the new token is not locked out`() async throws {
    let door = try await door()
    for _ in 0..<10 {
      door.bench.advance(milliseconds: 3 * 86_400_000)
      #expect(await door.ask("zones/list").status == 200)
    }
  }

  @Test func `revoked tokens open nothing`() async throws {
    let door = try await door()
    let session = try #require(try await door.bench.service.sessions().first)
    #expect(try await door.bench.service.revokeToken(session.id))
    #expect(await door.ask("zones/list").status == 421)
    let token = try #require(try await door.bench.service.apiTokens().first)
    #expect(try await door.bench.service.revokeToken(token.id))
    #expect(await door.ask("zones/list").status == 401)
    #expect(try await !door.bench.service.revokeToken(token.id))
    let more = try await door.bench.service.addTokens(
      user: "alice", container: ServiceBench.container, environment: .production)
    #expect(try await door.bench.service.revokeToken(more.apiToken))
    #expect(try await door.bench.service.revokeToken(more.webAuthToken))
    #expect(try await door.bench.service.sessions().isEmpty)
  }

  @Test func `a user who was removed is told so, and his tokens are gone`() async throws {
    let door = try await door()
    let service = door.bench.service
    let bobs = try await service.addTokens(
      user: "bob", container: ServiceBench.container, environment: .production)
    #expect(
      try await service.apiTokens().map(\.user).count { $0 == door.bench.alice.userNumber } == 1)
    let rotated = try #require(await door.ask("zones/list").header(header))
    try await service.removeUser("alice")
    #expect(try await service.apiTokens().map(\.user) == [door.bench.bob.userNumber])
    let web = { (token: String) in "&ckWebAuthToken=\(PercentEncoding.encode(token))" }
    // With his own API token, and with one that is not his, whichever token of his session it is.
    for (credentials, status) in [
      ("ckAPIToken=\(door.api)" + web(door.web), 401), ("ckAPIToken=\(door.api)", 401),
      ("ckAPIToken=\(bobs.apiToken)" + web(door.web), 421),
      ("ckAPIToken=\(bobs.apiToken)" + web(rotated), 421),
    ] {
      let response = await door.ask("zones/list", credentials: credentials)
      #expect(response.status == status)
      #expect(try response.json["extensionErrorCode"] == .string("ACCOUNT_REMOVED"))
      #expect(try response.json["reason"]?.string?.hasPrefix("The account was removed") == true)
      #expect(try (response.json["redirectURL"] != nil) == (status == 421))
    }
    // Whose token never was one hears nothing of the kind.
    let stranger = await door.ask("zones/list", credentials: "ckAPIToken=00")
    #expect(try stranger.json["extensionErrorCode"] == nil)
    #expect(
      await door.ask(
        "zones/list", credentials: "ckAPIToken=\(bobs.apiToken)" + web(bobs.webAuthToken)
      )
      .status == 200)
    // For as long as deletions are remembered.
    door.bench.advance(milliseconds: service.settings.tombstoneRetentionMilliseconds + 1)
    try await service.upkeep()
    let later = await door.ask("zones/list")
    #expect(later.status == 401)
    #expect(try later.json["extensionErrorCode"] == nil)
  }

  @Test(arguments: [
    ("iCloud.org.example.notes", true), ("iCloud.home", true), ("com.apple-2.my_app", true),
    ("home", false), ("", false), ("iCloud.", false), (".home", false), ("iCloud..x", false),
    ("iCloud.a b", false), ("iCloud.a/b", false), ("iCloud.é", false),
  ])
  func `tokens, keys and zones are for what looks like a container`(
    container: String, isFine: Bool
  ) async throws {
    let bench = try await ServiceBench()
    let pem = P256.Signing.PrivateKey().publicKey.pemRepresentation
    let service = bench.service
    for add in [
      { _ = try await service.addTokens(user: "bob", container: $0, environment: .production) },
      { _ = try await service.addKey(container: $0, publicKeyPEM: pem, id: nil) },
      { try await service.addZone("N", user: "bob", container: $0, environment: .production) },
    ] as [(String) async throws -> Void] {
      do throws(any Error) {
        try await add(container)
        #expect(isFine)
      } catch let fault as ProvisioningFault {
        #expect(fault == .badContainer(container) && !isFine)
      }
    }
  }

  @Test func `secrets are kept as digests only`() async throws {
    let door = try await door()
    let stored = try await door.bench.service.sessions().map { "\($0)" }.joined()
    let tokens = try await door.bench.service.apiTokens().map { "\($0)" }.joined()
    let secret = door.web.split(separator: ".")[1]
    #expect(!stored.contains(secret) && !tokens.contains(door.api))
  }

  @Test func `a code signs in once, on the page's word`() async throws {
    let door = try await door()
    let service = door.bench.service
    let url = try await door.ask("zones/list", credentials: "ckAPIToken=\(door.api)").json
    let sealed = url["redirectURL"]?.string?.split(separator: "/").last.map(String.init) ?? ""
    let request = try #require(service.signInRequest(sealed))
    #expect(service.signInRequest(sealed + "x") == nil)
    let code = try await service.makeSignInCode(user: "bob")
    #expect(try await service.signIn(request, code: "WRONG", peer: "p") == .wrongCode)
    let typed = code.lowercased().replacing("-", with: " ")
    guard case .token(let token, _) = try await service.signIn(request, code: typed, peer: "p")
    else {
      Issue.record("the code was not taken")
      return
    }
    #expect(try await service.signIn(request, code: code, peer: "p") == .wrongCode)
    var bob = door
    bob.web = token
    let caller = try await bob.ask("users/caller", database: "public", method: "GET").json
    #expect(
      caller["users"]?.array?[0]["userRecordName"]?.string == door.bench.bob.recordName)
    for _ in 0..<20 { _ = try await service.signIn(request, code: "X", peer: "q") }
    guard case .wait = try await service.signIn(request, code: "X", peer: "q") else {
      Issue.record("guessing has no bound")
      return
    }
  }

  @Test(arguments: [
    ("http://127.0.0.1:8080/x", true), ("http://localhost:1/", true), ("http://[::1]:99", true),
    ("https://127.0.0.1/", false), ("http://127.0.0.1.evil.net/", false),
    ("http://127.0.0.1@evil.net/", false), ("http://evil.net/127.0.0.1", false),
    ("http://127.0.0.1:99999/", false), ("javascript:alert(1)", false),
    ("http://localhost\r\nX: y", false),
  ])
  func `a token goes to loopback only`(url: String, isFine: Bool) {
    #expect(RecordService.isLoopbackCallback(url) == isFine)
  }

  @Test func `too many requests are throttled, others are not`() async throws {
    var settings = ServiceSettings()
    settings.requestsPerSecond = 1
    settings.requestsBurst = 3
    let door = try await door(settings)
    for _ in 0..<3 { #expect(await door.ask("zones/list").status == 200) }
    let refused = await door.ask("zones/list")
    #expect(refused.status == 429)
    #expect(try refused.json.code == "THROTTLED")
    #expect(try refused.json["retryAfter"]?.wholeNumber == 1)
    #expect(refused.header("retry-after") == "1")
    door.bench.advance(milliseconds: 1_000)
    #expect(await door.ask("zones/list").status == 200)
  }

  // MARK: Keys

  @Test func `a signed request reaches public, within the window, in both empty forms`()
    async throws
  {
    let bench = try await ServiceBench()
    let key = P256.Signing.PrivateKey()
    let stored = try await bench.service.addKey(
      container: ServiceBench.container, publicKeyPEM: key.publicKey.pemRepresentation, id: nil)
    func ask(
      _ action: String, _ body: String, late: Int64 = 0, emptyForm: Bool = false,
      database: String = "public", spoil: Bool = false
    ) async throws -> ServiceResponse {
      let target = "/database/1/\(ServiceBench.container)/production/\(database)/\(action)?x=1"
      let date = WireDate.text(seconds: bench.now / 1_000 + late)
      let message =
        emptyForm
        ? "\(date)::\(target)"
        : RequestSigning.message(date: date, body: Array(body.utf8), subpath: target)
      let signature = try key.signature(for: Array(message.utf8)).derRepresentation
      return await bench.service.respond(
        to: ServiceRequest(
          body.isEmpty ? "GET" : "POST", target,
          headers: [
            "x-apple-cloudkit-request-keyid": stored.id,
            "x-apple-cloudkit-request-iso8601date": date,
            "x-apple-cloudkit-request-signaturev1": Base64.encode(Array(signature)),
          ], body: Array((spoil ? body + " " : body).utf8)))
    }
    let write = #"{"operations":[\#(operation("create", "r"))]}"#
    let made = try await ask("records/modify", write)
    #expect(made.status == 200)
    #expect(
      try made.json["records"]?.array?[0]["created"]?["userRecordName"]?.string
        == stored.recordName)
    #expect(try await ask("records/modify", write, spoil: true).status == 401)
    #expect(try await ask("zones/list", "").status == 200)
    #expect(try await ask("zones/list", "", emptyForm: true).status == 200)
    #expect(try await ask("zones/list", "", late: 600).status == 200)
    #expect(try await ask("zones/list", "", late: -601).status == 401)
    #expect(try await ask("zones/list", "", late: 602).status == 401)
    #expect(try await ask("zones/list", "{}", database: "private").status == 403)
    #expect(try await ask("users/caller", "").status == 401)
    #expect(try await bench.service.revokeKey(stored.id))
    #expect(try await ask("zones/list", "").status == 401)
  }

  // MARK: Others

  @Test func `nobody reaches another's private records`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    _ = try await bench.modify(operation("create", "secret"))
    let token = try await bench.feed().token
    let owner = bench.alice.recordName
    for body in [
      #"{"zones":[{"zoneID":{"zoneName":"Z"}}]}"#,
      #"{"zones":[{"zoneID":{"zoneName":"Z","ownerRecordName":"\#(owner)"}}]}"#,
      #"{"zones":[{"zoneID":{"zoneName":"Z"},"syncToken":"\#(token)"}]}"#,
    ] {
      let answer = try await bench.call("changes/zone", body, as: bench.bob)
      #expect(answer["zones"]?.array?[0].code == "ZONE_NOT_FOUND")
      let shared = try await bench.call(
        "changes/zone", body, as: bench.bob, database: "shared")
      #expect(shared["zones"]?.array?[0].code == "ZONE_NOT_FOUND")
    }
    let lookup = #"{"zoneID":{"zoneName":"Z"},"records":[{"recordName":"secret"}]}"#
    let answer = try await bench.call("records/lookup", lookup, as: bench.bob)
    #expect(answer.code == "ZONE_NOT_FOUND")
    try await bench.makeZone("Z", as: bench.bob)
    let empty = try await bench.call("records/lookup", lookup, as: bench.bob)
    #expect(empty["records"]?.array?[0].code == "NOT_FOUND")
    #expect(try await bench.feed(as: bench.bob).records.isEmpty)
  }

  @Test func `tokens tell nothing of how busy others are`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("A")
    let before = try await bench.feed("A").token
    for number in 0..<5 { try await bench.makeZone("Z\(number)", as: bench.bob) }
    try await bench.makeZone("B")
    let after = try await bench.feed("B").token
    // Bytes 9 to 16 stand for the zone: no counter shows through.
    let marks = [before, after].map { Base64.decode($0)?[9..<17].map { Int($0) } ?? [] }
    #expect(marks[0].prefix(4) != marks[1].prefix(4))
    #expect(marks[0].prefix(4) != [0, 0, 0, 0])
  }

  @Test func `in public everybody reads and the maker changes`() async throws {
    let bench = try await ServiceBench()
    let zone = ZoneID.defaultName
    let made = try await bench.modify(operation("create", "r"), zone: zone, database: "public")
    let change = operation("update", "r", tag: made[0].tag)
    let refused = try await bench.modify(
      change, zone: zone, as: bench.bob, database: "public")
    #expect(refused[0].code == "ACCESS_DENIED")
    let gone = try await bench.modify(
      operation("forceDelete", "r"), zone: zone, as: bench.bob, database: "public")
    #expect(gone[0].code == "ACCESS_DENIED")
    let found = try await bench.call(
      "records/query", #"{"query":{"recordType":"T"}}"#, as: bench.bob, database: "public")
    #expect(found["records"]?.array?.compactMap(\.name) == ["r"])
    #expect(try await bench.modify(change, zone: zone, database: "public")[0].code == nil)
  }

  @Test func `a user who goes takes all with him`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    _ = try await bench.modify(operation("create", "r"))
    _ = try await bench.modify(
      operation("create", "p"), zone: ZoneID.defaultName, database: "public")
    _ = try await bench.service.addTokens(
      user: "alice", container: ServiceBench.container, environment: .production)
    try await bench.service.addZone(
      "Y", user: "alice", container: "iCloud.other", environment: .development)
    let key = P256.Signing.PrivateKey()
    _ = try await bench.service.addKey(
      container: ServiceBench.container, publicKeyPEM: key.publicKey.pemRepresentation,
      id: "key-of-alice", user: "alice")
    let code = try await bench.service.makeSignInCode(user: "alice")
    _ = try await bench.call(
      "subscriptions/modify",
      #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"s","subscriptionType":"database"}}]}"#
    )
    let push = try await bench.call("tokens/create", #"{"apnsEnvironment":"production"}"#)
    let token = try #require(push["apnsToken"]?.string)
    let alice = bench.alice
    let kept = { () async throws -> [Bool] in
      let digest = Digest.of(code.filter { $0 != "-" })
      let now = bench.now
      return try await bench.service.storage.read { storage in
        let place = { (scope: DatabaseScope, container: String) in
          DatabaseKey(
            container: container, environment: .production, scope: scope,
            owner: alice.userNumber ?? 0)
        }
        let home = place(.private, ServiceBench.container)
        return [
          try !storage.sessions().isEmpty, try !storage.keys().isEmpty,
          try !storage.subscriptions(of: alice.recordName, in: home).isEmpty,
          try !storage.zones(in: home).isEmpty,
          try storage.hasCourier(digest: Digest.of(token)),
          try storage.signInUser(codeDigest: digest, at: now) != nil,
          try storage.usedBytes(of: alice.userNumber ?? 0) > 0,
          try storage.user(number: alice.userNumber ?? 0) != nil,
        ]
      }
    }
    #expect(try await kept() == [true, true, true, true, true, true, true, true])
    let door = try await bench.call("zones/changes", as: bench.bob, database: "public")
    let seen = door["metaSyncToken"]?.string ?? ""
    try await bench.service.removeUser("alice")
    #expect(try await kept() == [false, false, false, false, false, false, false, false])
    // Others hear that the public zone has changed.
    let heard = try await bench.call(
      "zones/changes", #"{"metaSyncToken":"\#(seen)"}"#, as: bench.bob, database: "public")
    #expect(heard["metaSyncToken"]?.string != seen)
    #expect(try await bench.service.users().map(\.name) == ["bob"])
    let found = try await bench.call(
      "records/query", #"{"query":{"recordType":"T"}}"#, as: bench.bob, database: "public")
    #expect(found["records"] == .array([]))
    #expect(try await bench.call("zones/list")["zones"]?.array?.count == 1)
    await #expect(throws: ProvisioningFault.noSuchUser("alice")) {
      try await bench.service.removeUser("alice")
    }
  }
}
