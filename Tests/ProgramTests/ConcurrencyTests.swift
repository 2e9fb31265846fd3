import Foundation
import Testing

/// Two processes on one library.
@Suite(.serialized)
struct ConcurrencyTests {
  /// Starts a `set` that has read its record and waits for the rest of its standard input.
  private static func waitingSet(_ program: Program, _ id: String) async throws -> Running {
    let running = try program.start(
      ["set", "Place", id, "--stdin", "--json"], keepsInputOpen: true)
    try await running.writeUntilRead("{")
    return running
  }

  @Test func `edits of different fields are merged`() async throws {
    try await Program.withLibrary { program in
      let id = try program.add("Place", "name=Porto")
      let first = try await Self.waitingSet(program, id)
      #expect(try program.run("set", "Place", id, "country=PT").status == 0)
      try first.write(#""population": 249633}"#)
      first.closeInput()
      let outcome = try first.end()
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try outcome.object()["outcome"] as? String == "merged")
      #expect(try outcome.object()["fields"] as? [String] == ["country"])
      let fields = try program.fields("Place", id)
      #expect(fields["country"] as? String == "PT")
      #expect(fields["population"] as? Int == 249_633)
    }
  }

  @Test func `edits of the same field are a conflict, and nothing is written`() async throws {
    try await Program.withLibrary { program in
      let id = try program.add("Place", "name=Porto")
      let first = try await Self.waitingSet(program, id)
      #expect(try program.run("set", "Place", id, "name=Oporto").status == 0)
      try first.write(#""name": "Portus", "country": "PT"}"#)
      first.closeInput()
      let outcome = try first.end()
      #expect(outcome.status == 4)
      #expect(try outcome.object()["outcome"] as? String == "conflict")
      #expect(try outcome.object()["fields"] as? [String] == ["name"])
      #expect(
        outcome.errors
          == "Somebody changed name meanwhile: nothing was written. Look, and set it again.\n")
      let fields = try program.fields("Place", id)
      #expect(fields["name"] as? String == "Oporto")
      #expect(fields["country"] is NSNull)
    }
  }

  @Test func `a record that is deleted meanwhile is a conflict`() async throws {
    try await Program.withLibrary { program in
      let id = try program.add("Place", "name=Porto")
      let first = try await Self.waitingSet(program, id)
      #expect(try program.run("delete", "Place", id).status == 0)
      try first.write(#""name": "Portus"}"#)
      first.closeInput()
      let outcome = try first.end()
      #expect(outcome.status == 4)
      #expect(outcome.errors == "Place \(id) was deleted meanwhile: nothing was written.\n")
    }
  }

  @Test func `many processes save at once, and every save stands`() async throws {
    try await Program.withLibrary { program in
      let id = try program.add("Place", "name=Porto", "visits=0")
      let all = try (0..<12).map { _ in try program.start(["set", "Place", id, "visits+=1"]) }
      for running in all { #expect(try running.end().status == 0) }
      #expect(try program.fields("Place", id)["visits"] as? Int == 12)
    }
  }
}
