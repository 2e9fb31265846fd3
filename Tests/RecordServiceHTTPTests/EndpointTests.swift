import CloudKitWire
import Foundation
import RecordService
import Testing

/// Every endpoint, over the three depths; `ErrorTests` has the error table.
struct EndpointTests {
  private static let zone = #""zoneID":{"zoneName":"Z"}"#

  /// The endpoint table (reference 3): a row that nobody calls fails the test.
  private static let table: Set<String> = [
    "records/query", "records/lookup", "records/modify", "records/changes", "changes/database",
    "changes/zone", "zones/list", "zones/lookup", "zones/modify", "zones/changes",
    "assets/upload", "assets/rereference", "subscriptions/list", "subscriptions/lookup",
    "subscriptions/modify", "records/resolve", "records/accept", "users/current", "users/caller",
    "users/discover", "users/lookup/email", "users/lookup/id", "users/lookup/contacts",
    "tokens/create", "tokens/register",
  ]

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
      let token = try await client.ask("tokens/create", #"{"apnsEnvironment":"production"}"#)
      let apns = try token.json["apnsToken"]?.string ?? ""
      let calls: [(action: String, body: String?, database: String, key: String?)] = [
        (
          "zones/modify",
          #"{"operations":[{"operationType":"create","zone":{\#(Self.zone)}}]}"#, "private",
          "zones"
        ),
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
        (
          "tokens/register", #"{"apnsEnvironment":"production","apnsToken":"\#(apns)"}"#,
          "private", nil
        ),
        ("zones/list", nil, "shared", "zones"),
        ("changes/database", "{}", "shared", "syncToken"),
      ]
      #expect(Set(calls.map(\.action)) == Self.table)
      for (action, body, database, key) in calls {
        let answer = try await client.ask(action, body, database: database)
        #expect(answer.status == 200, "\(action)")
        if let key { #expect(try answer.json[key] != nil, "\(action)") }
        #expect(answer.headers["content-type"]?.hasPrefix("application/json") == true)
        #expect(answer.headers["x-apple-cloudkit-web-auth-token"] != nil)
        #expect(answer.headers["x-skyros"]?.contains("wait=55") == true)
      }
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
      let small = try await client.ask(
        "changes/zone", #"{"zones":[{\#(Self.zone)}]}"#,
        headers: [
          "X-Skyros": "1", "Accept": "application/x-ndjson", "Accept-Encoding": "gzip",
        ])
      #expect(small.headers["content-encoding"] == "gzip")
      #expect(small.body.count < bulk.body.count / 4)
      #expect(try Gzip.expand(small.body, max: 10_000_000) == bulk.body)
    }
  }
}
