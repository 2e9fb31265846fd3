import CloudKitWire
import Testing

/// What the codec keeps to the bit, what it forgives and what it refuses.
struct JSONCodecTests {
  private func value(_ text: String) throws -> JSONValue {
    var reader = JSONReader(Array(text.utf8))
    let value = try reader.readValue()
    try reader.finish()
    return value
  }

  @Test(arguments: [
    Int64.max, Int64.min, 0, -1, 9_007_199_254_740_993, 1_000_000_000_000_000_000,
  ])
  func `integers keep all their bits`(number: Int64) throws {
    #expect(try value(String(number)) == .int(number))
    var writer = JSONWriter()
    writer.int(number)
    #expect(try value(String(decoding: writer.bytes, as: UTF8.self)) == .int(number))
  }

  @Test(arguments: [
    0.1, -0.0, .leastNonzeroMagnitude, 1.7976931348623157e308, 1.0 / 3, 123_456_789.123, 2e-7, 1e22,
  ])
  func `doubles keep all their bits`(number: Double) throws {
    var writer = JSONWriter()
    writer.double(number)
    let text = String(decoding: writer.bytes, as: UTF8.self)
    guard case .double(let read) = try value(text) else {
      Issue.record("\(text) is no double")
      return
    }
    #expect(read.bitPattern == number.bitPattern)
  }

