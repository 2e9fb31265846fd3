// Patterns in the model that a library keeps.

import RecordStore
import Records
import Testing

struct StoredPatternTests {
  /// The fixture's model with a pattern for the names of places.
  private func model(_ pattern: String) throws -> Model {
    var model = Fixture.model
    let type = try #require(model.types.firstIndex { $0.id == Fixture.place })
    let field = try #require(model.types[type].fields.firstIndex { $0.id.name == "name" })
    model.types[type].fields[field].pattern = pattern
    return model
  }

  @Test func `a pattern is asked of the whole text`() async throws {
    let type = try #require(try model("[a-z]+").type(Fixture.place))
    let field = try #require(type.fields.first { $0.id.name == "name" })
    #expect(Constraints(field).problem(with: .text("skyros")) == nil)
    #expect(Constraints(field).problem(with: .text("skyros 1")) == .pattern("[a-z]+"))
  }

  @Test func `a library with a pattern that can't be read opens, and does not check it`()
    async throws
  {
    var fixture = try await Fixture(.file, model: try model("(a)\\1"))
    _ = try await fixture.add(Fixture.place, ["name": .text("Skyros")])
    try await fixture.reopen()
    _ = try await fixture.add(Fixture.place, ["name": .text("Naxos")])
    #expect(try await fixture.library.counts()[Fixture.place] == 2)
    try await fixture.library.close()
  }
}
