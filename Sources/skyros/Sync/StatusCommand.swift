internal import ArgumentParser
internal import RecordStore
internal import Records
internal import Sync
internal import Wording

/// `skyros status`: how sync is doing.
struct StatusCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show how sync is doing, and what waits and why.")

  /// More than a person reads; the counts say how many there are.
  private static let shownMax = 100

  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let status = try await SyncStatus.read(library, now: Surroundings.system.milliseconds())
    let parked = try await library.parkedRecords(limit: Self.shownMax)
    let held = try await library.heldRecords(limit: Self.shownMax)
    if format.json { return try output.line(.status(status, parked: parked, held: held)) }
    try output.line("\(status.summary.glyph) \(SyncText.word(of: status.summary))")
    guard let settings = status.settings else {
      return try output.line("Sync is not set up. See: skyros sync setup --help")
    }
    try output.line("service    \(settings.service), zone \(settings.zone)")
    let model = status.isModelPending ? ", and a change of the model" : ""
    try output.line("waiting    \(status.backlog.pending) to send\(model)")
    if status.backlog.contentsMissing > 0 {
      try output.line(
        "files      \(status.backlog.contentsMissing) missing: the device that attached them has "
          + "not sent them. To ask again: S in skyros, then r")
    }
    if let last = status.lastImport { try output.line("imported   \(time(last))") }
    if let last = status.lastExport { try output.line("exported   \(time(last))") }
    if status.backlog.conflicts > 0 {
      try output.line(
        "conflicts  in \(Words(.english).records(status.backlog.conflicts)): skyros conflicts")
    }
    if let failure = status.failure, let cause = failure.error {
      let words = SyncWords.cause(cause)
      try output.line("failed     \(failure.phase.rawValue): \(words.sentence)")
      if let remedy = words.remedy { try output.line("           \(remedy)") }
    }
    for record in parked {
      let words = SyncWords.cause(record.reason)
      try output.line(
        "set aside  \(record.reference.type) \(record.reference.id): \(words.sentence)")
    }
    for record in held {
      let words = SyncWords.cause(record.reason)
      try output.line("held back  \(record.type ?? "record") \(record.name): \(words.sentence)")
    }
  }

  private func time(_ milliseconds: Int64) -> String {
    TimestampText.utc(Timestamp(milliseconds: milliseconds))
  }
}

/// `skyros events`: the event log, newest first.
struct EventsCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "events", abstract: "Show what sync did, newest first.")

  @Option(help: ArgumentHelp("At most this many.", valueName: "n")) var limit = 100
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let events = try await library.events(limit: max(0, limit))
    if format.json {
      for event in events { try output.element(.event(event)) }
      return try output.endArray()
    }
    for event in events { try output.line(SyncText.line(of: event)) }
  }
}
