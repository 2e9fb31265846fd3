// From observable view models to frames. UI actor.

package import UILoop
internal import Observation

/// A subscription to what a function reads.
///
/// It ends when it is let go.
@UI
package final class Following {
  private let read: @UI () -> Void
  private let changed: @UI () -> Void

  init(read: @escaping @UI () -> Void, changed: @escaping @UI () -> Void) {
    self.read = read
    self.changed = changed
    arm()
  }

  private func arm() {
    withObservationTracking {
      read()
    } onChange: { [weak self] in
      // The value is set after this call: look again in a job of its own.
      Task { @UI [weak self] in self?.fire() }
    }
  }

  private func fire() {
    arm()
    changed()
  }
}
