import Foundation
import Testing

/// The exit statuses of DESIGN.md 7, and the sentence that goes with each, word by word.
struct ExitStatusTests {
  /// Words of a command line after the type and id are put in, its status, its sentence.
  struct Case: Sendable, CustomTestStringConvertible {
    let words: [String]
    let status: Int32
    let sentence: String

    init(_ words: String..., status: Int32, _ sentence: String) {
      self.words = words
      self.status = status
      self.sentence = sentence
    }

    var testDescription: String { words.joined(separator: " ") }
  }

  static let nobody = "00000000-0000-7000-8000-000000000000"
  static let fields =
    "name, country, population, area, price, visited, rating, since, seen, tags, visits, spot, "
    + "notes, site, trip and photo"

  static let cases = [
    Case("frobnicate", status: 2, "There is no subcommand 'frobnicate'. See: skyros --help"),
    Case("help", "nope", status: 2, "There is no subcommand 'nope'. See: skyros --help"),
    Case("help", "sync", "nope", status: 2, "There is no subcommand 'nope'. See: skyros --help"),
    Case("list", status: 2, "Missing expected argument '<type>'. See: skyros list --help"),
    Case(
      "list", "Place", "--nonsense", status: 2,
      "Unknown option '--nonsense'. See: skyros list --help"),
    Case(
      "list", "Place", "--limit", "many", status: 2,
      "The value 'many' is invalid for '--limit <n>'. See: skyros list --help"),
    Case(
      "list", "Place", "--limit", "-3", status: 2,
      "--limit takes a number from 0 up. See: skyros list --help"),
    Case(
      "list", "Planet", status: 2,
      "There is no type 'Planet' in this library. Its types: Place and Trip."),
    Case(
      "list", "Place", "--sort", "-height", status: 2,
      "Place has no field 'height'. Its fields: \(fields)."),
    Case(
      "list", "Place", "--where", "population>", status: 2,
      "The filter 'population>' has a mistake at character 11: a value is expected after '>'."),
    Case(
      "list", "Place", "--where", "name=a height=3", status: 2,
      "The filter 'name=a height=3' has a mistake at character 8: there is no field 'height' "
        + "(the fields: \(fields))."),
    Case(
      "list", "Place", "--where", "population>ten", status: 2,
      "The filter 'population>ten' has a mistake at character 12: 'ten' does not fit 'population', "
        + "a whole number is expected."),
    Case("add", "Place", "name", status: 2, "'name' is not of the form field=value."),
    Case(
      "add", "Place", "height=3", status: 2, "Place has no field 'height'. Its fields: \(fields)."),
    Case(
      "add", "Place", "name=x", "population=ten", status: 2,
      "'ten' does not fit 'population': a whole number is expected."),
    Case(
      "add", "Place", "name=x", "population=99999999999999999999", status: 2,
      "'99999999999999999999' does not fit 'population': the number is too large."),
    Case(
      "add", "Place", "name=x", "since=2026-02-30", status: 2,
      "'2026-02-30' does not fit 'since': a date is expected, like 2026-11-21 or today+7d."),
    Case(
      "add", "Place", "name=x", "rating=best", status: 2,
      "'best' does not fit 'rating': the choices are low, fair and good."),
    Case(
      "add", "Place", "country=PT", status: 2,
      "Nothing was written: 'name' must not be empty."),
    Case(
      "add", "Place", "name=x", "population=-1", status: 2,
      "Nothing was written: 'population' must not be below 0."),
    Case("add", "Place", "name=x", "trip=Summer", status: 2, "No Trip is called 'Summer'."),
    Case(
      "add", "Place", "name=x", "trip=\(nobody)", status: 3,
      "There is no Trip with the id '\(nobody)'."),
    Case(
      "add", "Place", "--stdin", "name=x", status: 2,
      "Give field=value words or --stdin, not both. See: skyros add --help"),
    Case(
      "add", "Place", "notes=@/no/such/file", status: 1,
      "'/no/such/file': No such file or directory."),
    Case("show", "Place", nobody, status: 3, "There is no Place with the id '\(nobody)'."),
    Case("show", "Place", "porto", status: 3, "There is no Place with the id 'porto'."),
    Case("set", "Place", nobody, "name=x", status: 3, "There is no Place with the id '\(nobody)'."),
    Case("delete", "Place", nobody, status: 3, "There is no Place with the id '\(nobody)'."),
    Case("restore", "Place", nobody, status: 3, "There is no Place with the id '\(nobody)'."),
    Case("purge", "Place", nobody, status: 3, "There is no Place with the id '\(nobody)'."),
    Case("history", "Place", nobody, status: 3, "There is no Place with the id '\(nobody)'."),
    Case("history", "Place", status: 2, "Give TYPE and ID, or neither. See: skyros history --help"),
    Case("undo", "4711", status: 3, "There is no transaction 4711."),
    Case("undo", "seven", status: 3, "There is no transaction seven."),
    Case("resolve", "x", "--take", "0", status: 3, "There is no conflict with the id 'x'."),
    Case("resolve", "x", status: 2, "Give --take or --value. See: skyros resolve --help"),
    Case(
      "completions", "tcsh", status: 2,
      "There are completions for bash, zsh and fish, not for 'tcsh'."),
    Case(
      "new", "other.skyros", "--template", "nonsense", status: 2,
      "There is no template 'nonsense'. The templates: default, contacts, field-notes, inventory, "
        + "places, reading, tasks and demo."),
    Case(
      "open", status: 2,
      "The interface needs a terminal. For scripts there are subcommands: skyros --help"),
  ]

