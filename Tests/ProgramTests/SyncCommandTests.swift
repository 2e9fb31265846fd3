import Foundation
import TestKit
import Testing

/// The commands of sync, as scripts use them; and two interfaces with a service between them.
@Suite(.serialized) struct SyncCommandTests {
  /// A second library of the same model, and a service in a file; both set up.
  private func withTwo(_ body: (Program, _ other: String) async throws -> Void) async throws {
    try await Program.withLibrary { program in
      let other = program.home.appending(path: "other.skyros").path()
      let model = try program.file("model.yaml", Program.places)
      #expect(try program.run("new", other, "--model", model).status == 0)
      for library in [program.library, other] {
        let setup = try program.run(
          "sync", "setup", service(program), "--library", library, "--json")
        #expect(setup.status == 0, "\(setup.errors)")
        #expect(try setup.object()["outcome"] as? String == "ready")
      }
      try await body(program, other)
    }
  }

  private func service(_ program: Program) -> String {
    "file:" + program.home.appending(path: "service.sqlite").path()
  }

  /// Leaves an interface from its monitor.
  private func leave(_ terminal: PseudoTerminal) throws {
    terminal.press("Esc")
    try terminal.wait(for: "/ Search")
    terminal.press("q")
    #expect(try terminal.waitForEnd() == 0)
  }

  private func add(_ program: Program, _ name: String, _ library: String) throws -> String {
    let added = try program.run("add", "Place", "name=\(name)", "--library", library, "--json")
    return try #require(try added.object()["id"] as? String)
  }

  @Test func `a run tells what it did; status and events agree with it`() async throws {
    try await withTwo { program, other in
      _ = try add(program, "Porto", program.library)
      let before = try program.run("status", "--json").object()
      #expect(before["summary"] as? String == "notStarted")
      #expect(before["pending"] as? Int == 1)
      let run = try program.run("sync", "--json")
      #expect(run.status == 0, "\(run.errors)")
      let report = try run.object()
      #expect(report["outcome"] as? String == "synced")
      #expect(report["summary"] as? String == "succeeded")
      #expect(report["pending"] as? Int == 0)
      let events = try #require(report["events"] as? [[String: Any]])
      #expect(events.map { $0["kind"] as? String } == ["setup", "import", "export", "import"])
      for event in events {
        #expect(event["outcome"] as? String == "succeeded")
        #expect(event["startedAt"] is String && event["endedAt"] is String)
        #expect(event["error"] is NSNull)
      }
      let counts = try #require(events[2]["counts"] as? [String: Any])
      #expect(counts["sent"] as? Int == 1)
      #expect(counts["acknowledged"] as? Int == 1)
      let logged = try program.run("events", "--json").objects()
      #expect(logged.compactMap { $0["id"] as? Int } == [4, 3, 2, 1])
      let status = try program.run("status", "--json").object()
      #expect(status["summary"] as? String == "succeeded")
      #expect(status["health"] as? String == "ok")
      #expect(status["activity"] as? String == "idle")
      #expect(status["lastExport"] is String && status["lastImport"] is String)
      let taken = try program.run("sync", "--library", other, "--json")
      #expect(taken.status == 0)
      #expect(try program.run("list", "Place", "--library", other).output.contains("Porto"))
    }
  }

