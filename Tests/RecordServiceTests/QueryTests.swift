import CloudKitWire
import RecordService
import Testing

/// Comparators, sorts, system fields and markers.
struct QueryTests {
  private static let fields: [String: String] = [
    "a":
      #"{"n":{"value":1},"s":{"value":"alpha beta"},"l":{"value":["x","y"]},"p":{"value":{"latitude":38.9,"longitude":24.5}},"r":{"value":{"recordName":"t"}}}"#,
    "b":
      #"{"n":{"value":2},"s":{"value":"Beta gamma"},"l":{"value":["y","z"]},"p":{"value":{"latitude":39.9,"longitude":24.5}},"r":{"value":{"recordName":"u"}}}"#,
    "c": #"{"n":{"value":3},"s":{"value":"alphabet"},"l":{"value":["xylo"]}}"#,
    "d": "{}",
  ]

  private func bench() async throws -> ServiceBench {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    for (name, fields) in Self.fields.sorted(by: { $0.key < $1.key }) {
      bench.advance(milliseconds: 1_000)
      _ = try await bench.modify(operation("create", name, fields: fields))
    }
    _ = try await bench.modify(operation("create", "other", type: "U"))
    return bench
  }

  private func ask(
    _ bench: ServiceBench, _ query: String, _ more: String = ""
  ) async throws -> JSONValue {
    try await bench.call(
      "records/query",
      #"{"zoneID":{"zoneName":"Z"},"query":{"recordType":"T"\#(query)}\#(more)}"#)
  }

  private func names(_ answer: JSONValue) -> String {
    answer["records"]?.array?.compactMap(\.name).joined() ?? answer.code ?? ""
  }

  @Test(arguments: [
    ("EQUALS", "n", "2", "b"), ("NOT_EQUALS", "n", "2", "acd"), ("LESS_THAN", "n", "2", "a"),
    ("LESS_THAN_OR_EQUALS", "n", "2", "ab"), ("GREATER_THAN", "n", "2", "c"),
    ("GREATER_THAN_OR_EQUALS", "n", "2", "bc"), ("GREATER_THAN", "n", "1.5", "bc"),
    ("IN", "n", "[1,3]", "ac"), ("NOT_IN", "n", "[1,3]", "bd"),
    ("BEGINS_WITH", "s", #""alpha""#, "ac"), ("NOT_BEGINS_WITH", "s", #""alpha""#, "bd"),
    ("CONTAINS_ALL_TOKENS", "s", #""BETA alpha""#, "a"),
    ("CONTAINS_ANY_TOKENS", "s", #""beta""#, "ab"),
    ("LIST_CONTAINS", "l", #""y""#, "ab"), ("NOT_LIST_CONTAINS", "l", #""y""#, "cd"),
    ("LIST_CONTAINS_ANY", "l", #"["x","z"]"#, "ab"),
    ("NOT_LIST_CONTAINS_ANY", "l", #"["x","z"]"#, "cd"),
    ("LIST_CONTAINS_ALL", "l", #"["x","y"]"#, "a"),
    ("NOT_LIST_CONTAINS_ALL", "l", #"["x","y"]"#, "bcd"),
    ("LIST_MEMBER_BEGINS_WITH", "l", #""x""#, "ac"),
    ("NOT_LIST_MEMBER_BEGINS_WITH", "l", #""x""#, "bd"),
    ("EQUALS", "r", #"{"recordName":"t"}"#, "a"),
  ])
  func `each comparator finds its own`(
    comparator: String, field: String, value: String, expected: String
  ) async throws {
    let bench = try await bench()
    let answer = try await ask(
      bench,
      #","filterBy":[{"comparator":"\#(comparator)","fieldName":"\#(field)","fieldValue":{"value":\#(value)}}]"#
    )
    #expect(names(answer) == expected)
  }

  @Test func `near means within the distance`() async throws {
    let bench = try await bench()
    let filter = { (metres: Int) in
      #","filterBy":[{"comparator":"NEAR","fieldName":"p","distance":\#(metres),"fieldValue":{"value":{"latitude":38.9,"longitude":24.5},"type":"LOCATION"}}]"#
    }
    // One degree of latitude is 111.2 km.
    #expect(try await names(ask(bench, filter(111_000))) == "a")
    #expect(try await names(ask(bench, filter(111_500))) == "ab")
  }

  @Test func `sorts go either way, with the absent last`() async throws {
    let bench = try await bench()
    let sort = { (more: String) in #","sortBy":[{\#(more)}]"# }
    #expect(try await names(ask(bench, sort(#""fieldName":"n""#))) == "abcd")
    #expect(
      try await names(ask(bench, sort(#""fieldName":"n","ascending":false"#))) == "cbad")
    #expect(
      try await names(
        ask(bench, sort(#""systemFieldName":"createdTimestamp","ascending":false"#))) == "dcba")
    let place = #"{"value":{"latitude":40,"longitude":24.5}}"#
    #expect(
      try await names(ask(bench, sort(#""fieldName":"p","relativeLocation":\#(place)"#)))
        == "bacd")
  }

  @Test func `system fields can be asked for`() async throws {
    let bench = try await bench()
    let filter = { (field: String, value: String) in
      #","filterBy":[{"comparator":"EQUALS","systemFieldName":"\#(field)","fieldValue":{"value":\#(value)}}]"#
    }
    let me = #"{"recordName":"\#(bench.alice.recordName)"}"#
    #expect(try await names(ask(bench, filter("recordName", #"{"recordName":"b"}"#))) == "b")
    #expect(try await names(ask(bench, filter("recordName", #""b""#))) == "b")
    let isIn = { (list: String) in
      #","filterBy":[{"comparator":"IN","systemFieldName":"recordName","fieldValue":\#(list)}]"#
    }
    let references = #"[{"recordName":"d"},{"recordName":"nobody"},{"recordName":"a"}]"#
    #expect(
      try await names(ask(bench, isIn(#"{"value":\#(references),"type":"REFERENCE_LIST"}"#)))
        == "ad")
    let strings = #"{"value":["c","b","c"],"type":"STRING_LIST"}"#
    #expect(try await names(ask(bench, isIn(strings))) == "bc")
    let first = try await ask(bench, isIn(strings), #","resultsLimit":1"#)
    let marker = try #require(first["continuationMarker"]?.string)
    let second = try await ask(bench, isIn(strings), #","continuationMarker":"\#(marker)""#)
    #expect(names(first) + names(second) == "bc")
    #expect(try await names(ask(bench, isIn(#"{"value":[5],"type":"INT64_LIST"}"#))) == "")
    #expect(try await names(ask(bench, filter("createdUserRecordName", me))) == "abcd")
    let time = #"{"recordName":"_nobody"}"#
    #expect(try await names(ask(bench, filter("modifiedUserRecordName", time))) == "")
  }

  @Test(arguments: ["", #","sortBy":[{"fieldName":"n","ascending":false}]"#])
  func `markers go on although records come and go`(sort: String) async throws {
    let bench = try await bench()
    let whole = try await names(ask(bench, sort))
    var found = ""
    var marker: String?
    repeat {
      let word = marker.map { #","continuationMarker":"\#($0)""# } ?? ""
      let page = try await ask(bench, sort, #","resultsLimit":1\#(word)"#)
      found += names(page)
      marker = page["continuationMarker"]?.string
      // What was shown may go without a page being skipped.
      _ = try await bench.modify(operation("forceDelete", String(found.suffix(1))))
    } while marker != nil
    #expect(found == whole)
  }

  @Test func `pages go on whatever the sort looks at`() async throws {
    let bench = try await bench()
    // Longer than a marker holds, the same up to there, and cut in the middle of a letter.
    let long = String(repeating: "é", count: 5_000)
    for name in ["x", "y", "z"] {
      _ = try await bench.modify(
        operation("create", name, fields: #"{"s":{"value":"z\#(long)"},"l":{"value":["q"]}}"#))
    }
    for field in ["s", "l", "p", "r", "n"] {
      for ascending in [true, false] {
        let sort = #","sortBy":[{"fieldName":"\#(field)","ascending":\#(ascending)}]"#
        var found = ""
        var marker: String?
        repeat {
          let word = marker.map { #","continuationMarker":"\#($0)""# } ?? ""
          let page = try await ask(bench, sort, #","resultsLimit":2\#(word)"#)
          found += names(page)
          marker = page["continuationMarker"]?.string
        } while marker != nil
        #expect(found == (try await names(ask(bench, sort))), "\(field)")
        #expect(found.count == 7, "\(field)")
      }
    }
  }

  @Test func `a marker of another query is refused`() async throws {
    let bench = try await bench()
    let page = try await ask(bench, "", #","resultsLimit":1"#)
    let marker = try #require(page["continuationMarker"]?.string)
    let other = try await ask(
      bench, #","sortBy":[{"fieldName":"n"}]"#, #","continuationMarker":"\#(marker)""#)
    #expect(other.code == "BAD_REQUEST")
  }

  @Test func `a query looks into one zone, or into all`() async throws {
    let bench = try await bench()
    try await bench.makeZone("Y")
    _ = try await bench.modify(operation("create", "y"), zone: "Y")
    let query = #""query":{"recordType":"T"}"#
    let all = try await bench.call("records/query", #"{\#(query),"zoneWide":true}"#)
    #expect(Set(names(all)) == Set("abcdy"))
    #expect(try await names(bench.call("records/query", "{\(query)}")) == "")
    let lost = try await bench.call("records/query", #"{\#(query),"zoneID":{"zoneName":"no"}}"#)
    #expect(lost.code == "ZONE_NOT_FOUND")
  }

  @Test(arguments: [
    "{}", #"{"query":{}}"#,
    #"{"query":{"recordType":"T","filterBy":[{"comparator":"SOUNDS_LIKE","fieldName":"n","fieldValue":{"value":1}}]}}"#,
    #"{"query":{"recordType":"T","filterBy":[{"comparator":"EQUALS","fieldName":"n"}]}}"#,
    #"{"query":{"recordType":"T","filterBy":[{"comparator":"NEAR","fieldName":"p","fieldValue":{"value":{"latitude":1,"longitude":1}}}]}}"#,
    #"{"query":{"recordType":"T"},"continuationMarker":"AAAA"}"#, "[]", "not json",
  ])
  func `a query that means nothing is refused`(body: String) async throws {
    let bench = try await bench()
    let response = await bench.response("records/query", body)
    #expect(response.status == 400)
    #expect(try response.json.code == "BAD_REQUEST")
  }
}
