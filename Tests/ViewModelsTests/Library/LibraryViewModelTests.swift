import RecordStore
import Records
import TestKit
import Testing
import UILoop
import ViewModels

/// The library as a whole, its history and its trash.
@UI struct LibraryViewModelTests {
  func open(_ places: Places) async -> LibraryViewModel {
    let model = LibraryViewModel(library: places.library, time: Places.time)
    await model.start()
    return model
  }

  @Test func `types are counted, and counted again after a save`() async throws {
    let places = try await Places()
    let model = await open(places)
    #expect(model.state.types.map(\.type.id) == [.place, .trip])
    #expect(model.state.types.map(\.count) == [0, 0])
    #expect(model.state.name == nil)
    let id = try await places.add([.name: .text("Porto")])
    await until { model.state.types.first?.count == 1 }
    _ = try await places.library.delete(.place, [id])
    await until { model.state.trashCount == 1 && model.state.types.first?.count == 0 }
  }

  @Test func `a form for a record that is gone is a notice`() async throws {
    let places = try await Places()
    let model = await open(places)
    let reference = RecordReference(type: .place, id: RecordID(high: 1, low: 1))
    #expect(await model.editor(reference) == nil)
    #expect(model.state.notice == .gone(reference))
    model.dismissNotice()
    #expect(model.state.notice == nil)
  }

  @Test func `undo takes the newest change back, and says when there is none`() async throws {
    let places = try await Places()
    let model = await open(places)
    await model.undo()
    #expect(model.state.notice == .failed(.store(.nothingToUndo)))
    let id = try await places.add([.name: .text("Porto")])
    await model.undo()
    guard case .undone = model.state.notice else {
      Issue.record("\(String(describing: model.state.notice))")
      return
    }
    #expect(try await places.snapshot(id).isDeleted)
  }

  // MARK: History

  @Test func `history follows, and undoes what is chosen`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto")])
    let record = RecordReference(type: .place, id: id)
    let model = HistoryViewModel(library: places.library, record: record)
    await model.start()
    #expect(model.state.isLoaded)
    #expect(model.state.entries.count == 1)
    try await places.change(id, [.name: .text("Oporto")])
    await until { model.state.entries.count == 2 }
    #expect(model.state.entries.first?.changes.first?.fields[.name]?.before == .text("Porto"))
    // The cursor stays with its transaction, not with its place.
    #expect(model.state.cursor == 1)
    model.moveCursor(to: 0)
    let number = try #require(model.state.selected?.number)
    await model.undo(try #require(model.state.selected).number)
    guard case .undone(let result) = model.state.notice else {
      Issue.record("\(String(describing: model.state.notice))")
      return
    }
    #expect(result.undone == number)
    #expect(try await places.value(.name, of: id) == .text("Porto"))
    await model.undo(number)
    #expect(
      model.state.notice
        == .failed(.store(.alreadyUndone(number, by: result.transaction))))
  }

  @Test func `a long history is read page by page`() async throws {
    let places = try await Places()
    for number in 0..<(HistoryViewModel.pageSize + 5) {
      try await places.add([.name: .text("P\(number)")])
    }
    let model = HistoryViewModel(library: places.library)
    await model.start()
    #expect(model.state.entries.count == HistoryViewModel.pageSize)
    #expect(model.state.hasMore)
    await model.loadMore()
    #expect(!model.state.hasMore)
    let numbers = model.state.entries.map(\.number)
    #expect(numbers == numbers.sorted(by: >))
    #expect(Set(numbers).count == numbers.count)
    let first = try #require(numbers.first)
    await model.toggleChanges(of: first)
    #expect(model.state.changes[first]?.count == 1)
    await model.toggleChanges(of: first)
    #expect(model.state.changes[first] == nil)
  }

  // MARK: Trash

  @Test func `the trash restores what is marked, and purges only when told twice`() async throws {
    let places = try await Places()
    let a = try await places.add([.name: .text("A")])
    let b = try await places.add([.name: .text("B")])
    _ = try await places.library.delete(.place, [a, b])
    let model = TrashViewModel(library: places.library)
    await model.start()
    #expect(model.state.count == 2)
    let first = try #require(model.state.selected?.record)
    model.toggleMark()
    await model.restoreTargets()
    #expect(try await !places.snapshot(first.id).isDeleted)
    guard case .restored(count: 1, transaction: _?) = model.state.notice else {
      Issue.record("\(String(describing: model.state.notice))")
      return
    }
    #expect(model.state.count == 1)
    await model.purgeTargets()
    #expect(model.state.count == 1)
    model.askToPurge()
    #expect(model.state.asksToPurge == 1)
    model.keepTargets()
    await model.purgeTargets()
    #expect(model.state.count == 1)
    model.askToPurge()
    await model.purgeTargets()
    #expect(model.state.count == 0)
    #expect(model.state.selected == nil)
    model.askToPurge()
    #expect(model.state.asksToPurge == nil)
  }
}
