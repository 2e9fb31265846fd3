import CloudKitWire
import Foundation
import RecordService
import Testing

/// Every endpoint and every row of the error table, over the three depths.
struct EndpointTests {
  private static let zone = #""zoneID":{"zoneName":"Z"}"#

  private static func create(_ name: String, _ fields: String = "{}") -> String {
    #"{"operationType":"create","record":{"recordName":"\#(name)","recordType":"T","fields":\#(fields)}}"#
  }

  private static func makeZone(_ client: Client) async throws {
    let made = try await client.ask(
      "zones/modify",
      #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Z"}}}]}"#)
    #expect(made.status == 200)
  }

  @Test(arguments: Depth.allCases)
  func `every endpoint answers`(depth: Depth) async throws {
    try await Client.with(depth) { client in
      try await Self.makeZone(client)
      let calls: [(String, String?, String, String)] = [
        (
          "records/modify", #"{\#(Self.zone),"operations":[\#(Self.create("r"))]}"#, "private",
          "records"
        ),
        (
          "records/lookup", #"{\#(Self.zone),"records":[{"recordName":"r"}]}"#, "private",
          "records"
        ),
        ("records/query", #"{\#(Self.zone),"query":{"recordType":"T"}}"#, "private", "records"),
        ("records/changes", #"{\#(Self.zone)}"#, "private", "syncToken"),
        ("changes/zone", #"{"zones":[{\#(Self.zone)}]}"#, "private", "zones"),
        ("changes/database", "{}", "private", "syncToken"),
        ("zones/list", nil, "private", "zones"),
        ("zones/list", "{}", "private", "zones"),
        ("zones/lookup", #"{"zones":[{"zoneName":"Z"}]}"#, "private", "zones"),
        ("zones/changes", "{}", "private", "metaSyncToken"),
        ("assets/upload", #"{"tokens":[{"fieldName":"f"}]}"#, "private", "tokens"),
        (
          "assets/rereference", #"{"assets":[{"recordName":"r","fieldName":"f"}]}"#, "private",
          "assets"
        ),
        ("users/caller", nil, "public", "users"),
        ("users/caller", nil, "private", "users"),
        ("users/current", nil, "public", "userRecordName"),
        ("users/discover", nil, "public", "users"),
        ("users/discover", "{}", "public", "users"),
        ("users/lookup/email", "{}", "public", "users"),
        ("users/lookup/id", "{}", "public", "users"),
        ("users/lookup/contacts", nil, "public", "users"),
        ("records/resolve", #"{"shortGUIDs":[{"value":"x"}]}"#, "public", "results"),
        ("records/accept", #"{"shortGUIDs":[{"value":"x"}]}"#, "public", "results"),
        ("subscriptions/list", nil, "private", "subscriptions"),
        (
          "subscriptions/lookup", #"{"subscriptions":[{"subscriptionID":"s"}]}"#, "private",
          "subscriptions"
        ),
        (
          "subscriptions/modify",
          #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"s","subscriptionType":"database"}}]}"#,
          "private", "subscriptions"
        ),
        ("tokens/create", #"{"apnsEnvironment":"production"}"#, "private", "webcourierURL"),
        ("zones/list", nil, "shared", "zones"),
        ("changes/database", "{}", "shared", "syncToken"),
      ]
      for (action, body, database, key) in calls {
        let answer = try await client.ask(action, body, database: database)
        #expect(answer.status == 200, "\(action)")
        #expect(try answer.json[key] != nil, "\(action)")
        #expect(answer.headers["content-type"]?.hasPrefix("application/json") == true)
        #expect(answer.headers["x-apple-cloudkit-web-auth-token"] != nil)
        #expect(answer.headers["x-skyros"]?.contains("wait=55") == true)
      }
    }
  }

  @Test(arguments: Depth.allCases)
  func `every row of the error table is met`(depth: Depth) async throws {
    var settings = ServiceSettings()
    settings.quotaBytes = 300
    settings.requestsPerSecond = 0.001
    settings.requestsBurst = 30
    try await Client.with(depth, settings) { client in
      try await Self.makeZone(client)
      func entry(_ operation: String, database: String = "private", as who: String? = nil)
        async throws -> String?
      {
        let zone = database == "public" ? "" : Self.zone + ","
        let answer = try await client.ask(
          "records/modify", #"{\#(zone)"atomic":false,"operations":[\#(operation)]}"#, as: who,
          database: database)
        return try answer.json["records"]?.array?[0]["serverErrorCode"]?.string
      }
      func whole(_ answer: Answer, _ status: Int, _ code: String) throws {
        #expect(answer.status == status)
        let json = try answer.json
        #expect(json["serverErrorCode"] == .string(code))
        #expect(json["uuid"]?.string?.count == 36 && json["reason"]?.string?.isEmpty == false)
      }
      // Entries, inside 200.
      _ = try await entry(Self.create("r"))
      #expect(try await entry(Self.create("r")) == "EXISTS")
      let stale =
        #"{"operationType":"update","record":{"recordName":"r","recordChangeTag":"zz"}}"#
      #expect(try await entry(stale) == "CONFLICT")
      #expect(try await entry(stale.replacing(#""r""#, with: #""x""#)) == "NOT_FOUND")
      #expect(try await entry(Self.create("s", #"{"1":{"value":1}}"#)) == "BAD_REQUEST")
      let long = #"{"t":{"value":"\#(String(repeating: "x", count: 400))"}}"#
      #expect(try await entry(Self.create("s", long)) == "QUOTA_EXCEEDED")
      let bound =
        #"{"f":{"value":{"recordName":"none","action":"VALIDATE"}}}"#
      #expect(try await entry(Self.create("s", bound)) == "VALIDATING_REFERENCE_ERROR")
      #expect(try await entry(Self.create("p"), database: "public") == nil)
      let steal = #"{"operationType":"forceDelete","record":{"recordName":"p"}}"#
      #expect(try await entry(steal, database: "public", as: client.bob) == "ACCESS_DENIED")
      let batch = try await client.ask(
        "records/modify", #"{\#(Self.zone),"operations":[\#(Self.create("a")),\#(stale)]}"#)
      #expect(
        try batch.json["records"]?.array?.map { $0["serverErrorCode"]?.string }
          == ["ATOMIC_ERROR", "CONFLICT"])
      // Whole requests, by status.
      try whole(
        try await client.ask(
          "records/lookup", #"{"zoneID":{"zoneName":"no"},"records":[]}"#), 404,
        "ZONE_NOT_FOUND")
      try whole(try await client.ask("records/query", "{"), 400, "BAD_REQUEST")
      try whole(try await client.ask("records/nothing", "{}"), 404, "NOT_FOUND")
      try whole(try await client.ask("records/query"), 405, "BAD_REQUEST")
      try whole(
        try await client.ask("changes/zone", "{}", database: "public"), 400, "BAD_REQUEST")
      try whole(
        try await client.ask("zones/list", as: "ckAPIToken=no"), 401, "AUTHENTICATION_FAILED")
      let asked = try await client.ask("zones/list", as: "ckAPIToken=\(client.apiToken)")
      try whole(asked, 421, "AUTHENTICATION_REQUIRED")
      #expect(try asked.json["redirectURL"]?.string?.contains("/sign-in/") == true)
      let misplaced = try await client.send(
        "POST",
        "/database/1/\(Client.container)/production/private/tokens/create?\(client.alice)",
        body: Array("{}".utf8))
      #expect(misplaced.status == 405)
      var last = asked
      for _ in 0..<40 where last.status != 429 { last = try await client.ask("zones/list") }
      try whole(last, 429, "THROTTLED")
      #expect(last.headers["retry-after"] != nil)
    }
  }

  @Test(arguments: Depth.allCases)
  func `a file goes up and comes down`(depth: Depth) async throws {
    try await Client.with(depth) { client in
      let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let answer = try await client.ask("assets/upload", #"{"tokens":[{"fieldName":"f"}]}"#)
      let token = try #require(try answer.json["tokens"]?.array?.first)
      let url = try #require(token["url"]?.string)
      let uploaded = try await client.send("POST", url, body: bytes)
      let file = try #require(try uploaded.json["singleFile"])
      let name = try #require(token["recordName"]?.string)
      let value = String(decoding: file.body(), as: UTF8.self)
      let made = try await client.ask(
        "records/modify",
        #"{"operations":[\#(Self.create(name, #"{"f":{"value":\#(value),"type":"ASSETID"}}"#))]}"#)
      let field = try made.json["records"]?.array?[0]["fields"]?["f"]?["value"]
      let down = try await client.send("GET", try #require(field?["downloadURL"]?.string))
      #expect(down.status == 200)
      #expect(down.body == bytes)
    }
  }

  @Test(arguments: Depth.allCases)
  func `a waiting reader is woken by a writer`(depth: Depth) async throws {
    try await Client.with(depth) { client in
      try await Self.makeZone(client)
      let ask = #"{"zones":[{\#(Self.zone)}]}"#
      let page = try await client.ask("changes/zone", ask).json["zones"]?.array?[0]
      let token = page?["syncToken"]?.string ?? ""
      let held = #"{"zones":[{\#(Self.zone),"syncToken":"\#(token)"}]}"#
      async let answer = client.ask("changes/zone", held, headers: ["Prefer": "wait=50"])
      await Task.yield()
      _ = try await client.ask(
        "records/modify", #"{\#(Self.zone),"operations":[\#(Self.create("r"))]}"#)
      let records = try await answer.json["zones"]?.array?[0]["records"]?.array
      #expect(records?.map { $0["recordName"] } == [.string("r")])
    }
  }

  @Test(arguments: Depth.allCases)
  func `the courier brings what was subscribed`(depth: Depth) async throws {
    try await Client.with(depth) { client in
      try await Self.makeZone(client)
      _ = try await client.ask(
        "subscriptions/modify",
        #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"s","subscriptionType":"zone",\#(Self.zone)}}]}"#
      )
      let token = try await client.ask("tokens/create", #"{"apnsEnvironment":"production"}"#)
      let url = try #require(try token.json["webcourierURL"]?.string)
      async let brought = client.send("GET", url)
      await Task.yield()
      _ = try await client.ask(
        "records/modify", #"{\#(Self.zone),"operations":[\#(Self.create("r"))]}"#)
      #expect(try await brought.json["ck"]?["fet"]?["zid"] == .string("Z"))
    }
  }

  @Test(arguments: Depth.allCases)
  func `gzip and the bulk form arrive whole`(depth: Depth) async throws {
    try await Client.with(depth) { client in
      try await Self.makeZone(client)
      let operations = (0..<500).map { Self.create("r\($0)", #"{"n":{"value":\#($0)}}"#) }
      let body = #"{\#(Self.zone),"operations":[\#(operations.joined(separator: ","))]}"#
      let packed = try #require(Gzip.compress(Array(body.utf8)))
      let target = "/database/1/\(Client.container)/production/private/"
      let sent = try await client.send(
        "POST", "\(target)records/modify?\(client.alice)",
        headers: ["Content-Encoding": "gzip", "X-Skyros": "1", "Accept-Encoding": "gzip"],
        body: packed)
      #expect(sent.headers["content-encoding"] == "gzip")
      let plain = try Gzip.expand(sent.body, max: 10_000_000)
      #expect(try RecordsResponse(body: plain).records.count == 500)
      let bulk = try await client.ask(
        "changes/zone", #"{"zones":[{\#(Self.zone)}]}"#,
        headers: ["X-Skyros": "1", "Accept": "application/x-ndjson"])
      #expect(bulk.body.split(separator: 0x0A).count == 501)
    }
  }
}
