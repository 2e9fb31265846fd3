import CloudKitWire
import Foundation
import RecordService
import RecordStore
import Records
import Sync
import SyncTransports
import SimulationKit
import TestKit
import Testing

/// Two libraries and a real service in this process: the thinnest thread through all layers.
struct EmbeddedSyncTests {
  @Test func `two libraries with one service end up equal`() async throws {
    let world = try await World(devices: 2)
    defer { world.remove() }
    let a = world.libraries[0]
    let b = world.libraries[1]
    let id = try await a.add(["name": .text("Kyoto"), "tags": .tags(TagSet(["old", "green"]))])
    try await world.sync(0)
    try await world.sync(1)
    let copy = try #require(try await b.snapshot(World.place, id))
    #expect(copy.value(of: World.name) == .text("Kyoto"))
    #expect(copy.value(of: World.tags) == .tags(TagSet(["green", "old"])))
    #expect(!copy.isPending)
    try await b.set(id, ["population": .integer(1_463_723)])
    try await world.sync(1)
    try await world.sync(0)
    #expect(
      try await a.snapshot(World.place, id)?.value(of: World.population) == .integer(1_463_723))
    try await world.expectConverged()
  }

  @Test func `edits of one field on both sides become a conflict that one side settles`()
    async throws
  {
    let world = try await World(devices: 2)
    defer { world.remove() }
    let id = try await world.libraries[0].add(["name": .text("Kyoto")])
    try await world.sync(0)
    try await world.sync(1)
    try await world.libraries[0].set(id, ["name": .text("Kioto")])
    try await world.libraries[1].set(id, ["name": .text("京都")])
    try await world.sync(0)
    try await world.sync(1)
    try await world.sync(0)
    for library in world.libraries {
      let snapshot = try #require(try await library.snapshot(World.place, id))
      let conflicts = snapshot.state.conflicts(in: World.type)
      #expect(conflicts.count == 1)
      #expect(conflicts.first?.base == .text("Kyoto"))
      #expect(conflicts.first?.sides.count == 2)
    }
    _ = try await world.libraries[1].resolve(
      World.place, id, field: World.name, value: .value(.text("Kioto")))
    try await world.sync(1)
    try await world.sync(0)
    for library in world.libraries {
      let snapshot = try #require(try await library.snapshot(World.place, id))
      #expect(snapshot.state.conflicts(in: World.type).isEmpty)
      #expect(snapshot.value(of: World.name) == .text("Kioto"))
    }
    try await world.expectConverged()
  }

  @Test func `a deletion travels, and one against an edit is a conflict`() async throws {
    let world = try await World(devices: 2)
    defer { world.remove() }
    let gone = try await world.libraries[0].add(["name": .text("Gone")])
    let disputed = try await world.libraries[0].add(["name": .text("Disputed")])
    try await world.sync(0)
    try await world.sync(1)
    _ = try await world.libraries[0].delete(World.place, [gone, disputed])
    try await world.libraries[1].set(disputed, ["population": .integer(5)])
    try await world.sync(0)
    try await world.sync(1)
    try await world.sync(0)
    for library in world.libraries {
      #expect(try await library.snapshot(World.place, gone)?.isDeleted == true)
      let snapshot = try #require(try await library.snapshot(World.place, disputed))
      #expect(!snapshot.isDeleted)
      #expect(snapshot.state.existence == .disputed)
    }
    try await world.expectConverged()
  }

  @Test func `a purge reaches the other library's trash`() async throws {
    let world = try await World(devices: 2)
    defer { world.remove() }
    let id = try await world.libraries[0].add(["name": .text("Purged")])
    try await world.sync(0)
    try await world.sync(1)
    _ = try await world.libraries[0].delete(World.place, [id])
    _ = try await world.libraries[0].purge(World.place, [id])
    try await world.sync(0)
    try await world.sync(1)
    #expect(try await world.libraries[0].snapshot(World.place, id) == nil)
    #expect(try await world.libraries[1].snapshot(World.place, id)?.isDeleted == true)
    for library in world.libraries { #expect(try await library.syncBacklog().pending == 0) }
  }

  @Test func `a second sync sends and takes in nothing`() async throws {
    let world = try await World(devices: 2)
    defer { world.remove() }
    for number in 0..<20 {
      _ = try await world.libraries[0].add(["name": .text("Place \(number)")])
    }
    try await world.sync(0)
    try await world.sync(1)
    let before = try await world.libraries[0].events(limit: 10).count
    try await world.sync(0)
    let events = try await world.libraries[0].events(limit: 10)
    #expect(events.count == before + 2)
    #expect(events.prefix(2).allSatisfy { $0.counts.sent == 0 && $0.counts.applied == 0 })
    let status = try await SyncStatus.read(world.libraries[0], now: 0)
    #expect(status.summary == .succeeded)
    #expect(status.health == .ok)
  }
}

extension EmbeddedSyncTests {
  @Test func `a library learns the types and fields that only the other one has`() async throws {
    var small = World.type
    small.fields = [small.fields[0]]
    var book = RecordType(id: TypeID(trusted: "Book"))
    book.fields = [Field(id: FieldID(trusted: "title"), type: .text)]
    let world = try await World(
      devices: 2, models: [Model(types: [World.type]), Model(types: [small, book])])
    defer { world.remove() }
    let id = try await world.libraries[0].add([
      "name": .text("Kyoto"), "population": .integer(7),
    ])
    try await world.sync(0)
    try await world.sync(1)
    let copy = try #require(try await world.libraries[1].snapshot(World.place, id))
    #expect(copy.value(of: World.population) == .integer(7))
    try await world.sync(0)
    #expect(world.libraries[0].model.type(book.id)?.fields == book.fields)
    for library in world.libraries {
      let backlog = try await library.syncBacklog()
      #expect(backlog.pending == 0 && backlog.held == 0)
    }
  }
}
