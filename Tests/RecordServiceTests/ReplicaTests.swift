import CloudKitWire
import Foundation
import RecordService
import Testing

/// Writers and readers at once: each replica ends equal to a full lookup.
///
/// `SKYROS_LONG=1` runs the 20,000 operations of the long test; the ordinary one runs 2,000.
/// `SKYROS_SEED` runs it again.
struct ReplicaTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let operations = environment["SKYROS_LONG"] == nil ? 2_000 : 20_000
  private static let seed = environment["SKYROS_SEED"].flatMap { UInt64($0) } ?? 20_261_121

  /// What a reader of the feed holds.
  private struct Replica {
    var records: [String: String] = [:]
    var token: String?
    var restarts = 0
  }

  @Test func `replicas follow eight writers, deletions and a zone that goes and comes`()
    async throws
  {
    print("seed \(Self.seed)")
    let bench = try await ServiceBench(seed: Self.seed)
    try await bench.makeZone("Z")
    let finished = Finished()
    try await withThrowingTaskGroup(of: Replica?.self) { group in
      for reader in 0..<4 {
        group.addTask {
          try await self.follow(bench, pageMax: 3 + reader * 7, finished)
        }
      }
      try await withThrowingTaskGroup(of: Void.self) { writers in
        for writer in 0..<8 {
          writers.addTask { try await self.write(bench, writer) }
        }
        try await writers.waitForAll()
      }
      finished.set()
      let truth = try await self.lookup(bench)
      for try await replica in group {
        let replica = try #require(replica)
        #expect(replica.records == truth, "seed \(Self.seed)")
        #expect(replica.restarts >= 0)
      }
    }
  }

  private func write(_ bench: ServiceBench, _ writer: Int) async throws {
    var generator = Seeded(Self.seed &+ UInt64(writer))
    for step in 0..<Self.operations / 8 {
      let name = "r\(Int.random(in: 0..<200, using: &generator))"
      let roll = Int.random(in: 0..<1_000, using: &generator)
      if roll < 2, writer == 0 {
        for type in ["delete", "create"] {
          _ = try await bench.call(
            "zones/modify",
            #"{"operations":[{"operationType":"\#(type)","zone":{"zoneID":{"zoneName":"Z"}}}]}"#)
        }
      } else if roll < 250 {
        _ = try await bench.modify(operation("forceDelete", name))
      } else {
        _ = try await bench.modify(
          operation("forceUpdate", name, fields: #"{"w":{"value":"\#(writer)-\#(step)"}}"#))
      }
    }
  }

  private func follow(
    _ bench: ServiceBench, pageMax: Int, _ finished: Finished
  ) async throws -> Replica {
    var replica = Replica()
    while true {
      let wasFinished = finished.isSet
      let word = replica.token.map { #","syncToken":"\#($0)""# } ?? ""
      let page =
        try await bench.call(
          "changes/zone",
          #"{"zones":[{"zoneID":{"zoneName":"Z"}\#(word),"resultsLimit":\#(pageMax)}]}"#)["zones"]?
        .array?.first ?? .null
      if page.code == "ZONE_NOT_FOUND" { continue }
      if page.code != nil {
        #expect(page["tokenRefusal"] == .string("recreated"))
        replica.records = [:]
        replica.token = nil
        replica.restarts += 1
        continue
      }
      for record in page["records"]?.array ?? [] {
        let name = try #require(record.name)
        replica.records[name] =
          record["deleted"]?.truth == true ? nil : record.field("w")?.string
      }
      replica.token = page["syncToken"]?.string
      if wasFinished, page["moreComing"]?.truth != true { return replica }
    }
  }

  private func lookup(_ bench: ServiceBench) async throws -> [String: String] {
    let names = (0..<200).map { #"{"recordName":"r\#($0)"}"# }.joined(separator: ",")
    let answer = try await bench.call(
      "records/lookup", #"{"zoneID":{"zoneName":"Z"},"records":[\#(names)]}"#)
    var records: [String: String] = [:]
    for record in answer["records"]?.array ?? [] where record.code == nil {
      if let name = record.name { records[name] = record.field("w")?.string }
    }
    return records
  }
}
