import CloudKitWire
import Foundation
import RecordStore
import Records
import Sync
import Synchronization
import TestKit
import Testing

@Suite(.serialized)
struct SimulationTests {
  static let seeds: ClosedRange<UInt64> = {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["SKYROS_SEED"].flatMap({ UInt64($0) }) { return seed...seed }
    return 1...(environment["SKYROS_SEEDS"].flatMap { UInt64($0) } ?? 200)
  }()

  @Test
  func `whatever the network and the file do, all libraries end up equal and nothing is lost`()
    async throws
  {
    for seed in Self.seeds {
      var simulation = try await Simulation(seed: seed)
      defer { simulation.world.remove() }
      try await simulation.run(steps: 40)
      let faults = try await simulation.faults()
      #expect(faults.isEmpty, "SKYROS_SEED=\(seed): \(faults.prefix(5))")
      if !faults.isEmpty { return }
    }
  }

  @Test func `the checkers notice a service that forgets what it acknowledged`() async throws {
    #expect(try await Self.isNoticed { Saboteur($0, .forgets) })
  }

  @Test func `the checkers notice a feed that leaves a record out`() async throws {
    #expect(try await Self.isNoticed { Saboteur($0, .skips) })
  }

  @Test func `the checkers notice a service that never takes a record`() async throws {
    #expect(try await Self.isNoticed { Saboteur($0, .refuses) })
  }

  private static func isNoticed(
    _ wrap: @escaping (any SyncTransport) -> any SyncTransport
  ) async throws -> Bool {
    for seed in 1...10 as ClosedRange<UInt64> {
      var simulation = try await Simulation(seed: seed, through: wrap)
      defer { simulation.world.remove() }
      try await simulation.run(steps: 40)
      if try await !simulation.faults().isEmpty { return true }
    }
    return false
  }
}

/// A service with one deliberate fault, so that each checker is seen to bite.
final class Saboteur: SyncTransport {
  enum Deed { case forgets, skips, refuses }

  private let inner: any SyncTransport
  private let deed: Deed
  private let count = Mutex(0)

  init(_ inner: any SyncTransport, _ deed: Deed) {
    self.inner = inner
    self.deed = deed
  }

  func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply {
    let number = count.withLock { count in
      count += 1
      return count
    }
    switch (deed, call.action) {
    case (.forgets, "records/modify") where number.isMultiple(of: 3):
      return forgotten(call)
    case (.refuses, "records/modify"):
      return refused(call)
    case (.skips, "changes/zone"):
      return skipping(try await inner.call(call))
    default: return try await inner.call(call)
    }
  }

  /// Acknowledges without doing anything.
  private func forgotten(_ call: ServiceCall) -> ServiceReply {
    answer(call) { record, writer in
      writer.object {
        $0.member("recordName", record.recordName)
        $0.member("recordType", record.recordType)
        $0.member("recordChangeTag", "forgotten")
      }
    }
  }

  private func refused(_ call: ServiceCall) -> ServiceReply {
    answer(call) { record, writer in
      var error = ServiceError(.badRequest, "never")
      error.recordName = record.recordName
      error.write(to: &writer)
    }
  }

  private func answer(
    _ call: ServiceCall, _ entry: (WireRecord, inout JSONWriter) -> Void
  ) -> ServiceReply {
    var writer = JSONWriter()
    let request = try? ModifyRequest(body: call.body ?? [])
    writer.object { writer in
      writer.key("records")
      writer.array { writer in
        for operation in request?.operations ?? [] { entry(operation.record, &writer) }
      }
    }
    return ServiceReply(status: 200, body: writer.bytes)
  }

  /// Takes the first record out of a page: its bytes are renamed to those of a tombstone.
  private func skipping(_ reply: ServiceReply) -> ServiceReply {
    guard let page = try? ZoneChangesResponse(body: reply.body),
      case .page(let first)? = page.zones.first, !first.records.isEmpty
    else { return reply }
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("zones")
      writer.array { writer in
        writer.object { writer in
          writer.member("zoneID", first.zoneID)
          writer.key("records")
          writer.array { writer in
            for case .record(let record) in first.records.dropFirst() { record.write(to: &writer) }
          }
          writer.member("syncToken", first.syncToken)
          writer.member("moreComing", first.moreComing)
        }
      }
    }
    return ServiceReply(status: 200, headers: reply.headers, body: writer.bytes)
  }

  func upload(
    _ content: UploadContent, to address: String
  ) async throws(TransportFailure) -> ServiceReply {
    try await inner.upload(content, to: address)
  }

  func download(
    _ address: String, from offset: Int64, _ take: @escaping ContentSink
  ) async throws(TransportFailure) -> ServiceReply {
    try await inner.download(address, from: offset, take)
  }

  func close() async {}
}
