// A model that changes how its fields settle, or their types: what was there is there, once.

import RecordStore
import Records
import TestKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct SettlingAnewTests {
  /// Has tags and visits settle by their latest write, or each by its own way.
  private func settle(byLatest: Bool, _ fixture: Fixture) async throws {
    var model = fixture.library.model
    for index in model.types[0].fields.indices {
      let field = model.types[0].fields[index]
      guard field.id == FieldID("tags") || field.id == FieldID("visits") else { continue }
      model.types[0].fields[index].merge = byLatest ? .latest : .standard(for: field.type)
    }
    let forecast = try await fixture.library.forecast(model)
    #expect(forecast.losses == [])
    #expect(forecast.records == 2)
    _ = try await fixture.library.apply(model)
  }

  @Test(arguments: Kind.allCases)
  func `a change of how a field settles keeps its values, here and joined`(
    _ kind: Kind
  ) async throws {
    let fixture = try await Fixture(kind)
    let values: [String: Value] = [
      "name": .text("A"), "visits": .integer(5), "tags": .tags(TagSet(["a", "b"])),
    ]
    let plain = try await fixture.add(Fixture.place, values)
    let edited = try await fixture.add(Fixture.place, values)
    try await fixture.set(
      Fixture.place, edited, ["visits": .integer(7), "tags": .tags(TagSet(["a", "c"]))])
    for (round, byLatest) in [true, false, true, false].enumerated() {
      let before = [
        try await fixture.snapshot(Fixture.place, plain),
        try await fixture.snapshot(Fixture.place, edited),
      ]
      try await settle(byLatest: byLatest, fixture)
      for old in before {
        let now = try await fixture.snapshot(Fixture.place, old.id)
        #expect(now.fields == old.fields, "round \(round)")
        // What a record service holds was written before the change.
        let joined = now.state.joined(with: old.state)
        for field in fixture.library.model.types[0].visibleFields {
          #expect(joined.settledValue(of: field) == old.value(of: field.id), "round \(round)")
        }
      }
      let edit: [String: Value] = [
        "visits": .integer(Int64(20 - round)), "tags": .tags(TagSet(["a", "r\(round)"])),
      ]
      try await fixture.set(Fixture.place, edited, edit)
      #expect(try await fixture.value(Fixture.place, edited, "visits") == edit["visits"])
      #expect(try await fixture.value(Fixture.place, edited, "tags") == edit["tags"])
    }
    #expect(try await fixture.library.examine().findings == [])
  }

  @Test(arguments: Kind.allCases)
  func `a record in the trash is converted as the others are`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let id = try await fixture.add(
      Fixture.place, ["name": .text("Porto"), "code": .text("7")])
    _ = try await fixture.library.delete(Fixture.place, [id])
    var model = fixture.library.model
    var number = Field(id: FieldID("code_2"), name: "code", type: .integer)
    number.unique = true
    for index in model.types[0].fields.indices
    where model.types[0].fields[index].id == FieldID("code") {
      model.types[0].fields[index].hidden = true
    }
    model.types[0].fields.append(number)
    _ = try await fixture.library.apply(model, losing: true)
    #expect(try await fixture.snapshot(Fixture.place, id).isDeleted)
    _ = try await fixture.library.restore(Fixture.place, [id])
    #expect(try await fixture.value(Fixture.place, id, "code_2") == .integer(7))
    #expect(try await fixture.snapshot(Fixture.place, id).state.existence == .alive)
    #expect(try await fixture.library.examine().findings == [])
  }
}
