// Following the event log of a process that syncs, from another one: what is new, how what runs gets
// on, and how it ends, whatever the order. A value; it reads nothing.

package import RecordStore

/// What of the event log was told so far.
package struct EventFollowing: Sendable {
  /// The newest event that can't change any more, as far as it was looked at.
  package private(set) var settled: Int64 = 0
  /// Those that can, as they were told last.
  private var told: [Int64: SyncEvent] = [:]

  /// Begins behind a log: only what runs in it is still to be told of.
  ///
  /// - Parameter log: Newest first.
  package init(over log: [SyncEvent]) {
    for event in log where event.outcome != .running { told[event.id] = event }
    settle(log)
  }

  /// What differs from what was told, oldest first.
  ///
  /// - Parameter log: The events behind ``settled``, newest first.
  package mutating func news(in log: [SyncEvent]) -> [SyncEvent] {
    let news = log.filter { told[$0.id] != $0 }
    for event in news { told[event.id] = event }
    settle(log)
    return news.reversed()
  }

  /// One that runs moves on; of those that ended, the newest takes in the failures that follow it and
  /// are the same (``RecordStore/Library/endEvent(_:)``).
  private mutating func settle(_ log: [SyncEvent]) {
    let running = log.filter { $0.outcome == .running }.map(\.id).min() ?? .max
    let ended = log.filter { $0.outcome != .running }.map(\.id).max() ?? settled
    settled = max(settled, min(running, ended) - 1)
    told = told.filter { $0.key > settled }
  }
}
