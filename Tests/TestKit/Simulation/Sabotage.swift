// Deliberate faults, one for each invariant: each makes its checker fail, which shows that it bites.

internal import GRDB
package import RecordStore
package import Records
package import Sync

/// What is broken in a run; as it is made, nothing.
package struct Sabotage: Sendable {
  /// What stands between all libraries and the service.
  package var service: @Sendable (any SyncTransport) -> any SyncTransport = { $0 }
  /// What stands between one library and the service.
  package var way: @Sendable (any SyncTransport, _ device: Int) -> any SyncTransport = { way, _ in
    way
  }
  /// Ends a draft without saving it.
  package var cancel: @Sendable (Draft, Library) async throws -> Void = { draft, library in
    try await library.discardDraft(draft.id)
  }
  package var beforeSaving: @Sendable (Library) async throws -> Void = { _ in }
  package var beforeReopening: @Sendable (Library) async throws -> Void = { _ in }
  package var afterQuiet: @Sendable (World) async throws -> Void = { _ in }

  package init() {}

  /// The fault that only the invariant's checker can notice.
  package static func breaking(_ invariant: Invariant) -> Sabotage {
    var sabotage = Sabotage()
    switch invariant {
    case .librariesAreEqual:
      sabotage.way = { way, device in device == 1 ? Saboteur(way, .skipsRecords) : way }
    case .modelsAreEqual: sabotage.afterQuiet = { try await changeModel(of: $0) }
    case .savesStand: sabotage.afterQuiet = { try await forge(.overwrite, in: $0) }
    case .deletionsStand: sabotage.afterQuiet = { try await forge(.revive, in: $0) }
    case .failuresLeaveNothing:
      sabotage.beforeSaving = { library in
        _ = try await library.add(["name": .text("half of a save")])
        throw StoreError.nothingToUndo
      }
    case .refusalsAreReasoned:
      sabotage.beforeSaving = { _ in throw StoreError.sqlite(code: 11, message: "malformed") }
    case .nothingIsPending:
      sabotage.way = { way, device in device == 0 ? Saboteur(way, .refusesPurges) : way }
    case .draftsAreUntouched: sabotage.beforeReopening = { try await touchDrafts(of: $0) }
    case .cancelledIsNowhere:
      sabotage.cancel = { draft, library in
        _ = try await library.commit(draft)
        try await library.discardDraft(draft.id)
      }
    case .eventsAreNested: sabotage.afterQuiet = { try await overlapEvents(of: $0) }
    case .countsAddUp: sabotage.afterQuiet = { try await miscount(in: $0) }
    case .countersAddUp: sabotage.afterQuiet = { try await inflate(in: $0) }
    case .devicesAreDistinct: sabotage.afterQuiet = { try takeDeviceOfAnother(in: $0) }
    case .statusIsHonest: sabotage.afterQuiet = { try await failLast(in: $0) }
    case .librariesAreSound: sabotage.afterQuiet = { try dropGuard(in: $0) }
    }
    return sabotage
  }

  // MARK: Deeds behind everybody's back

  private static func changeModel(of world: World) async throws {
    var model = world.libraries[0].model
    model.types[0].fields.append(Field(id: FieldID(trusted: "secret"), type: .text))
    _ = try await world.libraries[0].apply(model)
  }

  private enum Forgery { case overwrite, revive }

  /// Puts a state into every library that a writer made who claims to have seen everything.
  private static func forge(_ forgery: Forgery, in world: World) async throws {
    guard let record = try await victim(of: forgery, in: world) else { return }
    let name = FieldID(trusted: "name")
    let forger = DeviceID(rawValue: 1)
    for library in world.libraries {
      guard let snapshot = try await library.snapshot(record.type, record.id),
        let newest = snapshot.state.newest
      else { continue }
      var state = snapshot.state
      let stamp = Stamp(time: newest.time.next, device: forger)
      switch forgery {
      case .overwrite: state.write(.value(.text("forged")), to: .field(name), stamp: stamp)
      case .revive: state.revive(stamp: stamp)
      }
      var page = RemotePage()
      page.changes = [
        RemoteChange(
          reference: record, content: .state(state),
          remote: try await library.remoteCopies([record.id])[record.id])
      ]
      _ = try await library.apply(page)
    }
  }

  /// Has one share of a counter say more in every library, under the stamp that it has.
  private static func inflate(in world: World) async throws {
    for record in try await places(in: world) {
      guard let snapshot = try await world.libraries[0].snapshot(record.type, record.id),
        let share = snapshot.state.registers.first(where: { key, _ in key.field == climbs })
      else { continue }
      var registers = snapshot.state.registers
      let winner = share.value.winner
      // Of two payloads under one stamp the greater stands, by an order of their bytes.
      for more in [1, -1] as [Int64] {
        registers[share.key] = Register(
          Sibling(stamp: winner.stamp, payload: .value(.integer(winner.value.count + more))))
        let forged = RecordState(vector: snapshot.state.vector, registers: registers)
        if snapshot.state.joined(with: forged) != snapshot.state {
          return try await spread(forged, of: record, in: world)
        }
      }
    }
  }

  private static let climbs = SimulatedModel.climbs

  private static func spread(
    _ state: RecordState, of record: RecordReference, in world: World
  ) async throws {
    for library in world.libraries {
      var page = RemotePage()
      page.changes = [
        RemoteChange(
          reference: record, content: .state(state),
          remote: try await library.remoteCopies([record.id])[record.id])
      ]
      _ = try await library.apply(page)
    }
  }

  /// Has the second library write as the first one from the next time on that it is opened.
  private static func takeDeviceOfAnother(in world: World) throws {
    guard let path = world.libraries[1].path else { return }
    let file = try DatabaseQueue(path: "\(path)/library.sqlite")
    try file.write { db in
      try db.execute(
        sql: "UPDATE _device SET id = ? WHERE living = 1",
        arguments: [Int64(bitPattern: world.libraries[0].device.rawValue)])
    }
    try file.close()
  }

  /// A place that every library has.
  private static func victim(of forgery: Forgery, in world: World) async throws -> RecordReference?
  {
    try await places(in: world, areDeleted: forgery == .revive).first
  }

  /// The places that every library has, in the trash or not.
  private static func places(
    in world: World, areDeleted: Bool = false
  ) async throws -> [RecordReference] {
    var candidates: [RecordReference] = []
    try await world.libraries[0].forEachRecord { snapshot in
      if snapshot.isDeleted == areDeleted {
        candidates.append(RecordReference(type: snapshot.type, id: snapshot.id))
      }
    }
    var result: [RecordReference] = []
    for candidate in candidates {
      var isEverywhere = true
      for library in world.libraries.dropFirst() {
        let other = try await library.snapshot(candidate.type, candidate.id)
        if other?.isDeleted != areDeleted { isEverywhere = false }
      }
      if isEverywhere { result.append(candidate) }
    }
    return result
  }

  /// Offers a draft that its person never left open.
  private static func touchDrafts(of library: Library) async throws {
    guard let type = library.model.types.first else { return }
    var draft = Draft(
      id: library.surroundings.newDraftID(), new: library.surroundings.newRecordID(), of: type)
    draft.set(.text("never typed"), of: type.fields[0].id)
    try await library.journal(draft)
  }

  private static func overlapEvents(of world: World) async throws {
    let library = world.libraries[0]
    let now = world.clock.now
    for _ in 0..<2 {
      var event = try await library.beginEvent(.import, trigger: .user, at: now)
      event.endedAt = now + 10
      event.outcome = .succeeded
      try await library.updateEvent(event)
    }
  }

  private static func miscount(in world: World) async throws {
    let library = world.libraries[0]
    var event = try await library.beginEvent(.export, trigger: .user, at: world.clock.now)
    event.endedAt = event.startedAt
    event.outcome = .succeeded
    event.counts.sent = 1
    event.counts.acknowledged = 2
    try await library.updateEvent(event)
  }

  private static func failLast(in world: World) async throws {
    let library = world.libraries[0]
    var event = try await library.beginEvent(.import, trigger: .user, at: world.clock.now)
    event.endedAt = event.startedAt
    event.outcome = .failed
    event.error = "INTERNAL_ERROR"
    try await library.updateEvent(event)
  }

  /// Takes a trigger out of a file that keeps other programs from writing around the log.
  private static func dropGuard(in world: World) throws {
    guard let path = world.libraries[0].path else { return }
    let file = try DatabaseQueue(path: "\(path)/library.sqlite")
    try file.writeWithoutTransaction { db in
      let name = try String.fetchOne(
        db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name LIMIT 1")
      if let name { try db.execute(sql: "DROP TRIGGER \"\(name)\"") }
    }
    try file.close()
  }
}
