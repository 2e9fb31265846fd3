import Foundation
import RecordStore
import Records
import Sync
import SyncTransports
import TestKit
import Testing

/// A random history of several real libraries and one real service, over a network with faults and
/// with libraries whose writes fail in the middle.
///
/// After healing and quiet the checkers look at all of it. The same seed gives the same history.
struct Simulation {
  let seed: UInt64
  private(set) var world: World
  private var random: SeededGenerator
  private var networks: [UnreliableNetwork] = []
  private var records: [RecordID] = []
  /// Every save: the record, and its stamp.
  ///
  /// None of them may ever be unknown to the end.
  private var saves: [(record: RecordID, stamp: Stamp, value: Value)] = []
  private(set) var purged: Set<RecordID> = []
  private var counter = 0

  init(seed: UInt64, through wrap: (any SyncTransport) -> any SyncTransport = { $0 }) async throws {
    self.seed = seed
    var random = SeededGenerator(seed: seed)
    let devices = Int.random(in: 2...4, using: &random)
    // Now and then a device's clock is wrong by years.
    let skews = (0..<devices).map { _ -> Int64 in
      Int.random(in: 0..<4, using: &random) == 0
        ? Int64.random(in: -100_000_000_000...100_000_000_000, using: &random) : 0
    }
    world = try await World(devices: devices, seed: seed, skews: skews)
    let network = wrap(world.network)
    world.setNetwork(network)
    for _ in 0..<devices {
      networks.append(UnreliableNetwork(network, seed: random.next()))
    }
    self.random = random
  }

  mutating func run(steps: Int) async throws {
    for _ in 0..<steps {
      let device = Int.random(in: 0..<world.libraries.count, using: &random)
      try await step(on: device)
      world.clock.advance(Int64.random(in: 0...5_000, using: &random))
    }
    for network in networks { network.heal() }
  }

  private mutating func step(on device: Int) async throws {
    let library = world.libraries[device]
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<3:
      counter += 1
      records.append(try await library.add(["name": .text("new \(counter)")]))
      try await remember(records.last, on: library)
    case 3..<10: try await edit(on: library)
    case 10:
      guard let id = records.randomElement(using: &random) else { break }
      _ = try? await library.delete(World.place, [id])
    case 11:
      guard let id = records.randomElement(using: &random) else { break }
      _ = try? await library.restore(World.place, [id])
    case 12:
      guard let id = records.randomElement(using: &random),
        try await library.snapshot(World.place, id)?.isDeleted == true,
        Int.random(in: 0..<3, using: &random) == 0
      else { break }
      _ = try await library.purge(World.place, [id])
      purged.insert(id)
    case 13: _ = try? await library.undo()
    case 14: try await settleConflict(on: library)
    default:
      if Int.random(in: 0..<4, using: &random) == 0 {
        world.faults[device].arm(failingAt: Int.random(in: 1...40, using: &random))
      }
      // What the network or the file does to it must never reach the person as a crash.
      _ = try? await world.sync(device, through: networks[device])
      world.faults[device].arm(failingAt: nil)
    }
  }

  private mutating func edit(on library: Library) async throws {
    guard let id = records.randomElement(using: &random) else { return }
    counter += 1
    let words = ["a", "b", "c", "d"].filter { _ in Bool.random(using: &random) }
    let value: (String, Value) =
      switch Int.random(in: 0..<6, using: &random) {
      case 0: ("tags", .tags(nonEmpty: TagSet(words)))
      case 1: ("visits", .integer(Int64.random(in: 0...9, using: &random)))
      case 2: ("notes", .text(words.joined(separator: "\n") + "\n\(counter)"))
      case 3: ("near", records.randomElement(using: &random).map(Value.reference) ?? .empty)
      case 4: ("population", .integer(Int64(counter)))
      default: ("name", .text("name \(counter)"))
      }
    try await library.set(id, [value.0: value.1])
    try await remember(id, on: library)
  }

  private mutating func remember(_ id: RecordID?, on library: Library) async throws {
    guard let id, let state = try await library.snapshot(World.place, id)?.state else { return }
    for (key, register) in state.registers {
      guard case .field = key, register.winner.stamp.device == library.device else { continue }
      saves.append((id, register.winner.stamp, register.winner.value))
    }
  }

  private mutating func settleConflict(on library: Library) async throws {
    guard let record = try await library.conflictedRecords(limit: 5).randomElement(using: &random),
      let snapshot = try await library.snapshot(record.type, record.id),
      let conflict = snapshot.state.conflicts(in: World.type).first,
      let side = conflict.sides.randomElement(using: &random)
    else { return }
    _ = try await library.resolve(
      record.type, record.id, field: conflict.field, value: side.value)
  }

  // MARK: The checkers

  /// What is wrong after healing and quiet, as sentences; nothing if all is well.
  func faults() async throws -> [String] {
    try await world.settle()
    var found: [String] = []
    let first = try await world.contents(world.libraries[0])
    for (number, library) in world.libraries.enumerated() {
      let contents = try await world.contents(library)
      for key in Set(contents.keys).union(first.keys).sorted() where contents[key] != first[key] {
        // A purge takes a record away where it was said; elsewhere it rests in the trash.
        let sides = [contents[key], first[key]].map { $0?.existence ?? .deleted }
        if sides == [.deleted, .deleted], isPurged(key) { continue }
        found.append(
          "library \(number) differs from library 0 in \(key): "
            + "\(String(describing: contents[key])) is not \(String(describing: first[key]))")
      }
      let backlog = try await library.syncBacklog()
      if backlog.pending > 0 { found.append("library \(number): \(backlog.pending) pending") }
      if backlog.parked > 0 { found.append("library \(number): \(backlog.parked) parked") }
      let status = try await SyncStatus.read(library, now: world.clock.now)
      if status.summary != .succeeded {
        found.append("library \(number) says \(status.summary)")
      }
      found += try await eventFaults(library, number)
    }
    for save in saves where !purged.contains(save.record) {
      guard let state = first["\(World.place) \(save.record)"] else {
        found.append("record \(save.record) is gone")
        continue
      }
      if !state.vector.covers(save.stamp) { found.append("a save of \(save.value) is lost") }
    }
    return found
  }

  private func isPurged(_ key: String) -> Bool {
    purged.contains { key.hasSuffix("\($0)") }
  }

  /// Events end, none overlaps, and what was sent is accounted for.
  private func eventFaults(_ library: Library, _ number: Int) async throws -> [String] {
    var found: [String] = []
    for event in try await library.events(limit: 2_000) {
      if event.outcome == .running { found.append("library \(number): an event never ended") }
      if event.counts.acknowledged > event.counts.sent {
        found.append("library \(number): more acknowledged than sent")
      }
    }
    return found
  }
}
