// The library that the contract tests work on, in memory and on file.

import RecordStore
import Records
import TestKit

/// Where a library of a contract test lies.
enum Kind: CaseIterable {
  case memory, file
}

/// A library with orders, lines, places and trips, and a world to work it in.
struct Fixture {
  let world: TestWorld
  let folder: TemporaryFolder
  private(set) var library: Library

  /// Closes the library and opens its file again.
  mutating func reopen() async throws {
    try await library.close()
    try await open()
  }

  /// Opens the file of a library that was closed.
  mutating func open() async throws {
    library = try await .open(at: folder.file("test.skyros"), surroundings: world.surroundings)
  }

  init(_ kind: Kind, model: Model = Fixture.model, seed: UInt64 = 1) async throws {
    world = TestWorld(seed: seed)
    folder = try TemporaryFolder()
    library =
      switch kind {
      case .memory: try await .inMemory(model: model, surroundings: world.surroundings)
      case .file:
        try await .create(
          at: folder.file("test.skyros"), model: model, surroundings: world.surroundings)
      }
  }

  static let place = TypeID(trusted: "Place")
  static let trip = TypeID(trusted: "Trip")
  static let country = TypeID(trusted: "Country")

  static var model: Model {
    var name = Field(id: FieldID(trusted: "name"), type: .text)
    name.required = true
    name.search = true
    var notes = Field(id: FieldID(trusted: "notes"), type: .longText)
    notes.search = true
    var population = Field(id: FieldID(trusted: "population"), type: .integer)
    population.index = true
    population.min = .integer(0)
    var code = Field(id: FieldID(trusted: "code"), type: .text)
    code.unique = true
    let tags = Field(id: FieldID(trusted: "tags"), type: .tags)
    let visits = Field(id: FieldID(trusted: "visits"), type: .counter)
    var trip = Field(id: FieldID(trusted: "trip"), type: .reference(to: Self.trip))
    trip.onDelete = .nullify
    var home = Field(id: FieldID(trusted: "home"), type: .reference(to: Self.country))
    home.onDelete = .deny
    let twins = Field(id: FieldID(trusted: "twins"), type: .references(to: Self.place))
    var place = RecordType(
      id: Self.place,
      fields: [name, notes, population, code, tags, visits, trip, home, twins])
    place.sort = [SortKey(field: FieldID(trusted: "population"), descending: true)]

    let title = Field(id: FieldID(trusted: "title"), type: .text)
    var parent = Field(id: FieldID(trusted: "parent"), type: .reference(to: Self.trip))
    parent.onDelete = .cascade
    let trips = RecordType(id: Self.trip, fields: [title, parent])

    var iso = Field(id: FieldID(trusted: "iso"), type: .text)
    iso.required = true
    var country = RecordType(
      id: Self.country, fields: [iso, Field(id: FieldID(trusted: "label"), type: .text)])
    country.key = FieldID(trusted: "iso")
    return Model(types: [place, trips, country])
  }

  // MARK: Doing

  func newDraft(_ type: TypeID, _ values: [String: Value]) -> Draft {
    guard let type = library.model.type(type) else { fatalError("no such type") }
    let surroundings = library.surroundings
    var draft = Draft(
      id: surroundings.newDraftID(), new: surroundings.newRecordID(), of: type)
    for (field, value) in values.sorted(by: { $0.key < $1.key }) {
      draft.set(value, of: FieldID(trusted: field))
    }
    return draft
  }

  @discardableResult
  func add(_ type: TypeID, _ values: [String: Value]) async throws -> RecordID {
    let draft = newDraft(type, values)
    let result = try await library.commit(draft)
    return result.records[draft.id] ?? draft.record
  }

  func snapshot(_ type: TypeID, _ id: RecordID) async throws -> Snapshot {
    guard let snapshot = try await library.snapshot(type, id) else {
      throw StoreError.unknownRecord(type, id)
    }
    return snapshot
  }

  /// A draft of a record as it is now, with values set.
  func draft(_ type: TypeID, _ id: RecordID, _ values: [String: Value]) async throws -> Draft {
    var draft = Draft(
      id: library.surroundings.newDraftID(), editing: try await snapshot(type, id))
    for (field, value) in values.sorted(by: { $0.key < $1.key }) {
      draft.set(value, of: FieldID(trusted: field))
    }
    return draft
  }

  @discardableResult
  func set(_ type: TypeID, _ id: RecordID, _ values: [String: Value]) async throws -> CommitResult {
    world.advance(milliseconds: 1000)
    return try await library.commit(try await draft(type, id, values))
  }

  func value(_ type: TypeID, _ id: RecordID, _ field: String) async throws -> Value {
    try await snapshot(type, id).value(of: FieldID(trusted: field))
  }

  /// Everything that a person could see, as text: what "nothing changed" is compared by.
  func dump() async throws -> String {
    var lines: [String] = []
    for (type, count) in try await library.counts().sorted(by: { $0.key < $1.key }) {
      lines.append("\(type): \(count)")
    }
    for entry in try await library.history(limit: 1000) {
      lines.append("\(entry.number) \(entry.origin)")
      for change in entry.changes {
        lines.append("  \(change.kind) \(change.record.id) \(change.title)")
        for (field, values) in change.fields.sorted(by: { $0.key < $1.key }) {
          lines.append("    \(field): \(values.before) -> \(values.after)")
        }
      }
    }
    lines.append("\(try await library.trash(limit: 1000, offset: 0))")
    return lines.joined(separator: "\n")
  }
}

extension FieldID {
  init(_ name: StaticString) { self.init(trusted: "\(name)") }
}
