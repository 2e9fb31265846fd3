import Foundation
import Testing

/// `types`, `add`, `show`, `list`, `set`: the shapes and statuses of DESIGN.md 7.
struct RecordCommandTests {
  @Test func `types shows the fields and the number of records`() async throws {
    try await Program.withLibrary { program in
      _ = try program.run("add", "Place", "name=Porto")
      let types = try program.run("types", "--json").objects()
      #expect(types.map { $0["type"] as? String } == ["Place", "Trip"])
      let place = try #require(types.first)
      #expect(place["title"] as? String == "name")
      #expect(place["count"] as? Int == 1)
      let fields = try #require(place["fields"] as? [[String: Any]])
      #expect(fields.first?["name"] as? String == "name")
      #expect(fields.first?["type"] as? String == "text")
      #expect(fields.first?["label"] as? String == "name")
      #expect(
        fields.first { $0["name"] as? String == "rating" }?["of"] as? [String] == [
          "low", "fair", "good",
        ])
    }
  }

  @Test func `a record is added and shown with every kind of value`() async throws {
    try await Program.withLibrary { program in
      let trip = try program.run("add", "Trip", "name=Summer", "--json").object()
      let tripID = try #require(trip["id"] as? String)
      let photo = try program.file("p.jpg", "not really a picture")
      let notes = try program.file("notes.txt", "two\nlines")
      let added = try program.run(
        "add", "Place", "name=Porto", "country=PT", "population=249633", "area=41.42",
        "price=12.50", "visited=true", "rating=good", "since=2026-11-21",
        "seen=2026-11-21T09:30:00.250Z", "tags=sea, port", "visits=3", "spot=41.15,-8.61",
        "notes=@\(notes)", "site=https://porto.pt", "trip=Summer", "photo=@\(photo)", "--json")
      #expect(added.status == 0, "\(added.errors)")
      let id = try #require(try added.object()["id"] as? String)
      #expect(UUID(uuidString: id) != nil && id == id.lowercased())

      let record = try program.run("show", "Place", id, "--json").object()
      #expect(record["type"] as? String == "Place")
      #expect(record["id"] as? String == id)
      #expect(record["deleted"] as? Bool == false)
      // Nothing waits to be sent where no sync is set up.
      #expect(record["pending"] as? Bool == false)
      #expect((record["conflicts"] as? [Any])?.isEmpty == true)
      #expect((record["created"] as? String)?.hasSuffix("Z") == true)
      #expect(record["modified"] as? String == record["created"] as? String)
      let fields = try #require(record["fields"] as? [String: Any])
      let expected: [String: any Equatable & Sendable] = [
        "name": "Porto", "country": "PT", "population": 249_633, "area": 41.42, "price": "12.5",
        "visited": true, "rating": "good", "since": "2026-11-21",
        "seen": "2026-11-21T09:30:00.250Z", "visits": 3, "notes": "two\nlines",
        "site": "https://porto.pt", "trip": tripID,
      ]
      for (name, value) in expected {
        #expect("\(fields[name] ?? "-")" == Self.text(value), "\(name)")
      }
      #expect(fields["tags"] as? [String] == ["port", "sea"])
      #expect(fields["spot"] as? [String: Double] == ["lat": 41.15, "lon": -8.61])
      let file = try #require(fields["photo"] as? [String: Any])
      #expect(file["name"] as? String == "p.jpg")
      #expect(file["bytes"] as? Int == 20)
      #expect((file["sha256"] as? String)?.count == 64)
    }
  }

  /// A Boolean of JSON is a number to Foundation.
  private static func text(_ value: any Equatable & Sendable) -> String {
    (value as? Bool).map { $0 ? "1" : "0" } ?? "\(value)"
  }

  @Test func `an empty value is null, and clears`() async throws {
    try await Program.withLibrary { program in
      let id = try program.add("Place", "name=Porto", "country=PT", "notes=")
      #expect(try program.fields("Place", id)["notes"] is NSNull)
      let set = try program.run("set", "Place", id, "country=", "--json").object()
      #expect(set["outcome"] as? String == "applied")
      #expect(set["fields"] as? [String] == ["country"])
      #expect(set["id"] as? String == id)
      #expect(try program.fields("Place", id)["country"] is NSNull)
    }
  }

  @Test func `setting what is there already changes nothing`() async throws {
    try await Program.withLibrary { program in
      let id = try program.add("Place", "name=Porto")
      let set = try program.run("set", "Place", id, "name=Porto", "--json")
      #expect(set.status == 0)
      #expect(try set.object()["outcome"] as? String == "unchanged")
      #expect(try set.object()["fields"] as? [String] == [])
      #expect(try program.run("history", "--json").objects().count == 2)
    }
  }

  @Test func `counters and tags take += and -=`() async throws {
    try await Program.withLibrary { program in
      let id = try program.add("Place", "name=Porto", "tags=a,b", "visits=5")
      _ = try program.run("set", "Place", id, "tags+=c", "tags-=a", "visits+=2", "visits-=4")
      #expect(try program.fields("Place", id)["tags"] as? [String] == ["b", "c"])
      #expect(try program.fields("Place", id)["visits"] as? Int == 3)
      let wrong = try program.run("set", "Place", id, "population+=1")
      #expect(wrong.status == 2)
      #expect(
        wrong.errors
          == "'1' does not fit 'population': += and -= are for counters, tags and references.\n")
    }
  }

  @Test func `dates take today and days from it`() async throws {
    try await Program.withLibrary { program in
      let id = try program.add("Place", "name=Porto", "since=today+7d")
      let since = try #require(try program.fields("Place", id)["since"] as? String)
      #expect(since.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil)
    }
  }

  @Test func `standard input gives any value`() async throws {
    try await Program.withLibrary { program in
      let hostile =
        #"{"name":"a=b\u001b[31m@file","notes":"","tags":["x,y","+z"],"population":-0}"#
      let added = try program.run("add", "Place", "--stdin", "--json", input: hostile)
      #expect(added.status == 0, "\(added.errors)")
      let id = try #require(try added.object()["id"] as? String)
      let fields = try program.fields("Place", id)
      #expect(fields["name"] as? String == "a=b\u{1b}[31m@file")
      #expect(fields["notes"] is NSNull)
      #expect(fields["tags"] as? [String] == ["+z", "x,y"])

      let set = try program.run(
        "set", "Place", id, "--stdin", "--json", input: #"{"country":"日本 🇯🇵","tags":null}"#)
      #expect(try set.object()["fields"] as? [String] == ["country", "tags"])
      #expect(try program.fields("Place", id)["country"] as? String == "日本 🇯🇵")

      let zero = try program.run(
        "set", "Place", id, "--stdin", input: #"{"name": "a\u0000b"}"#)
      #expect(zero.status == 2)
      #expect(
        zero.errors
          == "Nothing was written: 'name' must not hold the character U+0000.\n")

      let wrong = try program.run("set", "Place", id, "--stdin", input: "{\"name\": ")
      #expect(wrong.status == 2)
      #expect(wrong.output.isEmpty)
    }
  }

  @Test func `list filters, searches, sorts and limits`() async throws {
    try await Program.withLibrary { program in
      _ = try program.add("Place", "name=Porto", "country=PT", "population=249633")
      _ = try program.add("Place", "name=Lisboa", "country=PT", "population=517802")
      _ = try program.add("Place", "name=Sapporo 札幌市", "country=JP", "population=1883027")
      func names(_ words: String...) throws -> [String] {
        let found = try program.run(words: ["list", "Place"] + words + ["--json"])
        #expect(found.status == 0, "\(found.errors)")
        return try found.objects().compactMap {
          ($0["fields"] as? [String: Any])?["name"] as? String
        }
      }
      #expect(try names() == ["Lisboa", "Porto", "Sapporo 札幌市"])
      #expect(try names("--where", "country=PT population>300000") == ["Lisboa"])
      #expect(try names("--where", "-country=PT") == ["Sapporo 札幌市"])
      #expect(try names("--search", "札幌") == ["Sapporo 札幌市"])
      #expect(
        try names("--sort", "-population", "--limit", "2") == ["Sapporo 札幌市", "Lisboa"])
      #expect(try names("--limit", "0") == [])
    }
  }

  @Test func `a list is JSON, NDJSON, CSV or a table`() async throws {
    try await Program.withLibrary { program in
      let id = try program.add("Place", "name=a,\"b\"\u{1b}", "tags=x,y", "population=7")
      let ndjson = try program.run("list", "Place", "--ndjson")
      #expect(ndjson.lines.count == 1)
      #expect(try ndjson.object()["id"] as? String == id)
      #expect(!ndjson.output.contains("\u{1b}"))
      let csv = try program.run("list", "Place", "--csv").output
      #expect(csv.hasPrefix("_id,name,country,population,"))
      #expect(csv.contains("\(id),\"a,\"\"b\"\"\u{1b}\",,7,"))
      let table = try program.run("list", "Place")
      #expect(table.lines.count == 2)
      #expect(table.lines[1] == "\(id)  a,\"b\"␛                    7")
      #expect(try program.run("list", "Trip", "--json").output == "[]\n")
      #expect(try program.run("list", "Place", "--json", "--csv").status == 2)
    }
  }

  @Test func `the record in full for a person shows control characters as symbols`() async throws {
    try await Program.withLibrary { program in
      let id = try program.add("Place", "name=evil\u{1b}[2J\u{7}", "notes=one\ntwo")
      let shown = try program.run("show", "Place", id)
      #expect(shown.status == 0)
      #expect(shown.output.contains("evil␛[2J␇"))
      #expect(!shown.output.contains("\u{1b}"))
      #expect(shown.lines.contains { $0.hasSuffix("  two") })
    }
  }
}

extension Program {
  /// Adds a record; answers its id.
  func add(_ type: String, _ fields: String...) throws -> String {
    let added = try run(words: ["add", type] + fields + ["--json"])
    return try #require(try added.object()["id"] as? String, "\(added.errors)")
  }

  func record(_ type: String, _ id: String) throws -> [String: Any] {
    try run("show", type, id, "--json").object()
  }

  func fields(_ type: String, _ id: String) throws -> [String: Any] {
    try #require(try record(type, id)["fields"] as? [String: Any])
  }
}
