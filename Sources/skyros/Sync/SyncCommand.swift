// `skyros sync` and what steers it.

internal import ArgumentParser
internal import RecordStore
internal import Records
internal import Sync
internal import Wording

struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Sync the library with its record service.",
    discussion: """
      Alone it runs until there is nothing left to import or export. With --watch it goes on, and \
      syncs whenever something changes here or there.
      """,
    subcommands: [
      SyncRunCommand.self, SyncSetupCommand.self, SyncNowCommand.self, SyncPauseCommand.self,
      SyncResumeCommand.self, SyncOffCommand.self, SyncPlanCommand.self,
    ],
    defaultSubcommand: SyncRunCommand.self)

  @OptionGroup var place: LibraryOption
}

/// `skyros sync`, `skyros sync --watch`.
struct SyncRunCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Sync until nothing is left, or --watch.", shouldDisplay: false)

  @Flag(help: "Go on, and sync at every change.") var watch = false
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let session = SyncSession(library: library, path: place.path, output: output, json: format.json)
    if watch { try await session.watch() } else { try await session.run() }
  }
}

/// `skyros sync now`: also what was set aside is tried again.
struct SyncNowCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "now", abstract: "Sync now, and try again what was set aside.")

  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    try await library.unparkAll()
    try await SyncSession(library: library, path: place.path, output: output, json: format.json)
      .run()
  }
}

struct SyncPauseCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Stop syncing until resumed; edits wait.")

  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    guard try await library.syncSettings() != nil else { throw SyncFailure.notSetUp }
    try await library.pauseSync(true)
    let backlog = try await library.syncBacklog()
    if format.json {
      try output.line(["outcome": "paused", "pending": .count(backlog.pending)])
    } else {
      try output.line(Words.system.syncing.paused(backlog.pending))
    }
  }
}

struct SyncResumeCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Let sync go on.")

  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    guard try await library.syncSettings() != nil else { throw SyncFailure.notSetUp }
    try await library.pauseSync(false)
    let backlog = try await library.syncBacklog()
    if format.json {
      try output.line(["outcome": "resumed", "pending": .count(backlog.pending)])
    } else {
      try output.line(Words.system.syncing.resumed(backlog.pending))
    }
  }
}

struct SyncOffCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "off", abstract: "Turn sync off; the records stay, here and there.")

  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    guard try await library.syncSettings() != nil else { throw SyncFailure.notSetUp }
    let unsent = try await library.syncBacklog().pending
    guard let lease = try SyncLease.take(library) else { throw SyncFailure.syncedElsewhere }
    try await library.turnSyncOff()
    withExtendedLifetime(lease) {}
    if format.json {
      try output.line(["outcome": "off", "unsent": .count(unsent)])
    } else {
      try output.line(Words.system.syncing.off(unsent))
    }
  }
}
