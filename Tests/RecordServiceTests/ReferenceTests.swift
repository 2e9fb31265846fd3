import CloudKitWire
import RecordService
import Testing

/// DELETE_SELF and VALIDATE.
struct ReferenceTests {
  private func refers(_ name: String, to target: String, _ action: String) -> String {
    operation(
      "create", name,
      fields: #"{"ref":{"value":{"recordName":"\#(target)","action":"\#(action)"}}}"#)
  }

  @Test func `deleting the target deletes its sources, and theirs`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    _ = try await bench.modify(
      operation("create", "top"), refers("middle", to: "top", "DELETE_SELF"),
      refers("leaf", to: "middle", "DELETE_SELF"), refers("friend", to: "top", "NONE"))
    let before = try await bench.feed().token
    _ = try await bench.modify(operation("forceDelete", "top"))
    let gone = try await bench.feed(after: before).records
    #expect(Set(gone.compactMap(\.name)) == ["top", "middle", "leaf"])
    #expect(gone.allSatisfy { $0["deleted"]?.truth == true && $0["recordType"] == nil })
  }

  @Test func `a circle of DELETE_SELF ends`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    _ = try await bench.modify(
      refers("a", to: "b", "DELETE_SELF"), refers("b", to: "a", "DELETE_SELF"))
    _ = try await bench.modify(operation("forceDelete", "a"))
    #expect(try await bench.feed().records.allSatisfy { $0["deleted"]?.truth == true })
  }

  @Test func `VALIDATE wants its target and holds it`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    let missing = try await bench.modify(refers("a", to: "none", "VALIDATE"))
    #expect(missing[0].code == "VALIDATING_REFERENCE_ERROR")
    // The target may come later in the same atomic batch.
    let both = try await bench.modify(refers("a", to: "t", "VALIDATE"), operation("create", "t"))
    #expect(both.map(\.code) == [nil, nil])
    let held = try await bench.modify(operation("forceDelete", "t"))
    #expect(held[0].code == "VALIDATING_REFERENCE_ERROR")
    #expect(held[0]["reason"]?.string?.contains("'a'") == true)
    let together = try await bench.modify(
      operation("forceDelete", "t"), operation("forceDelete", "a"))
    #expect(together.map(\.code) == [nil, nil])
  }

  @Test func `750 sources may go with a target, 751 may not`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    _ = try await bench.modify(operation("create", "top"))
    for start in stride(from: 0, to: 750, by: 150) {
      let body = (start..<start + 150).map { refers("s\($0)", to: "top", "DELETE_SELF") }
      let answer = try await bench.call(
        "records/modify",
        #"{"zoneID":{"zoneName":"Z"},"operations":[\#(body.joined(separator: ","))]}"#)
      #expect(answer["records"]?.array?.allSatisfy { $0.code == nil } == true)
    }
    let last = try await bench.modify(refers("s750", to: "top", "DELETE_SELF"))
    #expect(last[0].code == "BAD_REQUEST")
  }

  @Test func `a reference into another zone does nothing`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    let away = { (action: String) in
      operation(
        "create", "a-\(action)",
        fields:
          #"{"ref":{"value":{"recordName":"t","zoneID":{"zoneName":"Y"},"action":"\#(action)"}}}"#)
    }
    #expect(try await bench.modify(away("NONE"))[0].code == nil)
    #expect(try await bench.modify(away("DELETE_SELF"))[0].code == "BAD_REQUEST")
  }
}
