import Foundation
import Testing

/// `show --attachment`: what is attached, written out again.
struct AttachmentCommandTests {
  /// Bytes that are no text, more than one block of anything.
  private static let content = Data(
    (0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 / 251) })

  @Test func `an attachment comes out as it went in`() async throws {
    try await Program.withLibrary { program in
      let photo = try program.file("p.jpg", Self.content)
      let id = try program.add("Place", "name=a", "photo=@\(photo)")
      let target = program.home.appending(path: "out.jpg")
      let saved = try program.run(
        "show", "Place", id, "--attachment", "photo", "-o", target.path(), "--json")
      #expect(saved.status == 0, "\(saved.errors)")
      #expect(try saved.object()["bytes"] as? Int == Self.content.count)
      #expect(try Data(contentsOf: target) == Self.content)

      let again = try program.run(
        "show", "Place", id, "--attachment", "photo", "-o", target.path())
      #expect(again.status == 1)
      #expect(again.errors.contains("File exists"))
      #expect(try Data(contentsOf: target) == Self.content)
    }
  }

  @Test func `without a path it goes to standard output, and nothing else does`() async throws {
    try await Program.withLibrary { program in
      let photo = try program.file("p.txt", "only\nthis")
      let id = try program.add("Place", "name=a", "photo=@\(photo)")
      let shown = try program.run("show", "Place", id, "--attachment", "photo")
      #expect(shown.status == 0)
      #expect(shown.output == "only\nthis")
      #expect(shown.errors.isEmpty)
    }
  }

  @Test func `a field without a file is told, and so is -o without a field`() async throws {
    try await Program.withLibrary { program in
      let id = try program.add("Place", "name=a")
      let none = try program.run("show", "Place", id, "--attachment", "photo")
      #expect(none.status == 1)
      #expect(none.errors == "'photo' of \(id) has no file attached.\n")
      #expect(try program.run("show", "Place", id, "--attachment", "zz").status == 2)
      #expect(try program.run("show", "Place", id, "-o", "x").status == 2)
    }
  }
}
