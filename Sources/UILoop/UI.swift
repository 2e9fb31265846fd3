// The UI actor: everything that a person sees or touches is isolated to it. Its
// executor is the poll loop of this room (UILoop.swift), so views and view models are
// plain classes and the terminal library is called from one thread.
//
// One of the two places where process-wide state is allowed (the other is signals).

/// The actor of all views and view models. Its jobs run on the thread of ``UILoop/shared``.
@globalActor
package actor UI {
  package static let shared = UI()

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    UILoop.shared.asUnownedSerialExecutor()
  }

  /// Runs `operation` at once, on the loop's thread only: it traps elsewhere.
  ///
  /// For code that the loop itself calls (a descriptor became ready, a deadline passed) and
  /// that is not a job of the actor.
  package nonisolated static func assumeIsolated<Result>(
    _ operation: @UI () throws -> Result
  ) rethrows -> Result {
    UILoop.shared.checkIsolated()
    typealias Free = () throws -> Result
    // The same thing that MainActor.assumeIsolated does: after the check above, the
    // isolation in the function's type is a fact that needs no hop.
    return try withoutActuallyEscaping(operation) { isolated in
      try unsafeBitCast(isolated, to: Free.self)()
    }
  }
}
