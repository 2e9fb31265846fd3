internal import ArgumentParser
internal import RecordStore
internal import Records

/// `skyros export --type TYPE --format F`: flat rows on standard output, as they are read.
struct ExportCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the records of a type as CSV, JSON or NDJSON.",
    discussion: "Flat: _id and the fields. skyros import takes it back.")

  @Option(parsing: .unconditional, help: "The type.") var type: String
  @OptionGroup var choice: QueryOptions
  @Option(
    name: .customLong("format"), parsing: .unconditional,
    help: ArgumentHelp("csv, json or ndjson.", valueName: "format"))
  var form = ExportFormat.csv
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let type = try library.model.requireType(self.type)
    let query = try choice.query(of: type, in: library)
    switch format.json && form == .csv ? .json : form {
    case .csv:
      try output.write(FlatRow.header(of: type))
      try await library.forEachRow(query) { try output.write(FlatRow.line($0, of: type)) }
    case .json:
      try await library.forEachRow(query) { try output.element(FlatRow.object($0, of: type)) }
      try output.endArray()
    case .ndjson:
      try await library.forEachRow(query) { try output.line(FlatRow.object($0, of: type)) }
    }
  }
}

extension ExportFormat: ExpressibleByArgument {}
