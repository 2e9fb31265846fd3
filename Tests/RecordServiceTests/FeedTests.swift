import CloudKitWire
import Foundation
import RecordService
import Testing

/// Change feeds: order, pages, tokens and what refuses them.
struct FeedTests {
  private func bench(_ names: String...) async throws -> ServiceBench {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    for name in names { _ = try await bench.modify(operation("create", name)) }
    return bench
  }

  private func zone(
    _ bench: ServiceBench, _ more: String, headers: [String: String] = [:]
  ) async throws -> JSONValue {
    let body = #"{"zones":[{"zoneID":{"zoneName":"Z"}\#(more)}]}"#
    return try await bench.call("changes/zone", body, headers: headers)["zones"]?.array?.first
      ?? .null
  }

  @Test func `pages go on where the last ended, each record once and newest`() async throws {
    let bench = try await bench("a", "b", "c", "d", "e")
    _ = try await bench.modify(operation("forceUpdate", "a"))
    let all = try await bench.feed(limit: 2)
    #expect(all.records.compactMap(\.name) == ["b", "c", "d", "e", "a"])
    #expect(try await bench.feed(after: all.token).records.isEmpty)
    _ = try await bench.modify(operation("forceDelete", "c"))
    let more = try await bench.feed(after: all.token)
    #expect(more.records.compactMap(\.name) == ["c"])
    #expect(more.records[0]["deleted"]?.truth == true)
    #expect(more.records[0]["fields"] == nil)
  }

