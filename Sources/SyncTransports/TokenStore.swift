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
  }

  private let tokens: Mutex<Tokens>
  private let path: String?

  /// - Parameter path: Where a newer token is kept; nothing: in memory only.
  package init(apiToken: String, webAuthToken: String?, path: String?) {
    tokens = Mutex(Tokens(api: apiToken, web: webAuthToken))
    self.path = path
  }

  /// Reads the object that `skyros-server token add` printed, or a file that this type wrote.
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
  }

  /// Reads the file of an earlier setup.
  package static func read(_ path: String) -> TokenStore? {
    let store = WholeFile.read(path, bytesMax: 65_536).flatMap { TokenStore(json: $0, path: path) }
    store?.tokens.withLock { $0.isKept = true }
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

  /// Takes over a token that the service gave in place of the last one; in the file, too, where the
  /// last one is kept there.
  func adopt(_ token: String) {
    let isOwed = tokens.withLock { tokens in
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
