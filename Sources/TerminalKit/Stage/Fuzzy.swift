// Finding things by a few of their letters. Pure.

/// A match of typed letters in a name: better ones first when sorted by score.
package enum Fuzzy {
  /// How well the query's characters occur in the text in that order; nil when they do not.
  ///
  /// Beginnings of words and runs of neighbours count more; a shorter text wins among equals.
  /// Case does not matter.
  package static func score(_ query: String, in text: String) -> Int? {
    let wanted = Array(query.lowercased().filter { !$0.isWhitespace })
    guard !wanted.isEmpty else { return 0 }
    let letters = Array(text.lowercased())
    var best: Int?
    for start in letters.indices where letters[start] == wanted[0] {
      guard let found = score(wanted, in: letters, from: start) else { continue }
      best = max(best ?? Int.min, found)
    }
    return best.map { $0 * 8 - letters.count }
  }

  private static func score(_ wanted: [Character], in letters: [Character], from start: Int) -> Int?
  {
    var total = 0
    var at = start
    var previous = -2
    for character in wanted {
      guard let found = letters[at...].firstIndex(of: character) else { return nil }
      let isWordStart = found == 0 || !(letters[found - 1].isLetter || letters[found - 1].isNumber)
      total += found == previous + 1 ? 6 : isWordStart ? 5 : 1
      previous = found
      at = found + 1
    }
    return total
  }

  /// The elements that match, best first; all of them in their order for an empty query.
  package static func sorted<Element>(
    _ elements: [Element], by query: String, text: (Element) -> String
  ) -> [Element] {
    let scored = elements.enumerated().compactMap { offset, element in
      score(query, in: text(element)).map { (score: $0, offset: offset, element: element) }
    }
    if query.allSatisfy(\.isWhitespace) { return elements }
    return scored.sorted { ($1.score, $0.offset) < ($0.score, $1.offset) }.map(\.element)
  }
}