  @Test func `reverse shows the newest first and ends in a token for going on`() async throws {
    let bench = try await bench("a", "b", "c", "d", "e")
    var names: [String] = []
    var token = ""
    var isMore = true
    while isMore {
      let page = try await zone(
        bench, #","reverse":true,"resultsLimit":2,"syncToken":"\#(token)""#)
      names += page["records"]?.array?.compactMap(\.name) ?? []
      token = page["syncToken"]?.string ?? ""
      isMore = page["moreComing"]?.truth ?? false
    }
    #expect(names == ["e", "d", "c", "b", "a"])
    _ = try await bench.modify(operation("create", "f"))
    #expect(try await bench.feed(after: token).records.compactMap(\.name) == ["f"])
  }

  @Test func `types are chosen, tombstones come all the same, none means all`() async throws {
    let bench = try await bench("a")
    _ = try await bench.modify(operation("create", "u", type: "U"))
    _ = try await bench.modify(operation("forceDelete", "a"))
    let chosen = try await zone(bench, #","desiredRecordTypes":["U"]"#)
    #expect(chosen["records"]?.array?.compactMap(\.name) == ["u", "a"])
    let all = try await zone(bench, #","desiredRecordTypes":[],"desiredKeys":[]"#)
    #expect(all["records"]?.array?.count == 2)
  }

  @Test func `one zone's failure is its own`() async throws {
    let bench = try await bench("a")
    let answer = try await bench.call(
      "changes/zone",
      #"""
      {"zones":[{"zoneID":{"zoneName":"nope"}},{"zoneID":{"zoneName":"Z"}},
      {"zoneID":{"zoneName":"_defaultZone"}},{"zoneID":{"zoneName":"Z"},"syncToken":"rubbish"}]}
      """#)
    let zones = answer["zones"]?.array ?? []
    #expect(zones.map(\.code) == ["ZONE_NOT_FOUND", nil, "BAD_REQUEST", "BAD_REQUEST"])
    #expect(zones[0]["zoneID"]?["zoneName"] == .string("nope"))
    #expect(zones[3]["extensionErrorCode"] == nil)
  }

  @Test func `a zone made again refuses the old zone's token`() async throws {
    let bench = try await bench("a")
    let token = try await bench.feed().token
    let before = try await bench.modify(operation("forceUpdate", "a"))[0].tag
    _ = try await bench.call(
      "zones/modify",
      #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"Z"}}}]}"#)
    #expect(try await zone(bench, "").code == "ZONE_NOT_FOUND")
    try await bench.makeZone("Z")
    let refused = try await zone(bench, #","syncToken":"\#(token)""#)
    #expect(refused.code == "BAD_REQUEST")
    #expect(refused["extensionErrorCode"] == .string("CHANGE_TOKEN_EXPIRED"))
    #expect(refused["tokenRefusal"] == .string("recreated"))
    #expect(try await bench.feed().records.isEmpty)
    let after = try await bench.modify(operation("create", "a"))[0].tag
    #expect(after != before)
  }

  @Test func `forgotten tombstones make older tokens expire, and only those`() async throws {
    let bench = try await bench("a", "b")
    let old = try await bench.feed().token
    _ = try await bench.modify(operation("forceDelete", "a"))
    let seen = try await bench.feed().token
    bench.advance(milliseconds: bench.service.settings.tombstoneRetentionMilliseconds + 1)
    _ = try await bench.modify(operation("create", "c"))
    try await bench.service.upkeep()
    let refused = try await zone(bench, #","syncToken":"\#(old)""#)
    #expect(refused["extensionErrorCode"] == .string("CHANGE_TOKEN_EXPIRED"))
    #expect(refused["tokenRefusal"] == .string("retention"))
    #expect(try await bench.feed(after: seen).records.compactMap(\.name) == ["c"])
    #expect(try await bench.feed().records.compactMap(\.name) == ["b", "c"])
  }

  @Test func `a restored service refuses what it never knew`() async throws {
    let bench = try await bench("a")
    let copy = bench.folder + "/copy"
    try await ServiceBackup.make(of: bench.path, into: copy)
    let tag = try await bench.modify(operation("create", "b"))[0].tag
    let token = try await bench.feed().token

    let path = bench.folder + "/restored.sqlite"
    try await ServiceBackup.restore(from: copy, to: path)
    let surroundings = ServiceBench.surroundings(seed: 9) { 1_800_000_000_000 }
    let restored = try await RecordService.open(path: path, surroundings: surroundings)
    let ask = { (action: String, body: String) async throws -> JSONValue in
      try await restored.respond(
        to: ServiceRequest(
          "POST", "/database/1/\(ServiceBench.container)/production/private/\(action)",
          body: Array(body.utf8)), as: bench.alice
      ).json
    }
    let body = #"{"zones":[{"zoneID":{"zoneName":"Z"},"syncToken":"\#(token)"}]}"#
    let refused = try await ask("changes/zone", body)["zones"]?.array?.first
    #expect(refused?["tokenRefusal"] == .string("future"))
    let made = try await ask(
      "records/modify",
      #"{"zoneID":{"zoneName":"Z"},"operations":[\#(operation("create", "other"))]}"#)
    // The same place in the zone, in another history: another tag.
    #expect(made["records"]?.array?[0].tag != tag)
    await #expect(throws: StorageFault.self) {
      try await ServiceBackup.restore(from: copy, to: path)
    }
  }

  @Test func `the database's feed tells of zones that changed or went`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("A")
    try await bench.makeZone("B")
    let first = try await bench.call("changes/database")
    #expect(names(first) == ["A", "B"])
    let token = first["syncToken"]?.string ?? ""
    let ask = #"{"syncToken":"\#(token)"}"#
    #expect(try await names(bench.call("changes/database", ask)) == [])
    _ = try await bench.modify(operation("create", "r"), zone: "B")
    #expect(try await names(bench.call("changes/database", ask)) == ["B"])
    _ = try await bench.call(
      "zones/modify",
      #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"A"}}}]}"#)
    let after = try await bench.call("changes/database", ask)
    #expect(names(after) == ["B", "A"])
    #expect(after["zones"]?.array?[1]["deleted"]?.truth == true)
    // The old form has another name for the token.
    let old = try await bench.call("zones/changes", #"{"metaSyncToken":"\#(token)"}"#)
    #expect(names(old) == ["B", "A"] && old["metaSyncToken"]?.string != nil)
    let paged = try await bench.call("changes/database", #"{"resultsLimit":1}"#)
    #expect(paged["moreComing"]?.truth == true)
  }

  private func names(_ answer: JSONValue) -> [String] {
    answer["zones"]?.array?.compactMap { $0["zoneID"]?["zoneName"]?.string } ?? []
  }

  @Test func `a held request answers when something changes`() async throws {
    let bench = try await bench("a")
    let token = try await bench.feed().token
    async let held = zone(
      bench, #","syncToken":"\#(token)""#, headers: ["prefer": "wait=50"])
    // Whichever comes first, the answer has the record.
    await Task.yield()
    _ = try await bench.modify(operation("create", "b"))
    #expect(try await held["records"]?.array?.compactMap(\.name) == ["b"])
  }

  @Test func `a held request answers with nothing when its time is over`() async throws {
    let bench = try await ServiceBench(sleep: { _ in })
    try await bench.makeZone("Z")
    let token = try await bench.feed().token
    let answer = try await zone(
      bench, #","syncToken":"\#(token)""#, headers: ["prefer": "wait=50"])
    #expect(answer["records"] == .array([]))
    #expect(answer["syncToken"]?.string == token)
  }

  @Test func `the bulk form has the same records and the same token`() async throws {
    let bench = try await bench("a", "b", "c")
    let response = await bench.response(
      "changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Z"}}]}"#,
      headers: ["x-skyros": "1", "accept": "application/x-ndjson"])
    guard case .stream(let pieces) = response.body else {
      Issue.record("no stream")
      return
    }
    var bytes: [UInt8] = []
    for try await piece in pieces { bytes += piece }
    let lines = try bytes.split(separator: 0x0A).map { line in
      var reader = JSONReader(Array(line))
      return try reader.readValue()
    }
    let feed = try await bench.feed()
    #expect(lines.dropLast().map { $0 } == feed.records)
    #expect(lines.last?["syncToken"]?.string == feed.token)
  }

  @Test func `gzip goes both ways and a bomb is refused`() async throws {
    let bench = try await bench("a", "b", "c", "d", "e", "f")
    let body = Array(#"{"zones":[{"zoneID":{"zoneName":"Z"}}]}"#.utf8)
    let packed = try #require(Gzip.compress(body))
    var request = ServiceRequest(
      "POST", "/database/1/\(ServiceBench.container)/production/private/changes/zone",
      headers: ["content-encoding": "gzip", "accept-encoding": "gzip, br"], body: packed)
    let response = await bench.service.respond(to: request, as: bench.alice)
    #expect(response.header("content-encoding") == "gzip")
    let plain = try Gzip.expand(response.bytes ?? [], max: 1_000_000)
    var reader = JSONReader(plain)
    #expect(
      try reader.readValue()["zones"]?.array?[0]["records"]?.array?.count == 6)
    request.body = try #require(
      Gzip.compress([UInt8](repeating: 0x20, count: bench.service.settings.bodyBytesMax + 1)))
    #expect(await bench.service.respond(to: request, as: bench.alice).status == 400)
    request.body = Array(packed.dropLast(4))
    #expect(await bench.service.respond(to: request, as: bench.alice).status == 400)
  }
}