  @Test func `the same field edited on both sides is a conflict that one side settles for both`()
    async throws
  {
    try await withTwo { program, other in
      let id = try add(program, "Porto", program.library)
      for library in [program.library, other] {
        #expect(try program.run("sync", "--library", library).status == 0)
      }
      for (library, country) in [(program.library, "PT"), (other, "BR")] {
        #expect(
          try program.run("set", "Place", id, "country=\(country)", "--library", library).status
            == 0)
      }
      for library in [program.library, other, program.library] {
        #expect(try program.run("sync", "--library", library).status == 0)
      }
      let found = try program.run("conflicts", "--json").objects()
      #expect(found.count == 1)
      let conflict = try #require(found.first)
      #expect(conflict["record"] as? String == id)
      #expect(conflict["field"] as? String == "country")
      let values = try #require(conflict["values"] as? [[String: Any]])
      #expect(Set(values.compactMap { $0["value"] as? String }) == ["PT", "BR"])
      #expect(values.first?["shown"] as? Bool == true)
      let name = try #require(conflict["id"] as? String)
      #expect(try program.run("resolve", name, "--take", "7", "--json").status == 2)
      #expect(try program.run("resolve", "nothing", "--take", "0", "--json").status == 3)
      #expect(try program.run("resolve", name, "--take", "1", "--json").status == 0)
      for library in [program.library, other] {
        #expect(try program.run("sync", "--library", library).status == 0)
        let left = try program.run("conflicts", "--json", "--library", library).objects()
        #expect(left.isEmpty)
        let status = try program.run("status", "--json", "--library", library).object()
        #expect(status["conflicts"] as? Int == 0)
      }
    }
  }

  @Test func `the whole event log is printed, or as much of it as is asked for`() async throws {
    try await withTwo { program, _ in
      let events = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)
        INSERT INTO _event (kind, trigger, started, moved, ended, outcome)
        SELECT 'import', 'user', i, i, i, 'succeeded' FROM n
        """
      let shell = try Running(
        [program.library + "/library.sqlite", events], of: URL(filePath: "/usr/bin/sqlite3"),
        input: nil, keepsInputOpen: false, environment: program.environment, folder: program.home
      ).end()
      #expect(shell.status == 0, "\(shell.errors)")
      let all = try program.run("events", "--json").objects().compactMap { $0["id"] as? Int }
      #expect(all == Array((1...150).reversed()))
      #expect(try program.run("events", "--json", "--limit", "7").objects().count == 7)
      #expect(try program.run("events").lines.count == 150)
      #expect(try program.run("events", "--limit", "-1").status == 2)
    }
  }

  @Test func `paused, a run refuses with 5 and edits wait; resumed, they go out`() async throws {
    try await withTwo { program, _ in
      _ = try add(program, "Porto", program.library)
      let paused = try program.run("sync", "pause", "--json").object()
      #expect(paused["outcome"] as? String == "paused")
      #expect(paused["pending"] as? Int == 1)
      #expect(try program.run("sync").status == 5)
      #expect(try program.run("status", "--json").object()["summary"] as? String == "paused")
      #expect(
        try program.run("sync", "resume", "--json").object()["outcome"] as? String == "resumed")
      #expect(try program.run("sync").status == 0)
      let off = try program.run("sync", "off", "--json").object()
      #expect(off["outcome"] as? String == "off")
      #expect(off["unsent"] as? Int == 0)
      for words in [["sync"], ["sync", "pause"], ["sync", "resume"], ["sync", "off"]] {
        #expect(try program.run(words: words).status == 5)
      }
    }
  }

  @Test func `a service that is not there is told in a sentence, with 5; edits stay pending`()
    async throws
  {
    try await withTwo { program, _ in
      _ = try add(program, "Porto", program.library)
      let tokens = try program.file("tokens.json", #"{"apiToken": "a", "webAuthToken": "b"}"#)
      let dead = try program.run(
        "sync", "setup", "http://127.0.0.1:9", "--token-file", tokens)
      #expect(dead.status == 5)
      #expect(dead.errors.contains("can't be reached"))
      #expect(dead.errors.split(separator: "\n").count == 1)
      // What was set up before still is.
      #expect(
        try program.run("status", "--json").object()["service"] as? String == service(program))
      try FileManager.default.removeItem(atPath: String(service(program).dropFirst(5)))
      try FileManager.default.createDirectory(
        atPath: String(service(program).dropFirst(5)), withIntermediateDirectories: false)
      for words in [["sync"], ["sync", "--watch"], ["sync", "--watch", "--json"]] {
        let failed = try program.run(words: words)
        #expect(failed.status == 5)
        #expect(failed.errors.contains("can't be used"))
        #expect(failed.errors.split(separator: "\n").count == 1)
      }
      #expect(try program.run("status", "--json").object()["pending"] as? Int == 1)
      for words in [["sync", "setup", "gopher://x"], ["sync", "setup", "http://127.0.0.1:9"]] {
        #expect(try program.run(words: words).status == 2)
      }
    }
  }

  @Test func `an open interface syncs by itself, and is asked, not overrun`() async throws {
    try await withTwo { program, other in
      let open = try PseudoTerminal(
        Program.binary.path(), environment: program.environment, columns: 100, rows: 30)
      try open.wait(for: "✓ synced")
      // Somebody else's library and this one, through the service, without a word from anybody.
      _ = try add(program, "Porto", other)
      #expect(try program.run("sync", "--library", other).status == 0)
      try open.wait(for: "Porto")
      open.press("a")
      try open.wait(for: "New Place")
      open.send("Lisboa")
      open.press("C-s")
      try open.wait(for: "the new record, sent") {
        $0.text.contains("Lisboa") && $0.text.contains("✓ synced")
      }
      // What needs that nobody syncs is refused; a run asks the holder.
      let elsewhere = "file:" + program.home.appending(path: "second.sqlite").path()
      for words in [["sync", "off"], ["sync", "setup", elsewhere]] {
        let refused = try program.run(words: words)
        #expect(refused.status == 5)
        #expect(refused.errors.contains("Another skyros syncs this library"))
      }
      let asked = try program.run("sync", "--json")
      #expect(asked.status == 0, "\(asked.errors)")
      #expect(try asked.object()["summary"] as? String == "succeeded")
      open.press("S")
      try open.wait(for: "This skyros syncs")
      #expect(try program.run("sync", "pause").status == 0)
      try open.wait(for: "‖ paused")
      #expect(try program.run("sync", "resume").status == 0)
      try open.wait(for: "✓ synced")
      try leave(open)
      #expect(try program.run("sync", "--library", other).status == 0)
      #expect(try program.run("list", "Place", "--library", other).output.contains("Lisboa"))
      #expect(try program.run("sync", "off").status == 0)
    }
  }

  @Test func `a watcher beside another shows its events, and takes over when it is killed`()
    async throws
  {
    try await withTwo { program, _ in
      /// Each round is a program that starts and ends: no clock is asked.
      func comes(_ condition: () throws -> Bool) throws -> Bool {
        for _ in 0..<200 {
          if try condition() { return true }
          _ = try program.run("types", "--json")
        }
        return false
      }
      let first = try program.start(["sync", "--watch", "--json"])
      defer { first.signal(SIGKILL) }
      #expect(try comes { first.output.contains("\"import\"") })
      let second = try program.start(["sync", "--watch", "--json"])
      defer { second.signal(SIGKILL) }
      #expect(try program.run("sync", "--json").status == 0)
      _ = try add(program, "Porto", program.library)
      #expect(try comes { second.output.contains("\"export\"") || !second.isRunning })
      #expect(second.isRunning)
      first.signal(SIGKILL)
      _ = try first.end()
      _ = try add(program, "Oslo", program.library)
      #expect(try comes { try program.run("status", "--json").object()["pending"] as? Int == 0 })
      second.signal(SIGTERM)
      #expect(try second.end().status == 0)
    }
  }

  @Test func `a Japanese locale is answered in Japanese, and JSON stays as it is`() async throws {
    try await withTwo { program, _ in
      _ = try add(program, "Porto", program.library)
      func say(_ words: String...) throws -> Program.Outcome {
        try program.run(words: words, environment: ["LANG": "ja_JP.UTF-8"])
      }
      #expect(try say("status").output.contains("送信 1 件"))
      #expect(try say("sync").output.contains("取込 0、送信 1"))
      #expect(try say("events").output.contains("準備  成功"))
      #expect(try say("types").output.contains("種類"))
      #expect(try say("sync", "pause").output.contains("一時停止"))
      #expect(try say("sync").errors.contains("同期は一時停止中です"))
      #expect(try say("status", "--json").object()["summary"] as? String == "paused")
    }
  }

  @Test func `two interfaces of one library: one syncs, the other shows it and takes over`()
    async throws
  {
    try await withTwo { program, _ in
      func interface() throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(
          Program.binary.path(), environment: program.environment, columns: 100, rows: 30)
        try terminal.wait(for: "synced")
        terminal.press("S")
        return terminal
      }
      let first = try interface()
      try first.wait(for: "This skyros syncs")
      let second = try interface()
      try second.wait(for: "Another skyros syncs")
      try leave(first)
      try second.wait(for: "This skyros syncs")
      try leave(second)
    }
  }

  @Test func `the demo shows an export, an import and a conflict, and leaves nothing behind`()
    async throws
  {
    try await Program.inNewHome { program in
      #expect(try program.run("demo").status == 2)
      for _ in 0..<2 {
        let demo = try PseudoTerminal(
          Program.binary.path(), ["demo"], environment: program.environment, columns: 110,
          rows: 30)
        try demo.wait(for: "Shanghai")
        try demo.wait(for: "the first conflict") { $0.text.contains("!1") }
        demo.press("S")
        try demo.wait(for: "export and import") {
          $0.text.contains("sent") && $0.text.contains("taken in")
        }
        demo.press("c")
        try demo.wait(for: "Istanbul")
        demo.press("Enter")
        try demo.wait(for: "Writers disagree")
        for title in ["Newest", "[Log]", "/ Search"] {
          demo.press("Esc")
          try demo.wait(for: title)
        }
        demo.press("q")
        #expect(try demo.waitForEnd() == 0)
        #expect(demo.screen.text.contains("begins anew"))
      }
    }
  }
}
