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
    let words = Words.system.syncing
    switch self {
    case .notSetUp: return words.notSetUp
    case .paused: return words.isPaused
    case .failed(let cause, let detail):
      let said = SyncWords.cause(cause, in: .system)
      return [said.sentence, said.remedy, detail.map { "(\($0))" }].compactMap { $0 }
        .joined(separator: " ")
    case .badAddress(let text): return words.badAddress(text)
    case .needsTokens: return words.needsTokens
    case .wouldLeave(let change):
      return change.hasRecordsThere
        ? words.wouldMix(change.records, unsent: change.unsent)
        : words.wouldMove(change.records, unsent: change.unsent)
    case .badTokens(let path): return words.badTokens(path)
    case .tokensMissing(let service): return words.tokensMissing(service)
    case .tokensNotKept(let path): return words.tokensNotKept(path)
    case .serviceFile(let path, let reason): return words.serviceFile(path, reason)
    case .busyElsewhere: return words.busyElsewhere
    case .syncedElsewhere: return words.syncedElsewhere
    }
  }
}
