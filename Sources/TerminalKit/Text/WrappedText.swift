// A text of any length in rows of a width, broken only where it is looked at: a field of megabytes is
// paged through as fast as one of a line. A value; pure, but that it remembers.

/// A text cut into pieces, each of which is broken into rows when these are asked for.
///
/// A piece is a hard line, or a part of one that is longer than any person writes.
package struct WrappedText: Sendable {
  /// A hard line of more bytes is broken in parts: what one row costs must not grow with its line.
  ///
  /// At the end of a part there may be a row that could have held another word.
  package static let pieceBytesMax = 4096
  /// More pieces are not remembered.
  private static let knownMax = 2048

  package let text: String
  package let columns: Int
  /// Where each piece begins, in bytes.
  private let starts: [Int]
  private var known: [Int: [String]] = [:]
  /// How many bytes were broken into rows until now: what this has cost, for tests.
  package private(set) var wrappedBytes = 0

  package init(_ text: String, columns: Int) {
    var text = text
    text.makeContiguousUTF8()
    self.text = text
    self.columns = max(1, columns)
    starts = Self.pieces(of: text)
  }

  package var pieces: Int { starts.count }

  /// The rows of one piece.
  package mutating func rows(of piece: Int) -> [String] {
    if let rows = known[piece] { return rows }
    let line = EditLine(String(text[index(starts[piece])..<index(end(of: piece))]))
    let rows = Wrapping.shownRanges(of: line, columns: columns).map { line.text($0) }
    wrappedBytes += line.text.utf8.count
    if known.count >= Self.knownMax { known = [:] }
    known[piece] = rows
    return rows
  }

  /// About how many rows come before a piece, or at the number of pieces all of them: for a scroll
  /// bar, without looking at them.
  package func rowsAbout(before piece: Int) -> Int {
    let bytes = piece < starts.count ? starts[piece] : text.utf8.count
    return bytes / columns + piece
  }

  private func index(_ byte: Int) -> String.Index {
    text.utf8.index(text.startIndex, offsetBy: byte)
  }

  /// The line end of a hard line is in no piece; CR LF is no line end here.
  private func end(of piece: Int) -> Int {
    guard piece + 1 < starts.count else { return text.utf8.count }
    let next = starts[piece + 1]
    return Self.isLineEnd(text, before: next) ? next - 1 : next
  }

  private static func isLineEnd(_ text: String, before byte: Int) -> Bool {
    let bytes = text.utf8
    let end = bytes.index(text.startIndex, offsetBy: byte - 1)
    guard bytes[end] == 0x0A else { return false }
    return end == text.startIndex || bytes[bytes.index(before: end)] != 0x0D
  }

  // MARK: Pieces

  private static func pieces(of text: String) -> [Int] {
    var starts = [0]
    func cutLine(endingAt end: Int) {
      var start = starts[starts.count - 1]
      while end - start > pieceBytesMax, let cut = cut(text, from: start, to: end) {
        starts.append(cut)
        start = cut
      }
    }
    for line in lineStarts(of: text) {
      cutLine(endingAt: line - 1)
      starts.append(line)
    }
    cutLine(endingAt: text.utf8.count)
    return starts
  }

  /// Where the second and all later hard lines begin.
  private static func lineStarts(of text: String) -> [Int] {
    var starts: [Int] = []
    var text = text
    text.withUTF8 { bytes in
      for index in bytes.indices where bytes[index] == 0x0A {
        if index == 0 || bytes[index - 1] != 0x0D { starts.append(index + 1) }
      }
    }
    return starts
  }

  /// A place to cut a part off a long line: after a blank if there is one, always between clusters.
  private static func cut(_ text: String, from start: Int, to end: Int) -> Int? {
    let bytes = text.utf8
    func index(_ byte: Int) -> String.Index { bytes.index(text.startIndex, offsetBy: byte) }
    func isBetweenClusters(_ byte: Int) -> Bool { String.Index(index(byte), within: text) != nil }
    let last = start + pieceBytesMax
    let blank = stride(from: last, to: start + pieceBytesMax / 2, by: -1).first {
      bytes[index($0 - 1)] == 0x20 && isBetweenClusters($0)
    }
    if let blank { return blank }
    // Within a few bytes, but for clusters that nobody means.
    return stride(from: last, to: start, by: -1).first(where: isBetweenClusters)
      ?? (last..<end).first(where: isBetweenClusters)
  }
}
