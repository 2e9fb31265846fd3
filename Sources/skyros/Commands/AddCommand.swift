internal import ArgumentParser
internal import RecordStore
internal import Records

/// `skyros add TYPE field=value…`: a new record.
struct AddCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a record.", discussion: FieldArguments.discussion)

  @Argument(help: "The type.") var type: String
  @OptionGroup var fields: FieldArguments
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let type = try library.model.requireType(self.type)
    let surroundings = library.surroundings
    var draft = Draft(
      id: surroundings.newDraftID(), new: surroundings.newRecordID(), of: type)
    try await fields.apply(to: &draft, of: type, in: library)
    let finished = draft
    let result = try await WriterWait.telling(in: library) { try await library.commit(finished) }
    let id = result.records[draft.id] ?? draft.record
    if format.json {
      try output.line(["id": .string(id.description)])
    } else {
      try output.line(id.description)
    }
  }
}
