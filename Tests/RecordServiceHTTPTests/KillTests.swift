// The program itself, killed in the middle of writing.

import AsyncHTTPClient
import CloudKitWire
import Foundation
import NIOCore
import NIOHTTP1
import RecordService
import Synchronization
import Testing

/// `SKYROS_LONG=1` kills it 100 times, the ordinary run 3 times.
struct KillTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["SKYROS_LONG"] == nil ? 3 : 100
  private static let writers = 8

  /// What the writers know to be there, by name.
  private final class Acknowledged: Sendable {
    private let names = Mutex<Set<String>>([])

    func add(_ new: [String]) -> Int {
      names.withLock { names in
        names.formUnion(new)
        return names.count
      }
    }

    var all: Set<String> { names.withLock { $0 } }
  }

  @Test func `a server that is killed loses nothing that it acknowledged`() async throws {
    let folder = NSTemporaryDirectory() + "skyros-kill-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/service.sqlite"
    let credentials = try await Self.provision(path)
    let http = HTTPClient(eventLoopGroupProvider: .singleton)
    let acknowledged = Acknowledged()
    var replica: [String: String] = [:]
    var token: String?
    do {
      for round in 0..<Self.rounds {
        let server = try ServerProcess(path)
        let writer = Writer(
          http: http, base: server.url, credentials: credentials, round: round)
        let goal = acknowledged.all.count + 20 + round * 7 % 60
        await withTaskGroup(of: Void.self) { group in
          for number in 0..<Self.writers {
            group.addTask {
              var step = 0
              // Until the server is gone.
              while let names = await writer.write(number, step) {
                step += 1
                if acknowledged.add(names) >= goal { server.kill() }
              }
            }
          }
        }
        // The feed goes on from where it was before the kill, without a gap.
        let next = try ServerProcess(path)
        let reader = Writer(http: http, base: next.url, credentials: credentials, round: round)
        token = try await reader.follow(after: token, into: &replica)
        next.kill()
        let missing = acknowledged.all.subtracting(replica.keys)
        #expect(missing.isEmpty, "round \(round): \(missing.sorted().prefix(5))")
      }
      let last = try ServerProcess(path)
      let reader = Writer(http: http, base: last.url, credentials: credentials, round: 0)
      var whole: [String: String] = [:]
      _ = try await reader.follow(after: nil, into: &whole)
      #expect(whole == replica)
      last.kill()
      try await http.shutdown()
    } catch {
      try? await http.shutdown()
      throw error
    }
  }

  private static func provision(_ path: String) async throws -> String {
    let service = try await RecordService.open(path: path)
    _ = try await service.addUser("alice")
    let tokens = try await service.addTokens(
      user: "alice", container: Client.container, environment: .production)
    try await service.addZone(
      "Z", user: "alice", container: Client.container, environment: .production)
    return "ckAPIToken=\(tokens.apiToken)&ckWebAuthToken=\(tokens.webAuthToken)"
  }
}

/// A client that lives through the death of its server.
private struct Writer: Sendable {
  let http: HTTPClient
  let base: String
  let credentials: String
  let round: Int

  /// The names that the server acknowledged; nil when it is gone.
  func write(_ number: Int, _ step: Int) async -> [String]? {
    let names = (0..<3).map { "\(round)-\(number)-\(step)-\($0)" }
    let operations = names.map {
      RecordOperation(.create, WireRecord(recordName: $0, recordType: "T"), desiredKeys: [])
    }
    let body = ModifyRequest(operations, in: ZoneID("Z")).body()
    guard let answer = try? await send("records/modify", body),
      let response = try? RecordsResponse(body: answer)
    else { return nil }
    return response.records.compactMap { result in
      if case .record(let record) = result { record.recordName } else { nil }
    }
  }

  /// Reads the feed to its end; each record's tag by its name.
  func follow(
    after token: String?, into replica: inout [String: String]
  ) async throws -> String {
    var token = token
    while true {
      let query = ZoneChangesQuery(zoneID: ZoneID("Z"), syncToken: token)
      let answer = try await send("changes/zone", ZoneChangesRequest([query]).body())
      guard case .page(let page)? = try ZoneChangesResponse(body: answer).zones.first else {
        throw CancellationError()
      }
      for case .record(let record) in page.records {
        replica[record.recordName ?? ""] = record.recordChangeTag
      }
      token = page.syncToken
      if !page.moreComing { return token ?? "" }
    }
  }

  private func send(_ action: String, _ body: [UInt8]) async throws -> [UInt8] {
    var request = HTTPClientRequest(
      url:
        "\(base)/database/1/\(Client.container)/production/private/\(action)?\(credentials)")
    request.method = .POST
    request.body = .bytes(ByteBuffer(bytes: body))
    let response = try await http.execute(request, timeout: .seconds(30))
    return Array(buffer: try await response.body.collect(upTo: 10_000_000))
  }
}