  @Test func `integers beyond 64 bits become doubles`() throws {
    #expect(try value("9223372036854775808") == .double(9_223_372_036_854_775_808))
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\":1,}", "{,}", "nul", "01", "1.", "-", "\"a", "\"\\x\"", "\"\u{1}\"",
    "\"\\ud800\"", "\"\\ud800\\u0041\"", "1e999", "{} {}", "[1 2]", "{\"a\" 1}", "+1", "'a'",
    String(repeating: "[", count: 100),
  ])
  func `what is not JSON is refused`(text: String) {
    #expect(throws: MalformedMessage.self) { try value(text) }
  }

  @Test func `bytes that are not UTF-8 are refused`() {
    var reader = JSONReader([0x22, 0xFF, 0x22])
    #expect(throws: MalformedMessage.self) { try reader.readString() }
  }

  @Test(arguments: ["", "plain", "\"\\/\u{8}\u{c}\n\r\t\u{0}", "港 🏴󠁧󠁢󠁥󠁮󠁧󠁿 é", "\u{2028}"])
  func `every string survives`(text: String) throws {
    var writer = JSONWriter()
    writer.string(text)
    #expect(try value(String(decoding: writer.bytes, as: UTF8.self)) == .string(text))
  }

  @Test func `what is stepped over is checked too`() throws {
    let wrap = { (text: [UInt8]) in Array(#"{"unknown":""#.utf8) + text + Array(#"","a":1}"#.utf8) }
    for text in ["plain", "港", #"\u0041\n"#, #"é\"é"#, ""] {
      var reader = JSONReader(wrap(Array(text.utf8)))
      try reader.beginObject()
      #expect(try reader.nextName() == "unknown")
      try reader.skip()
      #expect(try reader.nextName() == "a")
    }
    for bytes in [[0xC3], [0xFF], [0x01], Array(#"\x"#.utf8), Array(#"é\ud800"#.utf8)] as [[UInt8]]
    {
      var reader = JSONReader(wrap(bytes))
      try reader.beginObject()
      _ = try reader.nextName()
      #expect(throws: MalformedMessage.self) { try reader.skip() }
    }
  }

  @Test func `surrogate pairs become one scalar`() throws {
    #expect(try value(#""\ud83d\ude00""#) == .string("😀"))
  }

  @Test func `base64 reads what it wrote, in both alphabets`() {
    for length in 0..<70 {
      let data = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ length) }
      #expect(Base64.decode(Base64.encode(data)) == data)
      #expect(Base64.decode(Base64.encodeForURL(data)) == data)
    }
    #expect(Base64.decode("A") == nil)
    #expect(Base64.decode("A*==") == nil)
    #expect(Base64.decode("AA=A") == nil)
  }

  @Test(arguments: [0, 951_782_400, 1_453_760_143, 4_102_444_799] as [Int64])
  func `dates read what they wrote`(seconds: Int64) {
    #expect(WireDate.seconds(WireDate.text(seconds: seconds)) == seconds)
  }

  @Test func `a date has one form`() {
    #expect(WireDate.text(seconds: 1_453_760_143) == "2016-01-25T22:15:43Z")
    #expect(WireDate.seconds("2016-01-25T22:15:43.123Z") == 1_453_760_143)
    #expect(WireDate.seconds("2016-01-25 22:15:43Z") == nil)
    #expect(WireDate.seconds("2016-13-25T22:15:43Z") == nil)
  }
}

/// The messages: what real clients send, and what ours reads back.
struct MessageTests {
  private func record(_ json: String) throws -> WireRecord {
    try WireRecord(body: Array(json.utf8))
  }

  @Test func `every field type comes back as it went`() throws {
    var place = WireLocation(latitude: 38.9, longitude: 24.5)
    place.timestamp = 1_700_000_000_000
    place.altitude = -0.0
    let zone = ZoneID("Z", ownerRecordName: "_me")
    let fields: [String: WireField] = [
      "text": .string("港"), "int": .int64(.min), "double": .double(5),
      "time": .timestamp(-1), "bytes": .bytes([0, 255, 1]), "place": .location(place),
      "ref": .reference(WireReference(recordName: "r", zoneID: zone, action: .validate)),
      "asset": .asset(WireAsset(fileChecksum: "c", size: 3, receipt: "x")),
      "texts": .strings(["a", "b"]), "none": WireField(.list([]), .stringList),
      "doubles": WireField(.list([.double(1), .double(0.5)]), .doubleList),
      "secret": WireField(.string("s"), .string, isEncrypted: true),
    ]
    let sent = WireRecord(
      recordName: "n", recordType: "T", recordChangeTag: "1e", fields: fields)
    #expect(try WireRecord(body: sent.body()) == sent)
  }

  @Test func `numbers come back from strings`() throws {
    var writer = JSONWriter()
    let sent = WireRecord(fields: ["i": .int64(.max), "d": .double(0.1), "t": .timestamp(5)])
    sent.write(to: &writer, numbersAsStrings: true)
    let text = String(decoding: writer.bytes, as: UTF8.self)
    #expect(text.contains("\"9223372036854775807\""))
    #expect(try WireRecord(body: writer.bytes) == sent)
  }

  @Test func `a field is cleared by null and by leaving the value out`() throws {
    let read = try record(
      #"{"fields":{"a":{"value":null,"type":"STRING"},"b":{"type":"TIMESTAMP"},"c":null}}"#)
    #expect(read.fields["a"]?.value == nil && read.fields["a"]?.type == .string)
    #expect(read.fields["b"]?.value == nil && read.fields["b"]?.type == .timestamp)
    #expect(read.fields.keys.contains("c"))
    #expect(read.fault == nil)
  }

  @Test func `a type is told from a value where it can be`() throws {
    let read = try record(
      #"""
      {"fields":{"s":{"value":"x"},"i":{"value":5},"d":{"value":0.5},"r":{"value":{"recordName":"q"}},
      "l":{"value":[1,2.5]},"p":{"value":{"latitude":1,"longitude":2}},"e":{"value":[]},
      "b":{"value":true},"z":{"value":0.0},"x":{"value":1e3},"m":{"value":[1.0,2.0]}}}
      """#)
    let types = read.fields.mapValues(\.type)
    #expect(
      types == [
        "s": .string, "i": .int64, "d": .double, "r": .reference, "l": .doubleList,
        "p": .location, "e": .unknownList, "b": .int64, "z": .double, "x": .double,
        "m": .doubleList,
      ])
  }

  @Test(arguments: [
    #"{"value":1.5,"type":"TIMESTAMP"}"#, #"{"value":"x","type":"INT64"}"#,
    #"{"value":9223372036854775808,"type":"INT64"}"#, #"{"value":"*","type":"BYTES"}"#,
    #"{"value":"x","type":"NOVEL"}"#, #"{"value":{"latitude":91,"longitude":0}}"#,
    #"{"value":{"latitude":1,"longitude":0,"timestamp":0.5}}"#, #"{"value":["a",1]}"#,
    #"{"value":{"recordName":"r","action":"PERHAPS"}}"#, #"5"#,
  ])
  func `an unfit value is the record's own fault`(field: String) throws {
    let read = try record(#"{"recordName":"r","fields":{"f":\#(field)}}"#)
    #expect(read.fault != nil)
    #expect(read.recordName == "r")
  }

  @Test func `echoed records are read`() throws {
    let read = try record(
      #"""
      {"recordName":"r","recordType":"T","recordChangeTag":7,"pluginFields":{},"fields":null,
      "created":{"timestamp":1,"userRecordName":"_u","deviceID":"2"},"deleted":false,
      "zoneID":{"zoneName":"Z","zoneType":"REGULAR_CUSTOM_ZONE"},"novel":[{"x":1}]}
      """#)
    #expect(read.recordChangeTag == "7")
    #expect(read.created == WireStamp(timestamp: 1, userRecordName: "_u", deviceID: "2"))
    #expect(read.zoneID?.zoneName == "Z")
  }

  @Test func `an entry is a record or an error`() throws {
    let body = #"""
      {"records":[{"recordName":"a","recordType":"T","fields":{}},
      {"recordName":"b","serverErrorCode":"CONFLICT","reason":"r","retryAfter":1e300}]}
      """#
    let read = try RecordsResponse(body: Array(body.utf8))
    guard case .record(let first) = read.records[0], case .failure(let second) = read.records[1]
    else {
      Issue.record("entries are mistaken")
      return
    }
    #expect(first.recordName == "a")
    #expect(second.recordName == "b" && second.code == .conflict && second.retryAfter == nil)
  }

  @Test func `both bodies of zones lookup are read`() throws {
    let bare = try ZonesLookupRequest(body: Array(#"{"zones":[{"zoneName":"Z"}]}"#.utf8))
    let wrapped = try ZonesLookupRequest(
      body: Array(#"{"zones":[{"zoneID":{"zoneName":"Z"}}]}"#.utf8))
    #expect(bare == wrapped)
    #expect(bare.zones == [ZoneID("Z")])
  }

  @Test func `a zone's own wishes win over the request's`() throws {
    let body =
      #"{"zones":[{"zoneID":{"zoneName":"A"},"resultsLimit":5},{"zoneID":{"zoneName":"B"}}],"resultsLimit":9,"desiredKeys":[]}"#
    let zones = try ZoneChangesRequest(body: Array(body.utf8)).resolved
    #expect(zones.map(\.resultsLimit) == [5, 9])
    #expect(zones.map(\.desiredKeys) == [[], []])
  }

  @Test func `the advertisement reads back`() {
    var extensions = ServiceExtensions()
    extensions.waitSecondsMax = 55
    extensions.recordsMax = 5_000
    extensions.operationsMax = 2_000
    extensions.hasGzip = true
    extensions.hasServerRecord = true
    #expect(ServiceExtensions(header: extensions.header) == extensions)
    #expect(ServiceExtensions(header: "later=1; wait=x;;gzip").hasGzip)
  }
}
