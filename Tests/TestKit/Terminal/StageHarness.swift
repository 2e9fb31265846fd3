// A stage on a grid, for tests of screens and widgets: keys in, text out. UI actor.

package import TerminalKit
package import UILoop

/// A stage with a grid for a terminal and time that stands still.
@UI
package final class StageHarness {
  package let driver: GridDriver
  package let timers = ManualTimers()
  package let stage: Stage

  package init(columns: Int = 80, rows: Int = 24) {
    driver = GridDriver(columns: columns, rows: rows)
    stage = Stage(driver: driver, timers: timers)
  }

  /// Types keys by name (`j`, `C-s`, `g g`), and returns the screen after them.
  @discardableResult
  package func press(_ keys: String...) -> String {
    for key in keys {
      stage.dispatch((Key.sequence(named: key) ?? []).map(InputEvent.key))
    }
    return text
  }

  /// Types text letter by letter.
  @discardableResult
  package func type(_ text: String) -> String {
    stage.dispatch(text.map { .key(Key($0)) })
    return self.text
  }

  @discardableResult
  package func paste(_ text: String) -> String {
    stage.dispatch([.paste(.init(text))])
    return self.text
  }

  package func resize(columns: Int, rows: Int) {
    driver.size = Size(columns: columns, rows: rows)
    stage.resize()
  }

  /// Lets background frames that are due be drawn.
  @discardableResult
  package func settle() -> String {
    timers.advance(by: .milliseconds(20))
    return text
  }

  /// The screen as text, drawn anew.
  package var text: String {
    stage.drawNow()
    return driver.grid.text
  }

  package var lines: [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
  package var cursor: Point? { driver.grid.cursor }
}

/// Waits until a condition holds that jobs on other executors bring about; false if it did not
/// within a minute and a thousand rounds of letting everybody run.
///
/// The bound is for a test that fails: how fast the machine is decides nothing.
@UI
package func eventually(_ condition: @UI () -> Bool) async -> Bool {
  let end = ContinuousClock.now + .seconds(60)
  var rounds = 0
  while !condition() {
    rounds += 1
    guard rounds < 1_000 || ContinuousClock.now < end else { return false }
    await Task.yield()
  }
  return true
}
