internal import ArgumentParser
internal import RecordStore
internal import Records
internal import Wording

/// `skyros undo [TRANSACTION]`: takes a saved change back, by a new transaction.
struct UndoCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Take back a transaction: the newest of yours, or the one named.",
    discussion: "Fields that were changed again since are left as they are. Ctrl-C, while it runs, "
      + "takes everything back.")

  @Argument(help: "The transaction's number, as history shows it.") var transaction: String?
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let number = try transaction.map { text throws(Failure) in
      guard let number = Int64(text) else { throw .unknownTransaction(text) }
      return number
    }
    let result = try await LongWrite.run(Words.system.storeProgress.undoing) { tell in
      try await library.undo(number, progress: tell)
    }
    if format.json {
      try output.line([
        "transaction": .integer(result.transaction), "undone": .integer(result.undone),
        "skipped": .array(
          result.skipped.sorted { $0.key.id < $1.key.id }.map { record, fields in
            let type = library.model.type(record.type)
            return [
              "type": .string(type?.name ?? record.type.name),
              "id": .string(record.id.description),
              "fields": .array(fields.map { .string(type?.name(of: $0) ?? $0.name) }),
            ]
          }),
      ])
    } else if Output.isTerminal {
      try output.line(
        Words.system.store.undone(result.undone, by: result.transaction))
    } else {
      try output.line("\(result.undone)")
    }
  }
}
