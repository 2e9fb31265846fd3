// The fast way for ordinary text: scalars that are a cell's whole content, whatever stands beside them, with
// columns known without asking. Most text of most people is all of this; drawing a screen of kanji must
// not take a grapheme break and a call into the C library for each. Pure.

enum SimpleText {
  /// Columns of a scalar that is always a grapheme cluster of its own among its like, is drawn as it
  /// is, and has the same columns in every terminal; 0 for all others.
  @inline(__always)
  static func columns(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20...0x7E: 1
    case 0xA1...0xAC, 0xAE...0x2FF: 1  // Latin, without the soft hyphen
    case 0x391...0x3A1, 0x3A3...0x482, 0x48A...0x52F: 1  // Greek, Cyrillic
    case 0x3001...0x3029, 0x3041...0x3096, 0x309B...0x30FF: 2  // Japanese
    case 0x3400...0x4DBF, 0x4E00...0x9FEF: 2  // Han
    case 0xAC00...0xD7A3: 2  // Hangul syllables
    case 0xFF01...0xFF60: 2  // fullwidth forms
    default: 0
    }
  }

  /// Columns of a text of such scalars only; nil for any other text.
  static func columns(_ text: some StringProtocol) -> Int? {
    var total = 0
    for scalar in text.unicodeScalars {
      let columns = columns(scalar)
      if columns == 0 { return nil }
      total += columns
    }
    return total
  }

  /// The longest beginning that fits, of a text of such scalars only; nil when another comes first.
  ///
  /// What follows the beginning is looked at too: a mark there belongs to the last cluster.
  static func prefix(
    of text: some StringProtocol, columns limit: Int
  ) -> (end: String.Index, columns: Int)? {
    let scalars = text.unicodeScalars
    var used = 0
    var index = scalars.startIndex
    while index < scalars.endIndex {
      let columns = columns(scalars[index])
      if columns == 0 { return nil }
      if used + columns > limit { break }
      used += columns
      index = scalars.index(after: index)
    }
    return (index, used)
  }
}
