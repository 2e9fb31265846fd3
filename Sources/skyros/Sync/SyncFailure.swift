// What a sync command can fail of, its sentences and exit statuses.

internal import Sync
internal import Wording

enum SyncFailure: Error, Hashable {
  case notSetUp
  case paused
  /// The class of the answer, as a stable word, and the service's own reason.
  case failed(cause: String, detail: String?)
  case badAddress(String)
  case needsTokens
  case badTokens(path: String)
  case tokensMissing(service: String)
  case tokensNotKept(path: String)
  case serviceFile(path: String, reason: String)
  case busyElsewhere
  /// What was asked for needs that nobody syncs.
  case syncedElsewhere
  /// Records would leave for another account or zone.
  case wouldLeave(ServiceChange)
}

extension SyncFailure: FailureWords {
  var exitStatus: ExitStatus {
    switch self {
    case .badAddress, .needsTokens, .badTokens: .usage
    case .notSetUp, .paused, .failed, .tokensMissing, .serviceFile, .busyElsewhere,
      .syncedElsewhere, .wouldLeave:
      .syncFailed
    case .tokensNotKept: .failed
    }
  }

  var sentence: String {
    switch self {
    case .notSetUp: "Sync is not set up. See: skyros sync setup --help"
    case .paused: "Sync is paused. To go on: skyros sync resume"
    case .failed(let cause, let detail):
      [
        SyncWords.cause(cause).sentence, SyncWords.cause(cause).remedy,
        detail.map { "(\($0))" },
      ].compactMap { $0 }.joined(separator: " ")
    case .badAddress(let text):
      "'\(text)' is no address of a service: file:PATH, http://… or https://…"
    case .needsTokens:
      "Nobody signed in: do it on the page of the server, or give --token-file FILE with what "
        + "skyros-server token add --json printed, or - for standard input."
    case .wouldLeave(let change):
      "This library synced with another account or zone, and the new one "
        + (change.hasRecordsThere ? "has records already: " : "is empty: ")
        + Words(.english).records(change.records) + " from here would "
        + (change.hasRecordsThere ? "be mixed with them " : "be sent there ")
        + "(\(Words(.english).savedChanges(change.unsent)) never reached the old one). Nothing was changed. "
        + "To do so: --mix"
    case .badTokens(let path):
      "'\(path)' does not hold what skyros-server token add prints with --json."
    case .tokensMissing(let service):
      "The sign-in for \(service) is not on this machine: skyros sync setup \(service) "
        + "--token-file FILE"
    case .tokensNotKept(let path): "The tokens can't be written to '\(path)'."
    case .serviceFile(let path, let reason): "The service's file '\(path)' can't be used: \(reason)"
    case .busyElsewhere:
      "Another skyros syncs this library and did not finish in time. See: skyros status"
    case .syncedElsewhere:
      "Another skyros syncs this library now: close it first, or do this in it (S, then o)."
    }
  }
}
