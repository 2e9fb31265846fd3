internal import ArgumentParser
internal import ModelFile
internal import RecordStore
internal import Records
internal import Wording

/// `skyros new PATH`: a new library, from a template or a model of one's own.
struct NewCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Make a new library.",
    discussion: "The templates: \(Words.system.list(Template.names)).")

  @Argument(help: "The folder of the new library.", completion: .directory) var path: String
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The template that it begins with.", valueName: "name"))
  var template: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The model that it begins with, as YAML.", valueName: "file"),
    completion: .file(extensions: ["yaml", "yml"]))
  var model: String?
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func validate() throws {
    if template != nil && model != nil {
      throw ValidationError("Give --template or --model, not both")
    }
  }

  mutating func run() async throws {
    let library = try await Library.create(
      at: absolute(path), model: try firstModel(), surroundings: .system)
    let types = library.model.visibleTypes.map(\.name)
    try await library.close()
    guard format.json else { return }
    let output = Output()
    try output.line([
      "outcome": .string("applied"), "path": .string(absolute(path)),
      "types": .array(types.map(JSON.string)),
    ])
    try output.flush()
  }

  private func firstModel() throws -> Model {
    if let model { return try ModelInput(path: model).read(over: nil) }
    guard let template else { return try Template.standard.model() }
    guard let named = Template(named: template) else {
      throw Failure.unknownTemplate(template, known: Template.names)
    }
    return try named.model()
  }
}

/// A model file that a person wrote.
struct ModelInput {
  let path: String

  func read(over current: Model?) throws(Failure) -> Model {
    let text = try InputFile(path: path).text()
    do {
      return try ModelFile.read(text, over: current)
    } catch {
      throw .badModel(path: path, mistakes: error.mistakes)
    }
  }
}
