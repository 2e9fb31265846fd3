import CloudKitWire
import RecordService
import Testing

/// Subscriptions, push tokens and what the courier brings.
struct PushTests {
  private func subscribe(
    _ bench: ServiceBench, _ subscription: String, type: String = "create",
    database: String = "private"
  ) async throws -> JSONValue {
    let answer = try await bench.call(
      "subscriptions/modify",
      #"{"operations":[{"operationType":"\#(type)","subscription":\#(subscription)}]}"#,
      database: database)
    return answer["subscriptions"]?.array?.first ?? .null
  }

  private func courier(_ bench: ServiceBench, as caller: Caller? = nil) async throws -> String {
    let made = try await bench.call(
      "tokens/create", #"{"apnsEnvironment":"development"}"#, as: caller)
    #expect(made["apnsEnvironment"] == .string("development"))
    let token = try #require(made["apnsToken"]?.string)
    #expect(made["webcourierURL"]?.string == "\(bench.service.publicURL)/courier/\(token)")
    return token
  }

  @Test func `subscriptions are kept, listed, found, changed and removed`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    let zone =
      #"{"subscriptionID":"s","subscriptionType":"zone","zoneID":{"zoneName":"Z"},"notificationInfo":{"alertBody":"new"}}"#
    #expect(try await subscribe(bench, zone)["subscriptionID"] == .string("s"))
    // Made again, it is silently the same.
    #expect(try await subscribe(bench, zone).code == nil)
    let listed = try await bench.call("subscriptions/list")["subscriptions"]?.array
    #expect(listed?.count == 1)
    #expect(listed?[0]["notificationInfo"]?["alertBody"] == .string("new"))
    let found = try await bench.call(
      "subscriptions/lookup",
      #"{"subscriptions":[{"subscriptionID":"s"},{"subscriptionID":"t"}]}"#)
    #expect(found["subscriptions"]?.array?.map(\.code) == [nil, "NOT_FOUND"])
    let his = try await bench.call("subscriptions/list", as: bench.bob)
    #expect(his["subscriptions"] == .array([]))
    let gone = try await subscribe(bench, #"{"subscriptionID":"s"}"#, type: "delete")
    #expect(gone["deleted"]?.truth == true)
    let twice = try await subscribe(bench, #"{"subscriptionID":"s"}"#, type: "delete")
    #expect(twice.code == "NOT_FOUND")
    #expect(try await subscribe(bench, zone, type: "update").code == "NOT_FOUND")
  }

  @Test func `a hundred push tokens are kept, the newest`() async throws {
    let bench = try await ServiceBench()
    var tokens: [String] = []
    for _ in 0..<102 {
      bench.advance(milliseconds: 1)
      tokens.append(try await courier(bench))
    }
    let his = try await courier(bench, as: bench.bob)
    let all = tokens + [his]
    let kept = try await bench.service.storage.read { storage in
      try all.filter { try storage.hasCourier(digest: Digest.of($0)) }
    }
    #expect(kept == Array(all.dropFirst(2)))
  }

  @Test(arguments: [
    #"{"subscriptionID":"s"}"#, #"{"subscriptionType":"novel"}"#,
    #"{"subscriptionType":"zone"}"#, #"{"subscriptionType":"query"}"#,
    #"{"subscriptionType":"query","query":{"recordType":"T"}}"#,
    #"{"subscriptionType":"query","query":{"recordType":"T"},"firesOn":["sometimes"]}"#,
  ])
  func `a subscription that lacks something is refused`(subscription: String) async throws {
    let bench = try await ServiceBench()
    #expect(try await subscribe(bench, subscription).code == "BAD_REQUEST")
  }

  @Test func `one subscription's query that means nothing is its own mistake`() async throws {
    let bench = try await ServiceBench()
    let bad =
      #"{"subscriptionID":"b","subscriptionType":"query","firesOn":["create"],"query":{"recordType":"T","filterBy":[{"comparator":"LIKE"}]}}"#
    let good = #"{"subscriptionID":"g","subscriptionType":"database"}"#
    let body = [bad, good].map { #"{"operationType":"create","subscription":\#($0)}"# }
    let answer = try await bench.call(
      "subscriptions/modify", #"{"operations":[\#(body.joined(separator: ","))]}"#)
    #expect(answer["subscriptions"]?.array?.map(\.code) == ["BAD_REQUEST", nil])
  }

  @Test func `a change in the zone is told to its subscriber`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    _ = try await subscribe(
      bench,
      #"{"subscriptionID":"s","subscriptionType":"zone","zoneID":{"zoneName":"Z"},"notificationInfo":{"alertBody":"new"}}"#
    )
    _ = try await subscribe(bench, #"{"subscriptionID":"d","subscriptionType":"database"}"#)
    let token = try await courier(bench)
    let his = try await courier(bench, as: bench.bob)
    _ = try await bench.modify(operation("create", "r"))
    let first = try await bench.service.courier(token).json
    let second = try await bench.service.courier(token).json
    let kinds = [first, second].map { $0["ck"]?["fet"] != nil ? "fet" : "met" }
    #expect(Set(kinds) == ["fet", "met"])
    let zone = kinds[0] == "fet" ? first : second
    #expect(zone["ck"]?["cid"] == .string(ServiceBench.container))
    #expect(zone["ck"]?["fet"]?["zid"] == .string("Z"))
    #expect(zone["ck"]?["fet"]?["sid"] == .string("s"))
    #expect(zone["aps"]?["alert"]?["body"] == .string("new"))
    // Nothing more for her, nothing at all for him.
    let waiting = Task { await bench.service.courier(his) }
    waiting.cancel()
    #expect(await waiting.value.bytes?.isEmpty ?? true)
    #expect(await bench.service.courier("no such token").status == 404)
  }

  @Test func `a query fires for what it matches, once if so asked`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    _ = try await subscribe(
      bench,
      #"""
      {"subscriptionID":"q","subscriptionType":"query","firesOn":["create","delete"],
      "query":{"recordType":"T","filterBy":[{"comparator":"GREATER_THAN","fieldName":"n",
      "fieldValue":{"value":5}}]},"notificationInfo":{"additionalFields":["n"]}}
      """#)
    let token = try await courier(bench)
    let number = { (value: Int) in #"{"n":{"value":\#(value)}}"# }
    _ = try await bench.modify(
      operation("create", "low", fields: number(1)),
      operation("create", "high", fields: number(9)))
    _ = try await bench.modify(operation("forceUpdate", "low", fields: number(7)))
    _ = try await bench.modify(operation("forceDelete", "high"))
    let made = try await bench.service.courier(token).json["ck"]?["qry"]
    #expect(made?["rid"] == .string("high") && made?["fo"] == .int(1))
    #expect(made?["af"]?["n"] == .int(9))
    let gone = try await bench.service.courier(token).json["ck"]?["qry"]
    #expect(gone?["rid"] == .string("high") && gone?["fo"] == .int(3))

    _ = try await subscribe(
      bench,
      #"{"subscriptionID":"once","subscriptionType":"query","firesOn":["create"],"firesOnce":true,"query":{"recordType":"U"}}"#
    )
    _ = try await bench.modify(operation("create", "u", type: "U"))
    #expect(
      try await bench.service.courier(token).json["ck"]?["qry"]?["sid"] == .string("once"))
    let left = try await bench.call("subscriptions/list")["subscriptions"]?.array
    #expect(left?.map { $0["subscriptionID"]?.string } == ["q"])
  }

  @Test func `a waiting courier is woken`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    _ = try await subscribe(bench, #"{"subscriptionID":"d","subscriptionType":"database"}"#)
    let token = try await courier(bench)
    async let brought = bench.service.courier(token)
    await Task.yield()
    _ = try await bench.modify(operation("create", "r"))
    #expect(try await brought.json["ck"]?["met"]?["sid"] == .string("d"))
  }

  @Test func `a courier with nothing to bring ends empty`() async throws {
    let bench = try await ServiceBench(sleep: { _ in })
    let token = try await courier(bench)
    let response = await bench.service.courier(token)
    #expect(response.status == 200 && response.bytes?.isEmpty == true)
  }

  @Test func `another client joins a push token`() async throws {
    let bench = try await ServiceBench()
    let token = try await courier(bench)
    let joined = await bench.response(
      "tokens/register", #"{"apnsEnvironment":"development","apnsToken":"\#(token)"}"#,
      as: bench.bob)
    #expect(joined.bytes == Array("{}".utf8))
    let unknown = await bench.response("tokens/register", #"{"apnsToken":"x"}"#)
    #expect(unknown.status == 400)
  }
}
