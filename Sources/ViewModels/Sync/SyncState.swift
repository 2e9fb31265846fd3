// What every screen shows of sync, as values. Words are made elsewhere.

package import RecordStore
package import Records
package import Sync

/// What came of the last intention, until the next.
package enum SyncNotice: Sendable, Hashable {
  case asked
  case paused
  case resumed
  /// So many records that were set aside try again.
  case retrying(Int)
  case setUp(address: String, pending: Int)
  /// So many saves were never sent.
  case turnedOff(unsent: Int)
  /// What a person decided about records that the service lost.
  case decided(SyncDecision, records: Int)
  case exported(path: String, count: Int)
  case failed(SyncProblem)
}

/// How much was moved at a time.
package struct RateSample: Sendable, Hashable {
  /// Of which event.
  package let event: Int64
  /// Milliseconds since 1970 UTC.
  package let at: Int64
  package let recordsPerSecond: Double
}

/// What a record is marked with because it is not on the service yet.
package enum SyncBadge: Sendable, Hashable {
  case pending, parked
}

package struct SyncState: Sendable, Hashable {
  package var isLoaded = false
  package var status = SyncStatus()
  package var role = SyncRole.off
  /// How much of the running phase is done, where anybody can know.
  package var progress: Double?
  /// Minutes since this library was last known to be in step; nothing within the first minute.
  package var ageMinutes: Int?
  /// The latest throughput, oldest first.
  package var samples: [RateSample] = []
  /// Records whose save waits, as far as ``badgesMax`` goes; and those set aside.
  package var pending: Set<RecordReference> = []
  package var parked: Set<RecordReference> = []
  /// What the devices that sync with this library call themselves; fit to be shown.
  package var deviceNames: [DeviceID: String] = [:]
  package var isSettingUp = false
  /// The page on which a person signs in, while that is waited for.
  package var signInPage: String?
  package var notice: SyncNotice?

  package init() {}

  /// As many badges as a person could ever look at.
  package static let badgesMax = 1_000

  /// How a record is marked.
  ///
  /// - Parameter isPending: What was read with the record, for when too many wait to be listed.
  package func badge(of record: RecordReference, isPending: Bool) -> SyncBadge? {
    guard status.isSetUp else { return nil }
    if parked.contains(record) { return .parked }
    let waits = pending.count < Self.badgesMax ? pending.contains(record) : isPending
    return waits ? .pending : nil
  }

  /// Records whose save waits by itself: parked ones need a person.
  package var waiting: Int { max(0, status.backlog.pending - status.backlog.parked) }
  package var parkedCount: Int { status.backlog.parked + status.backlog.held }
}
