import ArgumentParser
import CloudKitWire
import Glibc
import Logging
import NIOCore
import RecordService
import RecordServiceHTTP
import ServiceLifecycle
import UnixSignals

struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Run the service.")

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Option(help: "Where to listen, HOST:PORT. Port 0 picks a free one.")
  var listen = "127.0.0.1:7373"

  @Option(help: "What URLs that the service hands out begin with.")
  var publicURL: String?

  @Option(help: "A PEM file with the certificate chain.")
  var tlsCert: String?

  @Option(help: "A PEM file with the certificate's key.")
  var tlsKey: String?

  @Flag(help: "Listen beyond loopback without TLS, behind a proxy that does it.")
  var allowPlain = false

  @Option(help: "Bytes that one user may keep.")
  var quota: Int64?

  @Option(help: "Bytes that the store's file may have, without assets.")
  var storeLimit: Int64?

  @Option(help: "Requests a second that one caller may make in the long run.")
  var rateLimit = ServiceSettings().requestsPerSecond

  @Option(help: "trace, debug, info, notice, warning, error or critical.")
  var logLevel = "notice"

  func validate() throws {
    guard (tlsCert == nil) == (tlsKey == nil) else {
      throw ValidationError("Give --tls-cert and --tls-key together.")
    }
    guard Logger.Level(rawValue: logLevel) != nil else {
      throw ValidationError("'\(logLevel)' is no log level.")
    }
    guard rateLimit > 0 else { throw ValidationError("--rate-limit is above zero.") }
    for (name, bytes) in [("--quota", quota), ("--store-limit", storeLimit)] {
      guard bytes ?? 1 > 0 else { throw ValidationError("\(name) is above zero.") }
    }
  }

  func run() async throws {
    LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
    var logger = Logger(label: "skyros-server")
    logger.logLevel = Logger.Level(rawValue: logLevel) ?? .notice
    var server = ServerSettings()
    try server.setAddress(listen)
    server.certificatePath = tlsCert
    server.privateKeyPath = tlsKey
    server.allowsPlain = allowPlain
    server.connectionsMax = OpenFiles.raise() - OpenFiles.ownMax
    var settings = ServiceSettings()
    settings.quotaBytes = quota
    settings.storeBytesMax = storeLimit
    settings.requestsPerSecond = rateLimit
    settings.requestsBurst = rateLimit * 4

    let service = try await store.open(making: true, settings)
    let path = try store.path()
    let presence = try await ServerPresence.join(storeAt: path)
    if !presence.isAlone {
      logger.notice("another server serves this store, too", metadata: ["store": "\(path)"])
    }
    let (address, given, isJSON) = (server, publicURL, output.json)
    let running = try RecordServer(service, settings: server, logger: logger) { port in
      let url = address.url(port: port)
      service.publicURL = given.map(Self.withoutSlash) ?? url
      if isJSON {
        Output.json { writer in writer.object { $0.member("listening", url) } }
      } else {
        Output.line("Listening on \(url)")
      }
    }
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [Running(server: running)], gracefulShutdownSignals: [.sigterm, .sigint],
        logger: logger))
    do {
      try await group.run()
      try await service.close()
      withExtendedLifetime(presence) {}
    } catch let error as IOError {
      throw CommandFault.noListening(
        address: listen, reason: String(cString: strerror(error.errnoCode)))
    } catch is SocketAddressError.UnknownHost {
      throw CommandFault.noListening(address: listen, reason: "there is no such address")
    }
  }

  private static func withoutSlash(_ url: String) -> String {
    url.hasSuffix("/") ? String(url.dropLast()) : url
  }
}

/// How many files and connections the process may have open at once.
private enum OpenFiles {
  /// What the store and its readers, assets on their way and the log need beside connections.
  static let ownMax = 100
  /// Beyond, the kernel's own tables count.
  private static let usefulMax: rlim_t = 65_536

  /// Takes as many as the system grants; the number.
  static func raise() -> Int {
    var limit = rlimit()
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(kind, &limit) == 0 else { return 1_024 }
    let wanted = min(limit.rlim_max, usefulMax)
    if wanted > limit.rlim_cur {
      limit.rlim_cur = wanted
      // Refused, what there was stays.
      if setrlimit(kind, &limit) != 0 { _ = getrlimit(kind, &limit) }
    }
    return max(ownMax + 1, Int(min(limit.rlim_cur, usefulMax)))
  }
}

private struct Running: Service {
  let server: RecordServer

  func run() async throws { try await server.run() }
}