  @Test func `each mistake has its status, and one sentence on standard error`() async throws {
    try await Program.withLibrary { program in
      for example in Self.cases {
        let outcome = try program.run(words: example.words)
        #expect(outcome.status == example.status, "\(example.testDescription)")
        #expect(outcome.errors == example.sentence + "\n")
        #expect(outcome.output.isEmpty, "\(example.testDescription)")
      }
      // None of them wrote anything.
      #expect(try program.run("list", "Place", "--json").output == "[]\n")
      #expect(try program.run("history", "--json").objects().count == 1)
    }
  }

  @Test func `help and completions are data`() async throws {
    try await Program.inNewHome { program in
      let help = try program.run("--help")
      #expect(help.status == 0 && help.errors.isEmpty)
      #expect(help.output.contains("SUBCOMMANDS"))
      #expect(try program.run("list", "--help").output.contains("--where"))
      #expect(try program.run("help", "set").status == 0)
      #expect(try program.run("--version").status == 0)
      for shell in ["bash", "zsh", "fish"] {
        let script = try program.run("completions", shell)
        #expect(script.status == 0 && script.output.contains("skyros"))
      }
    }
  }

  @Test func `a library that a person named and that is not there is told`() async throws {
    try await Program.inNewHome { program in
      let outcome = try program.run("types")
      #expect(outcome.status == 1)
      #expect(
        outcome.errors
          == "There is no library at '\(program.library)'. Make one with: skyros new "
          + "'\(program.library)'\n")
    }
  }

  @Test func `the default library is made on first use`() async throws {
    try await Program.inNewHome { program in
      let outcome = try program.run(
        words: ["types", "--json"], environment: ["SKYROS_LIBRARY": ""])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try outcome.objects().count == 5)
      let made = program.home.appending(path: "data/skyros/default.skyros/library.sqlite")
      #expect(FileManager.default.fileExists(atPath: made.path()))
    }
  }

  @Test func `the library is named before or after the subcommand`() async throws {
    try await Program.withLibrary { program in
      let elsewhere = ["SKYROS_LIBRARY": "/no/such/place"]
      for words in [
        ["--library", program.library, "types", "--json"],
        ["types", "--library", program.library, "--json"],
        ["types", "--json", "--library=\(program.library)"],
      ] {
        let outcome = try program.run(words: words, environment: elsewhere)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try outcome.objects().count == 2)
      }
    }
  }

  @Test func `a new library goes nowhere where something is`() async throws {
    try await Program.withLibrary { program in
      let outcome = try program.run("new", program.library)
      #expect(outcome.status == 1)
      #expect(
        outcome.errors
          == "There is something at '\(program.library)' already: nothing was changed.\n")
    }
  }
}
