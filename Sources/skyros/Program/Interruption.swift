// Ctrl-C (and TERM) while something long runs: the work is cancelled, which takes it back, and the
// program ends with a sentence. Signals are process-wide, which is why this is the only place that
// touches them here.

internal import Dispatch
internal import Glibc

/// Signals that cancel.
enum Interruption {
  /// Runs `work`; INT and TERM cancel it.
  static func cancelling<T: Sendable>(
    _ work: @escaping @Sendable () async throws -> T
  ) async throws -> T {
    // The work begins when its signals are heard: one that came before would be lost.
    let (heard, begin) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for await _ in heard {}
      return try await work()
    }
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { task.cancel() }
      source.resume()
      return source
    }
    begin.finish()
    defer {
      for source in sources { source.cancel() }
      for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
    return try await task.value
  }
}
