internal import ArgumentParser
internal import Glibc
internal import RecordStore
internal import Records
internal import Sync
internal import Wording

/// `skyros sync setup URL`: where the library syncs to.
struct SyncSetupCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup", abstract: "Choose the record service that the library syncs with.",
    discussion: """
      URL is file:PATH for a service on this machine (the file is made when it is missing), or the \
      http(s) address of a skyros-server. Without --token-file you sign in on the server's page, in a \
      browser of this machine. The tokens are kept outside the library, in a file that only you can \
      read.
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
  @Flag(help: "Bring the library's records to another account or zone, to what is there.")
  var mix = false
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func run(in library: Library, to output: Output) async throws {
    let address = try ServiceAddress(url)
    var settingUp = SyncSettingUp(
      address: address, container: container, zone: zone, tokens: tokenFile.map(TokenInput.init),
      library: place.path)
    // Nobody would see the page.
    if isatty(STDERR_FILENO) != 0 {
      settingUp.showPage = { page in
        Program.complain(Words.system.syncing.signIn(page))
      }
    }
    let (settings, change) = try await settingUp.reach { settings, client in
      do {
        return (
          settings,
          try await SyncSetup.adopt(settings, in: library, client: client, isWanted: mix)
        )
      } catch ServiceChangeRefusal.busy {
        throw SyncFailure.syncedElsewhere
      } catch ServiceChangeRefusal.asks(let change) {
        throw SyncFailure.wouldLeave(change)
      } catch ServiceChangeRefusal.failed(let answer) {
        throw SyncFailure.failed(cause: answer.kind.word, detail: answer.detail)
      }
    }
    let isSame = change.kind == .same
    let backlog = try await library.syncBacklog()
    if format.json {
      try output.line([
        "outcome": .string(isSame ? "unchanged" : "ready"), "service": .string(address.text),
        "container": .string(container), "zone": .string(zone),
        "user": .string(orNull: settings.user), "pending": .count(backlog.pending),
      ])
    } else {
      try output.line(
        Words.system.syncing.setUp(address.text, zone: zone, pending: backlog.pending))
    }
  }
}
