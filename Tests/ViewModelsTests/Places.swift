// The library that these tests work on: places, trips, and the lines of an order.

import RecordStore
import Records
import TestKit
import Testing
import UILoop
import ViewModels

extension TypeID {
  static let place = TypeID(trusted: "Place")
  static let trip = TypeID(trusted: "Trip")
}

extension FieldID {
  static let name = FieldID(trusted: "name")
  static let code = FieldID(trusted: "code")
  static let country = FieldID(trusted: "country")
  static let population = FieldID(trusted: "population")
  static let visits = FieldID(trusted: "visits")
  static let founded = FieldID(trusted: "founded")
  static let rating = FieldID(trusted: "rating")
  static let tags = FieldID(trusted: "tags")
  static let trip = FieldID(trusted: "trip")
  static let visited = FieldID(trusted: "visited")
  static let photo = FieldID(trusted: "photo")
}

/// A library in memory, with what its tests say again and again.
struct Places {
  let world: TestWorld
  let library: Library

  static let model: Model = {
    var name = Field(id: .name, type: .text)
    name.required = true
    name.search = true
    var code = Field(id: .code, type: .text)
    code.unique = true
    var population = Field(id: .population, type: .integer)
    population.min = .integer(0)
    var country = Field(id: .country, type: .text)
    country.index = true
    var rating = Field(id: .rating, type: .choice(["low", "fair", "good"]))
    rating.defaultValue = .text("fair")
    var place = RecordType(
      id: .place,
      fields: [
        name, code, country, population, Field(id: .visits, type: .counter),
        Field(id: .founded, type: .date), rating, Field(id: .tags, type: .tags),
        Field(id: .trip, type: .reference(to: .trip)), Field(id: .visited, type: .boolean),
        Field(id: .photo, type: .attachment),
      ])
    place.list = [.name, .country, .population]
    place.sort = [SortKey(field: .name)]
    return Model(types: [place, RecordType(id: .trip, fields: [Field(id: .name, type: .text)])])
  }()

  init(_ world: TestWorld = TestWorld()) async throws {
    self.world = world
    library = try await Library.inMemory(model: Self.model, surroundings: world.surroundings)
  }

  /// The day of these tests is 2026-11-21, in UTC.
  static let time: TimeSource = {
    guard let today = CalendarDate(year: 2026, month: 11, day: 21) else {
      preconditionFailure("a day that the calendar has")
    }
    return LocalTime.utc(today: today)
  }

  // MARK: Writing past the view models, as another device or process would

  @discardableResult
  func add(_ values: [FieldID: Value], to type: TypeID = .place) async throws -> RecordID {
    guard let definition = library.model.type(type) else { throw Missing() }
    var draft = Draft(
      id: library.surroundings.newDraftID(), new: library.surroundings.newRecordID(),
      of: definition)
    for (field, value) in values { draft.set(value, of: field) }
    world.advance(milliseconds: 1000)
    _ = try await library.commit(draft)
    return draft.record
  }

  func change(_ id: RecordID, _ values: [FieldID: Value]) async throws {
    var draft = Draft(id: library.surroundings.newDraftID(), editing: try await snapshot(id))
    for (field, value) in values { draft.set(value, of: field) }
    world.advance(milliseconds: 1000)
    _ = try await library.commit(draft)
  }

  func snapshot(_ id: RecordID, _ type: TypeID = .place) async throws -> Snapshot {
    guard let snapshot = try await library.snapshot(type, id) else { throw Missing() }
    return snapshot
  }

  func value(_ field: FieldID, of id: RecordID) async throws -> Value {
    try await snapshot(id).value(of: field)
  }

  // MARK: Forms

  @UI func editor(_ id: RecordID) async throws -> EditorViewModel {
    let draft = Draft(
      id: library.surroundings.newDraftID(), editing: try await snapshot(id))
    guard
      let editor = EditorViewModel(library: library, draft: draft, time: Self.time)
    else { throw Missing() }
    await editor.start()
    return editor
  }

  @UI func newEditor() async throws -> EditorViewModel {
    let model = LibraryViewModel(library: library, time: Self.time)
    guard let editor = model.newEditor(.place) else { throw Missing() }
    await editor.start()
    return editor
  }

  struct Missing: Error {}
}

/// Waits until something holds, observed or not; gives up after a minute.
@UI func until(_ condition: @UI () -> Bool) async {
  let isSo = await eventually(condition)
  #expect(isSo, "it never came to that")
}

extension EditorViewModel {
  /// Types a text key by key, as a person does.
  func enter(_ text: String, in field: FieldID, of form: FormID = .main) {
    var typed = state.field(FieldPlace(form: form, field: field))?.text ?? ""
    for character in text {
      typed.append(character)
      type(typed, in: field, of: form)
    }
  }

  func shown(_ field: FieldID) -> EditorField? { state.main.field(field) }
}
