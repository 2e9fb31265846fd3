import Synchronization

/// A wall clock that a test moves.
package final class ManualClock: Sendable {
  private let now: Mutex<Int64>

  /// - Parameter milliseconds: Since 1970 UTC.
  package init(milliseconds: Int64) { now = Mutex(milliseconds) }

  package var milliseconds: Int64 { now.withLock { $0 } }

  package func set(_ milliseconds: Int64) { now.withLock { $0 = milliseconds } }

  package func advance(milliseconds: Int64) { now.withLock { $0 += milliseconds } }
}
