// Wakes those who wait for a database to change. Any thread.
//
// A waiter takes the generation first, then looks, then waits for another generation: a change in
// between is not missed.

internal import Synchronization

package final class ChangeSignal: Sendable {
  private struct Waiter {
    let database: DatabaseKey
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var generations: [DatabaseKey: UInt64] = [:]
    var common: UInt64 = 0
    var waiters: [UInt64: Waiter] = [:]
    var lastWaiter: UInt64 = 0

    func generation(of database: DatabaseKey) -> UInt64 {
      generations[database, default: 0] &+ common
    }
  }

  private let state = Mutex(State())

  package init() {}

  package func generation(of database: DatabaseKey) -> UInt64 {
    state.withLock { $0.generation(of: database) }
  }

  /// Returns when the generation is another one, when `timeout` returns, or when cancelled.
  package func wait(
    for database: DatabaseKey, after generation: UInt64,
    timeout: @escaping @Sendable () async -> Void
  ) async {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    let timer = Task {
      await timeout()
      self.wake(number)
    }
    defer { timer.cancel() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state in
          guard !Task.isCancelled, !timer.isCancelled,
            state.generation(of: database) == generation
          else { return true }
          state.waiters[number] = Waiter(database: database, continuation: continuation)
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      timer.cancel()
      self.wake(number)
    }
  }

  package func notify(_ databases: Set<DatabaseKey>) {
    let due = state.withLock { state in
      for database in databases { state.generations[database, default: 0] &+= 1 }
      return Self.take(from: &state) { databases.contains($0.database) }
    }
    for continuation in due { continuation.resume() }
  }

  /// Another process committed, to which database is not known.
  package func notifyAll() {
    let due = state.withLock { state in
      state.common &+= 1
      return Self.take(from: &state) { _ in true }
    }
    for continuation in due { continuation.resume() }
  }

  private func wake(_ number: UInt64) {
    state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume()
  }

  private static func take(
    from state: inout State, where isDue: (Waiter) -> Bool
  ) -> [CheckedContinuation<Void, Never>] {
    let due = state.waiters.filter { isDue($0.value) }
    for number in due.keys { state.waiters.removeValue(forKey: number) }
    return due.values.map(\.continuation)
  }
}
