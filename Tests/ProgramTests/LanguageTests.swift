import Foundation
import Testing

/// The command line speaks the person's language; data and statuses do not change with it.
struct LanguageTests {
  @Test(arguments: ["LC_ALL", "LC_MESSAGES", "LANG"])
  func `the locale's messages are Japanese`(variable: String) async throws {
    try await Program.withLibrary { program in
      let words = ["list", "Plaice", "--json"]
      let english = try program.run(words: words)
      let japanese = try program.run(words: words, environment: [variable: "ja_JP.UTF-8"])
      #expect(
        english.errors == "There is no type 'Plaice' in this library. Its types: Place and Trip.\n")
      #expect(japanese.errors == "このライブラリに種類「Plaice」はありません。あるもの: Place、Trip。\n")
      #expect(english.status == japanese.status)
      #expect(japanese.output.isEmpty)
    }
  }

  @Test func `the settings' language goes before the locale's`() async throws {
    try await Program.withLibrary { program in
      let folder = program.home.appending(path: "config/skyros")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("language: ja\n".utf8).write(to: folder.appending(path: "config.yaml"))
      let outcome = try program.run("undo", "77")
      #expect(outcome.status == 3)
      #expect(outcome.errors == "トランザクション 77 はありません。\n")
    }
  }

  @Test func `settings that can't be understood are told in one line, and the command runs`()
    async throws
  {
    try await Program.withLibrary { program in
      let folder = program.home.appending(path: "config/skyros")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: "config.yaml")
      let clean = try program.run("types", "--json")
      #expect(clean.errors.isEmpty)
      try Data("language: xx\ncolour: red\n".utf8).write(to: file)
      let wrong = try program.run("types", "--json")
      #expect(wrong.status == 0)
      #expect(wrong.output == clean.output)
      #expect(
        wrong.errors == "\(file.path()), line 1: language is en or ja. "
          + "(1 more line can't be understood.)\n")
      try Data([0xFF, 0xFE, 0x00]).write(to: file)
      #expect(
        try program.run("types", "--json").errors
          == "'\(file.path())' is not text in UTF-8 that can be read.\n")
    }
  }

  @Test func `data is the same in every language`() async throws {
    try await Program.withLibrary { program in
      _ = try program.add("Place", "name=Porto", "visited=true", "rating=good")
      let words = ["list", "Place", "--json"]
      #expect(
        try program.run(words: words).output
          == program.run(words: words, environment: ["LC_ALL": "ja_JP.UTF-8"]).output)
    }
  }

  @Test func `a refused row is told in the person's language`() async throws {
    try await Program.withLibrary { program in
      let file = try program.file("a.csv", "name,population\nPorto,many\nOvar,1\n")
      let outcome = try program.run(
        words: ["import", file, "--type", "Place"], environment: ["LC_ALL": "ja_JP.UTF-8"])
      #expect(outcome.status == 0)
      #expect(
        outcome.errors == "2 行: 「many」は「population」に合いません: 整数を入れてください\n")
      #expect(
        outcome.output == "追加 1 件、更新 0 件、変更なし 0 件、拒否 1 件\n"
          + "UTF-8、コンマ区切りとして読みました。--encoding と --separator で変えられます。\n")
    }
  }
}
