import Foundation
import Testing

/// `import` and `export`.
struct ImportCommandTests {
  @Test func `a type is made from the file's columns and values`() async throws {
    try await Program.withLibrary { program in
      let file = try program.file(
        "cities.csv",
        #"""
        \#u{FEFF}City Name;Postal Code;Population;Capital;Founded;Notes\#r
        "Porto; the old";04000;249633;false;1123-01-01;"two\#r
        lines and ""quotes"""\#r
        札幌;0600000;1970000;true;1869-01-01;\#r

        """#)
      let report = try program.run("import", file, "--type", "City", "--json")
      #expect(report.status == 0, "\(report.errors)")
      let json = try report.object()
      #expect(json["added"] as? Int == 2)
      #expect(json["updated"] as? Int == 0)
      #expect(json["unchanged"] as? Int == 0)
      #expect((json["refused"] as? [Any])?.isEmpty == true)
      #expect(json["transaction"] is Int)

      let types = try program.run("types", "--json").objects()
      let city = try #require(types.first { $0["type"] as? String == "City" })
      let fields = try #require(city["fields"] as? [[String: Any]])
      #expect(
        fields.map { "\($0["name"] ?? ""):\($0["type"] ?? "")" } == [
          "City_Name:text", "Postal_Code:text", "Population:integer", "Capital:boolean",
          "Founded:date", "Notes:longText",
        ])
      #expect(fields.first?["label"] as? String == "City Name")
      let rows = try program.run("list", "City", "--where", "Capital=true", "--json").objects()
      let first = try #require(rows.first?["fields"] as? [String: Any])
      #expect(first["Postal_Code"] as? String == "0600000")
      #expect(first["City_Name"] as? String == "札幌")
    }
  }

