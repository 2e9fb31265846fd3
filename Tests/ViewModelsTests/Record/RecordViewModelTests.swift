import RecordStore
import Records
import TestKit
import Testing
import UILoop
import ViewModels

/// One record, live.
@UI struct RecordViewModelTests {
  func open(_ places: Places, _ id: RecordID, _ type: TypeID = .place) async -> RecordViewModel {
    let model = RecordViewModel(
      library: places.library, reference: RecordReference(type: type, id: id), time: Places.time)
    await model.start()
    return model
  }

  @Test func `fields are shown with what they point to`() async throws {
    let places = try await Places()
    let trip = try await places.add([.name: .text("Norte")], to: .trip)
    let id = try await places.add([.name: .text("Porto"), .trip: .reference(trip)])
    let model = await open(places, id)
    #expect(model.state.phase == .present)
    #expect(model.state.title == "Porto")
    #expect(model.state.field(.trip)?.references.first?.title == "Norte")
    #expect(model.state.field(.rating)?.value == .text("fair"))
    #expect(model.state.isPending)
  }

  @Test func `a record that was read ahead is there at once, until something changes`()
    async throws
  {
    let places = try await Places()
    let shown = try await places.add([.name: .text("Lisboa")])
    let next = RecordReference(type: .place, id: try await places.add([.name: .text("Porto")]))
    let library = LibraryViewModel(library: places.library, time: Places.time)
    await library.start()
    library.readAhead([next], from: RecordReference(type: .place, id: shown))
    await library.idle()
    #expect(library.record(next).state.phase == .present)
    #expect(library.record(next).state.title == "Porto")
    try await places.change(next.id, [.name: .text("Oporto")])
    await until { library.record(next).state.phase == .loading }
    let model = library.record(next)
    await model.start()
    #expect(model.state.title == "Oporto")
  }

  @Test func `records that refer to it are listed by type`() async throws {
    let places = try await Places()
    let trip = try await places.add([.name: .text("Norte")], to: .trip)
    let model = await open(places, trip, .trip)
    #expect(model.state.backReferences.isEmpty)
    let id = try await places.add([.name: .text("Porto"), .trip: .reference(trip)])
    await until { !model.state.backReferences.isEmpty }
    let reference = RecordReference(type: .place, id: id)
    #expect(model.state.backReferences.map(\.type.id) == [.place])
    #expect(
      model.state.backReferences.first?.records == [
        ResolvedReference(reference: reference, title: "Porto")
      ])
  }

  @Test func `an attachment whose content is not here is marked until it arrives`() async throws {
    let places = try await Places()
    let bytes = Array("a photo".utf8)
    let hash = ContentHash.of(bytes)
    let file = Attachment(hash: hash, name: "p.jpg", size: Int64(bytes.count))
    let id = try await places.add([.name: .text("Porto")])
    try await places.library.saveSyncSettings(
      SyncSettings(service: "file:/x", container: "c", zone: "z"))
    var state = try await places.snapshot(id).state
    state.write(
      .value(.attachment(file)), to: .field(.photo),
      stamp: Stamp(
        time: HybridTime(milliseconds: places.world.now + 5), device: DeviceID(rawValue: 77)))
    var page = RemotePage()
    page.changes = [
      RemoteChange(
        reference: RecordReference(type: .place, id: id), content: .state(state),
        remote: RemoteCopy(tag: "1", seen: [1]))
    ]
    _ = try await places.library.apply(page)
    let model = await open(places, id)
    #expect(model.state.field(.photo)?.isContentMissing == true)
    #expect(model.state.field(.name)?.isContentMissing == false)
    let incoming = try places.library.receiveContent(hash, sizeMax: 100)
    try incoming.append(bytes, isContinued: false)
    try incoming.finish()
    try await places.library.settleContents([hash])
    await until { model.state.field(.photo)?.isContentMissing == false }
    model.stop()
  }

  @Test func `it follows what is saved, also the titles it points to`() async throws {
    let places = try await Places()
    let trip = try await places.add([.name: .text("Norte")], to: .trip)
    let id = try await places.add([.name: .text("Porto"), .trip: .reference(trip)])
    let model = await open(places, id)
    try await places.change(id, [.name: .text("Oporto")])
    await until { model.state.title == "Oporto" }
    var draft = Draft(
      id: places.library.surroundings.newDraftID(), editing: try await places.snapshot(trip, .trip))
    draft.set(.text("Sul"), of: .name)
    _ = try await places.library.commit(draft)
    await until { model.state.field(.trip)?.references.first?.title == "Sul" }
  }

  @Test func `deleted, restored, purged: each is a state`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto")])
    let model = await open(places, id)
    await model.delete()
    #expect(model.state.phase == .inTrash)
    #expect(await model.edit() == nil)
    await model.restore()
    #expect(model.state.phase == .present)
    #expect(await model.edit() != nil)
    await model.delete()
    _ = try await places.library.purge(.place, [id])
    await until { model.state.phase == .gone }
    #expect(model.state.title == "Porto")
  }

  @Test func `a stranger is gone from the start`() async throws {
    let places = try await Places()
    let model = await open(places, RecordID(high: 1, low: 1))
    #expect(model.state.phase == .gone)
    #expect(await model.edit() == nil)
  }

  @Test func `a failing intention leaves the record as it was and says why`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto")])
    let model = await open(places, id)
    places.world.faults.arm(failingAt: 1)
    await model.delete()
    places.world.faults.arm(failingAt: nil)
    #expect(model.state.failure != nil)
    #expect(model.state.phase == .present)
    await model.delete()
    #expect(model.state.failure == nil)
  }
}
