import ModelFile
import RecordStore
import Records
import TestKit
import Testing

/// A changed model applied to a library: forecast, one transaction, nothing lost.
struct MigrationTests {
  static let first = """
    skyros: 1
    types:
      Place:
        title: name
        fields:
          name: {type: text, required: true, search: true}
          size: {type: text}
          tags: {type: tags}
    """

  struct Desk {
    let world = TestWorld()
    let folder: TemporaryFolder
    let library: Library
    var ids: [RecordID] = []

    init(_ kind: Kind) async throws {
      folder = try TemporaryFolder()
      let model = try ModelFile.read(MigrationTests.first)
      library =
        switch kind {
        case .memory: try await .inMemory(model: model, surroundings: world.surroundings)
        case .file:
          try await .create(
            at: folder.file("m.skyros"), model: model, surroundings: world.surroundings)
        }
      for (name, size) in [("Porto", "7"), ("札幌", "007"), ("Naxos", "")] {
        let type = library.model.types[0]
        var draft = Draft(
          id: library.surroundings.newDraftID(), new: library.surroundings.newRecordID(), of: type)
        draft.set(.text(name), of: FieldID(trusted: "name"))
        draft.set(.text(nonEmpty: size), of: FieldID(trusted: "size"))
        _ = try await library.commit(draft)
        ids.append(draft.record)
      }
    }

    func changed(_ old: String, _ new: String) throws -> Model {
      let text = MigrationTests.first.replacing(old, with: new)
      #expect(text != MigrationTests.first)
      return try ModelFile.read(text, over: library.model)
    }

    func value(_ index: Int, _ field: String) async throws -> Value? {
      try await library.snapshot(TypeID(trusted: "Place"), ids[index])?
        .value(of: FieldID(trusted: field))
    }
  }

