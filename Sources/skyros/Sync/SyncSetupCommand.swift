internal import ArgumentParser
internal import RecordStore
internal import Records
internal import Sync

/// `skyros sync setup URL`: where the library syncs to.
struct SyncSetupCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup", abstract: "Choose the record service that the library syncs with.",
    discussion: """
      URL is file:PATH for a service on this machine (the file is made when it is missing), or the \
      http(s) address of a skyros-server. The tokens are kept outside the library, in a file that \
      only you can read.
      """)

  @Argument(help: ArgumentHelp("file:PATH or http(s)://…", valueName: "url")) var url: String
  @Option(help: ArgumentHelp("The zone to keep the records in.", valueName: "name"))
  var zone = ServiceAddress.standardZone
  @Option(help: ArgumentHelp("The container.", valueName: "id"))
  var container = ServiceAddress.standardContainer
  @Option(
    help: ArgumentHelp(
      "What skyros-server token add printed; - for standard input.", valueName: "file"),
    completion: .file())
  var tokenFile: String?
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let address = try ServiceAddress(url)
    let settings = try await SyncSettingUp(
      address: address, container: container, zone: zone, tokens: tokenFile.map(TokenInput.init),
      library: place.path
    ).reach()
    let old = try await library.syncSettings()
    let isSame =
      old.map {
        $0.service == settings.service && $0.container == container && $0.zone == zone
          && $0.user == settings.user
      } ?? false
    if !isSame {
      // Nobody must sync with one service while the library changes over to another.
      guard let lease = try SyncLease.take(library) else { throw SyncFailure.syncedElsewhere }
      // What another service has acknowledged is new to this one: it is pending again.
      if old != nil { try await library.turnSyncOff() }
      try await library.saveSyncSettings(settings)
      withExtendedLifetime(lease) {}
    }
    let backlog = try await library.syncBacklog()
    if format.json {
      try output.line([
        "outcome": .string(isSame ? "unchanged" : "ready"), "service": .string(address.text),
        "container": .string(container), "zone": .string(zone),
        "user": .string(orNull: settings.user), "pending": .count(backlog.pending),
      ])
    } else {
      try output.line(
        "Syncs with \(address.text), zone \(zone). \(backlog.pending) records to send: skyros sync")
    }
  }
}
