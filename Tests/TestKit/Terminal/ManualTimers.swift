// Time that a test moves. UI actor.

package import UILoop

/// Deadlines that pass when a test says so.
@UI
package final class ManualTimers: UITimers {
  package private(set) var now = Duration.zero
  private var pending: [(id: Int, due: Duration, body: @UI () -> Void)] = []
  private var nextID = 0

  package nonisolated init() {}

  package var pendingCount: Int { pending.count }

  @discardableResult
  package func after(_ delay: Duration, _ body: @escaping @UI () -> Void) -> LoopWait {
    nextID += 1
    let id = nextID
    pending.append((id, now + delay, body))
    return LoopWait { [weak self] in
      UI.assumeIsolated { self?.cancel(id) }
    }
  }

  private func cancel(_ id: Int) {
    pending.removeAll { $0.id == id }
  }

  /// Moves time on, calling what becomes due in its order.
  package func advance(by duration: Duration) {
    let end = now + duration
    while let next = pending.filter({ $0.due <= end }).min(by: { ($0.due, $0.id) < ($1.due, $1.id) }
    ) {
      now = max(now, next.due)
      cancel(next.id)
      next.body()
    }
    now = end
  }
}
