// The result of a body that one thread runs and another waits for. Any thread.

internal import Synchronization

/// Set once; read at once by the loop, or waited for by a thread that is not the loop's.
final class LoopOutcome<Success: Sendable>: Sendable {
  private let state = Mutex<Result<Success, any Error>?>(nil)
  private let done = LoopGate()

  var result: Result<Success, any Error>? {
    state.withLock { $0 }
  }

  func finish(_ result: Result<Success, any Error>) {
    state.withLock { $0 = result }
    done.open()
  }

  func wait() throws -> Success {
    done.waitUntilOpen()
    guard let result else { preconditionFailure("a gate opened without a result") }
    return try result.get()
  }
}
