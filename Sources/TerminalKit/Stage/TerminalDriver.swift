// What the stage needs of a terminal. CursesDriver is the real one, GridDriver the one of tests.

package import UILoop

/// A screen to show grids on.
@UI
package protocol TerminalDriver: AnyObject {
  /// The screen's size now.
  var size: Size { get }
  /// Shows the grid, its cursor where the grid says. Returns the bytes that were sent.
  @discardableResult
  func present(_ grid: Grid, palette: Palette) -> Int
  /// Everything is to be sent anew with the next frame, whatever is thought to be there.
  func forgetScreen()
  func ringBell()
  /// Puts text on the clipboard of the person's terminal (OSC 52), also over ssh.
  ///
  /// Returns whether all of it was sent: terminals take no more than some 75 KB.
  @discardableResult
  func copy(_ text: String) -> Bool
  /// Stops the program as ^Z does, the screen given back to the shell. Returns when it goes on.
  func suspendProgram()
  /// Gives the screen back, runs the program on the terminal, and takes the screen again.
  /// Returns its exit status (128 + signal), or nil when it could not be started.
  func runOnTerminal(_ arguments: [String]) async -> Int?
}

/// A driver that holds what it was shown: for tests and snapshots.
@UI
package final class GridDriver: TerminalDriver {
  package var size: Size
  package private(set) var grid: Grid
  package private(set) var presentations = 0
  package private(set) var copied: [String] = []
  package private(set) var bells = 0
  package private(set) var suspensions = 0
  /// What programs run on the terminal do; nil as result means that it could not be started.
  package var program: @UI ([String]) -> Int? = { _ in nil }

  package init(columns: Int, rows: Int) {
    size = Size(columns: columns, rows: rows)
    grid = Grid(columns: columns, rows: rows)
  }

  @discardableResult
  package func present(_ grid: Grid, palette: Palette) -> Int {
    defer {
      self.grid = grid
      presentations += 1
    }
    // As many bytes as cells: what counts is whether there is anything to send.
    return grid == self.grid ? 0 : grid.columns * grid.rows
  }

  package func forgetScreen() {}
  package func ringBell() { bells += 1 }
  @discardableResult
  package func copy(_ text: String) -> Bool {
    copied.append(text)
    return true
  }
  package func suspendProgram() { suspensions += 1 }
  package func runOnTerminal(_ arguments: [String]) async -> Int? { program(arguments) }
}