  @Test(arguments: Kind.allCases)
  func `a new field and a new type are there at once, and can be written`(kind: Kind) async throws {
    let desk = try await Desk(kind)
    let model = try desk.changed(
      "tags: {type: tags}",
      "tags: {type: tags}\n      stars: {type: integer, index: true}\n  Trip:\n    fields: {title: {type: text}}"
    )
    let forecast = try await desk.library.forecast(model)
    #expect(forecast.losses.isEmpty)
    #expect(
      forecast.changes == [
        .addField(TypeID(trusted: "Place"), FieldID(trusted: "stars")),
        .rearrangeType(TypeID(trusted: "Place")),
        .addType(TypeID(trusted: "Trip")),
      ])
    let result = try await desk.library.apply(model)
    #expect(result.transaction != nil)
    #expect((result.backup != nil) == (kind == .file))
    let stored = try #require(
      try await desk.library.snapshot(TypeID(trusted: "Place"), desk.ids[0]))
    var draft = Draft(id: desk.library.surroundings.newDraftID(), editing: stored)
    draft.set(.integer(5), of: FieldID(trusted: "stars"))
    #expect(try await desk.library.commit(draft).outcome == .applied)
    #expect(try await desk.value(0, "stars") == .integer(5))
    #expect(try await desk.library.examine().findings == [])
  }

  @Test(arguments: Kind.allCases)
  func `a renamed field keeps its values under its permanent id`(kind: Kind) async throws {
    let desk = try await Desk(kind)
    let model = try desk.changed("size: {type: text}", "area: {type: text, was: size}")
    #expect(try await desk.library.forecast(model).losses.isEmpty)
    _ = try await desk.library.apply(model)
    #expect(desk.library.model.types[0].field(named: "area")?.id == FieldID(trusted: "size"))
    #expect(try await desk.value(0, "size") == .text("7"))
  }

  @Test(arguments: Kind.allCases)
  func `a new type for a field is refused where it loses a value, and says how many`(
    kind: Kind
  ) async throws {
    let desk = try await Desk(kind)
    let model = try desk.changed("size: {type: text}", "size: {type: integer}")
    let place = TypeID(trusted: "Place")
    let losses = [MigrationLoss(type: place, field: FieldID(trusted: "size"), records: 1)]
    let forecast = try await desk.library.forecast(model)
    #expect(forecast.losses == losses)
    #expect(forecast.records == 1)
    await #expect(throws: StoreError.losesValues(losses)) {
      try await desk.library.apply(model)
    }
    #expect(desk.library.model.types[0].field(named: "size")?.type == .text)

    _ = try await desk.library.apply(model, losing: true)
    let field = try #require(desk.library.model.types[0].field(named: "size"))
    #expect(field.type == .integer)
    #expect(try await desk.value(0, field.id.name) == .integer(7))
    #expect(try await desk.value(1, field.id.name) == .empty)
    #expect(try await desk.value(1, "size") == .text("007"), "the old value stays in the file")
  }

  @Test(arguments: Kind.allCases)
  func `a dropped field is refused while it holds values, and comes back whole`(
    kind: Kind
  ) async throws {
    let desk = try await Desk(kind)
    let before = desk.library.model
    let model = try desk.changed("      size: {type: text}\n", "")
    await #expect(throws: StoreError.self) { try await desk.library.apply(model) }
    _ = try await desk.library.apply(model, losing: true)
    #expect(desk.library.model.types[0].field(named: "size") == nil)
    _ = try await desk.library.apply(before)
    #expect(desk.library.model.types[0].field(named: "size") != nil)
    #expect(try await desk.value(1, "size") == .text("007"))
  }

  @Test(arguments: Kind.allCases)
  func `search and index come and go with the model, and the doctor agrees`(
    kind: Kind
  ) async throws {
    let desk = try await Desk(kind)
    let model = try desk.changed(
      "size: {type: text}", "size: {type: text, search: true, index: true}")
    _ = try await desk.library.apply(model)
    #expect(try await desk.library.examine().findings == [])
    _ = try await desk.library.apply(try ModelFile.read(Self.first, over: desk.library.model))
    #expect(try await desk.library.examine().findings == [])
  }

  @Test(arguments: Kind.allCases)
  func `a model is applied to the one that it was made from, or not at all`(
    kind: Kind
  ) async throws {
    let desk = try await Desk(kind)
    let known = desk.library.model
    let mine = try desk.changed(
      "size: {type: text}", "size: {type: text}\n      more: {type: tags}")
    let theirs = try desk.changed("size: {type: text}", "size: {type: text, index: true}")
    _ = try await desk.library.apply(theirs)
    let before = desk.library.model
    await #expect(throws: StoreError.modelChanged) {
      try await desk.library.apply(mine, over: known)
    }
    #expect(desk.library.model == before)
  }

  @Test(arguments: Kind.allCases)
  func `two types that differ in case only are refused by name`(kind: Kind) async throws {
    let desk = try await Desk(kind)
    let before = desk.library.model
    var model = before
    model.types.append(
      RecordType(
        id: TypeID(trusted: "place"), fields: [Field(id: FieldID("title"), type: .text)]))
    await #expect(throws: StoreError.unusableName("place")) {
      try await desk.library.forecast(model)
    }
    await #expect(throws: StoreError.unusableName("place")) {
      try await desk.library.adopt(model, over: before, [])
    }
    #expect(desk.library.model == before)
    await #expect(throws: StoreError.unusableName("place")) {
      try await Fixture(kind, model: model)
    }
  }

  @Test(arguments: Kind.allCases)
  func `the same model again does nothing`(kind: Kind) async throws {
    let desk = try await Desk(kind)
    let history = try await desk.library.history(limit: 10)
    let result = try await desk.library.apply(desk.library.model)
    #expect(result.transaction == nil)
    #expect(try await desk.library.history(limit: 10) == history)
  }

  @Test func `a migration whose n-th statement fails leaves the library as it was`() async throws {
    var failures = 0
    for statement in 1... {
      let desk = try await Desk(.file)
      let model = try desk.changed(
        "size: {type: text}", "size: {type: integer, index: true}\n      more: {type: tags}")
      let before = desk.library.model
      let history = try await desk.library.history(limit: 10)
      desk.world.faults.arm(failingAt: statement)
      do {
        _ = try await desk.library.apply(model, losing: true)
        desk.world.faults.arm(failingAt: nil)
        break
      } catch is Faults.Injected {
        failures += 1
      }
      desk.world.faults.arm(failingAt: nil)
      #expect(desk.library.model == before)
      #expect(try await desk.library.history(limit: 10) == history)
      #expect(try await desk.library.examine().findings == [])
      _ = try await desk.library.apply(model, losing: true)
      try await desk.library.close()
    }
    #expect(failures >= 6)
  }
}

extension MigrationTests {
  @Test(arguments: Kind.allCases)
  func `undo of a migration hides what it added, and its undo shows it again`(
    _ kind: Kind
  ) async throws {
    let fixture = try await Fixture(kind)
    let id = try await fixture.add(Fixture.place, ["name": .text("Skyros")])
    let before = fixture.library.model
    var model = before
    model.types[0].fields.append(Field(id: FieldID("mood"), type: .text))
    _ = try await fixture.library.apply(model)
    let after = fixture.library.model
    let undo = try await fixture.library.undo()
    #expect(fixture.library.model.visibleTypes.map(\.visibleFields) == before.types.map(\.fields))
    _ = try await fixture.library.undo(undo.transaction)
    #expect(fixture.library.model == after)
    #expect(try await fixture.value(Fixture.place, id, "name") == .text("Skyros"))
  }
}
