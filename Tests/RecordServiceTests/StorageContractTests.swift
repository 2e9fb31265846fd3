// The contract of StorageContract.swift, for any implementation: add one to `Maker.all`.

import CloudKitWire
import Foundation
import RecordService
import Synchronization
import Testing

/// Makes storages: two views of one place, as two processes have them.
struct Maker: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let make:
    @Sendable (_ folder: String) async throws -> (one: any RecordStorage, two: any RecordStorage)

  static let all = [
    Maker(testDescription: "SQLite") { folder in
      let path = folder + "/contract.sqlite"
      let surroundings = ServiceBench.surroundings(seed: 3) { 1_700_000_000_000 }
      return (
        try await SQLiteStorage.open(path: path, surroundings: surroundings),
        try await SQLiteStorage.open(path: path, surroundings: surroundings)
      )
    }
  ]
}

struct StorageContractTests {
  private static let database = DatabaseKey(
    container: "c", environment: .production, scope: .private, owner: 1)

  private struct Failure: Error {}

  private final class Done: Sendable {
    let isSet = Atomic<Bool>(false)
  }

  /// Runs the body on fresh storages and removes them.
  private func with(
    _ maker: Maker,
    _ body: (_ one: any RecordStorage, _ two: any RecordStorage) async throws -> Void
  ) async throws {
    let folder = NSTemporaryDirectory() + "skyros-contract-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (one, two) = try await maker.make(folder)
    try await body(one, two)
  }

  private static func record(
    _ name: String, _ sequence: Int64, type: String = "T", isDeleted: Bool = false
  ) -> StoredRecord {
    StoredRecord(
      name: name, type: type, sequence: sequence, tag: sequence, fields: "{}", hasAssets: false,
      parent: nil, createdAt: 1, createdBy: "_a", modifiedAt: sequence, modifiedBy: "_a",
      isDeleted: isDeleted, bytes: 2)
  }

  /// Appends a record at the end of the zone.
  private static func append(
    _ name: String, _ storage: any StorageWriting, isDeleted: Bool = false
  ) throws -> Int64 {
    let zone =
      try storage.zone(named: "Z", in: database)
      ?? storage.makeZone(named: "Z", in: database, at: 0)
    let sequence = zone.sequence + 1
    try storage.save(record(name, sequence, isDeleted: isDeleted), in: zone.number)
    try storage.advance(zone, to: sequence, bytes: 2, in: database)
    return sequence
  }

  private static func feed(
    _ storage: any StorageReading, after sequence: Int64 = 0
  ) throws -> [StoredRecord] {
    guard let zone = try storage.zone(named: "Z", in: database) else { return [] }
    var records: [StoredRecord] = []
    try storage.changes(in: zone.number, after: sequence) { record in
      records.append(record)
      return true
    }
    return records
  }

  @Test(arguments: Maker.all)
  func `C1: what throws leaves nothing, its neighbours stay`(maker: Maker) async throws {
    try await with(maker) { one, two in
      async let good = one.write { try Self.append("good", $0) }
      async let bad: Int64 = one.write { storage in
        _ = try Self.append("bad", storage)
        throw Failure()
      }
      async let other = two.write { try Self.append("other", $0) }
      do {
        _ = try await bad
        Issue.record("what threw was kept")
      } catch is Failure {}
      _ = try await (good, other)
      let records = try await two.read { try Self.feed($0) }
      #expect(Set(records.map(\.name)) == ["good", "other"])
      #expect(records.map(\.sequence) == [1, 2])
    }
  }

  @Test(arguments: Maker.all)
  func `C2: a follower misses nothing while several write`(maker: Maker) async throws {
    try await with(maker) { one, two in
      let total = 400
      let done = Done()
      try await withThrowingTaskGroup(of: [String].self) { group in
        group.addTask {
          var seen: [String] = []
          var position: Int64 = 0
          while true {
            let wasDone = done.isSet.load(ordering: .acquiring)
            let after = position
            let page = try await two.read { try Self.feed($0, after: after) }
            for record in page {
              #expect(record.sequence > position)
              position = record.sequence
              seen.append(record.name)
            }
            if wasDone, page.isEmpty { return seen }
            await Task.yield()
          }
        }
        try await withThrowingTaskGroup(of: Void.self) { writers in
          for writer in 0..<4 {
            writers.addTask {
              let storage = writer.isMultiple(of: 2) ? one : two
              for number in 0..<total / 4 {
                _ = try await storage.write { try Self.append("\(writer)-\(number)", $0) }
              }
            }
          }
          try await writers.waitForAll()
        }
        done.isSet.store(true, ordering: .releasing)
        let seen = try #require(try await group.next())
        #expect(seen.count == total && Set(seen).count == total)
      }
    }
  }

  @Test(arguments: Maker.all)
  func `C3: a reader sees one state`(maker: Maker) async throws {
    try await with(maker) { one, two in
      _ = try await one.write { try Self.append("a", $0) }
      try await one.read { storage in
        let before = try Self.feed(storage).count
        let other = DispatchSemaphore(value: 0)
        Task {
          _ = try await two.write { try Self.append("b", $0) }
          other.signal()
        }
        other.wait()
        #expect(try Self.feed(storage).count == before)
      }
      #expect(try await one.read { try Self.feed($0) }.count == 2)
    }
  }

  @Test(arguments: Maker.all)
  func `C5: a commit wakes those who wait, here and in another process`(
    maker: Maker
  ) async throws {
    try await with(maker) { one, two in
      _ = try await one.write { try Self.append("a", $0) }
      for waiting in [one, two] {
        let generation = waiting.signal.generation(of: Self.database)
        async let woken: Void = waiting.signal.wait(
          for: Self.database, after: generation
        ) { try? await Task.sleep(for: .seconds(60)) }
        _ = try await one.write { try Self.append("b", $0) }
        await woken
        #expect(waiting.signal.generation(of: Self.database) != generation)
      }
    }
  }

