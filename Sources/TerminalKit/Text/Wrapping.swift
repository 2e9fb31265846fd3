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
  static func shownRanges<Line: RandomAccessCollection>(
    of line: Line, columns: Int
  ) -> [Range<Int>] where Line.Element == Character, Line.Index == Int {
    rows(of: line, columns: columns, from: 0).map { range in
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
  package static func ranges(of line: EditLine, columns: Int) -> [Range<Int>] {
    rows(of: line, columns: columns, from: 0)
  }

  /// The same after a change of the line, from the rows before it.
  ///
  /// A row is broken by what stands in it and at the beginnings of the next two. So the rows well
  /// before the change stay, and so do those after it from the first on that begins where one began.
  ///
  /// - Parameter change: The place, and how many clusters went and came.
  package static func ranges(
    of line: EditLine, columns: Int, since old: [Range<Int>],
    change: (from: Int, removed: Int, inserted: Int)
  ) -> [Range<Int>] {
    let touched = old.lastIndex { $0.lowerBound <= change.from } ?? 0
    let kept = max(0, touched - 3)
    let delta = change.inserted - change.removed
    let changeEnd = change.from + change.removed
    var next = old.firstIndex { $0.lowerBound > changeEnd } ?? old.count
    let head = rows(of: line, columns: columns, from: old[kept].lowerBound) { start in
      while next < old.count, old[next].lowerBound + delta < start { next += 1 }
      return next < old.count && old[next].lowerBound + delta == start
    }
    let end = head.last?.upperBound ?? 0
    guard next < old.count, old[next].lowerBound + delta == end, end < line.count else {
      return old[..<kept] + head
    }
    return old[..<kept] + head
      + old[next...].map { $0.lowerBound + delta..<$0.upperBound + delta }
  }

  /// The rows from one on that begins at a place, up to the end or to where `isKnown` says that a row
  /// begins whose break is known.
  private static func rows<Line: RandomAccessCollection>(
    of line: Line, columns: Int, from first: Int, until isKnown: (Int) -> Bool = { _ in false }
  ) -> [Range<Int>] where Line.Element == Character, Line.Index == Int {
    let limit = max(1, columns)
    var ranges: [Range<Int>] = []
    var start = first
    var used = 0
    /// Where the line could be broken:
    ///
    /// before this index.
    var opportunity: Int?
    var index = first
    while index < line.endIndex {
      let character = line[index]
      let width = TextWidth.columns(character)
      if used + width > limit, character != " ", index > start {
        let end = opportunity.flatMap { $0 > start ? $0 : nil } ?? index
        ranges.append(start..<end)
        if isKnown(end) { return ranges }
        start = end
        opportunity = nil
        used = line[start..<index].reduce(0) { $0 + TextWidth.columns($1) }
        continue
      }
      used += width
      index += 1
      if character == " " || width == 2 || character == "-" || character == "/" {
        opportunity = index
      } else if index < line.endIndex, TextWidth.columns(line[index]) == 2 {
        opportunity = index
      }
    }
    ranges.append(start..<line.endIndex)
    return ranges
  }
}
