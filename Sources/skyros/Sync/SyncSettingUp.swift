// Reaching a service for the first time and signing in: what `skyros sync setup` and the form of the
// interface have in common. Nothing of the library is written here.

internal import Glibc
internal import RecordStore
internal import Sync
internal import SyncTransports

/// Tokens as they are handed over.
enum TokenInput {
  case standardInput
  case file(String)

  private static let bytesMax = 65_536

  /// `-` is standard input.
  init(_ path: String) { self = path == "-" ? .standardInput : .file(path) }

  var name: String { if case .file(let path) = self { path } else { "-" } }

  func read() throws -> [UInt8] {
    switch self {
    case .standardInput: return try Self.read(STDIN_FILENO, named: name)
    case .file(let path):
      let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw Failure.file(path: path, code: errno) }
      defer { close(descriptor) }
      return try Self.read(descriptor, named: path)
    }
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

struct SyncSettingUp {
  let address: ServiceAddress
  let container: String
  let zone: String
  /// Nothing: those that were kept before.
  let tokens: TokenInput?
  /// The library's folder: its tokens are its own.
  let library: String
  /// Shows the page on which a person signs in; nothing: there must be tokens.
  var showPage: (@Sendable (String) -> Void)?

  /// Reaches the service, and has `body` do with its settings what is to be done while there is a way
  /// to it.
  ///
  /// New tokens are kept only where that went well.
  func reach<Answer>(
    _ body: (SyncSettings, ServiceClient) async throws -> Answer
  ) async throws -> Answer {
    let (transport, store) = try await transport()
    do {
      let answer = try await reach(transport, store, body)
      await transport.close()
      return answer
    } catch {
      await transport.close()
      throw error
    }
  }

  private func reach<Answer>(
    _ transport: any SyncTransport, _ store: TokenStore?,
    _ body: (SyncSettings, ServiceClient) async throws -> Answer
  ) async throws -> Answer {
    let client = ServiceClient(
      transport: transport, zone: zone, milliseconds: Surroundings.system.milliseconds)
    let finding = await SyncSetup.reach(client)
    guard finding.answer.kind == .success else {
      throw SyncFailure.failed(cause: finding.answer.kind.word, detail: finding.answer.detail)
    }
    var settings = SyncSettings(service: address.text, container: container, zone: zone)
    settings.user = finding.user
    settings.hasZone = true
    // A setup that is refused leaves the sign-in of the service before as it was.
    let answer = try await body(settings, client)
    if let store { try keep(store) }
    return answer
  }

  /// The way there, and the tokens that are new.
  private func transport() async throws -> (any SyncTransport, TokenStore?) {
    switch address {
    case .file(let path): return (try await Transports.openFile(path, container: container), nil)
    case .http(let base):
      guard let tokens else {
        if let kept = TokenStore.read(tokenPath) {
          return (HTTPTransport(base: base, container: container, tokens: kept), nil)
        }
        let store = try await pair(base)
        return (HTTPTransport(base: base, container: container, tokens: store), store)
      }
      guard let store = TokenStore(json: try tokens.read(), path: tokenPath) else {
        throw SyncFailure.badTokens(path: tokens.name)
      }
      return (HTTPTransport(base: base, container: container, tokens: store), store)
    }
  }

  private func pair(_ base: String) async throws -> TokenStore {
    guard let showPage else { throw SyncFailure.needsTokens }
    do throws(PairingFailure) {
      return try await BrowserPairing.pair(
        base: base, container: container, secret: UInt64.random(in: .min ... .max),
        path: tokenPath, open: showPage)
    } catch .transport(let failure) {
      throw SyncFailure.failed(cause: failure.rawValue, detail: nil)
    } catch {
      throw SyncFailure.needsTokens
    }
  }

  private func keep(_ store: TokenStore) throws {
    Transports.makeTokenFolder()
    guard store.save() else { throw SyncFailure.tokensNotKept(path: tokenPath) }
  }

  private var tokenPath: String {
    Transports.tokenPath(library: library, address: address, container: container)
  }
}
