// From the address of a service, as a person gives it, to a way to reach it.

internal import Glibc
internal import RecordStore
internal import Sync
internal import SyncTransports

/// Where a service is.
enum ServiceAddress: Hashable {
  case file(path: String)
  case http(String)

  /// What a library syncs to unless told otherwise.
  static let standardContainer = "iCloud.skyros"
  static let standardZone = "Skyros"

  init(_ text: String) throws(SyncFailure) {
    if text.hasPrefix("file:") {
      var path = String(text.dropFirst(5))
      if path.hasPrefix("//") { path.removeFirst(2) }
      guard !path.isEmpty else { throw .badAddress(text) }
      self = .file(path: absolute(path))
    } else if text.hasPrefix("http://") || text.hasPrefix("https://") {
      var base = text
      while base.hasSuffix("/") { base.removeLast() }
      guard !base.hasSuffix(":") else { throw .badAddress(text) }
      self = .http(base)
    } else {
      throw .badAddress(text)
    }
  }

  /// As it is kept in the library: absolute, so that it leads to the same place from anywhere.
  var text: String {
    switch self {
    case .file(let path): "file:\(path)"
    case .http(let base): base
    }
  }
}

/// The ways to the services of this machine's libraries.
enum Transports {
  /// Where the tokens of a library lie: outside of it, readable by its owner only.
  static func tokenPath(library: String, address: ServiceAddress, container: String) -> String {
    let key = "\(canonical(library))\n\(address.text)\n\(container)"
    let digits = String(Digest64.of(key.utf8), radix: 16)
    return Places.stateFolder + "/tokens/\(digits).json"
  }

  /// One spelling of a folder that is there, whichever way it was named.
  private static func canonical(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
  }

  /// Opens the way to the service that a library is set up with.
  static func open(_ settings: SyncSettings, library: String) async throws -> any SyncTransport {
    let address = try ServiceAddress(settings.service)
    switch address {
    case .file(let path): return try await openFile(path, container: settings.container)
    case .http(let base):
      let path = tokenPath(library: library, address: address, container: settings.container)
      guard let tokens = TokenStore.read(path) else {
        throw SyncFailure.tokensMissing(service: base)
      }
      return HTTPTransport(base: base, container: settings.container, tokens: tokens)
    }
  }

  static func openFile(_ path: String, container: String) async throws -> any SyncTransport {
    do {
      return try await EmbeddedTransport.open(path: path, container: container)
    } catch {
      throw SyncFailure.serviceFile(path: path, reason: "\(error)")
    }
  }

  /// Makes the folder of the tokens, for its owner only.
  static func makeTokenFolder() {
    var path = ""
    for part in (Places.stateFolder + "/tokens").split(separator: "/") {
      path += "/" + part
      mkdir(path, 0o700)
    }
  }
}
