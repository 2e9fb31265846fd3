// One source, any number of listeners, as async streams. Thread-safe; holds no listener alive.

internal import Synchronization

/// Sends each value to every stream that was asked for.
final class Broadcast<Value: Sendable>: Sendable {
  private struct State {
    var next = 0
    var isEnded = false
    var continuations: [Int: AsyncStream<Value>.Continuation] = [:]
  }

  private let state = Mutex(State())

  init() {}

  func send(_ value: Value) {
    let listeners = state.withLock { Array($0.continuations.values) }
    for listener in listeners { listener.yield(value) }
  }

  /// A stream of the values from now on.
  ///
  /// - Parameter policy: What a listener that does not keep up misses.
  func stream(
    _ policy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: policy)
    let number = state.withLock { state -> Int? in
      guard !state.isEnded else { return nil }
      state.next += 1
      state.continuations[state.next] = continuation
      return state.next
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.continuations.removeValue(forKey: number) }
    }
    return stream
  }

  func end() {
    let listeners = state.withLock { state in
      state.isEnded = true
      defer { state.continuations = [:] }
      return Array(state.continuations.values)
    }
    for listener in listeners { listener.finish() }
  }
}
