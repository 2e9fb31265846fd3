import CloudKitWire
import Foundation
import RecordService
import Synchronization
import Testing

/// A store that has no room left: said by its code, nothing lost, and over when there is room.
struct FullStoreTests {
  private static let text = String(repeating: "x", count: 20_000)

  private static func save(_ service: RecordService, _ caller: Caller, _ name: String) async throws
    -> ServiceResponse
  {
    let record = operation("create", name, fields: #"{"t":{"value":"\#(text)"}}"#)
    return await service.respond(
      to: ServiceRequest(
        "POST", "/database/1/\(ServiceBench.container)/production/private/records/modify",
        body: Array(#"{"zoneID":{"zoneName":"Z"},"operations":[\#(record)]}"#.utf8)),
      as: caller)
  }

  @Test func `a full store refuses, keeps what it has, and takes more when there is room`()
    async throws
  {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    var settings = ServiceSettings()
    settings.storeBytesMax = 1_000_000
    let surroundings = ServiceBench.surroundings(seed: 7) { 1_700_000_000_000 }
    let small = try await RecordService.open(
      path: bench.path, settings: settings, surroundings: surroundings)
    var kept: [String] = []
    var refused: ServiceResponse?
    for number in 0..<200 where refused == nil {
      let response = try await Self.save(small, bench.alice, "r\(number)")
      if response.status == 200 { kept.append("r\(number)") } else { refused = response }
    }
    #expect(refused?.status == 413)
    #expect(try refused?.json.code == "QUOTA_EXCEEDED")
    #expect(kept.count > 10)
    // Reading goes on, and every acknowledged record is there.
    #expect(try await bench.feed().records.compactMap(\.name) == kept)
    // Deleting makes room.
    let gone = kept.prefix(3)
    let deletion = await small.respond(
      to: ServiceRequest(
        "POST", "/database/1/\(ServiceBench.container)/production/private/records/modify",
        body: Array(
          #"{"zoneID":{"zoneName":"Z"},"operations":[\#(gone.map { operation("forceDelete", $0) }.joined(separator: ","))]}"#
            .utf8)), as: bench.alice)
    #expect(deletion.status == 200)
    #expect(try await Self.save(small, bench.alice, "again").status == 200)
    // So does a larger disk.
    for number in 0..<20 {
      #expect(try await Self.save(bench.service, bench.alice, "more\(number)").status == 200)
    }
    let living = try await bench.feed().records.filter { $0["deleted"]?.truth != true }
    #expect(living.count == kept.count - 3 + 1 + 20)
  }

  @Test func `the last of the disk is kept for what makes room`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    for name in ["a", "b"] {
      #expect(try await Self.save(bench.service, bench.alice, name).status == 200)
    }
    var surroundings = ServiceBench.surroundings(seed: 7) { 1_700_000_000_000 }
    let free = Mutex<Int64>(127_999_999)
    surroundings.disk = { _ in
      DiskRoom(freeBytes: free.withLock { $0 }, totalBytes: 20_000_000_000)
    }
    let tight = try await RecordService.open(path: bench.path, surroundings: surroundings)
    func modify(_ operations: String...) async throws -> ServiceResponse {
      await tight.respond(
        to: ServiceRequest(
          "POST", "/database/1/\(ServiceBench.container)/production/private/records/modify",
          body: Array(
            #"{"zoneID":{"zoneName":"Z"},"operations":[\#(operations.joined(separator: ","))]}"#
              .utf8)),
        as: bench.alice)
    }
    let refused = try await Self.save(tight, bench.alice, "c")
    #expect(refused.status == 413)
    #expect(try refused.json["reason"]?.string?.contains("Delete records or zones.") == true)
    #expect(try await modify(operation("forceDelete", "a"), operation("create", "d")).status == 413)
    #expect(try await modify(operation("forceDelete", "a")).status == 200)
    let zones = await tight.respond(
      to: ServiceRequest(
        "POST", "/database/1/\(ServiceBench.container)/production/private/zones/modify",
        body: Array(
          #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Y"}}},{"operationType":"delete","zone":{"zoneID":{"zoneName":"Z"}}}]}"#
            .utf8)), as: bench.alice)
    #expect(try zones.json["zones"]?.array?.map(\.code) == ["QUOTA_EXCEEDED", nil])
    // Files are refused, too.
    let upload = await tight.respond(
      to: ServiceRequest(
        "POST", "/database/1/\(ServiceBench.container)/production/private/assets/upload",
        body: Array(#"{"tokens":[{"fieldName":"f"}]}"#.utf8)), as: bench.alice)
    let url = try #require(try upload.json["tokens"]?.array?[0]["url"]?.string)
    let token = String(try #require(url.split(separator: "/").last))
    let pieces = {
      AsyncStream<[UInt8]> {
        $0.yield([1]); $0.finish()
      }
    }
    #expect(await tight.receiveAsset(token, pieces()).status == 413)
    try await tight.removeUser("bob")
    // With one byte more, all goes on.
    free.withLock { $0 += 1 }
    try await tight.addZone(
      "Z", user: "alice", container: ServiceBench.container, environment: .production)
    #expect(try await Self.save(tight, bench.alice, "e").status == 200)
    #expect(await tight.receiveAsset(token, pieces()).status == 200)
  }

  @Test func `of a small disk a twentieth is kept`() {
    #expect(DiskRoom(freeBytes: 49, totalBytes: 1_000).isTight)
    #expect(!DiskRoom(freeBytes: 50, totalBytes: 1_000).isTight)
    #expect(!DiskRoom(of: "/no/such/path").isTight)
  }

  @Test func `the log is short while the disk has little room`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    var surroundings = ServiceBench.surroundings(seed: 7) { 1_700_000_000_000 }
    let free = Mutex<Int64>(160_000_000)
    surroundings.disk = { _ in
      DiskRoom(freeBytes: free.withLock { $0 }, totalBytes: 20_000_000_000)
    }
    let service = try await RecordService.open(path: bench.path, surroundings: surroundings)
    func fill() async throws {
      for _ in 0..<200 {
        let name = "r\(UInt64.random(in: .min ... .max))"
        #expect(try await Self.save(service, bench.alice, name).status == 200)
      }
    }
    let log = {
      try FileManager.default.attributesOfItem(atPath: bench.path + "-wal")[.size] as? Int
    }
    try await fill()
    #expect(try log() ?? 0 > 4_000_000)
    free.withLock { $0 -= 1 }
    try await fill()
    #expect(try log() ?? .max < 1_100_000)
  }

  @Test func `room that deletions left in the file is used on a tight disk`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    for number in 0..<300 {
      #expect(try await Self.save(bench.service, bench.alice, "r\(number)").status == 200)
    }
    var surroundings = ServiceBench.surroundings(seed: 7) { 1_700_000_000_000 }
    surroundings.disk = { _ in DiskRoom(freeBytes: 1, totalBytes: 20_000_000_000) }
    let tight = try await RecordService.open(path: bench.path, surroundings: surroundings)
    #expect(try await Self.save(tight, bench.alice, "again").status == 413)
    try await tight.removeZone(
      "Z", user: "alice", container: ServiceBench.container, environment: .production)
    // Six megabytes are free inside the file.
    try await tight.addZone(
      "Z", user: "alice", container: ServiceBench.container, environment: .production)
    #expect(try await Self.save(tight, bench.alice, "again").status == 200)
  }

  @Test func `nobody but its owner reads the file`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    for name in ["", "-wal", "-shm", "-lock"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: bench.path + name)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
  }

  @Test func `who is signed in may read when nothing can be written`() async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    let tokens = try await bench.service.addTokens(
      user: "alice", container: ServiceBench.container, environment: .production)
    var settings = ServiceSettings()
    settings.storeBytesMax = 4_096
    let full = try await RecordService.open(
      path: bench.path, settings: settings,
      surroundings: ServiceBench.surroundings(seed: 7) { bench.now })
    // Fills what the file has over.
    for number in 0..<50 { _ = try await Self.save(full, bench.alice, "r\(number)") }
    let response = await full.respond(
      to: ServiceRequest(
        "GET",
        "/database/1/\(ServiceBench.container)/production/private/zones/list"
          + "?ckAPIToken=\(tokens.apiToken)&ckWebAuthToken=\(tokens.webAuthToken)"))
    #expect(response.status == 200)
    #expect(response.header("x-apple-cloudkit-web-auth-token") != nil)
  }
}
