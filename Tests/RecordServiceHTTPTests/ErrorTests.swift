import CloudKitWire
import Foundation
import RecordService
import Testing

/// Every row of the error table (reference 14), over the three depths: in an entry inside 200, or
/// as the status of the whole request.
///
/// A row that nobody meets fails the test.
struct ErrorTests {
  /// Where a code is met.
  private enum Form: Hashable {
    case entry
    case whole(status: Int)
  }

  /// The table, with what this service does: the codes of single records only ever come in entries.
  private static let table: [ServerErrorCode: Set<Form>] = [
    .accessDenied: [.entry, .whole(status: 403)],
    .atomicError: [.entry],
    .authenticationFailed: [.whole(status: 401)],
    .authenticationRequired: [.whole(status: 421)],
    .badRequest: [.entry, .whole(status: 400)],
    .conflict: [.entry],
    .exists: [.entry],
    .internalError: [.whole(status: 500)],
    .notFound: [.entry, .whole(status: 404)],
    .quotaExceeded: [.entry, .whole(status: 413)],
    .throttled: [.whole(status: 429)],
    .tryAgainLater: [.whole(status: 503)],
    .validatingReferenceError: [.entry],
    .zoneNotFound: [.entry, .whole(status: 404)],
    // Known to CloudKit JS only: no service of ours sends it.
    .uniqueFieldError: [],
  ]

  private static let zone = #""zoneID":{"zoneName":"Z"}"#

  private struct Unforeseen: Error {}

  /// The codes that were met so far.
  private struct Met {
    var forms: [ServerErrorCode: Set<Form>] = [:]

    mutating func entry(_ entry: JSONValue?, _ code: ServerErrorCode) {
      #expect(entry?["serverErrorCode"] == .string(code.rawValue))
      #expect(entry?["uuid"]?.string?.count == 36)
      #expect(entry?["reason"]?.string?.isEmpty == false)
      forms[code, default: []].insert(.entry)
    }

    mutating func whole(_ answer: Answer, _ code: ServerErrorCode) throws {
      #expect(answer.status == code.status)
      #expect(answer.headers["content-type"]?.hasPrefix("application/json") == true)
      let json = try answer.json
      #expect(json["serverErrorCode"] == .string(code.rawValue))
      #expect(json["uuid"]?.string?.count == 36)
      #expect(json["reason"]?.string?.isEmpty == false)
      forms[code, default: []].insert(.whole(status: answer.status))
    }
  }

  @Test(arguments: Depth.allCases)
  func `every row of the error table is met`(depth: Depth) async throws {
    #expect(Set(Self.table.keys) == Set(ServerErrorCode.allCases))
    var settings = ServiceSettings()
    settings.quotaBytes = 300
    settings.requestsPerSecond = 0.001
    settings.requestsBurst = 40
    let fault = FaultyStorage.Fault()
    try await Client.with(depth, settings, storage: { FaultyStorage($0, fault) }) { client in
      var met = Met()
      try await Self.meetEntries(client, &met)
      try await Self.meetRefusals(client, &met)
      try await Self.meetFaults(client, fault, &met)
      try await Self.meetThrottling(client, &met)
      #expect(met.forms == Self.table.filter { !$0.value.isEmpty })
    }
  }

  private static func create(_ name: String, _ fields: String = "{}") -> String {
    #"{"operationType":"create","record":{"recordName":"\#(name)","recordType":"T","fields":\#(fields)}}"#
  }

  private static func modify(
    _ client: Client, _ operations: String..., atomic: Bool = false, database: String = "private",
    as who: String? = nil
  ) async throws -> [JSONValue] {
    let zone = database == "public" ? "" : Self.zone + ","
    let body =
      #"{\#(zone)"atomic":\#(atomic),"operations":[\#(operations.joined(separator: ","))]}"#
    let answer = try await client.ask("records/modify", body, as: who, database: database)
    #expect(answer.status == 200)
    return try answer.json["records"]?.array ?? []
  }

