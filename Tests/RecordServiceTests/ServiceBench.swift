// A service on a temporary file, with a clock and randomness that the test owns.

import CloudKitWire
import Foundation
import RecordService
import Synchronization

/// A numbers' source that can be run again.
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  init(_ seed: UInt64) { state = seed }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// The service, its clock, and two people: alice and bob.
final class ServiceBench: Sendable {
  static let container = "iCloud.net.example"

  let folder: String
  let service: RecordService
  let alice: Caller
  let bob: Caller
  private let box: ClockBox

  init(
    _ settings: ServiceSettings = ServiceSettings(), seed: UInt64 = 1,
    sleep: @escaping @Sendable (Duration) async throws -> Void = ServiceBench.noSleep
  ) async throws {
    folder = NSTemporaryDirectory() + "skyros-service-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let clock = ClockBox(1_700_000_000_000)
    box = clock
    let surroundings = Self.surroundings(seed: seed, sleep: sleep) {
      clock.milliseconds()
    }
    service = try await RecordService.open(
      path: folder + "/service.sqlite", settings: settings, surroundings: surroundings)
    alice = try await service.embeddedCaller(
      user: "alice", container: Self.container, environment: .production)
    bob = try await service.embeddedCaller(
      user: "bob", container: Self.container, environment: .production)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// A wait that only a change or a cancellation ends.
  static let noSleep: @Sendable (Duration) async throws -> Void = { _ in
    try await Task.sleep(for: .seconds(3_600))
  }

  static func surroundings(
    seed: UInt64, sleep: @escaping @Sendable (Duration) async throws -> Void = noSleep,
    _ now: @escaping @Sendable () -> Int64
  ) -> ServiceSurroundings {
    let generator = GeneratorBox(seed)
    return ServiceSurroundings(
      milliseconds: now, random: { generator.bytes($0) }, sleep: sleep)
  }

  var path: String { folder + "/service.sqlite" }

  func advance(milliseconds: Int64) { box.advance(milliseconds) }
  var now: Int64 { box.milliseconds() }

  // MARK: Calls

  /// One request as that person; the answer as it came.
  func response(
    _ action: String, _ body: String = "{}", as caller: Caller? = nil,
    database: String = "private", headers: [String: String] = [:], query: String = ""
  ) async -> ServiceResponse {
    let isList = ["zones/list", "subscriptions/list", "users/caller"].contains(action)
    let base =
      action.hasPrefix("tokens/")
      ? "/device/1/\(Self.container)/production"
      : "/database/1/\(Self.container)/production/\(database)"
    let request = ServiceRequest(
      isList ? "GET" : "POST", "\(base)/\(action)\(query)", headers: headers,
      body: Array(body.utf8))
    return await service.respond(to: request, as: caller ?? alice)
  }

  /// The answer as JSON.
  func call(
    _ action: String, _ body: String = "{}", as caller: Caller? = nil,
    database: String = "private", headers: [String: String] = [:], query: String = ""
  ) async throws -> JSONValue {
    let response = await response(
      action, body, as: caller, database: database, headers: headers, query: query)
    return try response.json
  }

  func makeZone(_ name: String, as caller: Caller? = nil) async throws {
    _ = try await call(
      "zones/modify",
      #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"\#(name)"}}}]}"#,
      as: caller)
  }

  /// Runs operations in a zone; the entries of the answer.
  func modify(
    _ operations: String..., zone: String = "Z", atomic: Bool? = nil, as caller: Caller? = nil,
    database: String = "private", headers: [String: String] = [:]
  ) async throws -> [JSONValue] {
    let atomic = atomic.map { #""atomic":\#($0),"# } ?? ""
    let body =
      #"{"zoneID":{"zoneName":"\#(zone)"},\#(atomic)"operations":[\#(operations.joined(separator: ","))]}"#
    return try await call(
      "records/modify", body, as: caller, database: database, headers: headers)["records"]?
      .array ?? []
  }

  /// The whole feed of a zone from a token on.
  func feed(
    _ zone: String = "Z", after token: String? = nil, limit: Int = 200, as caller: Caller? = nil
  ) async throws -> (records: [JSONValue], token: String) {
    var records: [JSONValue] = []
    var token = token
    while true {
      let word = token.map { #","syncToken":"\#($0)""# } ?? ""
      let page = try await call(
        "changes/zone",
        #"{"zones":[{"zoneID":{"zoneName":"\#(zone)"}\#(word),"resultsLimit":\#(limit)}]}"#,
        as: caller)["zones"]?.array?.first
      records += page?["records"]?.array ?? []
      token = page?["syncToken"]?.string
      guard page?["moreComing"]?.truth == true else { return (records, token ?? "") }
    }
  }
}

/// An operation in one line.
func operation(
  _ type: String, _ name: String?, type recordType: String? = "T", tag: String? = nil,
  fields: String = "{}"
) -> String {
  var members = [#""fields":\#(fields)"#]
  if let name { members.append(#""recordName":"\#(name)""#) }
  if let recordType { members.append(#""recordType":"\#(recordType)""#) }
  if let tag { members.append(#""recordChangeTag":"\#(tag)""#) }
  return #"{"operationType":"\#(type)","record":{\#(members.joined(separator: ","))}}"#
}

extension ServiceResponse {
  var json: JSONValue {
    get throws {
      var reader = JSONReader(bytes ?? [])
      return try reader.readValue()
    }
  }
}

extension JSONValue {
  var code: String? { self["serverErrorCode"]?.string }
  var tag: String? { self["recordChangeTag"]?.string }
  var name: String? { self["recordName"]?.string }
  func field(_ name: String) -> JSONValue? { self["fields"]?[name]?["value"] }
}

private final class ClockBox: Sendable {
  private let time: Mutex<Int64>
  init(_ start: Int64) { time = Mutex(start) }
  func milliseconds() -> Int64 { time.withLock { $0 } }
  func advance(_ by: Int64) { time.withLock { $0 += by } }
}

private final class GeneratorBox: Sendable {
  private let generator: Mutex<Seeded>
  init(_ seed: UInt64) { generator = Mutex(Seeded(seed)) }
  func bytes(_ count: Int) -> [UInt8] {
    generator.withLock { generator in
      (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
  }
}
