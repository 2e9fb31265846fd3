// `skyros-bench service`: what the record service does a second, against bare SQLite writes of the
// same rows in the same run. Over loopback HTTP, with the durability of the real thing.

import ArgumentParser
import AsyncHTTPClient
import CloudKitWire
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import RecordService
import RecordServiceHTTP

struct ServiceBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "service", abstract: "Measures the record service.")

  @Option(help: "How many records are written and read.")
  var records = 20_000

  @Option(help: "How many saves each of 50 clients makes.")
  var saves = 20

  func run() async throws {
    let folder = NSTemporaryDirectory() + "skyros-bench-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let bare = try ServiceReference(folder: folder)
    var figures: [Figure] = []
    try await ServiceClient.with(folder) { client in
      figures += try await writing(client, bare)
      figures += try await reading(client)
      figures += try await querying(client)
      figures += try await saving(client, bare)
      figures += try await waking(client)
    }
    Figure.show(figures)
  }

  // MARK: Writing

  private func writing(
    _ client: ServiceClient, _ bare: ServiceReference
  ) async throws -> [Figure] {
    var figures: [Figure] = []
    for (zone, batch, isGzipped) in [
      ("small", 200, false), ("large", 2_000, false), ("packed", 2_000, true),
    ] {
      try await client.makeZone(zone)
      let bodies = stride(from: 0, to: records, by: batch).map { start in
        ServiceClient.batch(zone, start..<min(start + batch, records))
      }
      let ready = isGzipped ? bodies.map { Gzip.compress($0) ?? $0 } : bodies
      let time = try await milliseconds {
        for body in ready {
          try await client.send("records/modify", body, isGzipped: isGzipped)
        }
      }
      let reference = try await milliseconds { try bare.write(records, batch: batch) }
      figures.append(
        Figure(
          name: "modify, \(batch) a request\(isGzipped ? ", gzip" : "")",
          ours: perSecond(time), unit: "records/s",
          reference: ("bare SQLite, same batches", perSecond(reference)),
          bound: batch > 200 ? .atLeast(10_000) : nil))
    }
    return figures
  }

  // MARK: Reading

  private func reading(_ client: ServiceClient) async throws -> [Figure] {
    var figures: [Figure] = []
    for (name, limit, isGzipped) in [
      ("JSON, 200 a page", 200, false), ("JSON, 5,000 a page", 5_000, false),
      ("gzip, 5,000 a page", 5_000, true),
    ] {
      var count = 0
      let time = try await milliseconds {
        count = try await client.readZone("small", limit: limit, isGzipped: isGzipped)
      }
      guard count == records else { throw BenchmarkFault.lostRecords(count) }
      figures.append(
        Figure(
          name: "changes/zone, \(name), decoded", ours: perSecond(time), unit: "records/s",
          bound: limit > 200 ? .atLeast(20_000) : nil))
    }
    for isGzipped in [false, true] {
      var count = 0
      let time = try await milliseconds {
        count = try await client.readBulk("small", isGzipped: isGzipped)
      }
      guard count == records else { throw BenchmarkFault.lostRecords(count) }
      figures.append(
        Figure(
          name: "changes/zone, bulk\(isGzipped ? ", gzip" : ""), decoded", ours: perSecond(time),
          unit: "records/s", bound: .atLeast(20_000)))
    }
    return figures
  }

  // MARK: Querying

  /// One record among all by the value of a field: the first time, when every record is read, and
  /// once an index has grown behind such queries.
  private func querying(_ client: ServiceClient) async throws -> [Figure] {
    let first = try await milliseconds { try await find(records / 2, client) }
    for _ in 0...(records / 20_000) { try await find(records / 3, client) }
    var times: [Double] = []
    for number in 0..<50 {
      times.append(try await milliseconds { try await find(number * records / 50, client) })
    }
    return [
      Figure(
        name: "query by a field's value, p50", ours: percentile(50, of: times), unit: "ms",
        reference: ("the first such query", first), bound: .atMost(50)),
      Figure(
        name: "query by a field's value, p99", ours: percentile(99, of: times), unit: "ms",
        reference: ("the first such query", first)),
    ]
  }

  private func find(_ number: Int, _ client: ServiceClient) async throws {
    let count = try await client.find(population: Int64(number) * 37, in: "small")
    guard count == 1 else { throw BenchmarkFault.lostRecords(count) }
  }

  // MARK: Latency

  private func saving(
    _ client: ServiceClient, _ bare: ServiceReference
  ) async throws -> [Figure] {
    try await client.makeZone("saves")
    let saves = saves
    let times = try await withThrowingTaskGroup(of: [Double].self) { group in
      for number in 0..<50 {
        group.addTask {
          var times: [Double] = []
          for save in 0..<saves {
            let body = ServiceClient.batch(
              "saves", (number * saves + save)..<(number * saves + save + 1))
            times.append(
              try await milliseconds { try await client.send("records/modify", body) })
          }
          return times
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    var single: [Double] = []
    for _ in 0..<50 { single.append(try await milliseconds { try bare.write(1, batch: 1) }) }
    let commit = percentile(50, of: single)
    return [
      Figure(
        name: "one save under 50 clients, p50", ours: percentile(50, of: times), unit: "ms",
        reference: ("one bare commit, alone", commit)),
      Figure(
        name: "one save under 50 clients, p99", ours: percentile(99, of: times), unit: "ms",
        reference: ("one bare commit, alone", commit)),
    ]
  }

  private func waking(_ client: ServiceClient) async throws -> [Figure] {
    try await client.makeZone("wake")
    var token = try await client.page("wake", after: nil, limit: 1).token
    var times: [Double] = []
    for number in 0..<40 {
      let known = token
      async let page = client.page("wake", after: known, limit: 200, waits: true)
      try await Task.sleep(for: .milliseconds(20))
      let start = ContinuousClock.now
      try await client.send("records/modify", ServiceClient.batch("wake", number..<number + 1))
      token = try await page.token
      let time = ContinuousClock.now - start
      times.append(
        Double(time.components.seconds) * 1_000 + Double(time.components.attoseconds) / 1e15)
    }
    return [
      Figure(
        name: "save to a waiting reader's answer, p50", ours: percentile(50, of: times),
        unit: "ms", bound: .atMost(50)),
      Figure(
        name: "save to a waiting reader's answer, p99", ours: percentile(99, of: times),
        unit: "ms"),
    ]
  }

  private func perSecond(_ milliseconds: Double) -> Double {
    Double(records) / milliseconds * 1_000
  }
}

enum BenchmarkFault: Error {
  case lostRecords(Int)
  case refused(Int)
}
