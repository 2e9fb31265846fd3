// A model that changes how its fields settle, or their types: what was there is there, once.

import RecordStore
import Records
import TestKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct SettlingAnewTests {
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
