// Faults on demand: every statement that the store writes passes here, so that a test can make the
// n-th one fail, for every n, and see that all or nothing was done.

internal import Synchronization

/// Counts write statements and makes one of them fail.
package final class Faults: Sendable {
  /// What a statement that was told to fail throws.
  package struct Injected: Error, Hashable {
    package let statement: Int
  }

  private struct State {
    var count = 0
    var failing: Int?
    /// Whether the statements after the failing one fail too.
    var isDeadly = false
  }

  private let state = Mutex(State())

  package init() {}

  /// How many statements were written since ``arm(failingAt:)``.
  package var count: Int { state.withLock(\.count) }

  /// Starts counting anew; the statement of that number, from 1, fails.
  ///
  /// Nothing: none fails.
  package func arm(failingAt number: Int?) {
    state.withLock { $0 = State(count: 0, failing: number) }
  }

  /// Starts counting anew; the statement of that number, from 1, fails and all after it: the
  /// process died there, and what stands on the disk is all that is left of it.
  package func arm(dyingAt number: Int) {
    state.withLock { $0 = State(count: 0, failing: number, isDeadly: true) }
  }

  func tick() throws {
    let failed = state.withLock { state -> Int? in
      state.count += 1
      guard let failing = state.failing else { return nil }
      let fails = state.isDeadly ? state.count >= failing : state.count == failing
      return fails ? state.count : nil
    }
    if let failed { throw Injected(statement: failed) }
  }
}
