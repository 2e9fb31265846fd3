import RecordStore
import Records
import TestKit
import Testing
import UILoop
import ViewModels

/// The inbox of conflicts by value.
@Suite(.serialized) @UI struct ConflictsViewModelTests {
  private static let other = DeviceID(rawValue: 77)

  /// Has another device give a record another name, unseen by this library.
  private func dispute(
    _ id: RecordID, _ name: String, in places: Places, after milliseconds: Int64 = 5
  ) async throws {
    try await places.library.saveSyncSettings(
      SyncSettings(service: "file:/x", container: "c", zone: "z"))
    var state = RecordState()
    let time = HybridTime(milliseconds: places.world.now + milliseconds)
    state.write(
      .value(.text(name)), to: .field(.name), stamp: Stamp(time: time, device: Self.other))
    var page = RemotePage()
    page.changes = [
      RemoteChange(
        reference: RecordReference(type: .place, id: id), content: .state(state),
        remote: RemoteCopy(tag: "1", seen: [1]))
    ]
    _ = try await places.library.apply(page)
  }

  private func names(_ model: ConflictsViewModel) -> [String] { model.state.records.map(\.title) }

  @Test func `conflicts are listed newest first, with who disagrees`() async throws {
    let places = try await Places()
    let porto = try await places.add([.name: .text("Porto")])
    let oslo = try await places.add([.name: .text("Oslo")])
    try await dispute(porto, "O Porto", in: places)
    try await dispute(oslo, "Christiania", in: places, after: 50)
    let model = ConflictsViewModel(library: places.library)
    await model.start()
    #expect(model.state.isLoaded)
    #expect(names(model) == ["Christiania", "O Porto"])
    let first = try #require(model.state.selected)
    #expect(first.reference == RecordReference(type: .place, id: oslo))
    #expect(first.conflicts.count == 1)
    #expect(Set(first.devices) == [Self.other, places.library.device])
    #expect(first.newest.milliseconds == places.world.now + 50)
    model.stop()
  }

  @Test func `taking what is shown settles the targets in one save`()
    async throws
  {
    let places = try await Places()
    var ids: [RecordID] = []
    for name in ["a", "b", "c"] {
      ids.append(try await places.add([.name: .text(name)]))
    }
    for (index, id) in ids.enumerated() {
      try await dispute(id, "theirs \(index)", in: places, after: Int64(index) + 5)
    }
    let model = ConflictsViewModel(library: places.library)
    await model.start()
    #expect(names(model) == ["theirs 2", "theirs 1", "theirs 0"])
    // Without marks it is the one under the cursor; with marks the marked ones alone.
    #expect(model.state.targets.map(\.title) == ["theirs 2"])
    model.toggleMark()
    model.moveCursor(to: 2)
    model.toggleMark()
    #expect(model.state.targets.map(\.title) == ["theirs 2", "theirs 0"])
    await model.takeShown()
    let saved = try #require(try await places.library.history(limit: 1).first)
    #expect(model.state.notice == .settled(count: 2, transaction: saved.number))
    #expect(saved.origin == .edit)
    #expect(names(model) == ["theirs 1"])
    #expect(model.state.marks.isEmpty)
    #expect(model.state.cursor == 0)
    #expect(try await places.value(.name, of: ids[2]) == .text("theirs 2"))
    model.dismissNotice()
    #expect(model.state.notice == nil)
    model.stop()
  }

  @Test func `all are marked, then none`() async throws {
    let places = try await Places()
    for name in ["a", "b"] {
      try await dispute(try await places.add([.name: .text(name)]), "x", in: places)
    }
    let model = ConflictsViewModel(library: places.library)
    await model.start()
    model.toggleAllMarks()
    #expect(model.state.marks.count == 2)
    model.toggleAllMarks()
    #expect(model.state.marks.isEmpty)
    model.stop()
  }

  @Test
  func `one that arrives leaves the cursor on its record; a settled one takes its mark along`()
    async throws
  {
    let places = try await Places()
    let porto = try await places.add([.name: .text("Porto")])
    let oslo = try await places.add([.name: .text("Oslo")])
    try await dispute(porto, "O Porto", in: places)
    let model = ConflictsViewModel(library: places.library)
    await model.start()
    model.toggleMark()
    try await dispute(oslo, "Christiania", in: places, after: 50)
    await until { model.state.records.count == 2 }
    #expect(model.state.selected?.title == "O Porto")
    #expect(model.state.cursor == 1)
    _ = try await places.library.resolve(
      .place, porto, field: .name, value: .value(.text("Porto")))
    await until { model.state.records.count == 1 }
    #expect(model.state.marks.isEmpty)
    #expect(model.state.cursor == 0)
    model.moveCursor(to: 99)
    #expect(model.state.cursor == 0)
    model.stop()
  }

  @Test func `an empty inbox has nothing to take`() async throws {
    let places = try await Places()
    let model = ConflictsViewModel(library: places.library)
    await model.start()
    #expect(model.state.isLoaded)
    #expect(model.state.selected == nil)
    #expect(model.state.targets.isEmpty)
    model.toggleMark()
    #expect(model.state.marks.isEmpty)
    model.stop()
  }
}