  @Test(arguments: Maker.all)
  func `zones are made, found, deleted and made again above what they were`(
    maker: Maker
  ) async throws {
    try await with(maker) { one, _ in
      _ = try await one.write { try Self.append("a", $0) }
      let old = try #require(try await one.read { try $0.zone(named: "Z", in: Self.database) })
      try await one.write { try $0.deleteZone(old, in: Self.database, at: 5) }
      try await one.read { storage in
        #expect(try storage.zone(named: "Z", in: Self.database) == nil)
        #expect(try storage.record(named: "a", in: old.number) == nil)
        let changes = try storage.zoneChanges(in: Self.database, after: 0, limit: 10)
        #expect(changes.map(\.isDeleted) == [true])
      }
      let new = try await one.write { storage in
        try storage.makeZone(named: "Z", in: Self.database, at: 6)
      }
      #expect(new.number != old.number && new.sequence == old.sequence)
      // Forgotten, it still sets the floor.
      try await one.write { try $0.deleteZone(new, in: Self.database, at: 7) }
      _ = try await one.write { try $0.forgetTombstones(before: 100, limit: 10) }
      let third = try await one.write { storage in
        try storage.makeZone(named: "Z", in: Self.database, at: 8)
      }
      #expect(third.sequence >= old.sequence)
    }
  }

  @Test(arguments: Maker.all)
  func `tombstones are forgotten piece by piece, and the zone knows up to where`(
    maker: Maker
  ) async throws {
    try await with(maker) { one, _ in
      for name in ["a", "b", "c"] {
        _ = try await one.write { try Self.append(name, $0, isDeleted: true) }
      }
      _ = try await one.write { try Self.append("d", $0) }
      #expect(try await one.write { try $0.forgetTombstones(before: 3, limit: 1) })
      #expect(try await one.write { try $0.forgetTombstones(before: 3, limit: 2) } == false)
      let zone = try await one.read { try $0.zone(named: "Z", in: Self.database) }
      #expect(zone?.forgotten == 2)
      #expect(try await one.read { try Self.feed($0) }.map(\.name) == ["c", "d"])
    }
  }

  @Test(arguments: Maker.all)
  func `records of a type come by name, living ones only`(maker: Maker) async throws {
    try await with(maker) { one, _ in
      for name in ["b", "a", "c"] { _ = try await one.write { try Self.append(name, $0) } }
      _ = try await one.write { try Self.append("b", $0, isDeleted: true) }
      try await one.read { storage in
        let zone = try #require(try storage.zone(named: "Z", in: Self.database))
        var names: [String] = []
        try storage.records(of: "T", in: zone.number, after: "") { record in
          names.append(record.name)
          return true
        }
        #expect(names == ["a", "c"])
        names = []
        try storage.records(of: "T", in: zone.number, after: "a") { record in
          names.append(record.name)
          return false
        }
        #expect(names == ["c"])
      }
    }
  }

  @Test(arguments: Maker.all)
  func `an index names what has a value, in the order of names`(maker: Maker) async throws {
    try await with(maker) { one, _ in
      _ = try await one.write { try Self.append("a", $0) }
      try await one.write { storage in
        let zone = try #require(try storage.zone(named: "Z", in: Self.database))
        #expect(try storage.indexes(of: "T", in: zone.number).isEmpty)
        let index = try storage.addIndex(of: "f", type: "T", in: zone.number)
        let value = { (wire: WireValue) in try #require(IndexedValue(wire)) }
        for name in ["é", "b", "Z", "b"] {
          try storage.note(try value(.string("x")), of: name, in: index.number)
        }
        try storage.note(try value(.int64(5)), of: "five", in: index.number)
        try storage.note(try value(.bytes([5])), of: "bytes", in: index.number)
        try storage.drop(try value(.string("x")), of: "Z", in: index.number)
        try storage.extend(index.number, upTo: "m")
        #expect(
          try storage.indexes(of: "T", in: zone.number)
            == [StoredIndex(number: index.number, field: "f", upTo: "m")])
        func names(_ wire: WireValue, after name: String = "", most: Int = .max) throws -> [String]
        {
          var names: [String] = []
          try storage.names(having: try value(wire), in: index.number, after: name) { name in
            names.append(name)
            return names.count < most
          }
          return names
        }
        #expect(try names(.string("x")) == ["b", "é"])
        #expect(try names(.string("x"), after: "b") == ["é"])
        #expect(try names(.string("x"), most: 1) == ["b"])
        #expect(try names(.double(5)) == ["five"])
        #expect(try names(.string("5")).isEmpty)
        #expect(try storage.indexes(of: "U", in: zone.number).isEmpty)
      }
    }
  }

  @Test func `a file of a newer version is refused`() async throws {
    let bench = try await ServiceBench()
    let path = bench.folder + "/newer.sqlite"
    let surroundings = ServiceBench.surroundings(seed: 3) { 0 }
    try await SQLiteStorage.open(path: path, surroundings: surroundings).close()
    try setVersion(231, path)
    await #expect(throws: StorageFault.newerFile) {
      try await SQLiteStorage.open(path: path, surroundings: surroundings)
    }
  }

  /// The user version stands in bytes 60 to 63 of a SQLite file.
  private func setVersion(_ version: UInt8, _ path: String) throws {
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: 62)
    try file.write(contentsOf: [3, version])
    try file.close()
  }
}
