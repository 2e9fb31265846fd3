// What a stage shows: screens, and overlays on top of them. And the parts that layers are
// made of. UI actor.

package import UILoop

/// A screen, or a box over the screens beneath it.
///
/// Layers form a stack; input goes to the top one.
@UI
package protocol Layer: AnyObject {
  /// Its part of the breadcrumb.
  var title: String { get }
  /// Whether it is drawn over the layers beneath (a dialog, a menu), not in their place.
  var isOverlay: Bool { get }
  /// What can be done here, in the order of the help page.
  var commands: [Command] { get }
  /// What the status line says when there is no message.
  var statusLine: StyledText { get }
  /// Whether letters are typed into a field here: the key bar then shows only keys that are none.
  var takesLetters: Bool { get }
  /// Whether a key would be answered by what is there: while it loads, keys wait until it is.
  var isReady: Bool { get }

  /// Draws it. An overlay gets the same area as a screen, and chooses its place in it.
  func draw(in area: Rect, on grid: inout Grid)
  /// Takes an event before commands are looked up: for text inputs and the mouse. Returns whether
  /// the event meant something.
  func handle(_ event: InputEvent) -> Bool
}

extension Layer {
  package var isOverlay: Bool { false }
  package var commands: [Command] { [] }
  package var statusLine: StyledText { StyledText() }
  package var takesLetters: Bool { false }
  package var isReady: Bool { true }
  package func handle(_ event: InputEvent) -> Bool { false }
}

/// A part of a layer.
@UI
package protocol Widget: AnyObject {
  /// Draws it, with the real cursor where it is when it has the focus.
  func draw(in area: Rect, on grid: inout Grid, isFocused: Bool)
  /// Takes an event; returns whether it meant something.
  func handle(_ event: InputEvent) -> Bool
  /// What can be done with it while it has the focus; a layer adds these to its own.
  var commands: [Command] { get }
}

extension Widget {
  package func handle(_ event: InputEvent) -> Bool { false }
  package var commands: [Command] { [] }
}

/// A widget that holds a value a person enters.
@UI
package protocol Input: Widget {
  /// Called after each change that a person made, not for those by the program.
  var onChange: @UI () -> Void { get set }
  /// How many rows it needs at that width; at least 1.
  func rows(columns: Int) -> Int
}

extension Input {
  package func rows(columns: Int) -> Int { 1 }
}

/// Which of several widgets has the focus.
package struct FocusRing: Sendable {
  package private(set) var index: Int
  package var count: Int { didSet { index = min(index, max(0, count - 1)) } }

  package init(count: Int, index: Int = 0) {
    self.count = max(0, count)
    self.index = min(max(0, index), max(0, count - 1))
  }

  package mutating func focus(_ index: Int) {
    if (0..<count).contains(index) { self.index = index }
  }

  package mutating func next() { if count > 0 { index = (index + 1) % count } }
  package mutating func previous() { if count > 0 { index = (index + count - 1) % count } }
}
