// The credentials of one library at one service: in memory, and in a file of its own that only its
// owner reads, outside the library. Thread-safe.

internal import CloudKitWire
internal import RecordService
internal import Synchronization

package final class TokenStore: Sendable {
  private struct Tokens {
    var api: String
    var web: String?
    /// Written down once: newer ones replace them in the file.
    ///
    /// What is only tried is not written.
    var isKept = false
    /// From a file that a person carries to several machines: a session of this library's own is
    /// asked for, where the service gives one, and the file's is left as it is.
    var isCarried = false
    /// Whether the service has said that it gives one.
    var isOwnOffered = false
  }

  private let tokens: Mutex<Tokens>
  private let path: String?

  /// - Parameter path: Where a newer token is kept; nothing: in memory only.
  package init(apiToken: String, webAuthToken: String?, path: String?) {
    tokens = Mutex(Tokens(api: apiToken, web: webAuthToken))
    self.path = path
  }

  /// Reads the object that `skyros-server token add` printed, or a file that this type wrote; a web
  /// token in it counts as one that other machines have too.
  package convenience init?(json: [UInt8], path: String?) {
    var reader = JSONReader(json)
    let value: JSONValue
    do throws(MalformedMessage) {
      value = try reader.readValue()
    } catch {
      return nil
    }
    guard let api = value["apiToken"]?.string, !api.isEmpty else { return nil }
    self.init(apiToken: api, webAuthToken: value["webAuthToken"]?.string, path: path)
    tokens.withLock { $0.isCarried = $0.web != nil }
  }

  /// Reads the file of an earlier setup.
  package static func read(_ path: String) -> TokenStore? {
    let store = WholeFile.read(path, bytesMax: 65_536).flatMap { TokenStore(json: $0, path: path) }
    store?.tokens.withLock {
      $0.isKept = true
      $0.isCarried = false
    }
    return store
  }

  /// The parameters of a request.
  var query: String {
    tokens.withLock { tokens in
      var query = "ckAPIToken=\(PercentEncoding.encode(tokens.api))"
      if let web = tokens.web { query += "&ckWebAuthToken=\(PercentEncoding.encode(web))" }
      return query
    }
  }

  /// Whether the next request should ask for a session of its own.
  var wantsOwnSession: Bool { tokens.withLock { $0.isCarried && $0.isOwnOffered } }

  /// Takes over a token that the service gave in place of the last one; in the file, too, where the
  /// last one is kept there.
  ///
  /// - Parameters:
  ///   - isOwn: Whether it begins a session that nobody else has.
  ///   - offersOwn: Whether the service gives such sessions.
  func adopt(_ token: String, isOwn: Bool = false, offersOwn: Bool = false) {
    let isOwed = tokens.withLock { tokens in
      if isOwn { tokens.isCarried = false }
      if tokens.isCarried, offersOwn {
        // Using it would end what the file holds for the other machines.
        tokens.isOwnOffered = true
        return false
      }
      defer { tokens.web = token }
      return tokens.isKept && tokens.web != token
    }
    if isOwed { _ = save() }
  }

  /// Writes the tokens into their file, where newer ones replace them from now on; false if that
  /// failed.
  @discardableResult
  package func save() -> Bool {
    guard let path else { return true }
    let (api, web) = tokens.withLock { tokens in
      tokens.isKept = true
      return (tokens.api, tokens.web)
    }
    var writer = JSONWriter()
    writer.object {
      $0.member("apiToken", api)
      $0.member("webAuthToken", web)
    }
    return WholeFile.writePrivately(writer.bytes, to: path)
  }
}
