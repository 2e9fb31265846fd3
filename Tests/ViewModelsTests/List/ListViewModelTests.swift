import RecordStore
import Records
import TestKit
import Testing
import UILoop
import ViewModels

/// A list of places: what is shown, and how it follows what changes.
@UI struct ListViewModelTests {
  func open(
    _ places: Places, _ layout: ListLayout = ListLayout(), showing range: Range<Int> = 0..<20
  ) async throws -> ListViewModel {
    let model = try #require(
      ListViewModel(library: places.library, type: .place, layout: layout, time: Places.time))
    model.show(range)
    await model.start()
    await until { model.state.isComplete }
    await model.idle()
    return model
  }

  func names(_ model: ListViewModel) -> [String] {
    (0..<model.state.count).map { model.state.row(at: $0)?.title ?? "…" }
  }

  @discardableResult
  func fill(_ places: Places, _ names: String...) async throws -> [RecordID] {
    var ids: [RecordID] = []
    for name in names { ids.append(try await places.add([.name: .text(name)])) }
    return ids
  }

  @Test func `an empty list is ready and has no cursor record`() async throws {
    let model = try await open(try await Places())
    #expect(model.state.phase == .ready)
    #expect(model.state.count == 0)
    #expect(model.state.cursor == 0)
    #expect(model.state.cursorID == nil)
    #expect(model.targetCount == 0)
    model.moveCursor(by: 1)
    model.toggleMark()
    #expect(model.state.marks == .none)
  }

  @Test func `rows come in the type's order, with its columns`() async throws {
    let places = try await Places()
    try await fill(places, "Vigo", "Porto", "Ovar")
    let model = try await open(places)
    #expect(names(model) == ["Ovar", "Porto", "Vigo"])
    #expect(model.state.columns.map(\.field.id) == [.name, .country, .population])
    #expect(model.state.columns.first?.sort == .ascending)
  }

  @Test func `a saved record appears in its place, and the cursor stays with its record`()
    async throws
  {
    let places = try await Places()
    let ids = try await fill(places, "Ovar", "Porto", "Vigo")
    let model = try await open(places)
    model.moveCursor(to: 1)
    #expect(model.state.cursorID == ids[1])
    try await places.add([.name: .text("Braga")])
    await until { model.state.count == 4 && model.state.row(at: 0)?.title == "Braga" }
    #expect(names(model) == ["Braga", "Ovar", "Porto", "Vigo"])
    #expect(model.state.cursor == 2)
    #expect(model.state.cursorID == ids[1])
  }

  @Test func `a record that moves takes the cursor along`() async throws {
    let places = try await Places()
    let ids = try await fill(places, "Ovar", "Porto", "Vigo")
    let model = try await open(places)
    try await places.change(ids[0], [.name: .text("Zamora")])
    await until { model.state.cursor == 2 }
    await model.idle()
    #expect(model.state.cursorID == ids[0])
    #expect(names(model) == ["Porto", "Vigo", "Zamora"])
  }

  @Test func `when the record under the cursor goes, the next one takes its place`() async throws {
    let places = try await Places()
    let ids = try await fill(places, "Ovar", "Porto", "Vigo")
    let model = try await open(places)
    model.moveCursor(to: 1)
    _ = try await places.library.delete(.place, [ids[1]])
    await until { model.state.count == 2 && model.state.cursorID == ids[2] }
    #expect(model.state.cursor == 1)
    _ = try await places.library.delete(.place, [ids[2]])
    await until { model.state.count == 1 && model.state.cursorID == ids[0] }
    #expect(model.state.cursor == 0)
  }

  // MARK: Search, filter, order

  @Test func `search as one types: the last text wins`() async throws {
    let places = try await Places()
    try await fill(places, "Porto", "Portimão", "Ovar")
    let model = try await open(places)
    model.search("p")
    model.search("po")
    model.search("portim")
    await model.idle()
    #expect(model.state.searchText == "portim")
    #expect(names(model) == ["Portimão"])
    #expect(!model.state.isStale)
    model.clearSearch()
    await model.idle()
    await until { model.state.count == 3 }
  }

  @Test func `a search begins at its first match; clearing it stays with the record`()
    async throws
  {
    let places = try await Places()
    let ids = try await fill(places, "Ovar", "Portalegre", "Portimão", "Porto")
    let model = try await open(places)
    model.moveCursor(to: .max)
    model.search("port")
    await until { model.state.count == 3 && model.state.cursorID != nil }
    #expect(model.state.cursor == 0)
    #expect(model.state.cursorID == ids[1])
    model.moveCursor(by: 1)
    model.clearSearch()
    await model.idle()
    await until { model.state.count == 4 && model.state.cursorID != nil }
    #expect(model.state.cursorID == ids[2])
    #expect(model.state.row(at: model.state.cursor)?.title == "Portimão")
  }

  @Test func `a filter narrows, a mistake is shown and keeps the list`() async throws {
    let places = try await Places()
    try await places.add([.name: .text("Porto"), .population: .integer(231_800)])
    try await places.add([.name: .text("Ovar"), .population: .integer(55_000)])
    let model = try await open(places)
    model.filter("population>100000")
    await model.idle()
    await until { model.state.count == 1 }
    #expect(names(model) == ["Porto"])
    model.filter("population>1e")
    await model.idle()
    #expect(model.state.mistake != nil)
    #expect(names(model) == ["Porto"])
    model.filter("")
    await model.idle()
    #expect(model.state.mistake == nil)
    await until { model.state.count == 2 }
  }

  @Test func `a column sorts up, then down, then as the type says`() async throws {
    let places = try await Places()
    try await places.add([.name: .text("A"), .population: .integer(2)])
    try await places.add([.name: .text("B"), .population: .integer(1)])
    let model = try await open(places)
    model.sort(by: .population)
    await model.idle()
    #expect(names(model) == ["B", "A"])
    #expect(model.state.columns.last?.sort == .ascending)
    model.sort(by: .population)
    await model.idle()
    #expect(names(model) == ["A", "B"])
    #expect(model.state.columns.last?.sort == .descending)
    model.sort(by: .population)
    await model.idle()
    #expect(model.state.sort == [SortKey(field: .name)])
  }

  @Test func `the cursor keeps its record when the order changes`() async throws {
    let places = try await Places()
    let a = try await places.add([.name: .text("A"), .population: .integer(2)])
    try await places.add([.name: .text("B"), .population: .integer(1)])
    let model = try await open(places)
    #expect(model.state.cursorID == a)
    model.sort(by: .population)
    await model.idle()
    #expect(model.state.cursor == 1)
    #expect(model.state.cursorID == a)
  }

  @Test func `columns are chosen, moved and resized within their bounds`() async throws {
    let places = try await Places()
    let model = try await open(places)
    model.toggleColumn(.country)
    model.toggleColumn(.tags)
    model.moveColumn(.tags, by: -9)
    #expect(model.state.columns.map(\.field.id) == [.tags, .name, .population])
    model.resizeColumn(.tags, by: 4, from: 10)
    model.resizeColumn(.name, by: -100, from: 10)
    #expect(model.state.columns.map(\.width) == [14, ListViewModel.columnWidthMin, nil])
    await model.idle()
    let layout = model.arrangement
    model.resetColumns()
    #expect(model.state.columns.map(\.field.id) == [.name, .country, .population])
    let again = try await open(places, layout)
    #expect(again.state.columns.map(\.field.id) == [.tags, .name, .population])
    #expect(again.state.columns.map(\.width) == [14, ListViewModel.columnWidthMin, nil])
  }

  @Test func `the last column stays`() async throws {
    let model = try await open(try await Places())
    model.setColumns([.name])
    model.toggleColumn(.name)
    #expect(model.state.columns.map(\.field.id) == [.name])
  }

  // MARK: The window

  @Test func `only rows around the visible ones are kept, wherever one jumps`() async throws {
    let places = try await Places()
    let type = try #require(places.library.model.type(.place))
    let drafts = (0..<1_500).map { number in
      var draft = Draft(
        id: places.library.surroundings.newDraftID(),
        new: places.library.surroundings.newRecordID(), of: type)
      draft.set(.text("P\(10_000 + number)"), of: .name)
      return draft
    }
    _ = try await places.library.commit(drafts)
    let model = try await open(places, showing: 0..<30)
    #expect(model.state.count == 1_500)
    #expect(model.state.rows.count <= 600)
    model.moveCursor(to: .max)
    #expect(model.state.cursor == 1_499)
    model.show(1_470..<1_500)
    await model.idle()
    #expect(model.state.row(at: 1_499)?.title == "P11499")
    #expect(model.state.row(at: 1_470)?.title == "P11470")
    #expect(model.state.cursorID == drafts[1_499].record)
    #expect(model.state.rows.count <= 600)
    model.moveCursor(by: .min)
    #expect(model.state.cursor == 0)
    let isFound = await model.reveal(drafts[700].record)
    #expect(isFound)
    #expect(model.state.cursor == 700)
    #expect(model.state.row(at: 700)?.title == "P10700")
  }

  @Test func `a stranger is not revealed`() async throws {
    let places = try await Places()
    try await fill(places, "Porto")
    let model = try await open(places)
    let isFound = await model.reveal(RecordID(high: 1, low: 1))
    #expect(!isFound)
    #expect(model.state.cursor == 0)
  }

  // MARK: Pinning

  @Test func `a pinned list stays, counts what arrives, and follows when told`() async throws {
    let places = try await Places()
    let ids = try await fill(places, "Ovar", "Porto")
    let model = try await open(places)
    await model.pin()
    #expect(model.state.isPinned)
    try await places.change(ids[1], [.name: .text("Oporto")])
    await until { model.state.arrived == 1 }
    await model.idle()
    #expect(names(model) == ["Ovar", "Porto"])
    await model.follow()
    await until { !model.state.isPinned }
    await model.idle()
    #expect(names(model) == ["Oporto", "Ovar"])
    #expect(model.state.arrived == 0)
  }
}
