// One hard line of a text being edited. Grapheme clusters by number at once, and the whole as a
// string at once: a megabyte is typed into, drawn and handed on with every key. A value.

/// A line without its end, as a collection of grapheme clusters.
package struct EditLine: RandomAccessCollection, Sendable, Hashable {
  package private(set) var text: String
  /// Nothing for a line of ASCII, where a byte is a cluster.
  private var characters: [Character]?

  package init(_ text: String = "") {
    var text = text
    // Without this, a string that another one was cut from would be walked for each place.
    text.makeContiguousUTF8()
    self.text = text
    characters = Self.isPlain(text) ? nil : Array(text)
  }

  /// CR LF is one cluster of two bytes.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.allSatisfy { $0 < 0x80 && $0 != 0x0D }
    } ?? false
  }

  package static func == (left: EditLine, right: EditLine) -> Bool { left.text == right.text }
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }

  package var startIndex: Int { 0 }
  package var endIndex: Int { characters?.count ?? text.utf8.count }

  package subscript(offset: Int) -> Character {
    if let characters { return characters[offset] }
    return Character(Unicode.Scalar(text.utf8[index(ofByte: offset)]))
  }

  /// Whether every byte is a cluster of one column.
  var isPlain: Bool { characters == nil }

  /// The clusters of a range as a string.
  package func text(_ range: Range<Int>) -> String {
    if range == indices { return text }
    if let characters { return String(characters[range]) }
    return String(text[index(ofByte: range.lowerBound)..<index(ofByte: range.upperBound)])
  }

  /// Puts clusters in the place of others.
  ///
  /// They must not combine with their new neighbours, nor the neighbours with each other.
  mutating func replace(_ range: Range<Int>, with line: EditLine) {
    if isPlain, line.isPlain {
      text.replaceSubrange(
        index(ofByte: range.lowerBound)..<index(ofByte: range.upperBound), with: line.text)
      return
    }
    var characters = characters ?? Array(text)
    let first = characters[..<range.lowerBound].reduce(0) { $0 + $1.utf8.count }
    let length = characters[range].reduce(0) { $0 + $1.utf8.count }
    text.replaceSubrange(
      index(ofByte: first)..<index(ofByte: first + length), with: line.text)
    characters.replaceSubrange(range, with: line.characters ?? Array(line.text))
    self.characters = Self.isPlain(text) ? nil : characters
  }

  private func index(ofByte offset: Int) -> String.Index {
    text.utf8.index(text.startIndex, offsetBy: offset)
  }
}

extension EditLine {
  /// The lines of a text.
  static func lines(of text: String) -> [EditLine] {
    // A line end ends a cluster, but CR LF is one and no line end here.
    if text.utf8.contains(0x0D) {
      return text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { EditLine(String($0)) }
    }
    return text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { EditLine(String(Substring($0))) }
  }
}
