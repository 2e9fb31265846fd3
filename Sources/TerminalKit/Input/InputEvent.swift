// What the terminal tells us, as values. Pure.

/// One thing that a person or the terminal did.
package enum InputEvent: Hashable, Sendable {
  case key(Key)
  /// A pasted block, with line ends made `\n`; never to be taken for keys.
  case paste(Paste)
  case mouse(Mouse)
  /// The terminal's window got or lost the focus.
  case focus(Bool)
  /// An answer of the terminal to a question of ours, raw and whole.
  case reply(String)
  /// A sequence that nobody here understands, swallowed whole.
  case ignored

  package struct Paste: Hashable, Sendable {
    package var text: String
    /// Bytes beyond the cap, which were dropped.
    package var droppedBytes: Int

    package init(_ text: String, droppedBytes: Int = 0) {
      self.text = text
      self.droppedBytes = droppedBytes
    }

    /// What fits into so many characters, and how many do not.
    func fitting(_ room: Int) -> (paste: Paste, cut: Int) {
      // Characters are at least a byte: short texts need no counting.
      if text.utf8.count <= room { return (self, 0) }
      let count = text.count
      guard count > room else { return (self, 0) }
      return (Paste(String(text.prefix(max(0, room)))), count - max(0, room))
    }
  }

  package struct Mouse: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case press, release, drag, wheelUp, wheelDown
    }

    package enum Button: Hashable, Sendable {
      case left, middle, right, none
    }

    package var kind: Kind
    package var button: Button
    package var point: Point
    package var modifiers: Key.Modifiers

    package init(
      _ kind: Kind, _ button: Button = .left, at point: Point, _ modifiers: Key.Modifiers = []
    ) {
      self.kind = kind
      self.button = button
      self.point = point
      self.modifiers = modifiers
    }
  }
}
