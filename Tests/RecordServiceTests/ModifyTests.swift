import CloudKitWire
import RecordService
import Testing

/// The rule of each operation, and what a batch does with a failure.
struct ModifyTests {
  @Test func `create makes a record and refuses a second`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    let first = try await bench.modify(
      operation("create", "r", fields: #"{"t":{"value":"港"},"n":{"value":5}}"#))
    #expect(first[0].field("t") == .string("港"))
    #expect(first[0]["fields"]?["n"]?["type"] == .string("INT64"))
    #expect(first[0]["created"]?["userRecordName"]?.string == bench.alice.recordName)
    #expect(first[0]["created"]?["timestamp"] == .int(bench.now))
    let second = try await bench.modify(operation("create", "r"))
    #expect(second[0].code == "EXISTS" && second[0].name == "r")
    #expect(second[0]["uuid"]?.string?.isEmpty == false)
  }

  @Test func `a record without a name gets one`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    let made = try await bench.modify(operation("create", nil), operation("create", nil))
    #expect(made.compactMap(\.name).count == 2)
    #expect(made[0].name != made[1].name)
  }

  @Test(arguments: ["update", "replace", "delete"])
  func `what needs the tag refuses none, a stale one and a missing record`(
    type: String
  ) async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    let made = try await bench.modify(operation("create", "r"))
    let stale = try #require(made[0].tag)
    let moved = try await bench.modify(operation("update", "r", tag: stale))
    let fresh = try #require(moved[0].tag)
    #expect(fresh != stale)
    #expect(try await bench.modify(operation(type, "r"))[0].code == "BAD_REQUEST")
    #expect(try await bench.modify(operation(type, "r", tag: stale))[0].code == "CONFLICT")
    #expect(try await bench.modify(operation(type, "x", tag: fresh))[0].code == "NOT_FOUND")
    let done = try await bench.modify(operation(type, "r", tag: fresh))
    #expect(done[0].code == nil)
    #expect((done[0]["deleted"]?.truth == true) == (type == "delete"))
  }

  @Test func `update merges, replace clears, null and absent value clear`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    let made = try await bench.modify(
      operation(
        "create", "r",
        fields: #"{"a":{"value":1},"b":{"value":2},"c":{"value":3},"d":{"value":4}}"#))
    let merged = try await bench.modify(
      operation(
        "update", "r", type: nil, tag: made[0].tag,
        fields: #"{"a":{"value":9},"b":{"value":null},"c":{"type":"INT64"}}"#))
    #expect(merged[0].field("a") == .int(9))
    #expect(merged[0].field("b") == nil && merged[0].field("c") == nil)
    #expect(merged[0].field("d") == .int(4))
    let replaced = try await bench.modify(
      operation("replace", "r", tag: merged[0].tag, fields: #"{"b":{"value":7}}"#))
    #expect(
      replaced[0]["fields"]
        == .object([
          .init(
            "b",
            .object([
              .init("value", .int(7)), .init("type", .string("INT64")),
            ]))
        ]))
  }

  @Test(arguments: ["forceUpdate", "forceReplace"])
  func `forced writes make what is missing and need its type`(type: String) async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    #expect(try await bench.modify(operation(type, "r", type: nil))[0].code == "BAD_REQUEST")
    let made = try await bench.modify(operation(type, "r", fields: #"{"a":{"value":1}}"#))
    #expect(made[0].field("a") == .int(1))
    let again = try await bench.modify(operation(type, "r", fields: #"{"b":{"value":2}}"#))
    #expect((again[0].field("a") == nil) == (type == "forceReplace"))
  }

  @Test func `a forced delete of what is missing is done`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    let gone = try await bench.modify(operation("forceDelete", "r", type: nil))
    #expect(gone[0]["deleted"]?.truth == true && gone[0].code == nil)
  }

  @Test func `a deleted record can be made again, with a tag never given before`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    let made = try await bench.modify(operation("create", "r"))
    _ = try await bench.modify(operation("forceDelete", "r"))
    let again = try await bench.modify(operation("create", "r", fields: #"{"a":{"value":1}}"#))
    #expect(again[0].code == nil && again[0].tag != made[0].tag)
  }

  @Test func `an atomic batch is all or nothing, and says who was guilty`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    _ = try await bench.modify(operation("create", "r"))
    let batch = try await bench.modify(
      operation("create", "a"), operation("create", "r"), operation("create", "b"))
    #expect(batch.map(\.code) == ["ATOMIC_ERROR", "EXISTS", "ATOMIC_ERROR"])
    #expect(batch.map(\.name) == ["a", "r", "b"])
    #expect(try await bench.feed().records.compactMap(\.name) == ["r"])
    let loose = try await bench.modify(
      operation("create", "a"), operation("create", "r"), operation("create", "b"),
      atomic: false)
    #expect(loose.map(\.code) == [nil, "EXISTS", nil])
    #expect(try await bench.feed().records.compactMap(\.name) == ["r", "a", "b"])
  }

  @Test func `the default zone is never atomic`() async throws {
    let bench = try await ServiceBench()
    let batch = try await bench.modify(
      operation("create", "a"), operation("update", "x", tag: "1"),
      zone: ZoneID.defaultName, atomic: true)
    #expect(batch.map(\.code) == [nil, "NOT_FOUND"])
  }

  @Test func `a record is in one operation of a request`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    let batch = try await bench.modify(
      operation("create", "a"), operation("forceUpdate", "a"), atomic: false)
    #expect(batch.map(\.code) == [nil, "BAD_REQUEST"])
  }

  @Test func `two spellings of one word are two records`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    // "é" as one scalar, and as two: the same String to Swift, other bytes on the wire.
    let names = ["caf\u{E9}", "cafe\u{301}"]
    let batch = try await bench.modify(
      operation("create", names[0], fields: #"{"n":{"value":1}}"#),
      operation("create", names[1], fields: #"{"n":{"value":2}}"#))
    #expect(batch.map(\.code) == [nil, nil])
    let body = names.map { #"{"recordName":"\#($0)"}"# }.joined(separator: ",")
    let found = try await bench.call(
      "records/lookup", #"{"zoneID":{"zoneName":"Z"},"records":[\#(body)]}"#)["records"]?.array
    #expect(found?.map { $0.field("n") } == [.int(1), .int(2)])
    #expect(found?.map { Array($0.name?.utf8 ?? "".utf8) } == names.map { Array($0.utf8) })
    let deletion = try await bench.modify(operation("forceDelete", names[0]))
    #expect(deletion[0].code == nil)
    let left = try await bench.feed().records.filter { $0["deleted"]?.truth != true }
    #expect(left.map { $0.field("n") } == [.int(2)])
  }

  @Test func `an operation without its record is its own mistake`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    let answer = try await bench.call(
      "records/modify",
      #"{"zoneID":{"zoneName":"Z"},"atomic":false,"operations":[{"operationType":"create","record":null},{"operationType":"delete","record":[1]},{"operationType":"create"},\#(operation("create", "r"))]}"#
    )
    #expect(
      answer["records"]?.array?.map(\.code) == ["BAD_REQUEST", "BAD_REQUEST", "BAD_REQUEST", nil])
  }

  @Test func `a zone told by the records is one for all of them`() async throws {
    let bench = try await ServiceBench()
    for zone in ["Y", "Z"] { try await bench.makeZone(zone) }
    let create = { (name: String, zone: String) in
      #"{"operationType":"create","record":{"recordName":"\#(name)","recordType":"T"\#(zone)}}"#
    }
    let (y, z) = (#","zoneID":{"zoneName":"Y"}"#, #","zoneID":{"zoneName":"Z"}"#)
    let mixed = try await bench.call(
      "records/modify",
      #"{"atomic":false,"operations":[\#(create("a", z)),\#(create("b", y)),\#(create("c", ""))]}"#)
    #expect(mixed["records"]?.array?.map(\.code) == [nil, "BAD_REQUEST", "BAD_REQUEST"])
    // The request's own word comes first; what records echo is passed over.
    let echoed = try await bench.call(
      "records/modify", #"{"zoneID":{"zoneName":"Y"},"operations":[\#(create("d", z))]}"#)
    #expect(echoed["records"]?.array?.map(\.code) == [nil])
    #expect(try await bench.feed("Y").records.map(\.name) == ["d"])
    #expect(try await bench.feed("Z").records.map(\.name) == ["a"])
    let found = try await bench.call(
      "records/lookup",
      #"{"records":[{"recordName":"a"\#(z)},{"recordName":"d"\#(y)},{"recordName":"x"\#(z)}]}"#)
    #expect(
      found["records"]?.array?.map(\.code) == [nil, "BAD_REQUEST", "NOT_FOUND"])
  }

  private static let noNames = [
    #""a\u0000b""#, #""""#, "5", "null", "\"" + String(repeating: "x", count: 256) + "\"",
  ]

  @Test(arguments: noNames)
  func `what is no name finds no record`(name: String) async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    // SQLite's text would end at the NUL.
    _ = try await bench.modify(operation("create", "a"))
    let found = try await bench.call(
      "records/lookup", #"{"zoneID":{"zoneName":"Z"},"records":[{"recordName":\#(name)}]}"#)
    #expect(found["records"]?.array?.map(\.code) == ["BAD_REQUEST"])
  }

  @Test func `200 operations pass, 201 need the extension`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    let many = { (count: Int) in
      let operations = (0..<count).map { operation("forceUpdate", "r\($0)") }
      return
        #"{"zoneID":{"zoneName":"Z"},"operations":[\#(operations.joined(separator: ","))]}"#
    }
    #expect(await bench.response("records/modify", many(200)).status == 200)
    #expect(await bench.response("records/modify", many(201)).status == 400)
    let asked = ["x-skyros": "1"]
    #expect(await bench.response("records/modify", many(2_000), headers: asked).status == 200)
    #expect(await bench.response("records/modify", many(2_001), headers: asked).status == 400)
  }

  @Test func `a field keeps its first type`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    _ = try await bench.modify(
      operation("create", "a", fields: #"{"d":{"value":0.5},"t":{"value":1,"type":"TIMESTAMP"}}"#)
    )
    // Without a tag, the schema decides.
    let read = try await bench.modify(
      operation("create", "b", fields: #"{"d":{"value":5},"t":{"value":7}}"#))
    #expect(read[0]["fields"]?["d"]?["type"] == .string("DOUBLE"))
    #expect(read[0]["fields"]?["t"]?["type"] == .string("TIMESTAMP"))
    let wrong = try await bench.modify(
      operation("create", "c", fields: #"{"d":{"value":"x","type":"STRING"}}"#))
    #expect(wrong[0].code == "BAD_REQUEST")
    #expect(wrong[0]["reason"]?.string?.contains("defined to be: DOUBLE") == true)
    // A refused batch leaves no type behind.
    _ = try await bench.modify(
      operation("create", "c", fields: #"{"new":{"value":1}}"#), operation("create", "a"))
    let text = try await bench.modify(
      operation("create", "c", fields: #"{"new":{"value":"text"}}"#))
    #expect(text[0].code == nil)
  }

  @Test(arguments: [
    #"{"operationType":"create","record":{"fields":{}}}"#,
    #"{"operationType":"invent","record":{"recordName":"x","recordType":"T"}}"#,
    #"{"operationType":"create","record":{"recordName":"","recordType":"T"}}"#,
    #"{"operationType":"create","record":{"recordName":"a\u0000b","recordType":"T"}}"#,
    #"{"operationType":"create","record":{"recordType":"no good"}}"#,
    #"{"operationType":"create","record":{"recordType":"T","fields":{"1a":{"value":1}}}}"#,
    #"{"operationType":"create","record":{"recordType":"T","fields":{"a":{"value":0.5,"type":"TIMESTAMP"}}}}"#,
    #"{"operationType":"update","record":{"recordType":"T","recordChangeTag":"1"}}"#,
    #"{"operationType":"create","record":{"recordType":"T","fields":{"a":{"value":{"fileChecksum":"AAAA","size":1}}}}}"#,
  ])
  func `one record's mistake is its own`(bad: String) async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    let batch = try await bench.modify(bad, operation("create", "good"), atomic: false)
    #expect(batch.map(\.code) == ["BAD_REQUEST", nil])
  }

  @Test func `a record of a megabyte is refused, a smaller one kept`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    let text = { (count: Int) in
      #"{"t":{"value":"\#(String(repeating: "x", count: count))"}}"#
    }
    #expect(try await bench.modify(operation("create", "a", fields: text(999_999)))[0].code == nil)
    #expect(
      try await bench.modify(operation("create", "b", fields: text(1_000_000)))[0].code
        == "BAD_REQUEST")
    // Bytes count as they are, not as the third more that they are on the wire.
    let bytes = Base64.encode([UInt8](repeating: 7, count: 900_000))
    let made = try await bench.modify(
      operation("create", "c", fields: #"{"b":{"value":"\#(bytes)","type":"BYTES"}}"#))
    #expect(made[0].code == nil)
    #expect(made[0].field("b") == .string(bytes))
  }

  @Test func `desiredKeys choose the fields of the answer`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    let body = #"""
      {"zoneID":{"zoneName":"Z"},"desiredKeys":["a"],"numbersAsStrings":true,"operations":[
      {"operationType":"create","record":{"recordName":"r","recordType":"T",
      "fields":{"a":{"value":9223372036854775807},"b":{"value":2}}}},
      {"operationType":"create","desiredKeys":[],"record":{"recordName":"s","recordType":"T",
      "fields":{"a":{"value":1}}}}]}
      """#
    let records = try await bench.call("records/modify", body)["records"]?.array ?? []
    #expect(records[0].field("a") == .string("9223372036854775807"))
    #expect(records[0].field("b") == nil)
    #expect(records[1]["fields"] == .object([]))
  }

  @Test func `an idempotency key repeats the answer and nothing else`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    let headers = ["idempotency-key": "k1"]
    let body =
      #"{"zoneID":{"zoneName":"Z"},"operations":[\#(operation("create", "r"))]}"#
    let first = await bench.response("records/modify", body, headers: headers)
    let second = await bench.response("records/modify", body, headers: headers)
    #expect(first.bytes == second.bytes)
    #expect(second.header("idempotency-replayed") == "true")
    #expect(await bench.response("records/modify", body + " ", headers: headers).status == 400)
    // Another person's key of that name is another key.
    try await bench.makeZone("Z", as: bench.bob)
    let other = await bench.response("records/modify", body, as: bench.bob, headers: headers)
    #expect(try other.json["records"]?.array?[0].code == nil)
    bench.advance(milliseconds: 25 * 3_600_000)
    try await bench.service.upkeep()
    let late = await bench.response("records/modify", body, headers: headers)
    #expect(try late.json["records"]?.array?[0].code == "EXISTS")
  }

  @Test func `a conflict brings the server's record to those who ask`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    _ = try await bench.modify(operation("create", "r", fields: #"{"a":{"value":1}}"#))
    let stale = operation("update", "r", tag: "zz")
    #expect(try await bench.modify(stale)[0]["serverRecord"] == nil)
    let asked = try await bench.modify(stale, headers: ["x-skyros": "1"])
    #expect(asked[0]["serverRecord"]?.field("a") == .int(1))
    #expect(asked[0]["serverRecord"]?.tag != nil)
  }

  @Test func `the quota stops what is too much and keeps what is there`() async throws {
    var settings = ServiceSettings()
    settings.quotaBytes = 500
    let bench = try await ServiceBench(settings)
    try await bench.makeZone("Z")
    let text = #"{"t":{"value":"\#(String(repeating: "x", count: 150))"}}"#
    let batch = try await bench.modify(
      operation("create", "a", fields: text), operation("create", "b", fields: text),
      operation("create", "c", fields: text), atomic: false)
    #expect(batch.map(\.code) == [nil, nil, "QUOTA_EXCEEDED"])
    _ = try await bench.modify(operation("forceDelete", "a"))
    let after = try await bench.modify(operation("create", "c", fields: text))
    #expect(after[0].code == nil)
    // Bob has his own.
    try await bench.makeZone("Z", as: bench.bob)
    let his = try await bench.modify(operation("create", "a", fields: text), as: bench.bob)
    #expect(his[0].code == nil)
  }
}
