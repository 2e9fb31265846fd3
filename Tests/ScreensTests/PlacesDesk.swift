// A desk on a library in memory, on a grid for a terminal: what these tests press keys on.

import RecordStore
import Records
import Screens
import TerminalKit
import TestKit
import UILoop
import Wording
import ViewModels
import Wording

extension TypeID {
  static let place = TypeID(trusted: "Place")
  static let trip = TypeID(trusted: "Trip")
}

extension FieldID {
  static let name = FieldID(trusted: "name")
  static let country = FieldID(trusted: "country")
  static let population = FieldID(trusted: "population")
  static let visited = FieldID(trusted: "visited")
  static let rating = FieldID(trusted: "rating")
  static let due = FieldID(trusted: "due")
  static let tags = FieldID(trusted: "tags")
  static let notes = FieldID(trusted: "notes")
  static let trip = FieldID(trusted: "trip")
}

/// The screens on places and trips.
@UI
final class PlacesDesk {
  let world = TestWorld()
  let library: Library
  let model: LibraryViewModel
  let harness: StageHarness
  let desk: Desk

  nonisolated static let model: Model = {
    var name = Field(id: .name, type: .text)
    name.required = true
    name.search = true
    var notes = Field(id: .notes, type: .longText)
    notes.search = true
    var population = Field(id: .population, type: .integer)
    population.min = .integer(0)
    var place = RecordType(
      id: .place,
      fields: [
        name, Field(id: .country, type: .text), population, Field(id: .visited, type: .boolean),
        Field(id: .rating, type: .choice(["low", "fair", "good"])), Field(id: .due, type: .date),
        Field(id: .tags, type: .tags), notes, Field(id: .trip, type: .reference(to: .trip)),
      ])
    place.list = [.name, .country, .population]
    place.sort = [SortKey(field: .population, descending: true)]
    return Model(types: [place, RecordType(id: .trip, fields: [Field(id: .name, type: .text)])])
  }()

  static let today: TimeSource = {
    guard let today = CalendarDate(year: 2026, month: 11, day: 21) else {
      preconditionFailure("a day that the calendar has")
    }
    return LocalTime.utc(today: today)
  }

  init(
    columns: Int = 80, rows: Int = 24, language: Words.Language = .english, isEmpty: Bool = false,
    readingOnly path: String? = nil
  ) async throws {
    if let path {
      let made = try await Library.create(
        at: path, model: Self.model, surroundings: world.surroundings)
      try await Self.add([.name: .text("Skyros")], to: made)
      try await made.close()
      library = try await Library.open(
        at: path, surroundings: world.surroundings, isOnlyRead: true)
    } else {
      library = try await Library.inMemory(model: Self.model, surroundings: world.surroundings)
    }
    if !isEmpty, path == nil {
      for (name, country, population) in [
        ("札幌市", "JP", 1_959_000), ("Porto", "PT", 231_800), ("Skyros", "GR", 2_994),
      ] {
        try await Self.add(
          [
            .name: .text(name), .country: .text(country), .population: .integer(Int64(population)),
          ], to: library)
      }
    }
    model = LibraryViewModel(library: library, time: Self.today)
    harness = StageHarness(columns: columns, rows: rows)
    desk = Desk(stage: harness.stage, library: model, words: Words(language))
    desk.open()
    await model.start()
    await rest()
  }

  @discardableResult
  static func add(
    _ values: [FieldID: Value], of id: TypeID = .place, to library: Library
  ) async throws -> RecordID {
    guard let type = library.model.type(id) else { throw Missing() }
    let surroundings = library.surroundings
    var draft = Draft(
      id: surroundings.newDraftID(), new: surroundings.newRecordID(), of: type)
    for (field, value) in values { draft.set(value, of: field) }
    _ = try await library.commit(draft)
    return draft.record
  }

  /// Another person saves values of a record.
  func change(_ id: RecordID, _ values: [FieldID: Value]) async throws {
    guard let snapshot = try await library.snapshot(.place, id) else { throw Missing() }
    var draft = Draft(id: library.surroundings.newDraftID(), editing: snapshot)
    for (field, value) in values { draft.set(value, of: field) }
    _ = try await library.commit(draft)
  }

  /// The record of that name.
  func id(_ name: String) async throws -> RecordID {
    guard let id = try await library.find(.place, titled: name, limit: 1).first else {
      throw Missing()
    }
    return id
  }

  func value(_ field: FieldID, of id: RecordID) async throws -> Value {
    guard let snapshot = try await library.snapshot(.place, id) else { throw Missing() }
    return snapshot.value(of: field)
  }

  // MARK: Pressing and looking

  /// Presses keys one after the other, each when what the one before began is done.
  @discardableResult
  func press(_ keys: String...) async -> String {
    for key in keys {
      harness.press(key)
      await rest()
    }
    return harness.text
  }

  @discardableResult
  func type(_ text: String) async -> String {
    harness.type(text)
    await rest()
    return harness.text
  }

  /// Lets everybody run between two looks at the screen.
  private func letRun() async {
    for _ in 0..<100 { await Task.yield() }
  }

  /// Waits until the screen is the same at several looks.
  func rest() async {
    var text = harness.settle()
    var quietLooks = 0
    while quietLooks < 3 {
      await letRun()
      let next = harness.settle()
      quietLooks = next == text ? quietLooks + 1 : 0
      text = next
    }
  }

  /// Waits until the screen shows the text; false if it does not after many looks.
  func shows(_ text: String) async -> Bool {
    for _ in 0..<500 {
      if harness.settle().contains(text) { return true }
      await letRun()
    }
    return false
  }

  var text: String { harness.text }

  struct Missing: Error {}
}