  private static func meetEntries(_ client: Client, _ met: inout Met) async throws {
    _ = try await client.ask(
      "zones/modify",
      #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Z"}}}]}"#)
    let stale = #"{"operationType":"update","record":{"recordName":"r","recordChangeTag":"zz"}}"#
    let long = #"{"t":{"value":"\#(String(repeating: "x", count: 400))"}}"#
    let bound = #"{"f":{"value":{"recordName":"none","action":"VALIDATE"}}}"#
    let entries = try await modify(
      client, create("r"), create("s", #"{"1":{"value":1}}"#), create("t", long),
      create("u", bound), stale.replacing(#""r""#, with: #""x""#))
    #expect(entries[0]["serverErrorCode"] == nil)
    met.entry(entries[1], .badRequest)
    met.entry(entries[2], .quotaExceeded)
    met.entry(entries[3], .validatingReferenceError)
    met.entry(entries[4], .notFound)
    met.entry(try await modify(client, create("r")).first, .exists)
    let batch = try await modify(client, create("a"), stale, atomic: true)
    met.entry(batch.first, .atomicError)
    met.entry(batch.last, .conflict)
    _ = try await modify(client, create("p"), database: "public")
    let steal = #"{"operationType":"forceDelete","record":{"recordName":"p"}}"#
    met.entry(
      try await modify(client, steal, database: "public", as: client.bob).first, .accessDenied)
    let feed = try await client.ask("changes/zone", #"{"zones":[{"zoneID":{"zoneName":"no"}}]}"#)
    #expect(feed.status == 200)
    met.entry(try feed.json["zones"]?.array?.first, .zoneNotFound)
  }

  private static func meetRefusals(_ client: Client, _ met: inout Met) async throws {
    try met.whole(
      try await client.ask("records/lookup", #"{"zoneID":{"zoneName":"no"},"records":[]}"#),
      .zoneNotFound)
    for body in ["{", "[]", #"{"query":{}}"#] {
      try met.whole(try await client.ask("records/query", body), .badRequest)
    }
    try met.whole(try await client.ask("changes/zone", "{}", database: "public"), .badRequest)
    try met.whole(try await client.ask("records/nothing", "{}"), .notFound)
    try met.whole(try await client.ask("zones/list", as: "ckAPIToken=no"), .authenticationFailed)
    let asked = try await client.ask("zones/list", as: "ckAPIToken=\(client.apiToken)")
    try met.whole(asked, .authenticationRequired)
    #expect(try asked.json["redirectURL"]?.string?.contains("/sign-in/") == true)
    try met.whole(try await client.send("POST", "/assets/upload/no", body: [1]), .accessDenied)
    // The path is another endpoint's, the method belongs nowhere.
    let misplaced = try await client.send(
      "POST", "/database/1/\(Client.container)/production/private/tokens/create?\(client.alice)",
      body: Array("{}".utf8))
    #expect(misplaced.status == 405)
    #expect(try await client.ask("records/query").status == 405)
  }

  /// What the storage can't do is said by its code, passes, and costs nothing.
  private static func meetFaults(
    _ client: Client, _ fault: FaultyStorage.Fault, _ met: inout Met
  ) async throws {
    let body = #"{\#(zone),"operations":[\#(create("after"))]}"#
    let faults: [(ServerErrorCode, any Error & Sendable)] = [
      (.quotaExceeded, StorageFault.full), (.tryAgainLater, StorageFault.busy),
      (.internalError, Unforeseen()),
    ]
    for (code, error) in faults {
      fault.set(error)
      let answer = try await client.ask("records/modify", body)
      try met.whole(answer, code)
      let isTransient = code == .tryAgainLater
      #expect(try answer.json["retryAfter"] == (isTransient ? .int(1) : nil))
      #expect(answer.headers["retry-after"] == (isTransient ? "1" : nil))
    }
    fault.set(nil)
    #expect(try await modify(client, create("after")).first?["serverErrorCode"] == nil)
  }

  private static func meetThrottling(_ client: Client, _ met: inout Met) async throws {
    var last = try await client.ask("zones/list")
    for _ in 0..<50 where last.status != 429 { last = try await client.ask("zones/list") }
    try met.whole(last, .throttled)
    #expect(last.headers["retry-after"] != nil)
    #expect(try last.json["retryAfter"]?.wholeNumber ?? 0 > 0)
    // Who is throttled is one caller, not the service.
    #expect(try await client.ask("zones/list", as: client.bob).status == 200)
  }
}
