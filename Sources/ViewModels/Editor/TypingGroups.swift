// Which keystrokes undo together: a word typed, a run of deletions; a paste is a step of its own.
// Pure.

/// Numbers the undo groups of typing (`Draft.set(_:of:group:)`).
struct TypingGroups: Sendable, Hashable {
  private enum Kind: Sendable, Hashable {
    case word, blank, deletion
    /// More than one character at once: a paste, an editor's answer.
    case other
  }

  private struct Run: Sendable, Hashable {
    let place: FieldPlace
    let kind: Kind
  }

  private var number = 0
  private var run: Run?

  /// The group of a change of an input's text.
  mutating func group(of place: FieldPlace, from old: String, to new: String) -> Int {
    let kind = Self.kind(from: old, to: new)
    let joins: Bool =
      if let run, run.place == place {
        switch (run.kind, kind) {
        case (.other, _), (_, .other): false
        // The blank after a word belongs to it; the next word begins a new step.
        case (.word, .blank), (.word, .word), (.blank, .blank), (.deletion, .deletion): true
        default: false
        }
      } else {
        false
      }
    if !joins { number += 1 }
    run = Run(place: place, kind: kind)
    return number
  }

  /// What comes next begins a new group.
  mutating func end() { run = nil }

  private static func kind(from old: String, to new: String) -> Kind {
    // By bytes: a long text is compared with every keystroke.
    let prefix = zip(old.utf8, new.utf8).prefix { $0 == $1 }.count
    let rest = (old.utf8.dropFirst(prefix), new.utf8.dropFirst(prefix))
    let suffix = zip(rest.0.reversed(), rest.1.reversed()).prefix { $0 == $1 }.count
    let removed = String(decoding: rest.0.dropLast(suffix), as: UTF8.self)
    let inserted = String(decoding: rest.1.dropLast(suffix), as: UTF8.self)
    if inserted.isEmpty, removed.count == 1 { return .deletion }
    guard removed.isEmpty, inserted.count == 1, let character = inserted.first else {
      return .other
    }
    return character.isWhitespace ? .blank : .word
  }
}
