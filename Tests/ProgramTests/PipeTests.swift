import Foundation
import Testing

/// Standard output as data: pipes that close early, and text from strangers.
struct PipeTests {
  @Test func `a reader that goes away ends the program quietly`() async throws {
    try await Program.withLibrary { program in
      let rows = (0..<5_000).map { "{\"name\":\"place number \($0)\"}" }.joined(separator: "\n")
      let file = try program.file("rows.ndjson", rows)
      #expect(try program.run("import", file, "--type", "Place").status == 0)
      for command in [
        "list Place", "list Place --ndjson", "export --type Place", "history --json --all",
      ] {
        let outcome = try program.shell(
          "'\(Program.binary.path())' \(command) 2>errors | head -1 | wc -l; "
            + "echo ${PIPESTATUS[0]}; cat errors")
        #expect(outcome.output == "1\n0\n", "\(command)")
      }
    }
  }

  @Test func `a full disk is told`() async throws {
    try await Program.withLibrary { program in
      let outcome = try program.shell("'\(Program.binary.path())' types > /dev/full")
      #expect(outcome.status == 1)
      #expect(outcome.errors == "Standard output can't be written: No space left on device.\n")
    }
  }
}

extension Program {
  /// Runs a line of bash in the test's home.
  func shell(_ line: String) throws -> Outcome {
    try Running(
      ["-c", line], of: URL(filePath: "/bin/bash"), input: nil, keepsInputOpen: false,
      environment: environment, folder: home
    ).end()
  }
}
