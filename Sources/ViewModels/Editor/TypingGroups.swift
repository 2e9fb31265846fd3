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

  /// The most bytes of one grapheme cluster that is taken for a keystroke.
  private static let clusterBytesMax = 256

  private static func kind(from old: String, to new: String) -> Kind {
    // By bytes: a long text is compared with every keystroke.
    let (removed, inserted) = difference(from: old, to: new)
    guard removed.utf8.count + inserted.utf8.count <= clusterBytesMax else { return .other }
    if inserted.isEmpty, removed.count == 1 { return .deletion }
    guard removed.isEmpty, inserted.count == 1, let character = inserted.first else {
      return .other
    }
    return character.isWhitespace ? .blank : .word
  }

  /// What lies between the beginning and the end that both have.
  private static func difference(
    from old: String, to new: String
  ) -> (removed: String, inserted: String) {
    var (old, new) = (old, new)
    return old.withUTF8 { old in
      new.withUTF8 { new in
        let shorter = min(old.count, new.count)
        var prefix = 0
        while prefix < shorter, old[prefix] == new[prefix] { prefix += 1 }
        var suffix = 0
        while suffix < shorter - prefix,
          old[old.count - 1 - suffix] == new[new.count - 1 - suffix]
        {
          suffix += 1
        }
        return (
          String(decoding: old[prefix..<old.count - suffix], as: UTF8.self),
          String(decoding: new[prefix..<new.count - suffix], as: UTF8.self)
        )
      }
    }
  }
}
