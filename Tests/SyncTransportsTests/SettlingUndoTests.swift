import RecordStore
import Records
import SimulationKit
import Testing

/// Settling is an ordinary save, and undo takes it back: the writers disagree again, everywhere.
struct SettlingUndoTests {
  /// The conflicts of a record, by what can be chosen and what it came from.
  private func conflicts(_ library: Library, _ id: RecordID) async throws -> [String] {
    let snapshot = try #require(try await library.snapshot(World.place, id))
    return snapshot.state.conflicts(in: World.type).map { conflict in
      "\(String(describing: conflict.field)) \(conflict.sides.map(\.value)) "
        + "\(String(describing: conflict.base))"
    }
  }

  /// Two libraries whose people edited one name each.
  private func disputed() async throws -> (World, RecordID) {
    let world = try await World(devices: 2)
    let id = try await world.libraries[0].add(["name": .text("Kyoto")])
    try await world.settle()
    try await world.libraries[0].set(id, ["name": .text("Kioto")])
    try await world.libraries[1].set(id, ["name": .text("京都")])
    try await world.settle()
    return (world, id)
  }

  @Test(arguments: [0, 1])
  func `a conflict settled by the shown side or the other comes back by undo, on both devices`(
    side: Int
  ) async throws {
    let (world, id) = try await disputed()
    defer { world.remove() }
    let library = world.libraries[0]
    let before = try await conflicts(library, id)
    #expect(before.count == 1)
    let sides = try #require(
      try await library.snapshot(World.place, id)?.state.conflicts(in: World.type).first?.sides)
    let settling = try await library.resolve(
      World.place, id, field: World.name, value: sides[side].value)
    #expect(try await conflicts(library, id).isEmpty)
    try await world.settle()
    #expect(try await conflicts(world.libraries[1], id).isEmpty)
    #expect(try await library.undo().undone == settling.transaction)
    try await world.settle()
    for library in world.libraries { #expect(try await conflicts(library, id) == before) }
    try await world.expectConverged()
    // It can be settled again, and stays so.
    _ = try await world.libraries[1].resolve(
      World.place, id, field: World.name, value: .value(.text("Kyōto")))
    try await world.settle()
    for library in world.libraries {
      #expect(try await conflicts(library, id).isEmpty)
      #expect(
        try await library.snapshot(World.place, id)?.value(of: World.name) == .text("Kyōto"))
    }
    try await world.close()
  }

  @Test(arguments: [ConflictValue.keep, .delete])
  func `a deletion against an edit is disputed again when its settling is undone`(
    value: ConflictValue
  ) async throws {
    let world = try await World(devices: 2)
    defer { world.remove() }
    let id = try await world.libraries[0].add(["name": .text("Kyoto")])
    try await world.settle()
    _ = try await world.libraries[0].delete(World.place, [id])
    try await world.libraries[1].set(id, ["population": .integer(5)])
    try await world.settle()
    let before = try await conflicts(world.libraries[1], id)
    #expect(before.count == 1)
    let settling = try await world.libraries[1].resolve(World.place, id, field: nil, value: value)
    try await world.settle()
    #expect(
      try await world.libraries[0].snapshot(World.place, id)?.isDeleted == (value == .delete))
    #expect(try await world.libraries[1].undo().undone == settling.transaction)
    try await world.settle()
    for library in world.libraries { #expect(try await conflicts(library, id) == before) }
    try await world.expectConverged()
    try await world.close()
  }

  @Test func `what somebody wrote after a settling stays when the settling is undone`()
    async throws
  {
    let (world, id) = try await disputed()
    defer { world.remove() }
    let settling = try await world.libraries[0].resolve(
      World.place, id, field: World.name, value: .value(.text("Kyōto")))
    try await world.settle()
    try await world.libraries[1].set(id, ["name": .text("Heian-kyō")])
    try await world.settle()
    let number = try #require(settling.transaction)
    do { _ = try await world.libraries[0].undo(number) } catch StoreError.changedSince {}
    try await world.settle()
    for library in world.libraries {
      #expect(try await conflicts(library, id).isEmpty)
      #expect(
        try await library.snapshot(World.place, id)?.value(of: World.name) == .text("Heian-kyō"))
    }
    try await world.close()
  }
}
