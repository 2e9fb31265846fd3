@preconcurrency internal import Dispatch

/// Runs work that blocks (a lock, the closing or copying of a file) where it blocks nobody: async
/// functions share as many threads as there are cores, and two that wait there for one another's
/// readers wait for ever.
func onThreadOfItsOwn<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { done in
    DispatchQueue(label: "skyros.service.blocking").async {
      done.resume(with: Result { try work() })
    }
  }
}
