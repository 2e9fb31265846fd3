import RecordStore
import Records
import TestKit
import Testing
import UILoop
import ViewModels

/// The model is changed on a copy, with permanent ids kept, until a migration is told to happen.
@UI struct ModelEditorTests {
  func open() async throws -> ModelEditorViewModel {
    ModelEditorViewModel(library: try await Places().library)
  }

  @Test func `nothing is changed, then nothing is asked`() async throws {
    let model = try await open()
    #expect(model.state.changes.isEmpty)
    model.cancel()
    #expect(model.state.phase == .closed(nil))
  }

  @Test func `a renamed field keeps its permanent id`() async throws {
    let model = try await open()
    model.renameField(.country, of: .place, to: "land")
    #expect(
      model.state.changes == [.renameField(.place, .country, from: "country", to: "land")])
    #expect(model.state.model.type(.place)?.field(named: "land")?.id == .country)
  }

  @Test func `a new field and a new type are made, and can be taken back`() async throws {
    let model = try await open()
    let field = try #require(model.addField(named: "height", .number, to: .place))
    let type = try #require(model.addType(named: "Boat"))
    #expect(
      model.state.changes == [
        .addField(.place, field), .rearrangeType(.place), .addType(type),
      ])
    #expect(model.state.problems.isEmpty)
    model.undo()
    model.undo()
    #expect(!model.state.isDirty)
    model.redo()
    #expect(model.state.changes == [.addField(.place, field), .rearrangeType(.place)])
  }

  @Test func `a name that can't be one is refused`() async throws {
    let model = try await open()
    #expect(model.addField(named: "two words", .text, to: .place) == nil)
    #expect(model.addType(named: "") == nil)
    #expect(!model.state.isDirty)
  }

  @Test func `two fields of one name are a problem, by letters of any case`() async throws {
    let model = try await open()
    model.renameField(.country, of: .place, to: "NAME")
    #expect(
      model.state.problems.map(\.reason) == [.nameTaken("name"), .nameTaken("NAME")])
    model.renameField(.country, of: .place, to: "9")
    #expect(model.state.problems.map(\.reason) == [.badName("9")])
  }

  @Test func `a dropped field is hidden, named nowhere, and can be revived`() async throws {
    let model = try await open()
    model.dropField(.name, of: .place)
    let type = try #require(model.state.model.type(.place))
    #expect(type.field(.name)?.hidden == true)
    #expect(type.title == .code)
    #expect(!type.list.contains(.name))
    #expect(type.sort.isEmpty)
    #expect(model.state.changes.contains(.dropField(.place, .name)))
    model.reviveField(.name, of: .place)
    #expect(model.state.model.type(.place)?.field(.name)?.hidden == false)
    #expect(!model.state.changes.contains(.dropField(.place, .name)))
  }

  @Test func `a field that was added just now is simply gone when dropped`() async throws {
    let model = try await open()
    let field = try #require(model.addField(named: "height", .number, to: .place))
    model.dropField(field, of: .place)
    #expect(model.state.changes.isEmpty)
  }

  @Test func `a new type for a field is a new field under its name, filled from the old`()
    async throws
  {
    let model = try await open()
    let new = try #require(model.retype(.population, of: .place, to: .number))
    #expect(new != .population)
    let type = try #require(model.state.model.type(.place))
    #expect(type.field(named: "population")?.id == new)
    #expect(type.list.contains(new))
    #expect(model.state.changes.contains(.replaceField(.place, old: .population, new: new)))
    #expect(model.state.problems.isEmpty)
  }

  @Test func `fields and types are moved among the visible ones`() async throws {
    let model = try await open()
    model.moveField(.country, of: .place, by: -1)
    #expect(
      model.state.model.type(.place)?.visibleFields.prefix(3).map(\.id) == [.name, .country, .code])
    model.moveType(.trip, by: -5)
    #expect(model.state.model.visibleTypes.map(\.id) == [.trip, .place])
    model.moveType(.trip, by: 99)
    #expect(model.state.model.visibleTypes.map(\.id) == [.place, .trip])
  }

  @Test func `a reference to a dropped type is a problem`() async throws {
    let model = try await open()
    model.dropType(.trip)
    #expect(model.state.problems.map(\.reason) == [.lostTarget(.trip)])
    await model.forecast()
    #expect(model.state.phase == .editing)
    model.reviveType(.trip)
    #expect(model.state.problems.isEmpty)
  }

  @Test func `cancelling asks when the copy differs`() async throws {
    let model = try await open()
    model.labelField(.country, of: .place, "Land")
    model.cancel()
    #expect(model.state.asksToDiscard)
    model.keepEditing()
    #expect(model.state.phase == .editing)
    model.discard()
    #expect(model.state.phase == .closed(nil))
    #expect(model.library.model == Places.model)
  }

  // MARK: Applying

  @Test func `a change is forecast, confirmed, and applied`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto")])
    let model = ModelEditorViewModel(library: places.library)
    let field = try #require(model.addField(named: "height", .number, to: .place))
    await model.forecast()
    guard case .confirming(let forecast) = model.state.phase else {
      Issue.record("\(model.state.phase)")
      return
    }
    #expect(forecast.losses.isEmpty)
    #expect(await model.apply())
    #expect(places.library.model.type(.place)?.field(field)?.type == .number)
    #expect(try await places.value(.name, of: id) == .text("Porto"))
  }

  @Test func `what loses values is refused until the person says so`() async throws {
    let places = try await Places()
    try await places.add([.name: .text("Porto"), .country: .text("PT")])
    let model = ModelEditorViewModel(library: places.library)
    model.dropField(.country, of: .place)
    await model.forecast()
    #expect(await !model.apply())
    #expect(model.state.failure != nil)
    #expect(places.library.model == Places.model)
    #expect(await model.apply(losing: true))
    #expect(places.library.model.type(.place)?.field(.country)?.hidden == true)
  }

  @Test func `a failing migration leaves the library and the copy as they were`() async throws {
    let places = try await Places()
    let model = ModelEditorViewModel(library: places.library)
    model.renameField(.country, of: .place, to: "land")
    await model.forecast()
    places.world.faults.arm(failingAt: 1)
    #expect(await !model.apply())
    places.world.faults.arm(failingAt: nil)
    #expect(model.state.failure != nil)
    #expect(places.library.model == Places.model)
    #expect(await model.apply())
  }

  @Test func `going back from the forecast changes nothing`() async throws {
    let model = try await open()
    model.renameField(.country, of: .place, to: "land")
    await model.forecast()
    model.reconsider()
    #expect(model.state.phase == .editing)
    #expect(model.state.isDirty)
    model.undo()
    await model.forecast()
    #expect(model.state.phase == .editing)
  }
}
