// The service as a server: HTTP/1.1 in the clear on loopback, HTTP/1.1 and 2 over TLS elsewhere.

internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdHTTP2
internal import HummingbirdTLS
package import Logging
internal import NIOCore
internal import NIOSSL
package import RecordService

/// Why a server does not start.
package enum ServerFault: Error, Hashable, Sendable {
  case badAddress(String)
  /// Beyond loopback, only TLS or an explicit word will do.
  case needsTLS(String)
  /// The file holds no certificate in PEM.
  case badCertificate(path: String)
  /// The file holds no private key in PEM.
  case badKey(path: String)
  /// Both can be read, and do not belong together.
  case foreignKey
}

package struct ServerSettings: Sendable {
  package var host = "127.0.0.1"
  package var port = 7373
  /// PEM files; both or neither.
  package var certificatePath: String?
  package var privateKeyPath: String?
  /// Listen beyond loopback in the clear: for a server behind a proxy that does TLS.
  package var allowsPlain = false
  /// Connections at once; more wait until others end, so that files can still be opened.
  package var connectionsMax: Int?

  package init() {}

  /// Reads `HOST:PORT`, `[V6]:PORT`.
  package mutating func setAddress(_ text: String) throws {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...])
    else { throw ServerFault.badAddress(text) }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard !host.isEmpty else { throw ServerFault.badAddress(text) }
    self.host = host
    self.port = Int(port)
  }

  package var hasTLS: Bool { certificatePath != nil && privateKeyPath != nil }

  package var isLoopback: Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }

  /// The URL of the server when it listens on that port.
  package func url(port: Int) -> String {
    let shown = host.contains(":") ? "[\(host)]" : host
    return "\(hasTLS ? "https" : "http")://\(shown):\(port)"
  }
}

/// Runs a `RecordService` on a socket, until it is asked to stop.
package struct RecordServer: Sendable {
  /// Seconds between two rounds of upkeep.
  private static let upkeepSeconds = 3_600

  /// Seconds that a connection may rest between requests, or a sender in the middle of one.
  ///
  /// More than clients keep a connection for, so that they close it first.
  private static let idleSeconds: Int64 = 120

  private let service: RecordService
  private let settings: ServerSettings
  private let logger: Logger
  private let onListening: @Sendable (_ port: Int) async -> Void

  /// - Parameter onListening: called once, with the port that was bound.
  package init(
    _ service: RecordService, settings: ServerSettings, logger: Logger,
    onListening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
  ) throws {
    guard settings.isLoopback || settings.hasTLS || settings.allowsPlain else {
      throw ServerFault.needsTLS(settings.host)
    }
    self.service = service
    self.settings = settings
    self.logger = logger
    self.onListening = onListening
  }

  package func run() async throws {
    let onListening = onListening
    let application = Application(
      responder: ServiceResponder(service: service, page: SignInPage(service: service)),
      server: try builder(),
      configuration: ApplicationConfiguration(
        address: .hostname(settings.host, port: settings.port), serverName: "skyros",
        availableConnectionsDelegate: settings.connectionsMax.map {
          MaximumAvailableConnections($0)
        }),
      onServerRunning: { channel in await onListening(channel.localAddress?.port ?? 0) },
      logger: logger)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await application.run() }
      group.addTask { await keepUp() }
      try await group.next()
      group.cancelAll()
    }
  }

  private func builder() throws -> HTTPServerBuilder {
    let channel = HTTP1Channel.Configuration(
      additionalChannelHandlers: [
        OldClientHandler.Placer(), SlowSenderHandler(periodSeconds: Self.idleSeconds),
        ContinueHandler(),
      ], idleTimeout: .seconds(Self.idleSeconds))
    guard let certificatePath = settings.certificatePath,
      let keyPath = settings.privateKeyPath
    else { return .http1(configuration: channel) }
    let certificates = try Self.loading(.badCertificate(path: certificatePath)) {
      try NIOSSLCertificate.fromPEMFile(certificatePath)
    }
    let key = try Self.loading(.badKey(path: keyPath)) {
      try NIOSSLPrivateKey(file: keyPath, format: .pem)
    }
    return try Self.loading(.foreignKey) {
      let tls = TLSConfiguration.makeServerConfiguration(
        certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
      return try .http2Upgrade(
        tlsConfiguration: tls,
        configuration: .init(
          idleTimeout: .seconds(Self.idleSeconds), streamConfiguration: channel))
    }
  }

  /// NIO's own words for what went wrong are for its developers.
  private static func loading<Value>(
    _ fault: ServerFault, _ body: () throws -> Value
  ) throws -> Value {
    do { return try body() } catch { throw fault }
  }

  /// Upkeep at the start and then now and then; never ends by itself.
  private func keepUp() async {
    let service = service
    let logger = logger
    while !Task.isCancelled {
      do {
        try await service.upkeep()
        try await Task.sleep(for: .seconds(Self.upkeepSeconds))
      } catch is CancellationError {
        return
      } catch {
        logger.warning("upkeep failed", metadata: ["error": "\(type(of: error))"])
        try? await Task.sleep(for: .seconds(60))
      }
    }
  }
}
