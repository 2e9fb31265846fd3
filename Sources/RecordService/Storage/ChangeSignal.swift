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
    var onWaiting: (@Sendable () -> Void)?

    func generation(of database: DatabaseKey) -> UInt64 {
      generations[database, default: 0] &+ common
    }
  }

  private let state = Mutex(State())

  package init() {}

  /// Whether anybody waits now.
  var hasWaiters: Bool { state.withLock { !$0.waiters.isEmpty } }

  /// Asks to be called, from any thread, when the first waiter has come or the last one gone.
  func onWaiting(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.onWaiting = body }
  }

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
        let (isDue, tell) = state.withLock { state in
          guard !Task.isCancelled, !timer.isCancelled,
            state.generation(of: database) == generation
          else { return (true, nil as (@Sendable () -> Void)?) }
          state.waiters[number] = Waiter(database: database, continuation: continuation)
          return (false, state.waiters.count == 1 ? state.onWaiting : nil)
        }
        tell?()
        if isDue { continuation.resume() }
      }
    } onCancel: {
      timer.cancel()
      self.wake(number)
    }
  }

  package func notify(_ databases: Set<DatabaseKey>) {
    resume { state in
      for database in databases { state.generations[database, default: 0] &+= 1 }
      return Self.take(from: &state) { databases.contains($0.database) }
    }
  }

  /// Another process committed, to which database is not known.
  package func notifyAll() {
    resume { state in
      state.common &+= 1
      return Self.take(from: &state) { _ in true }
    }
  }

  private func wake(_ number: UInt64) {
    resume { state in
      state.waiters.removeValue(forKey: number).map { [$0.continuation] } ?? []
    }
  }

  /// Resumes those whom the body takes out, outside of the lock.
  private func resume(
    _ takeDue: (inout sending State) -> [CheckedContinuation<Void, Never>]
  ) {
    let (due, tell) = state.withLock { state in
      let due = takeDue(&state)
      return (due, due.isEmpty || !state.waiters.isEmpty ? nil : state.onWaiting)
    }
    tell?()
    for continuation in due { continuation.resume() }
  }

  private static func take(
    from state: inout State, where isDue: (Waiter) -> Bool
  ) -> [CheckedContinuation<Void, Never>] {
    let due = state.waiters.filter { isDue($0.value) }
    for number in due.keys { state.waiters.removeValue(forKey: number) }
    return due.values.map(\.continuation)
  }
}
