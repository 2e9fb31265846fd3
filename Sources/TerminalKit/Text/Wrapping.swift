// Text broken into lines that fit. Pure.

/// Breaking text at blanks, between wide characters, and where nothing else helps anywhere.
package enum Wrapping {
  /// The lines of a text, each at most `columns` wide; hard line ends are kept.
  package static func lines(of text: String, columns: Int) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      let characters = Array(line)
      return shownRanges(of: characters, columns: columns).map { String(characters[$0]) }
    }
  }

  /// The same ranges without the blanks that stick out: what is drawn fits.
  static func shownRanges(of line: [Character], columns: Int) -> [Range<Int>] {
    ranges(of: line, columns: columns).map { range in
      var end = range.upperBound
      var used = line[range].reduce(0) { $0 + TextWidth.columns($1) }
      while used > columns, end > range.lowerBound, line[end - 1] == " " {
        end -= 1
        used -= 1
      }
      return range.lowerBound..<end
    }
  }

  /// How one hard line is broken: ranges that cover all of it, in order; one empty range for an
  /// empty line.
  ///
  /// Blanks at a break stay at the end of the line before and may stick out.
  package static func ranges(of line: [Character], columns: Int) -> [Range<Int>] {
    let limit = max(1, columns)
    var ranges: [Range<Int>] = []
    var start = 0
    var used = 0
    /// Where the line could be broken:
    ///
    /// before this index.
    var opportunity: Int?
    var index = 0
    while index < line.count {
      let character = line[index]
      let width = TextWidth.columns(character)
      if used + width > limit, character != " ", index > start {
        let end = opportunity.flatMap { $0 > start ? $0 : nil } ?? index
        ranges.append(start..<end)
        start = end
        opportunity = nil
        used = line[start..<index].reduce(0) { $0 + TextWidth.columns($1) }
        continue
      }
      used += width
      index += 1
      if character == " " || width == 2 || character == "-" || character == "/" {
        opportunity = index
      } else if index < line.count, TextWidth.columns(line[index]) == 2 {
        opportunity = index
      }
    }
    ranges.append(start..<line.count)
    return ranges
  }
}
