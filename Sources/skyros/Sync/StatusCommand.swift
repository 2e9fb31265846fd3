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
  private static let labelColumns = 10

  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let status = try await SyncStatus.read(library, now: Surroundings.system.milliseconds())
    let parked = try await library.parkedRecords(limit: Self.shownMax)
    let held = try await library.heldRecords(limit: Self.shownMax)
    if format.json { return try output.line(.status(status, parked: parked, held: held)) }
    try output.line("\(status.summary.glyph) \(SyncText.word(of: status.summary))")
    let words = Words.system.syncing
    guard let settings = status.settings else { return try output.line(words.notSetUp) }
    var rows = [
      (words.service, words.service(settings.service, zone: settings.zone)),
      (words.waiting, words.toSend(status.backlog.pending)),
    ]
    if status.isModelPending { rows.append(("", words.modelToSend)) }
    if let last = status.lastImport { rows.append((words.imported, time(last))) }
    if let last = status.lastExport { rows.append((words.exported, time(last))) }
    if status.backlog.conflicts > 0 {
      rows.append((words.inConflict, words.seeConflicts(status.backlog.conflicts)))
    }
    let (coming, missing) = (status.backlog.contents, status.backlog.contentsMissing)
    if coming + missing > 0 {
      rows.append((words.attachments, words.attachments(waiting: coming, missing: missing)))
    }
    if let failure = status.failure, let cause = failure.error {
      let said = SyncWords.cause(cause, in: .system)
      let phase = SyncWords.phase(failure.phase.rawValue, in: .system)
      rows.append((words.failed, words.failure(of: phase, said.sentence)))
      if let remedy = said.remedy { rows.append(("", remedy)) }
    }
    for record in parked {
      let said = SyncWords.cause(record.reason, in: .system)
      rows.append(
        (
          words.setAside,
          words.record(
            record.reference.type.name, record.reference.id.description, said.sentence)
        ))
    }
    for record in held {
      let said = SyncWords.cause(record.reason, in: .system)
      rows.append(
        (words.heldBack, words.record(record.type ?? words.someRecord, record.name, said.sentence)))
    }
    let width = max(Self.labelColumns, rows.map { TextTable.columns($0.0) }.max() ?? 0)
    for (label, text) in rows {
      let space = String(repeating: " ", count: width - TextTable.columns(label) + 1)
      try output.line(label + space + text)
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

  @Option(
    parsing: .unconditional, help: ArgumentHelp("No more than this many.", valueName: "n"))
  var limit: Int?
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0 up") }
  }

  func run(in library: Library, to output: Output) async throws {
    // The log itself is bounded: Library.eventsMax.
    let events = try await library.events(limit: limit ?? .max)
    if format.json {
      for event in events { try output.element(.event(event)) }
      return try output.endArray()
    }
    for event in events { try output.line(SyncText.line(of: event)) }
  }
}
