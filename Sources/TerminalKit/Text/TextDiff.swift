// What differs between two texts, word by word, to be marked where they stand side by side. Pure.

/// The parts of a text that another text does not have.
package enum TextDiff {
  package struct Part: Equatable, Sendable {
    package var text: String
    /// Whether the other text lacks it.
    package var isDifferent: Bool
  }

  /// Beyond so many words on a side the middle counts as different as a whole: the time grows with the
  /// product.
  static let wordsMax = 1500

  /// The text in parts, in order, told apart by whether `other` has them at that place.
  package static func parts(of text: String, against other: String) -> [Part] {
    let new = words(text)
    let old = words(other)
    let head = zip(new, old).prefix { $0 == $1 }.count
    let tail = min(
      zip(new.reversed(), old.reversed()).prefix { $0 == $1 }.count,
      min(new.count, old.count) - head)
    let newMiddle = Array(new[head..<new.count - tail])
    let oldMiddle = Array(old[head..<old.count - tail])
    var isDifferent = Array(repeating: false, count: new.count)
    for (index, kept) in common(newMiddle, oldMiddle).enumerated() where !kept {
      isDifferent[head + index] = true
    }
    var parts: [Part] = []
    for (word, differs) in zip(new, isDifferent) {
      if let last = parts.last, last.isDifferent == differs {
        parts[parts.count - 1].text += word
      } else {
        parts.append(Part(text: word, isDifferent: differs))
      }
    }
    return parts
  }

  /// Runs of letters and digits; every other character alone, so that scripts without blanks work.
  static func words(_ text: String) -> [String] {
    var words: [String] = []
    var isRun = false
    for character in text {
      let joins = (character.isLetter || character.isNumber) && TextWidth.columns(character) == 1
      if joins, isRun {
        words[words.count - 1].append(character)
      } else {
        words.append(String(character))
      }
      isRun = joins
    }
    return words
  }

  /// For each word of the first, whether it belongs to a longest common subsequence.
  private static func common(_ first: [String], _ second: [String]) -> [Bool] {
    var kept = Array(repeating: false, count: first.count)
    guard !first.isEmpty, !second.isEmpty, first.count <= wordsMax, second.count <= wordsMax else {
      return kept
    }
    let width = second.count + 1
    var lengths = Array(repeating: UInt16(0), count: (first.count + 1) * width)
    for i in stride(from: first.count - 1, through: 0, by: -1) {
      for j in stride(from: second.count - 1, through: 0, by: -1) {
        lengths[i * width + j] =
          first[i] == second[j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : max(lengths[(i + 1) * width + j], lengths[i * width + j + 1])
      }
    }
    var (i, j) = (0, 0)
    while i < first.count, j < second.count {
      if first[i] == second[j] {
        kept[i] = true
        i += 1
        j += 1
      } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
        i += 1
      } else {
        j += 1
      }
    }
    return kept
  }
}
