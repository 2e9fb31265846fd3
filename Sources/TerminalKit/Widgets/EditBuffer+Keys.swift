// The keys of all text inputs: what a terminal user's fingers know. Pure.

extension EditBuffer {
  package enum Outcome: Sendable {
    /// Not a key for text.
    case ignored
    case moved
    case changed
  }

  /// Applies a key.
  ///
  /// Up and down are the widget's, for it knows how lines are wrapped; so are Enter, Tab and Esc.
  package mutating func apply(_ key: Key) -> Outcome {
    if let typed = key.typed {
      insert(String(typed))
      return .changed
    }
    if let target = target(of: key) {
      move(to: target)
      return .moved
    }
    return edit(key) ? .changed : .ignored
  }

  package mutating func paste(_ paste: InputEvent.Paste) {
    insert(paste.text, isTyping: false)
  }

  private func target(of key: Key) -> Position? {
    switch (key.code, key.modifiers) {
    case (.left, []), (.character("b"), .control): return positionBefore
    case (.right, []), (.character("f"), .control): return positionAfter
    case (.left, .control), (.left, .alt), (.character("b"), .alt): return wordStart
    case (.right, .control), (.right, .alt), (.character("f"), .alt): return wordEnd
    case (.home, []), (.character("a"), .control): return Position(line: cursor.line, offset: 0)
    case (.end, []), (.character("e"), .control):
      return Position(line: cursor.line, offset: lines[cursor.line].count)
    case (.home, .control): return Position(line: 0, offset: 0)
    case (.end, .control): return end
    default: return nil
    }
  }

  /// Whether the key edits text.
  private mutating func edit(_ key: Key) -> Bool {
    let lineEnd = Position(line: cursor.line, offset: lines[cursor.line].count)
    switch (key.code, key.modifiers) {
    case (.backspace, []), (.backspace, .shift): delete(to: positionBefore)
    case (.delete, []), (.character("d"), .control): delete(to: positionAfter)
    case (.backspace, .alt), (.backspace, .control), (.character("w"), .control):
      delete(to: wordStart)
    case (.delete, .alt), (.delete, .control): delete(to: wordEnd)
    case (.character("u"), .control): delete(to: Position(line: cursor.line, offset: 0))
    case (.character("k"), .control):
      delete(to: cursor == lineEnd ? positionAfter : lineEnd)
    case (.character("_"), .control), (.character("u"), .alt): undo()
    case (.character("r"), .alt), (.character("U"), .alt): redo()
    default: return false
    }
    return true
  }
}
