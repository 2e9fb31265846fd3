import Foundation
import Testing

/// Files that are no tables, and imports that have to wait.
@Suite(.timeLimit(.minutes(2)))
struct ImportFaultTests {
  @Test func `a broken byte refuses its row, not its file`() async throws {
    try await Program.withLibrary { program in
      let bytes = Data("a,b\n1,".utf8) + [0xFF] + Data("\n東京,大阪\n".utf8)
      let outcome = try program.run(
        "import", try program.file("o.csv", bytes), "--type", "O", "--json")
      let report = try outcome.object()
      #expect(report["encoding"] as? String == "utf-8")
      #expect(report["added"] as? Int == 1)
      #expect(outcome.errors.hasPrefix("line 2: "))
    }
  }

  @Test func `a pipe with a name is read once`() async throws {
    try await Program.withLibrary { program in
      let pipe = program.home.appending(path: "ff").path()
      try #require(mkfifo(pipe, 0o600) == 0)
      let running = try program.start(["import", pipe, "--type", "F", "--json"])
      let end = open(pipe, O_WRONLY)
      let bytes = Array("a,b\n1,2\n".utf8)
      #expect(write(end, bytes, bytes.count) == bytes.count)
      close(end)
      #expect(try running.end().object()["added"] as? Int == 1)
    }
  }

  @Test(arguments: [
    (
      "n.csv", Data(("a\0b,c\n" + String(repeating: "1,2\n", count: 99)).utf8),
      "the file has NUL bytes, so it is no table of text."
    ),
    ("g.csv", Data([0x1F, 0x8B, 8, 0]), "the file is compressed: gunzip it first."),
    ("h.csv", Data("a,b\n".utf8), "the file has a header and no rows."),
  ])
  func `a file without a row says why`(name: String, data: Data, why: String) async throws {
    try await Program.withLibrary { program in
      let file = try program.file(name, data)
      let outcome = try program.run("import", file, "--type", "N", "--json")
      #expect(outcome.status == 1)
      #expect(outcome.errors == "Nothing was imported: \(why)\n")
      #expect(try outcome.object()["added"] as? Int == 0)
    }
  }

  @Test func `broken JSON is named with its element`() async throws {
    try await Program.withLibrary { program in
      let file = try program.file("s.json", #"[{"a":1},{"a":"\ud800"}]"#)
      let outcome = try program.run("import", file, "--type", "S")
      #expect(outcome.status == 0)
      #expect(outcome.errors.hasPrefix("line 1, element 2: "))
      let alone = try program.file("t.json", #"[{"a":"\ud800"}]"#)
      let none = try program.run("import", alone, "--type", "T", "--json")
      #expect(none.status == 1)
      #expect(try none.object()["refusedCount"] as? Int == 1)
    }
  }

  @Test func `more columns than a type may have are told before it is made`() async throws {
    try await Program.withLibrary { program in
      let header = (0..<501).map { "c\($0)" }.joined(separator: ",")
      let file = try program.file("w.csv", header + "\n1\n")
      let outcome = try program.run("import", file, "--type", "W")
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("501 columns, and a type has at most 500 fields"))
    }
  }

  @Test(arguments: [["add", "Place", "name=x"], ["import", "a.csv", "--type", "Place"]])
  func `who waits behind another writer is told, and can stop`(words: [String]) async throws {
    try await Program.withLibrary { program in
      _ = try program.file("a.csv", "name\nx\n")
      let lock = open(program.library + "/library.lock", O_RDWR)
      defer { close(lock) }
      try #require(flock(lock, LOCK_EX) == 0)
      let holder = Array("an import, process 1\n".utf8)
      _ = pwrite(lock, holder, holder.count, 0)
      let running = try program.start(words)
      while running.isRunning, running.errors.isEmpty { await Task.yield() }
      running.signal(SIGINT)
      let outcome = try running.end()
      #expect(outcome.status == 1)
      #expect(
        outcome.errors == """
          Another skyros is writing to this library (import): waiting. Ctrl-C stops waiting.
          Stopped: nothing was written.

          """)
    }
  }
}
