import CloudKitWire
import RecordService
import Testing

/// Queries by a field's value: what they find is the same with an index, behind it and beside it.
struct FieldIndexTests {
  private static let values = ["red", "green", "blue", "e\u{301}", "\u{e9}"]

  private static func fields(_ value: String?, _ number: Int) -> String {
    let colour = value.map { #""colour":{"value":"\#($0)"},"# } ?? ""
    return #"{\#(colour)"n":{"value":\#(number)}}"#
  }

  /// The names that a query finds, all pages.
  private static func find(
    _ bench: ServiceBench, _ value: String, field: String = "colour", more: String = ""
  ) async throws -> [String] {
    var names: [String] = []
    var marker = ""
    repeat {
      let answer = try await bench.call(
        "records/query",
        #"{"zoneID":{"zoneName":"Z"},"continuationMarker":"\#(marker)","query":{"recordType":"T","filterBy":[{"comparator":"\#(value.hasPrefix("[") ? "IN" : "EQUALS")","fieldName":"\#(field)","fieldValue":{"value":\#(value)}}]\#(more)}}"#
      )
      names += answer["records"]?.array?.compactMap(\.name) ?? []
      marker = answer["continuationMarker"]?.string ?? ""
    } while !marker.isEmpty
    return names
  }

  private static func index(_ bench: ServiceBench) async throws -> StoredIndex? {
    let database = DatabaseKey(
      container: ServiceBench.container, environment: .production, scope: .private,
      owner: bench.alice.userNumber ?? 0)
    return try await bench.service.storage.read { storage in
      let zone = try #require(try storage.zone(named: "Z", in: database))
      return try storage.indexes(of: "T", in: zone.number).first { $0.field == "colour" }
    }
  }

  /// A zone with so many records, named r00000 and on, a colour each in turn.
  private static func fill(_ count: Int) async throws -> (ServiceBench, [String: String]) {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    var model: [String: String] = [:]
    var operations: [String] = []
    for number in 0..<count {
      let name = Self.name(number)
      model[name] = values[number % values.count]
      operations.append(
        operation("create", name, fields: fields(values[number % values.count], number)))
    }
    for start in stride(from: 0, to: count, by: 1_000) {
      let batch = operations[start..<min(start + 1_000, count)].joined(separator: ",")
      _ = try await bench.modify(batch, headers: ["x-skyros": "1"])
    }
    return (bench, model)
  }

  private static func name(_ number: Int) -> String {
    let digits = String(number)
    return "r" + String(repeating: "0", count: 5 - digits.count) + digits
  }

  private static func expect(
    _ bench: ServiceBench, _ model: [String: String], _ comment: Comment
  ) async throws {
    for value in values {
      let found = try await find(bench, #""\#(value)""#)
      #expect(
        found == model.filter { $0.value.utf8.elementsEqual(value.utf8) }.keys.sorted(), comment)
    }
    let both = try await find(bench, #"["blue","red","none"]"#)
    #expect(both == model.filter { ["blue", "red"].contains($0.value) }.keys.sorted(), comment)
  }

  @Test func `a query that reads much leaves an index, and finds the same with it`() async throws {
    let (bench, start) = try await Self.fill(1_200)
    #expect(try await Self.index(bench) == nil)
    var model = start
    try await Self.expect(bench, model, "without and with")
    #expect(try await Self.index(bench)?.upTo == "r01199")
    // What happens to records is in the index, or beyond it, at once.
    let seed = UInt64.random(in: .min ... .max)
    var random = Seeded(seed)
    for round in 0..<6 {
      for _ in 0..<40 {
        let name = Self.name(Int.random(in: 0..<1_300, using: &random))
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          _ = try await bench.modify(operation("forceDelete", name))
          model[name] = nil
        case 1:
          _ = try await bench.modify(
            operation("forceReplace", name, fields: Self.fields(nil, round)))
          model[name] = nil
        default:
          let value = Self.values.randomElement(using: &random) ?? ""
          _ = try await bench.modify(
            operation("forceUpdate", name, fields: Self.fields(value, round)))
          model[name] = value
        }
      }
      try await Self.expect(bench, model, "seed \(seed), round \(round)")
    }
    // Sorted, the index chooses and the sort orders.
    let sorted = try await Self.find(
      bench, #""red""#, more: #","sortBy":[{"systemFieldName":"recordName","ascending":false}]"#)
    #expect(sorted == model.filter { $0.value == "red" }.keys.sorted(by: >))
  }

  @Test func `it is the index that is asked`() async throws {
    let (bench, _) = try await Self.fill(1_200)
    _ = try await Self.find(bench, #""none""#)
    let index = try #require(try await Self.index(bench))
    #expect(index.upTo == "r01199")
    try await bench.service.storage.write { storage in
      for name in ["r00000", "r00005"] {
        try storage.drop(try #require(Self.red), of: name, in: index.number)
      }
    }
    #expect(try await Self.find(bench, #""red""#).first == "r00010")
  }

  private static let red = IndexedValue(.string("red"))

  @Test func `few records, unknown fields and lists need none`() async throws {
    let (bench, model) = try await Self.fill(300)
    #expect(try await Self.find(bench, #""red""#).count == model.count / 5)
    #expect(try await Self.find(bench, #""red""#, field: "taste").isEmpty)
    #expect(try await Self.index(bench) == nil)
  }

  @Test func `a zone that goes takes its indexes along`() async throws {
    let (bench, _) = try await Self.fill(1_200)
    _ = try await Self.find(bench, #""red""#)
    _ = try await bench.call(
      "zones/modify",
      #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"Z"}}}]}"#)
    try await bench.makeZone("Z")
    #expect(try await Self.index(bench) == nil)
    _ = try await bench.modify(operation("create", "a", fields: Self.fields("red", 1)))
    #expect(try await Self.find(bench, #""red""#) == ["a"])
  }
}
