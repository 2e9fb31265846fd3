import CloudKitWire
import RecordService
import Testing

/// How many zones a user may have.
struct ZoneBoundTests {
  private static func change(_ bench: ServiceBench, _ type: String, _ names: String...)
    async throws -> [String]
  {
    let operations = names.map {
      #"{"operationType":"\#(type)","zone":{"zoneID":{"zoneName":"\#($0)"}}}"#
    }
    let answer = try await bench.call(
      "zones/modify", #"{"operations":[\#(operations.joined(separator: ","))]}"#)
    return answer["zones"]?.array?.map { $0.code ?? "done" } ?? []
  }

  @Test func `a user has so many zones at once, and so many in a while`() async throws {
    var settings = ServiceSettings()
    settings.zones.livingMax = 3
    settings.zones.rememberedMax = 5
    let bench = try await ServiceBench(settings)
    #expect(try await Self.change(bench, "create", "A", "B", "C") == ["done", "done", "done"])
    #expect(try await Self.change(bench, "create", "D") == ["QUOTA_EXCEEDED"])
    // One that is there is no new one, and others have their own number.
    #expect(try await Self.change(bench, "create", "A") == ["done"])
    try await bench.makeZone("A", as: bench.bob)
    await #expect(throws: ProvisioningFault.tooManyZones("alice")) {
      try await bench.service.addZone(
        "D", user: "alice", container: ServiceBench.container, environment: .production)
    }
    #expect(try await Self.change(bench, "delete", "A") == ["done"])
    #expect(try await Self.change(bench, "create", "D") == ["done"])
    #expect(try await Self.change(bench, "delete", "B", "C") == ["done", "done"])
    #expect(try await Self.change(bench, "create", "E", "F") == ["done", "QUOTA_EXCEEDED"])
    // Once deletions are forgotten there is room for new ones.
    bench.advance(milliseconds: bench.service.settings.tombstoneRetentionMilliseconds + 1)
    try await bench.service.upkeep()
    #expect(try await Self.change(bench, "create", "F") == ["done"])
  }
}
