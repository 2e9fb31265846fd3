// "Why is this record not synced?", as data: the one reason that counts, by a table from the top.
// Pure but for one read.

package import RecordStore
package import Sync

/// Where a record stands with sync, and what a person can do about it.
package enum RecordSyncReason: Sendable, Hashable {
  case notSetUp
  /// Set aside, by the stable word of its reason.
  case parked(String, detail: String?)
  case paused
  /// The last try failed, by the stable word of its cause.
  case failed(SyncPhase, String, detail: String?)
  case inFlight
  case queued
  /// On both sides, and writers disagree.
  case conflicting
  /// Purged here; the service does not know it either.
  case gone
  /// On both sides: last import and export that went well, milliseconds since 1970 UTC.
  case synced(lastImport: Int64?, lastExport: Int64?)

  /// What the remedy is; nothing where waiting is enough.
  package var remedy: SyncRemedy? {
    switch self {
    case .notSetUp: .setUp
    case .parked: .retry
    case .paused: .resume
    case .failed(_, let cause, _): SyncRemedy(cause: cause)
    case .queued: .syncNow
    case .conflicting: .settle
    case .inFlight, .gone, .synced: nil
    }
  }

  package init(_ standing: SyncStanding?, status: SyncStatus) {
    guard status.isSetUp else {
      self = .notSetUp
      return
    }
    guard let standing else {
      self = .gone
      return
    }
    if let parked = standing.parked {
      self = .parked(parked.reason, detail: parked.detail)
    } else if standing.isPending {
      if status.isPaused {
        self = .paused
      } else if let failure = status.failure, let cause = failure.error {
        self = .failed(failure.phase, cause, detail: failure.detail)
      } else {
        self = status.running?.phase == .export ? .inFlight : .queued
      }
    } else if standing.isConflicted {
      self = .conflicting
    } else {
      self = .synced(lastImport: status.lastImport, lastExport: status.lastExport)
    }
  }
}

/// A remedy that a key can start.
package enum SyncRemedy: Sendable, Hashable {
  case syncNow
  case retry
  case resume
  case signIn
  case setUp
  case settle
  /// A person decides a plan.
  case decide

  /// What helps against a failure of sync.
  package init(cause: String) {
    switch cause {
    case "AUTHENTICATION_REQUIRED", "AUTHENTICATION_FAILED", "ACCESS_DENIED", "otherAccount",
      "accountRemoved":
      self = .signIn
    case "unexpectedStatus", "untrusted", "nameNotFound", "foreignPage": self = .setUp
    case "planToConfirm", "zoneGone": self = .decide
    default: self = .syncNow
    }
  }
}

extension SyncViewModel {
  /// Why a record is not on the service, or that it is.
  package func reason(for record: RecordReference) async throws -> RecordSyncReason {
    RecordSyncReason(try await library.syncStanding(of: record), status: state.status)
  }
}
