import Foundation
import Testing

/// `new` and `model`.
struct ModelCommandTests {
  @Test func `the model is printed as it can be applied again`() async throws {
    try await Program.withLibrary { program in
      let shown = try program.run("model", "show")
      #expect(shown.status == 0)
      let file = try program.file("same.yaml", shown.output)
      let check = try program.run("model", "check", file, "--json").object()
      #expect(check["outcome"] as? String == "checked")
      #expect((check["changes"] as? [Any])?.isEmpty == true)
      let json = try program.run("model", "show", "--json").object()
      #expect(json["model"] as? String == shown.output)
    }
  }

  @Test func `a changed model is forecast, then applied`() async throws {
    try await Program.withLibrary { program in
      let id = try program.add("Place", "name=Porto")
      let text = try program.run("model", "show").output
      let longer = text.replacing(
        #/\n( +)name: /#, with: { "\n\($0.output.1)mayor: {type: text}\n\($0.output.1)name: " })
      let file = try program.file("longer.yaml", longer)
      let check = try program.run("model", "check", file)
      #expect(check.output == "Place: new field mayor\nTrip: new field mayor\n")
      #expect(try program.run("types", "--json").output.contains("mayor") == false)
      let applied = try program.run("model", "apply", file, "--json").object()
      #expect(applied["outcome"] as? String == "applied")
      #expect(applied["transaction"] is Int)
      #expect(FileManager.default.fileExists(atPath: try #require(applied["backup"] as? String)))
      #expect(try program.run("set", "Place", id, "mayor=Rui").status == 0)
      #expect(try program.fields("Place", id)["mayor"] as? String == "Rui")
    }
  }

  @Test func `values go out of sight only when told to`() async throws {
    try await Program.withLibrary { program in
      _ = try program.add("Place", "name=Porto", "area=1.5")
      let text = try program.run("model", "show").output
      let shorter = text.replacing(#/\n +area: [^\n]*/#, with: "")
      let file = try program.file("shorter.yaml", shorter)
      let refused = try program.run("model", "apply", file)
      #expect(refused.status == 2)
      #expect(
        refused.errors
          == "This would put values out of sight, which stay in the file: Place.area in 1 record. "
          + "Say --lose-values to do it.\n")
      #expect(try program.run("model", "apply", file, "--lose-values").status == 0)
      #expect(try program.run("types", "--json").output.contains("\"area\"") == false)
    }
  }

  @Test func `a mistake of a model has its place`() async throws {
    try await Program.inNewHome { program in
      let file = try program.file(
        "bad.yaml", "skyros: 1\ntypes:\n  Place:\n    fields:\n      a: {type: strin}\n")
      let outcome = try program.run("new", program.library, "--model", file)
      #expect(outcome.status == 2)
      #expect(
        outcome.errors.hasPrefix(
          "The model in '\(file)' can't be used: line 5, column 17 (types.Place.fields.a.type): "
            + "'strin' is not known; known are text, "))
      #expect(!FileManager.default.fileExists(atPath: program.library))
    }
  }

  @Test func `the editor's text is applied, or kept when it has a mistake`() async throws {
    try await Program.withLibrary { program in
      let good = ["EDITOR": "sed -i 's/area:/surface:/'"]
      #expect(
        try program.run(words: ["model", "edit", "--lose-values"], environment: good).status == 0)
      #expect(try program.run("types", "--json").output.contains("\"surface\""))
      let bad = ["EDITOR": "sed -i s/surface:/9:/", "TMPDIR": program.home.path()]
      let outcome = try program.run(words: ["model", "edit"], environment: bad)
      #expect(outcome.status == 2)
      let path = try #require(outcome.errors.firstMatch(of: #/Your text is in '(.*)'/#)?.output.1)
      #expect(try String(contentsOfFile: String(path), encoding: .utf8).contains("9:"))
      let same = try program.run(words: ["model", "edit"], environment: ["EDITOR": "true"])
      #expect(same.status == 1)
      #expect(same.errors == "The model was not edited: nothing was changed.\n")
    }
  }

  @Test func `every template makes a library`() async throws {
    try await Program.inNewHome { program in
      for name in ["default", "contacts", "field-notes", "inventory", "places", "reading", "tasks"]
      {
        let path = program.home.appending(path: "\(name).skyros").path()
        let made = try program.run("new", path, "--template", name, "--json")
        #expect(made.status == 0, "\(made.errors)")
        #expect((try made.object()["types"] as? [String])?.isEmpty == false)
      }
    }
  }
}
