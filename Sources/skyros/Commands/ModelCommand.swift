internal import ArgumentParser
internal import Glibc
internal import ModelFile
internal import RecordStore
internal import Records
internal import Screens
internal import Wording

/// `skyros model show|check|apply|edit [FILE]`.
struct ModelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Show or change the library's model: its types and fields.",
    subcommands: [ModelShow.self, ModelCheck.self, ModelApply.self, ModelEdit.self],
    defaultSubcommand: ModelShow.self)

  @OptionGroup var place: LibraryOption
}

/// `skyros model show`: the model as YAML.
struct ModelShow: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print the model as YAML.")

  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let text = ModelFile.text(of: library.model)
    if format.json { return try output.line(["model": .string(text)]) }
    try output.write(text)
  }
}

/// `skyros model check FILE`: what applying the file would do.
struct ModelCheck: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Say what applying a model would change; change nothing.")

  @Argument(help: "The model, as YAML; - is standard input.", completion: .file())
  var file: String
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let model = try ModelInput(path: file).read(over: library.model)
    let forecast = try await library.forecast(model)
    let report = ForecastReport(forecast, from: library.model, to: model)
    try report.print(outcome: "checked", transaction: nil, backup: nil, format, output)
  }
}

/// `skyros model apply FILE`: makes the file the library's model.
struct ModelApply: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply", abstract: "Make a file the library's model, after a backup.",
    discussion: "What would put values out of sight is refused without --lose-values.")

  @Argument(help: "The model, as YAML; - is standard input.", completion: .file())
  var file: String
  @Flag(help: "Go on although values go out of sight; they stay in the file and in history.")
  var loseValues = false
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let model = try ModelInput(path: file).read(over: library.model)
    try await library.applyAndReport(model, losing: loseValues, format, output)
  }
}

/// `skyros model edit`: the model in the person's editor.
struct ModelEdit: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit the model in $EDITOR, then apply it.")

  @Flag(help: "Go on although values go out of sight; they stay in the file and in history.")
  var loseValues = false
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let before = ModelFile.text(of: library.model)
    let file = try EditedFile(before, name: "model.yaml")
    try file.edit()
    guard try InputFile(path: file.path).text() != before else {
      file.remove()
      throw Failure.unchangedModel
    }
    do {
      let model = try ModelInput(path: file.path).read(over: library.model)
      try await library.applyAndReport(model, losing: loseValues, format, output)
    } catch {
      // What was typed is never lost: the file stays, and its path is said.
      Program.complain(Words.system.failure.textKept(in: file.path))
      throw error
    }
    file.remove()
  }
}

extension Library {
  fileprivate func applyAndReport(
    _ model: Model, losing: Bool, _ format: FormatOption, _ output: Output
  ) async throws {
    let before = self.model
    let result = try await apply(model, losing: losing)
    let report = ForecastReport(result.forecast, from: before, to: model)
    let outcome = result.transaction == nil ? "unchanged" : "applied"
    try report.print(
      outcome: outcome, transaction: result.transaction, backup: result.backup, format, output)
  }
}

/// The forecast of a migration, for a person and as JSON.
struct ForecastReport {
  private let forecast: MigrationForecast
  private let changes: [String]
  private let losses: [String]

  init(_ forecast: MigrationForecast, from old: Model, to new: Model) {
    self.forecast = forecast
    let words = ChangeWords(words: .system, old: old, new: new, naming: .asWritten)
    changes = forecast.changes.map { words.sentence(for: $0) }
    losses = forecast.losses.map(\.words)
  }

  /// `{"outcome","changes":[…],"losses":[…],"records","seconds","transaction","backup"}`.
  func print(
    outcome: String, transaction: Int64?, backup: String?, _ format: FormatOption, _ output: Output
  ) throws(Failure) {
    guard format.json else {
      for change in changes { try output.line(change) }
      for loss in losses { try output.line(Words.system.forecast.outOfSight(loss)) }
      if forecast.isEmpty { try output.line(Words.system.forecast.nothing) }
      return
    }
    let seconds =
      Double(forecast.duration.components.seconds)
      + Double(forecast.duration.components.attoseconds) / 1e18
    try output.line([
      "outcome": .string(outcome),
      "changes": .array(changes.map(JSON.string)),
      "losses": .array(losses.map(JSON.string)),
      "records": .count(forecast.records),
      "seconds": .number(seconds),
      "transaction": transaction.map(JSON.integer) ?? .null,
      "backup": .string(orNull: backup),
    ])
  }
}
