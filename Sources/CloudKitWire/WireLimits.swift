/// The limits of the protocol, and the header by which a service says that it allows more.
package enum WireLimits {
  package static let operationsMax = 200
  package static let resultsMax = 200
  package static let namesMax = 200
  package static let uploadTokensMax = 200
  /// Bytes of a record's fields on the wire, without its assets.
  package static let recordBytesMax = 1_000_000
  /// Bytes; one page of Apple's says 15 MB for an upload, the limits table 50 MB.
  package static let assetBytesMax = 50_000_000
  package static let deleteSelfSourcesMax = 750
  package static let recordNameBytesMax = 255
  package static let fieldsPerRecordMax = 1_000
}

/// What a service of ours can do beyond the protocol, as its `X-Skyros` header says.
///
/// A client that sends the header itself (any value) asks for it. Neither is ever sent to a
/// service that has not advertised.
package struct ServiceExtensions: Sendable, Hashable {
  package static let headerName = "x-skyros"
  /// Of a request with a web-auth token: asks for a session that nobody else has; of its answer: the
  /// token in it begins that session.
  package static let sessionHeaderName = "x-skyros-session"

  /// Seconds that a change feed may be held with `Prefer: wait=N`; 0 when it can't.
  package var waitSecondsMax = 0
  package var recordsMax = WireLimits.resultsMax
  package var operationsMax = WireLimits.operationsMax
  package var hasGzip = false
  package var hasBulk = false
  package var hasIdempotencyKey = false
  package var hasServerRecord = false
  package var hasOwnSession = false

  package init() {}

  /// Reads `wait=55; max-records=5000; max-ops=2000; gzip; bulk; idempotency; server-record; own-session`.
  ///
  /// Words that it does not know are later ones, and skipped.
  package init(header: String) {
    for part in header.split(separator: ";") {
      let word = part.trimmingSpaces
      let pair = word.split(separator: "=", maxSplits: 1)
      let number = pair.count == 2 ? Int(pair[1].trimmingSpaces) : nil
      switch pair.first?.trimmingSpaces {
      case "wait": waitSecondsMax = number ?? 0
      case "max-records": recordsMax = max(number ?? 0, WireLimits.resultsMax)
      case "max-ops": operationsMax = max(number ?? 0, WireLimits.operationsMax)
      case "gzip": hasGzip = true
      case "bulk": hasBulk = true
      case "idempotency": hasIdempotencyKey = true
      case "server-record": hasServerRecord = true
      case "own-session": hasOwnSession = true
      default: continue
      }
    }
  }

  package var header: String {
    var words: [String] = []
    if waitSecondsMax > 0 { words.append("wait=\(waitSecondsMax)") }
    words.append("max-records=\(recordsMax)")
    words.append("max-ops=\(operationsMax)")
    if hasGzip { words.append("gzip") }
    if hasBulk { words.append("bulk") }
    if hasIdempotencyKey { words.append("idempotency") }
    if hasServerRecord { words.append("server-record") }
    if hasOwnSession { words.append("own-session") }
    return words.joined(separator: "; ")
  }
}

extension Substring {
  var trimmingSpaces: Substring {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text
  }
}
