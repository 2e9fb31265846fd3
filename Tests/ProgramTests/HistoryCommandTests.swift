import Foundation
import Testing

/// `delete`, `restore`, `purge`, `trash`, `history`, `undo`.
struct HistoryCommandTests {
  @Test func `deleted records rest in the trash until they are purged`() async throws {
    try await Program.withLibrary { program in
      let ids = [try program.add("Place", "name=a"), try program.add("Place", "name=b")]
      let deleted = try program.run("delete", "Place", ids[0], ids[1], "--json")
      #expect(deleted.status == 0)
      #expect(try deleted.object()["outcome"] as? String == "applied")
      #expect(try program.run("list", "Place", "--json").output == "[]\n")
      #expect(try program.record("Place", ids[0])["deleted"] as? Bool == true)

      let trash = try program.run("trash", "--json").objects()
      #expect(Set(trash.compactMap { $0["id"] as? String }) == Set(ids))
      #expect(
        trash.allSatisfy { $0["deleted"] as? Bool == true && $0["type"] as? String == "Place" })

      let set = try program.run("set", "Place", ids[0], "name=c")
      #expect(set.status == 4)
      #expect(
        set.errors
          == "Place \(ids[0]) is in the trash: restore it first (skyros restore Place \(ids[0])).\n"
      )

      #expect(
        try program.run("restore", "Place", ids[0], "--json").object()["outcome"] as? String
          == "applied")
      #expect(try program.record("Place", ids[0])["deleted"] as? Bool == false)
      #expect(try program.run("purge", "Place", ids[0]).status == 1)
      #expect(try program.run("purge", "Place", ids[1]).status == 0)
      #expect(try program.run("show", "Place", ids[1]).status == 3)
      #expect(try program.run("trash", "--json").output == "[]\n")
    }
  }

  @Test func `an unknown id among several deletes nothing`() async throws {
    try await Program.withLibrary { program in
      let id = try program.add("Place", "name=a")
      let outcome = try program.run("delete", "Place", id, ExitStatusTests.nobody)
      #expect(outcome.status == 3)
      #expect(try program.record("Place", id)["deleted"] as? Bool == false)
    }
  }

  @Test func `history has every change with the values before and after`() async throws {
    try await Program.withLibrary { program in
      let id = try program.add("Place", "name=Porto", "tags=a")
      _ = try program.run("set", "Place", id, "name=Oporto", "tags+=b")
      let history = try program.run("history", "--json").objects()
      let newest = try #require(history.first)
      #expect(newest["origin"] as? String == "edit")
      #expect(newest["author"] as? String == "tester")
      #expect((newest["device"] as? String)?.isEmpty == false)
      #expect((newest["at"] as? String)?.hasSuffix("Z") == true)
      let numbers = history.compactMap { $0["transaction"] as? Int }
      #expect(numbers == numbers.sorted(by: >))
      let record = try #require((newest["records"] as? [[String: Any]])?.first)
      #expect(record["type"] as? String == "Place")
      #expect(record["id"] as? String == id)
      let fields = try #require(record["fields"] as? [String: [String: Any]])
      #expect(Set(fields.keys) == ["name", "tags"])
      #expect(fields["name"]?["before"] as? String == "Porto")
      #expect(fields["name"]?["after"] as? String == "Oporto")
      #expect(fields["tags"]?["before"] as? [String] == ["a"])

      let own = try program.run("history", "Place", id, "--json").objects()
      #expect(own.count == 2)
      #expect(try program.run("history", "--limit", "1", "--json").objects().count == 1)
    }
  }

  @Test func `undo takes the newest change back, then the one before`() async throws {
    try await Program.withLibrary { program in
      let id = try program.add("Place", "name=Porto")
      _ = try program.run("set", "Place", id, "name=Oporto")
      let newest = try #require(
        try program.run("history", "--json").objects().first?["transaction"] as? Int)
      let undone = try program.run("undo", "--json").object()
      #expect(undone["undone"] as? Int == newest)
      #expect(undone["transaction"] as? Int == newest + 1)
      #expect(try program.fields("Place", id)["name"] as? String == "Porto")
      #expect(try program.run("undo").status == 0)
      #expect(try program.record("Place", id)["deleted"] as? Bool == true)
      let again = try program.run("undo", "\(newest)")
      #expect(again.status == 1)
      #expect(
        again.errors
          == "Transaction \(newest) was undone already, by transaction \(newest + 1).\n")
    }
  }

  @Test func `after a purge undo goes on with what can still be taken back`() async throws {
    try await Program.withLibrary { program in
      let kept = try program.add("Place", "name=a")
      _ = try program.run("set", "Place", kept, "name=b")
      let lost = try program.add("Place", "name=c")
      _ = try program.run("delete", "Place", lost)
      _ = try program.run("purge", "Place", lost)
      let undo = try program.run("undo", "--json")
      #expect(undo.status == 0, "\(undo.errors)")
      #expect(try program.fields("Place", kept)["name"] as? String == "a")
    }
  }
}
