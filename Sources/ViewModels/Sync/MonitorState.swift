// What the monitor shows beyond the status line, as values.

package import RecordStore
internal import Records
internal import Sync

/// Why something is not on both sides yet.
package enum WaitingReason: Sendable, Hashable {
  /// The next export takes it along.
  case queued
  /// The export that runs now takes it along.
  case inFlight
  /// Set aside, by the stable word of its reason.
  case parked(String, detail: String?, at: Int64)
  /// From the service, and not taken in.
  case held(String)
  /// Writers disagree: it is synced, and a person should look.
  case conflicting
}

/// One thing that waits.
package struct WaitingRecord: Sendable, Hashable, Identifiable {
  /// Nothing for a record of the service that can't be taken in.
  package let reference: RecordReference?
  package let type: String
  package let title: String
  package let reason: WaitingReason

  package var id: String { "\(type) \(reference?.id.description ?? title) \(reason.order)" }
}

extension WaitingReason {
  /// What needs a person comes first.
  package var order: Int {
    switch self {
    case .parked: 0
    case .conflicting: 1
    case .held: 2
    case .inFlight: 3
    case .queued: 4
    }
  }
}

/// Which events the log shows.
package struct EventFilter: Sendable, Hashable {
  package var onlyFailed = false
  package var phase: SyncPhase?

  package init() {}

  package func admits(_ event: SyncEvent) -> Bool {
    (!onlyFailed || event.outcome == .failed) && (phase == nil || event.phase == phase)
  }
}

package struct MonitorState: Sendable, Hashable {
  package var isLoaded = false
  /// The newest first, by the filter.
  package var events: [SyncEvent] = []
  package var filter = EventFilter()
  package var eventCursor = 0
  package var waiting: [WaitingRecord] = []
  /// There are more than are listed.
  package var hasMoreWaiting = false
  package var waitingCursor = 0
  /// The newest event of each phase.
  package var newest: [SyncPhase: SyncEvent] = [:]
  /// Throughput over time, oldest first.
  package var rates: [RateSample] = []
  package var failure: Failure?

  package init() {}

  package var selectedEvent: SyncEvent? {
    events.indices.contains(eventCursor) ? events[eventCursor] : nil
  }
  package var selectedWaiting: WaitingRecord? {
    waiting.indices.contains(waitingCursor) ? waiting[waitingCursor] : nil
  }
}
