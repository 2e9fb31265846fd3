// How many columns text takes when it is drawn (after the display transform of
// DisplayText.swift, which all measuring and all drawing go through). Any thread.

internal import CPlatform

/// Columns of text as this program draws it.
package enum TextWidth {
  /// Columns of the whole text on one line.
  package static func columns(_ text: some StringProtocol) -> Int {
    let ascii = text.utf8.withContiguousStorageIfAvailable { bytes in
      // Printable or not: a control character is drawn as one symbol.
      bytes.allSatisfy { $0 < 0x80 } ? bytes.count : nil
    }
    if let ascii, let count = ascii { return count }
    if let simple = SimpleText.columns(text) { return simple }
    return text.reduce(0) { $0 + columns($1) }
  }

  package static func columns(_ character: Character) -> Int {
    if let byte = character.asciiValue, character != "\r\n" { return byte < 0x80 ? 1 : 0 }
    var total = 0
    DisplayText.glyphs(of: character) { total += $0.columns }
    return total
  }

  /// Columns of one scalar as the C library counts: 0, 1, 2, or -1 when it does not know it.
  static func scalar(_ scalar: Unicode.Scalar) -> Int {
    Int(platform_wcwidth(scalar.value))
  }

  /// The longest beginning that fits, and its columns.
  ///
  /// It ends between grapheme clusters.
  package static func prefix(
    of text: some StringProtocol, columns limit: Int
  ) -> (end: String.Index, columns: Int) {
    if let simple = SimpleText.prefix(of: text, columns: limit) { return simple }
    var used = 0
    var index = text.startIndex
    while index < text.endIndex {
      let width = columns(text[index])
      if used + width > limit { break }
      used += width
      index = text.index(after: index)
    }
    return (index, used)
  }

  /// The text, shortened with `…` where it would take more than `limit` columns.
  package static func truncate(_ text: String, to limit: Int) -> String {
    // A byte is at least one column in ASCII and never more than one otherwise.
    if text.utf8.count <= limit || limit < 0 { return limit < 0 ? "" : text }
    let whole = prefix(of: text, columns: limit)
    if whole.end == text.endIndex { return text }
    guard limit > 0 else { return "" }
    return String(text[..<prefix(of: text, columns: limit - 1).end]) + "…"
  }

  /// The text made exactly `width` columns wide: shortened, or padded on the right.
  package static func pad(_ text: String, to width: Int) -> String {
    let shown = truncate(text, to: width)
    return shown + String(repeating: " ", count: max(0, width - columns(shown)))
  }
}
