internal import ArgumentParser
internal import RecordStore
internal import Records

/// `skyros backup FILE`: the whole library as one file.
struct BackupCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the whole library into one file, while it is in use.")

  @Argument(help: "The file to write.", completion: .file()) var file: String
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let summary = try await library.backUp(to: absolute(file))
    for hash in summary.missingAttachments {
      Program.complain("Not in the backup, because it is missing: the attachment \(hash).")
    }
    guard format.json else { return }
    try output.line([
      "outcome": .string("applied"), "path": .string(summary.path),
      "bytes": .integer(summary.bytes),
      "attachments": .count(summary.attachments),
      "missingAttachments": .array(summary.missingAttachments.map(JSON.string)),
    ])
  }
}

/// `skyros restore-backup FILE`: the library as it was, after a backup of what it is.
struct RestoreBackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore-backup",
    abstract: "Replace what is in the library by a backup.",
    discussion: "The library as it is now is backed up first; the path of that backup is printed. "
      + "A library that is too damaged for that is kept as it is, under another name.")

  @Argument(help: "The backup.", completion: .file()) var file: String
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run() async throws {
    let output = Output()
    let summary = try await restore()
    if format.json {
      try output.line([
        "outcome": .string("applied"), "made": .time(summary.made),
        "records": .count(summary.records),
        "previous": .string(summary.previous),
      ])
    } else {
      try output.line(summary.previous)
    }
    try output.flush()
  }

  private func restore() async throws -> RestoreSummary {
    do {
      let library = try await place.open()
      do {
        let summary = try await library.restoreBackup(from: absolute(file))
        try await library.close()
        return summary
      } catch {
        try await library.close()
        throw error
      }
    } catch let error as StoreError where error.isDamage {
      return try await Library.replaceDamaged(
        at: place.path, from: absolute(file), surroundings: .system)
    }
  }
}
