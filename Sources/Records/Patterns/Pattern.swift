// The regular expressions of the model, matched in bounded time: models sync, so a pattern that one
// device takes exponentially long for would freeze all of them. The text of a pattern becomes a
// small automaton (Thompson 1968), and all its states walk through the text at once: what a match
// costs is at most the characters of the text by the states of the pattern.
//
// The syntax and the meaning are those of Swift's `Regex` without options, which read the patterns
// of older models: texts are taken by characters, compared as Unicode's canonical equivalence has
// it. Left out is what no such automaton can do: back references, look-around, atomic groups and
// possessive repetition. Pure values; any thread.

/// A regular expression that a whole text matches or doesn't.
package struct Pattern: Sendable {
  /// Beyond what a person writes; it bounds what one `{1000}` in another costs.
  package static let statesMax = 20_000
  /// Beyond what a person's parentheses nest.
  package static let depthMax = 100
  /// The most work that one text is worth, about a second: a pattern of many states with a
  /// text of many megabytes.
  package static let stepsMax = 100_000_000

  /// The pattern as it is written in the model.
  package let text: String
  let program: PatternProgram

  /// Reads a pattern; nothing if it is none, or none of the kind that is matched here.
  package init?(_ text: String) {
    var parser = PatternParser(text)
    guard let tree = try? parser.pattern(), tree.states < Self.statesMax else { return nil }
    self.text = text
    program = PatternProgram(tree, sets: parser.sets)
  }

  /// The states that a character of a text is tried on at most.
  package var states: Int { program.instructions.count }

  /// Whether the whole text matches.
  ///
  /// A text that would take more than ``stepsMax`` is not checked, and counts as a match.
  package func matches(_ candidate: String) -> Bool { match(candidate).matches }

  /// Whether the whole text matches, and the steps that it took to see that.
  package func match(
    _ candidate: String, stepsMax: Int = Pattern.stepsMax
  ) -> (matches: Bool, steps: Int) {
    var run = PatternRun(program, stepsMax: stepsMax)
    return (run.matches(candidate), run.steps)
  }
}

/// Why a text is no pattern: one reason, as nobody acts on the difference.
struct PatternMistake: Error {}

/// What holds between two characters, or does not.
enum PatternPlace: Sendable, Hashable {
  case start, end
  /// At the end, or before the line break that ends the text.
  case lastLineEnd
  case lineStart, lineEnd
  case wordBreak, noWordBreak
}

/// A pattern as it was read.
indirect enum PatternTree: Sendable {
  case empty
  /// One character of the set with this number.
  case set(Int)
  case place(PatternPlace)
  case sequence([PatternTree])
  case choice([PatternTree])
  /// `most` is nothing where there is no bound.
  case repetition(PatternTree, least: Int, most: Int?)

  /// How many instructions the tree takes at most, counted up to ``Pattern/statesMax``.
  var states: Int {
    let count =
      switch self {
      case .empty: 1
      case .set, .place: 1
      case .sequence(let parts): parts.reduce(1) { min($0 + $1.states, Pattern.statesMax) }
      case .choice(let branches):
        branches.reduce(1) { min($0 + $1.states + 2, Pattern.statesMax) }
      case .repetition(let part, let least, let most):
        Self.states(of: part.states, least: least, most: most)
      }
    return min(count, Pattern.statesMax)
  }

  /// The instructions of a repetition whose part has `states`; each factor is below 2^16.
  private static func states(of states: Int, least: Int, most: Int?) -> Int {
    guard let most else { return states * max(least, 1) + 2 }
    return max(states * least + (states + 1) * (most - least), 1)
  }
}
