// The client of the service's benchmark, and the bare SQLite that it is held against.

import AsyncHTTPClient
import CloudKitWire
import Foundation
import GRDB
import Logging
import NIOCore
import NIOHTTP1
import RecordService
import RecordServiceHTTP

/// The same rows, written by nothing but SQLite, with the same durability.
struct ServiceReference {
  private let queue: DatabaseQueue

  init(folder: String) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL")
      try db.execute(sql: "PRAGMA synchronous = FULL")
    }
    queue = try DatabaseQueue(path: folder + "/bare.sqlite", configuration: configuration)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE record (zone INTEGER, name TEXT, type TEXT, sequence INTEGER, fields TEXT);
          CREATE UNIQUE INDEX record_name ON record (zone, name);
          CREATE UNIQUE INDEX record_sequence ON record (zone, sequence);
          """)
    }
  }

  func write(_ count: Int, batch: Int) throws {
    let fields = String(decoding: ServiceClient.fields(1), as: UTF8.self)
    let zone = Int64.random(in: 0 ... .max)
    for start in stride(from: 0, to: count, by: batch) {
      try queue.write { db in
        let statement = try db.cachedStatement(
          sql: "INSERT INTO record VALUES (?, ?, 'Place', ?, ?)")
        for number in start..<min(start + batch, count) {
          try statement.execute(arguments: [zone, "r\(number)", number, fields])
        }
      }
    }
  }
}

/// One person's connection to a service on loopback.
struct ServiceClient: Sendable {
  private static let container = "iCloud.bench"

  private let http: HTTPClient
  private let base: String
  private let credentials: String

  static func with(
    _ folder: String, _ body: (ServiceClient) async throws -> Void
  ) async throws {
    var settings = ServiceSettings()
    settings.requestsPerSecond = 1e9
    settings.requestsBurst = 1e9
    let service = try await RecordService.open(
      path: folder + "/service.sqlite", settings: settings)
    _ = try await service.addUser("bench")
    let tokens = try await service.addTokens(
      user: "bench", container: container, environment: .production)
    var address = ServerSettings()
    address.port = 0
    var logger = Logger(label: "bench")
    logger.logLevel = .critical
    let (ports, found) = AsyncStream<Int>.makeStream()
    let server = try RecordServer(service, settings: address, logger: logger) {
      found.yield($0)
    }
    let http = HTTPClient(eventLoopGroupProvider: .singleton)
    let running = Task { try await server.run() }
    for await port in ports.prefix(1) {
      try await body(
        ServiceClient(
          http: http, base: address.url(port: port),
          credentials: "ckAPIToken=\(tokens.apiToken)&ckWebAuthToken=\(tokens.webAuthToken)"))
    }
    running.cancel()
    _ = try? await running.value
    try await http.shutdown()
  }

  @discardableResult
  func send(
    _ action: String, _ body: [UInt8], isGzipped: Bool = false,
    headers: [(String, String)] = []
  ) async throws -> [UInt8] {
    var request = HTTPClientRequest(
      url: "\(base)/database/1/\(Self.container)/production/private/\(action)?\(credentials)")
    request.method = .POST
    request.headers.add(name: "x-skyros", value: "1")
    if isGzipped { request.headers.add(name: "content-encoding", value: "gzip") }
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    request.body = .bytes(ByteBuffer(bytes: body))
    let response = try await http.execute(request, timeout: .seconds(120))
    let bytes = Array(buffer: try await response.body.collect(upTo: 1_000_000_000))
    guard response.status == .ok else { throw BenchmarkFault.refused(Int(response.status.code)) }
    guard response.headers.first(name: "content-encoding") == "gzip" else { return bytes }
    return try Gzip.expand(bytes, max: 1_000_000_000)
  }

  func makeZone(_ name: String) async throws {
    let request = ZonesModifyRequest([ZoneOperation(.create, ZoneID(name))])
    try await send("zones/modify", request.body())
  }

  func page(
    _ zone: String, after token: String?, limit: Int, waits: Bool = false,
    isGzipped: Bool = false
  ) async throws -> (count: Int, token: String, isMore: Bool) {
    var query = ZoneChangesQuery(zoneID: ZoneID(zone), syncToken: token)
    query.resultsLimit = limit
    var headers: [(String, String)] = []
    if waits { headers.append(("prefer", "wait=30")) }
    if isGzipped { headers.append(("accept-encoding", "gzip")) }
    let bytes = try await send(
      "changes/zone", ZoneChangesRequest([query]).body(), headers: headers)
    guard case .page(let page)? = try ZoneChangesResponse(body: bytes).zones.first else {
      throw BenchmarkFault.refused(0)
    }
    return (page.records.count, page.syncToken ?? "", page.moreComing)
  }

  func readZone(_ zone: String, limit: Int, isGzipped: Bool) async throws -> Int {
    var count = 0
    var token: String?
    while true {
      let page = try await page(zone, after: token, limit: limit, isGzipped: isGzipped)
      count += page.count
      token = page.token
      guard page.isMore else { return count }
    }
  }

  func readBulk(_ zone: String, isGzipped: Bool) async throws -> Int {
    let bytes = try await send(
      "changes/zone", ZoneChangesRequest([ZoneChangesQuery(zoneID: ZoneID(zone))]).body(),
      headers: [("accept", "application/x-ndjson")]
        + (isGzipped ? [("accept-encoding", "gzip")] : []))
    var count = 0
    for line in bytes.split(separator: 0x0A) {
      guard case .record(let record) = try RecordResult(body: Array(line)) else { continue }
      if record.recordName != nil { count += 1 }
    }
    return count
  }

  /// How many records a query by that value finds.
  func find(population: Int64, in zone: String) async throws -> Int {
    let body =
      #"{"zoneID":{"zoneName":"\#(zone)"},"query":{"recordType":"Place","filterBy":[{"comparator":"#
      + #""EQUALS","fieldName":"population","fieldValue":{"value":\#(population)}}]}}"#
    var reader = JSONReader(try await send("records/query", Array(body.utf8)))
    return try reader.readValue()["records"]?.array?.count ?? 0
  }

  /// Creates of records with five fields, about the size that the protocol's page gives.
  static func batch(_ zone: String, _ numbers: Range<Int>) -> [UInt8] {
    let operations = numbers.map { number in
      RecordOperation(
        .create,
        WireRecord(recordName: "r\(number)", recordType: "Place", fields: sample(number)),
        desiredKeys: [])
    }
    return ModifyRequest(operations, in: ZoneID(zone)).body()
  }

  static func fields(_ number: Int) -> [UInt8] {
    var writer = JSONWriter()
    WireRecord.write(sample(number), to: &writer)
    return writer.bytes
  }

  private static func sample(_ number: Int) -> [String: WireField] {
    [
      "name": .string("Skyros \(number)"),
      "population": .int64(Int64(number) * 37),
      "place": .location(WireLocation(latitude: 38.9, longitude: 24.5)),
      "seen": .timestamp(1_700_000_000_000 + Int64(number)),
      "state": .bytes([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 120)),
    ]
  }
}
