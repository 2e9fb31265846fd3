internal import ArgumentParser
internal import RecordStore
internal import Records
internal import Wording

/// `skyros delete TYPE ID…`: to the trash, in one transaction.
struct DeleteCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Move records to the trash, in one transaction.",
    discussion: "Ctrl-C takes everything back.")

  @OptionGroup var choice: RecordArguments
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let (type, records) = try await choice.records(in: library)
    let result = try await LongWrite.run(Words.system.storeProgress.deleting) { tell in
      try await library.delete(type.id, records.map(\.id), progress: tell)
    }
    try output.outcome(of: result, asJSON: format.json)
  }
}

/// `skyros restore TYPE ID…`: out of the trash.
struct RestoreCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Take records out of the trash, in one transaction.")

  @OptionGroup var choice: RecordArguments
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let (type, records) = try await choice.records(in: library)
    let result = try await LongWrite.run(Words.system.storeProgress.restoring) { tell in
      try await library.restore(type.id, records.map(\.id), progress: tell)
    }
    try output.outcome(of: result, asJSON: format.json)
  }
}

/// `skyros purge TYPE ID…`: out of the trash, for good.
struct PurgeCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "purge", abstract: "Remove records in the trash for good.")

  @OptionGroup var choice: RecordArguments
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let (type, records) = try await choice.records(in: library)
    if let living = records.first(where: { !$0.isDeleted }) {
      throw Failure.notInTrash(living.id, type: type.name)
    }
    let result = try await LongWrite.run(Words.system.storeProgress.purging) { tell in
      try await library.purge(type.id, records.map(\.id), progress: tell)
    }
    try output.outcome(of: result, asJSON: format.json)
  }
}

/// A type and some of its records.
struct RecordArguments: ParsableArguments {
  @Argument(help: "The records' type.") var type: String
  @Argument(help: "Their ids.") var ids: [String]

  /// The records, all there; the first unknown id is the failure.
  func records(in library: Library) async throws -> (RecordType, [Snapshot]) {
    let type = try library.model.requireType(type)
    return (type, try await library.requireRecords(ids, of: type))
  }
}

extension Output {
  /// `{"outcome":"applied|unchanged","transaction","records"}`; for people nothing: it is done.
  func outcome(of result: WriteResult, asJSON: Bool) throws(Failure) {
    guard asJSON else { return }
    try line([
      "outcome": result.transaction == nil ? .string("unchanged") : .string("applied"),
      "transaction": result.transaction.map(JSON.integer) ?? .null,
      "records": .array(result.records.map { .string($0.id.description) }),
    ])
  }
}
