internal import ArgumentParser
internal import RecordStore
internal import Records

/// `skyros set TYPE ID field=value…`: one save of one record.
struct SetCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change fields of a record, in one save.",
    discussion: FieldArguments.discussion)

  @Argument(help: "The record's type.") var type: String
  @Argument(help: "The record's id.") var id: String
  @OptionGroup var fields: FieldArguments
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let type = try library.model.requireType(self.type)
    // The base is what stood when the command began: what others save while standard input is
    // still being written is merged, or is a conflict, as in a form.
    let base = try await library.requireRecord(id, of: type)
    if base.isDeleted { throw Failure.inTrash(base.id, type: type.name) }
    var draft = Draft(id: library.surroundings.newDraftID(), editing: base)
    try await fields.apply(to: &draft, of: type, in: library)
    let finished = draft
    let result = try await WriterWait.telling(in: library) { try await library.commit(finished) }
    try print(SetReport(result.outcome, draft: draft, type: type), to: output)
    switch result.outcome {
    case .conflict(let fields):
      throw Failure.conflict(fields: fields.map { type.name(of: $0.field) })
    case .gone: throw Failure.gone(base.id, type: type.name)
    case .applied, .merged, .unchanged: return
    }
  }

  private func print(_ report: SetReport, to output: Output) throws {
    if format.json { try output.line(report.json) }
  }
}

/// What came of a save, as data.
struct SetReport {
  let id: RecordID
  /// `applied`, `merged`, `unchanged` or `conflict`.
  let outcome: String
  /// Applied: what was written.
  ///
  /// Merged: what others had changed. Conflict: what clashes.
  let fields: [String]

  init(_ outcome: CommitOutcome, draft: Draft, type: RecordType) {
    id = draft.record
    switch outcome {
    case .applied:
      self.outcome = "applied"
      fields = draft.changedFields.map(type.name(of:))
    case .unchanged:
      self.outcome = "unchanged"
      fields = []
    case .merged(let drift):
      self.outcome = "merged"
      fields = drift.map(type.name(of:))
    case .conflict(let conflicts):
      self.outcome = "conflict"
      fields = conflicts.map { type.name(of: $0.field) }
    case .gone:
      self.outcome = "conflict"
      fields = []
    }
  }

  var json: JSON {
    [
      "id": .string(id.description), "outcome": .string(outcome),
      "fields": .array(fields.map(JSON.string)),
    ]
  }
}

extension RecordType {
  /// What a person calls a field; its permanent id where the model does not know it.
  func name(of field: FieldID) -> String { self.field(field)?.name ?? field.name }
}
