// What others ask of the loop: to be called when a descriptor is readable or a time has
// come, and to be told when nothing is left to do. UI actor, but for ``UILoop/untilIdle()``.

internal import CPlatform
internal import Synchronization

/// A descriptor or a deadline that the loop waits for.
///
/// It holds until it is cancelled (or the deadline has passed), whether somebody keeps this value
/// or not.
package struct LoopWait: Sendable {
  private let action: @Sendable () -> Void

  package init(cancel action: @escaping @Sendable () -> Void) {
    self.action = action
  }

  /// From now on the handler is not called any more, also if it would be due in this cycle.
  package func cancel() {
    action()
  }
}

/// Time as the views know it: how late it is, and being called later.
///
/// The loop has the real one; tests have one that they move.
package protocol UITimers: Sendable {
  /// Time since some fixed moment; never jumps.
  @UI var now: Duration { get }

  /// Calls `body` once, `delay` from now, on the UI actor.
  @UI @discardableResult
  func after(_ delay: Duration, _ body: @escaping @UI () -> Void) -> LoopWait
}

extension UILoop: UITimers {
  @UI package var now: Duration {
    .nanoseconds(Int64(platform_monotonic_ns()))
  }

  @UI @discardableResult
  package func after(_ delay: Duration, _ body: @escaping @UI () -> Void) -> LoopWait {
    let (seconds, attoseconds) = delay.components
    let nanoseconds = UInt64(max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
    let due = platform_monotonic_ns() + nanoseconds
    return wait(for: waits.withLock { $0.schedule(at: due, body) })
  }

  /// Calls `handler` on the UI actor whenever the descriptor is readable or closed.
  ///
  /// The handler must read it empty, or cancel: the loop asks again at once.
  @UI package func whenReadable(
    _ descriptor: Int32, _ handler: @escaping @UI () -> Void
  ) -> LoopWait {
    wait(for: waits.withLock { $0.watch(descriptor, handler: handler) })
  }

  private func wait(for id: Int) -> LoopWait {
    LoopWait { [weak self] in self?.waits.withLock { $0.cancel(id) } }
  }

  /// Returns when no job is queued, no watched descriptor is ready and no deadline has passed.
  ///
  /// For tests, instead of sleeping. Work that still runs on other executors is not seen.
  package func untilIdle() async {
    await withCheckedContinuation { waiter in
      waits.withLock { $0.addIdleWaiter(waiter) }
      wake()
      // Somebody must turn the loop, even if no job ever ran.
      Task { @UI in }
    }
  }
}
