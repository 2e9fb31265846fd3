import CloudKitWire
import Foundation
import RecordService
import Testing

/// Requests that nobody means well: no crash, no 500, no read across users.
///
/// `SKYROS_LONG=1` sends 200,000, the ordinary run 5,000. `SKYROS_SEED` runs it again.
struct FuzzTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["SKYROS_LONG"] == nil ? 5_000 : 200_000
  private static let seed = environment["SKYROS_SEED"].flatMap { UInt64($0) } ?? 4_711

  private static let actions = [
    "records/query", "records/lookup", "records/modify", "records/changes", "records/resolve",
    "changes/database", "changes/zone", "zones/list", "zones/lookup", "zones/modify",
    "zones/changes", "assets/upload", "assets/rereference", "subscriptions/list",
    "subscriptions/lookup", "subscriptions/modify", "users/caller", "users/current",
    "tokens/register", "records/nothing",
  ]

  private static let words = [
    "zoneID", "zoneName", "Z", "ownerRecordName", "records", "recordName", "recordType", "T",
    "fields", "value", "type", "STRING", "INT64", "LOCATION", "REFERENCE", "ASSETID",
    "STRING_LIST", "operations", "operationType", "create", "update", "forceUpdate", "delete",
    "record", "recordChangeTag", "atomic", "desiredKeys", "query", "filterBy", "sortBy",
    "comparator", "EQUALS", "IN", "NEAR", "fieldName", "systemFieldName", "fieldValue",
    "distance", "continuationMarker", "syncToken", "resultsLimit", "zones", "zone", "tokens",
    "assets", "subscriptions", "subscription", "subscriptionID", "subscriptionType", "firesOn",
    "latitude", "longitude", "fileChecksum", "receipt", "size", "secret", "action", "apnsToken",
  ]

  @Test func `hostile requests are refused, never suffered`() async throws {
    print("seed \(Self.seed)")
    let bench = try await ServiceBench(seed: Self.seed, sleep: { _ in })
    var settings = ServiceSettings()
    settings.requestsPerSecond = 1e9
    try await bench.makeZone("Z")
    let secret = "the-secret-of-alice"
    _ = try await bench.modify(
      operation("create", "secret", fields: #"{"s":{"value":"\#(secret)"}}"#))
    let token = try await bench.feed().token
    let tokens = try await bench.service.addTokens(
      user: "bob", container: ServiceBench.container, environment: .production)
    var generator = Seeded(Self.seed)
    for number in 0..<Self.count {
      var request = Self.request(&generator, bench, tokens, token)
      if Int.random(in: 0..<4, using: &generator) == 0 { Self.damage(&request, &generator) }
      // The limiter is not what is tried here.
      bench.advance(milliseconds: 20)
      let isDirect = Bool.random(using: &generator)
      let response =
        isDirect
        ? await bench.service.respond(to: request, as: bench.bob)
        : await bench.service.respond(to: request)
      #expect(response.status != 500, "seed \(Self.seed), request \(number)")
      let body = String(decoding: response.bytes ?? [], as: UTF8.self)
      #expect(!body.contains(secret), "seed \(Self.seed), request \(number)")
      if response.status == 500 || body.contains(secret) { return }
      if number.isMultiple(of: 16) {
        let statuses = await Self.tryURLs(&generator, bench.service)
        #expect(statuses.allSatisfy { (400..<500).contains($0) }, "seed \(Self.seed)")
      }
    }
    // Alice has what she had.
    #expect(try await bench.feed().records.map(\.name) == ["secret"])
  }

  /// Asset and courier URLs that nobody was given.
  private static func tryURLs(
    _ generator: inout Seeded, _ service: RecordService
  ) async -> [Int] {
    let bytes = (0..<Int.random(in: 0..<80, using: &generator)).map { _ in
      UInt8.random(in: .min ... .max, using: &generator)
    }
    let token =
      [
        Base64.encodeForURL(bytes), Base64.encodeForURL(bytes) + "." + Base64.encodeForURL(bytes),
        String(decoding: bytes, as: UTF8.self), "\(Int64.max)|c|production|private|1|",
      ].randomElement(using: &generator) ?? ""
    let pieces = AsyncStream<[UInt8]> { continuation in
      continuation.yield(bytes)
      continuation.finish()
    }
    return [
      service.sendAsset(token).status, await service.receiveAsset(token, pieces).status,
      await service.courier(token).status,
    ]
  }

  private static func request(
    _ generator: inout Seeded, _ bench: ServiceBench, _ tokens: IssuedTokens, _ token: String
  ) -> ServiceRequest {
    let action = actions.randomElement(using: &generator) ?? ""
    let database =
      ["private", "private", "public", "shared"].randomElement(using: &generator) ?? ""
    let credentials = [
      "ckAPIToken=\(tokens.apiToken)&ckWebAuthToken=\(tokens.webAuthToken)",
      "ckAPIToken=\(tokens.apiToken)", "ckAPIToken=\(tokens.apiToken)&ckWebAuthToken=%ff.%00",
      "", "ckAPIToken=%", "getCurrentSyncToken=True&ckAPIToken=\(tokens.apiToken)",
    ]
    let first = Int.random(in: 0..<3, using: &generator) > 0
    let query = first ? credentials[0] : credentials.randomElement(using: &generator) ?? ""
    var headers: [String: String] = [:]
    if Int.random(in: 0..<3, using: &generator) == 0 {
      headers["x-skyros"] = "1"
      headers["prefer"] = "wait=\(Int.random(in: -5..<99, using: &generator))"
    }
    if Int.random(in: 0..<9, using: &generator) == 0 {
      headers["x-apple-cloudkit-request-keyid"] = "k"
      headers["x-apple-cloudkit-request-iso8601date"] = WireDate.text(seconds: bench.now / 1_000)
      headers["x-apple-cloudkit-request-signaturev1"] = "AAAA"
    }
    if Int.random(in: 0..<9, using: &generator) == 0 { headers["content-encoding"] = "gzip" }
    if Int.random(in: 0..<9, using: &generator) == 0 { headers["idempotency-key"] = "i" }
    var writer = JSONWriter()
    body(&writer, &generator, bench.alice.recordName, token, depth: 0)
    return ServiceRequest(
      Bool.random(using: &generator) ? "POST" : "GET",
      "/database/1/\(ServiceBench.container)/production/\(database)/\(action)?\(query)",
      headers: headers, body: writer.bytes)
  }

  /// JSON out of the protocol's own words, in any order.
  private static func body(
    _ writer: inout JSONWriter, _ generator: inout Seeded, _ owner: String, _ token: String,
    depth: Int
  ) {
    let roll = Int.random(in: 0..<(depth > 6 ? 7 : 14), using: &generator)
    switch roll {
    case 0: writer.null()
    case 1: writer.bool(Bool.random(using: &generator))
    case 2: writer.int(Int64.random(in: .min ... .max, using: &generator))
    case 3: writer.double(Double.random(in: -1e300...1e300, using: &generator))
    case 4: writer.string(owner)
    case 5: writer.string(token)
    case 6: writer.string(words.randomElement(using: &generator) ?? "")
    case 7, 8:
      writer.beginArray()
      for _ in 0..<Int.random(in: 0..<4, using: &generator) {
        body(&writer, &generator, owner, token, depth: depth + 1)
      }
      writer.endArray()
    default:
      writer.beginObject()
      for _ in 0..<Int.random(in: 0..<6, using: &generator) {
        writer.key(words.randomElement(using: &generator) ?? "")
        body(&writer, &generator, owner, token, depth: depth + 1)
      }
      writer.endObject()
    }
  }

  private static func damage(_ request: inout ServiceRequest, _ generator: inout Seeded) {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0:
      for _ in 0..<3 where !request.body.isEmpty {
        let place = Int.random(in: 0..<request.body.count, using: &generator)
        request.body[place] = UInt8.random(in: .min ... .max, using: &generator)
      }
    case 1: request.body.removeLast(request.body.count / 2)
    case 2:
      let cut = Int.random(in: 0..<request.target.count, using: &generator)
      request.target = String(request.target.prefix(cut))
    default:
      request.target = request.target.replacing("production", with: "%2e%2e/%00\u{1F600}")
    }
  }
}