  @Test func `rows are updated by their key, and refused with line and reason`() async throws {
    try await Program.withLibrary { program in
      let first = try program.file("a.csv", "name,country,population\nPorto,PT,1\nLisboa,PT,2\n")
      #expect(try program.run("import", first, "--type", "Place").status == 0)
      let second = try program.file(
        "b.csv",
        "name,country,population\nPorto,PT,10\nLisboa,PT,2\nFaro,PT,many\n,PT,3\nBraga,PT,-4\n")
      let outcome = try program.run("import", second, "--type", "Place", "--key", "name", "--json")
      #expect(outcome.status == 0)
      let report = try outcome.object()
      #expect(report["added"] as? Int == 0)
      #expect(report["updated"] as? Int == 1)
      #expect(report["unchanged"] as? Int == 1)
      let refused = try #require(report["refused"] as? [[String: Any]])
      #expect(refused.compactMap { $0["line"] as? Int } == [4, 5, 6])
      #expect(
        outcome.errors == """
          line 4: 'many' does not fit 'population': a whole number is expected
          line 5: 'name' must not be empty
          line 6: 'population' must not be below 0

          """)
      #expect(try program.run("list", "Place", "--json").objects().count == 2)
    }
  }

  @Test func `an import that takes no row changes nothing`() async throws {
    try await Program.withLibrary { program in
      let file = try program.file("a.csv", "name,population\nx,many\n")
      let outcome = try program.run("import", file, "--type", "Place", "--json")
      #expect(outcome.status == 1)
      #expect(try outcome.object()["transaction"] is NSNull)
      #expect(
        outcome.errors.hasSuffix("Nothing was imported: none of 1 rows could be taken.\n"))
      let empty = try program.file("empty.csv", "")
      #expect(try program.run("import", empty, "--type", "New").status == 1)
      #expect(try program.run("types", "--json").objects().count == 2)
      #expect(try program.run("history", "--json").objects().count == 1)
    }
  }

  @Test func `mistakes of an import are mistakes of usage`() async throws {
    try await Program.withLibrary { program in
      let file = try program.file("a.csv", "name,height\nx,3\n")
      let cases: [([String], String)] = [
        (
          [],
          "Place has no field for 'height': name one with --map 'height=field', or leave the "
            + "column out with --map 'height='.\n"
        ),
        (["--map", "height"], "'height' is not of the form column=field.\n"),
        (
          ["--map", "depth=area"], "The file has no column 'depth'. Its columns: name and height.\n"
        ),
        (["--encoding", "klingon"], ""),
        (
          ["--key", "tags", "--map", "height="],
          "'tags' can't be a key: a key is a text, a number, "
            + "a date or a reference.\n"
        ),
      ]
      for (words, sentence) in cases {
        let outcome = try program.run(words: ["import", file, "--type", "Place"] + words)
        #expect(outcome.status == 2, "\(words)")
        if !sentence.isEmpty { #expect(outcome.errors == sentence) }
      }
      let taken = try program.run("import", file, "--type", "Place", "--map", "height=area")
      #expect(taken.status == 0, "\(taken.errors)")
      #expect(try program.run("import", "nowhere.csv", "--type", "Place").status == 1)
      #expect(try program.run("import", file, "--type", "9 lives").status == 2)
    }
  }

  @Test func `what the file was taken for is said, and can be named otherwise`() async throws {
    try await Program.withLibrary { program in
      let text = "name\tcountry\n札幌市\tJP\n函館市\tJP\n"
      let data = try #require(text.data(using: .shiftJIS))
      let words = ["import", try program.file("a.txt", data), "--type", "Place"]
      let told = try program.run(words: words)
      #expect(
        told.output == """
          2 added, 0 updated, 0 unchanged, 0 refused
          Read as Shift JIS, separated by tabs; --encoding and --separator name others.

          """)
      let json = try program.run(words: words + ["--dry-run", "--json"]).object()
      #expect(json["encoding"] as? String == "shift_jis")
      #expect(json["format"] as? String == "csv")
      #expect(json["separator"] as? String == "\t")
      let odd = try program.file("b.txt", "name~country\nPorto~PT\n")
      let named = ["import", odd, "--type", "Place", "--separator", "~", "--json"]
      #expect(try program.run(words: named).object()["added"] as? Int == 1)
      let wrong = try program.run("import", odd, "--type", "Place", "--separator", "ab")
      #expect(wrong.status == 2)
      #expect(wrong.errors == "'ab' can't separate values: name one character, or tab.\n")
      let lines = try program.file("c.ndjson", "{\"name\":\"a\"}\n")
      #expect(
        try program.run("import", lines, "--type", "Place").output
          .hasSuffix("Read as UTF-8, NDJSON; --encoding names another.\n"))
      #expect(try program.run("import", "--help").output.contains("1 when none was"))
    }
  }

  @Test func `an import is one undo`() async throws {
    try await Program.withLibrary { program in
      let file = try program.file(
        "a.ndjson", "{\"name\":\"a\"}\n{\"name\":\"b\",\"tags\":[\"x\"]}\n")
      let report = try program.run("import", file, "--type", "Place", "--json").object()
      let undone = try program.run("undo", "--json").object()
      #expect(undone["undone"] as? Int == report["transaction"] as? Int)
      #expect(try program.run("list", "Place", "--json").output == "[]\n")
    }
  }

  @Test func `a dry run tells the same and changes nothing`() async throws {
    try await Program.withLibrary { program in
      let file = try program.file("a.csv", "name\na\nb\n")
      let report = try program.run("import", file, "--type", "New", "--dry-run", "--json").object()
      #expect(report["added"] as? Int == 2)
      #expect(report["transaction"] is NSNull)
      #expect(try program.run("types", "--json").objects().count == 2)
    }
  }

  @Test func `encodings are told from the bytes, or named`() async throws {
    try await Program.withLibrary { program in
      let text = "name\n札幌市\n"
      let files: [(Data?, [String])] = [
        (text.data(using: .utf16), []),
        (text.data(using: .utf16LittleEndian), ["--encoding", "utf-16le"]),
        (text.data(using: .shiftJIS), []),
        (text.data(using: .shiftJIS), ["--encoding", "shift_jis"]),
      ]
      for (index, (data, words)) in files.enumerated() {
        let file = try program.file("\(index).csv", try #require(data))
        let outcome = try program.run(words: ["import", file, "--type", "T\(index)"] + words)
        #expect(outcome.status == 0, "\(index): \(outcome.errors)")
        let csv = try program.run("export", "--type", "T\(index)", "--format", "csv").output
        #expect(csv.contains("札幌市"), "\(index)")
      }
    }
  }

  @Test(arguments: ["csv", "json", "ndjson"])
  func `what is exported comes back the same`(format: String) async throws {
    try await Program.withLibrary { program in
      let photo = try program.file("p.jpg", "bytes")
      let trip = try program.add("Trip", "name=Summer")
      _ = try program.add(
        "Place", "name=Porto, \"old\"\u{1b}", "tags=a,b", "price=12.50", "visited=false",
        "spot=41.15,-8.61", "seen=2026-11-21T09:30:00.250Z", "trip=\(trip)", "photo=@\(photo)",
        "notes=two\nlines", "visits=3", "area=0.1")
      let before = try program.run("export", "--type", "Place", "--format", format).output
      let file = try program.file("out.\(format)", before)
      let again = try program.run("import", file, "--type", "Place", "--json")
      #expect(again.status == 0, "\(again.errors)")
      #expect(try again.object()["unchanged"] as? Int == 1)

      // Into a library that has never seen them.
      let other = try program.file("model2.yaml", Program.places)
      let path = program.home.appending(path: "other.skyros").path()
      _ = try program.run("new", path, "--model", other)
      let moved = try program.run("import", file, "--type", "Place", "--library", path)
      #expect(moved.status == 0, "\(moved.errors)")
      let after = try program.run(
        "export", "--type", "Place", "--format", format, "--library", path)
      #expect(after.output == before)
    }
  }

  @Test func `standard input is a file too`() async throws {
    try await Program.withLibrary { program in
      let outcome = try program.run(
        "import", "-", "--type", "Place", "--json", input: "name,tags\nPorto,\"a,b\"\n")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let rows = try program.run("list", "Place", "--json").objects()
      #expect((rows.first?["fields"] as? [String: Any])?["tags"] as? [String] == ["a", "b"])
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGKILL])
  func `an import that is stopped leaves nothing behind`(signal: Int32) async throws {
    try await Program.withLibrary { program in
      // More than the store holds in memory, so that it writes before it is through.
      let pad = String(repeating: "x", count: 700)
      let rows = (0..<70_000).map { "place\($0)\(pad),\($0)" }.joined(separator: "\n")
      let file = try program.file("big.csv", "name,population\n" + rows + "\n")
      let running = try program.start(["import", file, "--type", "Big"])
      // It has begun to write when the log of the file grows.
      let wal = program.library + "/library.sqlite-wal"
      while running.isRunning, (program.size(of: wal) ?? 0) < 1 << 20 { await Task.yield() }
      running.signal(signal)
      let outcome = try running.end()
      #expect(outcome.status == (signal == SIGKILL ? 128 + SIGKILL : 1))
      if signal != SIGKILL { #expect(outcome.errors == "Stopped: nothing was written.\n") }
      let types = try program.run("types", "--json").objects()
      #expect(types.count == 2)
      #expect(try program.run("doctor").status == 0)
      #expect(try program.run("history", "--json").objects().count == 1)
    }
  }
}

extension Program {
  func size(of path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? nil
  }

  @Test func `a table of a spreadsheet may name its delimiter in a line of its own`() async throws {
    try await Program.withLibrary { program in
      let file = try program.file("a.csv", "sep=;\r\nname;country\r\nPorto;PT\r\n")
      let report = try program.run("import", file, "--type", "Place", "--json").object()
      #expect(report["added"] as? Int == 1)
      let place = try #require(try program.run("list", "Place", "--json").objects().first)
      let fields = try #require(place["fields"] as? [String: Any])
      #expect(fields["name"] as? String == "Porto")
      #expect(fields["country"] as? String == "PT")
    }
  }

  @Test func `lists and objects of a JSON file are kept whole in a new type`() async throws {
    try await Program.withLibrary { program in
      let file = try program.file(
        "a.ndjson",
        #"{"name":"a","list":[1,2],"thing":{"b":"c"},"mixed":5}"# + "\n"
          + #"{"name":"b","list":null,"thing":null,"mixed":"x"}"# + "\n")
      let report = try program.run("import", file, "--type", "Thing", "--json").object()
      #expect(report["added"] as? Int == 2)
      let things = try program.run("list", "Thing", "--json", "--sort", "name").objects()
      let fields = try #require(things.first?["fields"] as? [String: Any])
      #expect(fields["list"] as? String == "[1,2]")
      #expect(fields["thing"] as? String == #"{"b":"c"}"#)
      #expect(fields["mixed"] as? String == "5")
    }
  }

  @Test func `search of an imported type does not drown in codes`() async throws {
    try await Program.withLibrary { program in
      var rows = ["id,name,country,timezone,notes"]
      for number in 0..<40 {
        rows.append("\(number),City \(number),BJ,Africa/Porto-Novo,by the sea")
      }
      rows.append("40,Porto,PT,Europe/Lisbon,on the Douro")
      let file = try program.file("a.csv", rows.joined(separator: "\n"))
      _ = try program.run("import", file, "--type", "City", "--key", "id")
      let found = try program.run("list", "City", "--search", "Porto", "--json").objects()
      #expect(found.count == 1)
      let type = try #require(
        try program.run("types", "--json").objects().first { $0["type"] as? String == "City" })
      let fields = try #require(type["fields"] as? [[String: Any]])
      let searched = fields.filter { $0["search"] as? Bool == true }.map { $0["name"] as? String }
      #expect(searched == ["name", "notes"])
      #expect(fields.allSatisfy { $0["index"] is Bool })
    }
  }
}
