internal import ArgumentParser
internal import Glibc
internal import RecordStore
internal import Records
internal import Sync
internal import SyncTransports

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
    let transport = try await transport(to: address)
    let client = ServiceClient(
      transport: transport, zone: zone, milliseconds: Surroundings.system.milliseconds)
    let finding = await SyncSetup.reach(client)
    await transport.close()
    guard finding.answer.kind == .success else {
      throw SyncFailure.failed(cause: finding.answer.kind.word, detail: finding.answer.detail)
    }
    var settings = SyncSettings(service: address.text, container: container, zone: zone)
    settings.user = finding.user
    settings.hasZone = true
    let old = try await library.syncSettings()
    let isSame =
      old.map {
        $0.service == settings.service && $0.container == container && $0.zone == zone
          && $0.user == settings.user
      } ?? false
    if !isSame {
      // What another service has acknowledged is new to this one: it is pending again.
      if old != nil { try await library.turnSyncOff() }
      try await library.saveSyncSettings(settings)
    }
    let backlog = try await library.syncBacklog()
    if format.json {
      try output.line([
        "outcome": .string(isSame ? "unchanged" : "ready"), "service": .string(address.text),
        "container": .string(container), "zone": .string(zone),
        "user": .string(orNull: finding.user), "pending": .count(backlog.pending),
      ])
    } else {
      try output.line(
        "Syncs with \(address.text), zone \(zone). \(backlog.pending) records to send: skyros sync")
    }
  }

  private func transport(to address: ServiceAddress) async throws -> any SyncTransport {
    switch address {
    case .file(let path): return try await Transports.openFile(path, container: container)
    case .http(let base):
      let path = Transports.tokenPath(library: place.path, address: address, container: container)
      guard let tokenFile else {
        guard let tokens = TokenStore.read(path) else { throw SyncFailure.needsTokens }
        return HTTPTransport(base: base, container: container, tokens: tokens)
      }
      let json = try tokenFile == "-" ? TokenInput.standardInput() : TokenInput.file(tokenFile)
      guard let tokens = TokenStore(json: json, path: path) else {
        throw SyncFailure.badTokens(path: tokenFile)
      }
      Transports.makeTokenFolder()
      guard tokens.save() else { throw SyncFailure.tokensNotKept(path: path) }
      return HTTPTransport(base: base, container: container, tokens: tokens)
    }
  }
}

/// Tokens as they are handed over.
private enum TokenInput {
  static let bytesMax = 65_536

  static func standardInput() throws -> [UInt8] { try read(STDIN_FILENO, named: "-") }

  static func file(_ path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure.file(path: path, code: errno) }
    defer { close(descriptor) }
    return try read(descriptor, named: path)
  }

  private static func read(_ descriptor: Int32, named path: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while bytes.count < bytesMax {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure.file(path: path, code: errno) }
      if count == 0 { return bytes }
      bytes += piece[..<count]
    }
    throw SyncFailure.badTokens(path: path)
  }
}
