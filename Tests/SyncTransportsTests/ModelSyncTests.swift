import CloudKitWire
import Foundation
import ModelFile
import RecordStore
import Records
import SimulationKit
import Sync
import SyncTransports
import TestKit
import Testing

/// The whole model syncs, as registers that are joined like those of any record.
struct ModelSyncTests {
  static func place(_ library: Library) throws -> RecordType {
    try #require(library.model.type(World.place))
  }

  /// Changes the model of a library as a person does.
  static func change(
    _ library: Library, _ change: (inout RecordType) -> Void
  ) async throws {
    var model = library.model
    change(&model.types[0])
    _ = try await library.apply(model, losing: true)
  }

  @Test func `labels, order, constraints, settings and hidden fields reach the other device`()
    async throws
  {
    let world = try await World(devices: 2)
    defer { world.remove() }
    let id = try await world.libraries[0].add(["name": .text("Kyoto"), "population": .integer(1)])
    try await world.settle()
    try await Self.change(world.libraries[0]) { type in
      type.label = "Where I was"
      type.list = [World.tags, World.name]
      type.sort = [SortKey(field: World.population, descending: true)]
      type.key = World.name
      type.title = World.tags
      type.fields.swapAt(0, 1)
      let name = type.fields.firstIndex { $0.id == World.name } ?? 0
      type.fields[name].label = "地名"
      type.fields[name].required = true
      type.fields[name].max = .integer(80)
      type.fields[name].pattern = "[A-Z].*"
      let notes = type.fields.firstIndex { $0.id.name == "notes" } ?? 0
      type.fields[notes].merge = .latest
      let visits = type.fields.firstIndex { $0.id.name == "visits" } ?? 0
      type.fields[visits].hidden = true
      type.fields.append(Field(id: FieldID(trusted: "new"), type: .choice(["a", "b"])))
    }
    try await world.settle()
    #expect(world.libraries[1].model == world.libraries[0].model)
    let copy = try Self.place(world.libraries[1])
    #expect(copy.label == "Where I was")
    #expect(copy.fields.first?.id == World.population)
    #expect(copy.field(FieldID(trusted: "visits"))?.hidden == true)
    #expect(
      try await world.libraries[1].snapshot(World.place, id)?.value(of: World.name)
        == .text("Kyoto"))
    // Nobody has anything to say any more.
    let network = CountingNetwork(world.network)
    for device in 0..<2 { try await world.sync(device, through: network) }
    #expect(network.calls("records/modify") == 0)
  }

  @Test func `changes of two devices to different fields both stand`() async throws {
    let world = try await World(devices: 2)
    defer { world.remove() }
    try await world.settle()
    try await Self.change(world.libraries[0]) { $0.fields[0].label = "Name" }
    try await Self.change(world.libraries[1]) { $0.fields[1].label = "People" }
    try await Self.change(world.libraries[1]) { $0.label = "Places" }
    try await world.settle()
    for library in world.libraries {
      let type = try Self.place(library)
      #expect(type.fields[0].label == "Name")
      #expect(type.fields[1].label == "People")
      #expect(type.label == "Places")
    }
    #expect(world.libraries[0].model == world.libraries[1].model)
  }

  @Test func `a change of one field on two devices settles alike, and can be changed again`()
    async throws
  {
    let world = try await World(devices: 3)
    defer { world.remove() }
    try await world.settle()
    try await Self.change(world.libraries[0]) { $0.fields[0].label = "First" }
    world.clock.advance(1_000)
    try await Self.change(world.libraries[1]) { $0.fields[0].label = "Second" }
    try await world.settle()
    let labels = try world.libraries.map { try Self.place($0).fields[0].label }
    #expect(Set(labels).count == 1)
    try await Self.change(world.libraries[2]) { $0.fields[0].label = "Third" }
    try await world.settle()
    for library in world.libraries { #expect(try Self.place(library).fields[0].label == "Third") }
  }

  /// What the simulation found with seed 215.
  @Test func `a field that comes to settle by its lines has the same base on all devices, or none`()
    async throws
  {
    let world = try await World(devices: 2)
    defer { world.remove() }
    let library = world.libraries[0]
    let (living, trashed) = (
      try await library.add(["name": .text("Kyoto")]),
      try await library.add(["name": .text("Osaka")])
    )
    try await world.settle()
    for id in [living, trashed] { try await library.set(id, ["name": .text("new")]) }
    _ = try await library.delete(World.place, [trashed])
    try await world.settle()
    var model = world.libraries[1].model
    model.types[0].fields[0].merge = .lines
    _ = try await world.libraries[1].apply(model)
    try await world.settle()
    for id in [living, trashed] {
      var states: [RecordState?] = []
      for library in world.libraries {
        let snapshot = try await library.snapshot(World.place, id)
        states.append(snapshot?.state.travelling(in: model.types[0]))
      }
      #expect(states[0] == states[1])
    }
    try await world.close()
  }

  @Test func `an undone change of the model is undone everywhere`() async throws {
    let world = try await World(devices: 2)
    defer { world.remove() }
    try await world.settle()
    let before = world.libraries[0].model
    try await Self.change(world.libraries[0]) { $0.fields[0].label = "Name" }
    try await world.settle()
    _ = try await world.libraries[0].undo()
    try await world.settle()
    #expect(world.libraries[0].model == before)
    #expect(world.libraries[1].model == before)
  }

  @Test func `a new type, with records, comes to a library that never had it`() async throws {
    var trip = RecordType(id: TypeID(trusted: "Trip"))
    trip.fields = [Field(id: World.name, type: .text)]
    trip.title = World.name
    let world = try await World(
      devices: 2, models: [Model(types: [trip, World.type]), Model(types: [World.type])])
    defer { world.remove() }
    let id = try await world.libraries[0].add(["name": .text("Kyoto")])
    try await world.settle()
    #expect(world.libraries[1].model == world.libraries[0].model)
    #expect(world.libraries[1].model.types.count == 2)
    #expect(try await world.libraries[1].snapshot(World.place, id) != nil)
    #expect(try await world.libraries[1].heldRecords(limit: 10).isEmpty)
  }

  @Test func `what only a newer Skyros knows of the model is kept to the bit`() async throws {
    let world = try await World(devices: 2)
    defer { world.remove() }
    try await world.settle()
    // A newer one wrote a field of an unknown type, and an unknown member of a known field.
    let client = ServiceClient(
      transport: world.network, zone: "Skyros", milliseconds: { world.clock.now })
    let name = "skyros.type.Place"
    guard case .message(let found, _) = await client.lookup([name]),
      case .record(var record)? = found.records.first,
      case .bytes(let bytes)? = record.fields["skyros_state"]?.value
    else {
      Issue.record("no reserved record")
      return
    }
    var state = try StateCodec.whole(reading: bytes)
    let newer = Stamp(
      time: HybridTime(milliseconds: world.clock.now + 5_000), device: DeviceID(rawValue: 77))
    let span = #"{"type":"span","unit":"hours"}"#
    state.write(.value(.text(span)), to: .field(FieldID(trusted: "span")), stamp: newer)
    let label = #"{"type":"text","name":"name","colour":"red","label":"Old"}"#
    state.write(.value(.text(label)), to: .field(World.name), stamp: newer)
    record.fields = ["skyros_state": .bytes(StateCodec.whole(state))]
    _ = await client.modify([RecordOperation(.update, record)])
    world.clock.advance(60_000)
    try await world.settle()
    #expect(try Self.place(world.libraries[0]).field(World.name)?.label == "Old")
    #expect(try Self.place(world.libraries[0]).field(FieldID(trusted: "span")) == nil)
    // An old one changes the label: the colour stays, and so does the unknown field.
    try await Self.change(world.libraries[0]) { type in
      let index = type.fields.firstIndex { $0.id == World.name } ?? 0
      type.fields[index].label = "New"
    }
    try await world.settle()
    guard case .message(let again, _) = await client.lookup([name]),
      case .record(let after)? = again.records.first,
      case .bytes(let kept)? = after.fields["skyros_state"]?.value
    else {
      Issue.record("no reserved record")
      return
    }
    let registers = try StateCodec.whole(reading: kept).registers
    #expect(registers[.field(FieldID(trusted: "span"))]?.winner.value == .text(span))
    guard case .text(let definition)? = registers[.field(World.name)]?.winner.value else {
      Issue.record("no definition")
      return
    }
    #expect(definition.contains(#""colour":"red""#))
    #expect(definition.contains(#""label":"New""#))
    #expect(try Self.place(world.libraries[1]).field(World.name)?.label == "New")
  }
}
