// The words that a search finds, for any script. SQLite's own tokenizer splits at blanks and
// punctuation, which leaves a Japanese sentence one word. So runs of scripts that are written
// without blanks go in as overlapping pairs of characters, and the last character alone: two
// characters are a word, one character is the beginning of a word, and a longer run is a phrase.
//
// The text written here is also what takes a record out of the contentless search table, so a change
// of these rules has to raise `rules` and rebuild the tables.

/// Text as the search table holds it, and queries against it.
enum SearchText {
  /// The version of the rules below.
  static let rules = 1
  /// The most bytes of one field that are searched: what bounds a statement.
  static let bytesMax = 1 << 20

  /// The most words of one search, and pairs of characters: each is looked up by itself.
  static let wordsMax = 1000

  /// Refuses a search that no query could answer in reasonable time.
  static func checkLength(of texts: [String]) throws {
    for text in texts where text.utf8.count > wordsMax {
      // A type without a search table is asked for all that stands between blanks.
      let words = max(
        needles(text).reduce(0) { $0 + $1.words.count },
        text.split(whereSeparator: \.isWhitespace).count)
      if words > wordsMax { throw StoreError.searchTooLong(wordsMax: wordsMax) }
    }
  }

  /// Appends a field's text in the form of the search table.
  static func append(_ text: String, to result: inout String) {
    if !result.isEmpty { result += "\n" }
    // Below U+0800, which is all that two bytes of UTF-8 can say, nothing has to be paired.
    if text.utf8.allSatisfy({ $0 < 0xE0 && $0 != 0 }) {
      result += text
      return
    }
    var previous: Unicode.Scalar?
    for scalar in folded(text.unicodeScalars.prefix(bytesMax)) {
      if isPaired(scalar) {
        if let previous {
          result.unicodeScalars.append(previous)
          result.unicodeScalars.append(scalar)
          result += " "
        } else {
          result += " "
        }
        previous = scalar
      } else {
        if let last = previous {
          result.unicodeScalars.append(last)
          result += " "
          previous = nil
        }
        // A zero would end the text for SQLite.
        result.unicodeScalars.append(scalar == "\0" ? " " : scalar)
      }
    }
    if let previous { result.unicodeScalars.append(previous) }
  }

  /// The FTS5 query for what a person typed; nothing when it holds no word.
  ///
  /// Every word has to begin a word of the record, every run of pairs to stand in it, and what is in
  /// double quotes to stand as it is.
  static func query(_ typed: String) -> String? {
    let needles = needles(typed)
    return needles.isEmpty ? nil : needles.map(\.query).joined(separator: " AND ")
  }

  /// Words that have to follow each other; the last one may go on.
  struct Needle: Hashable, Sendable {
    let words: [String]
    let isPrefix: Bool

    /// In FTS5's language.
    ///
    /// Quoted, so that no word of a person is an operator.
    var query: String {
      words.map { "\"\($0)\"" }.joined(separator: " + ") + (isPrefix ? "*" : "")
    }
  }

  static func needles(_ typed: String) -> [Needle] {
    var result: [Needle] = []
    let parts = typed.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let pieces = pieces(of: part)
      if index % 2 == 1, pieces.count > 1 {
        result.append(Needle(words: pieces.flatMap(\.words), isPrefix: false))
      } else {
        result += pieces.map { Needle(words: $0.words, isPrefix: !$0.isPaired) }
      }
    }
    return result
  }

  /// A word, or a run of characters that are written without blanks.
  private struct Piece {
    var text: String
    var isRun: Bool

    /// A run of more than one character stands in the table as its pairs.
    var isPaired: Bool { isRun && text.unicodeScalars.count > 1 }

    var words: [String] {
      guard isPaired else { return [text] }
      let scalars = Array(text.unicodeScalars)
      return zip(scalars, scalars.dropFirst()).map { "\(Character($0))\(Character($1))" }
    }
  }

  private static func pieces(of text: Substring.UnicodeScalarView) -> [Piece] {
    var result: [Piece] = []
    var isOpen = false
    for scalar in folded(text) {
      guard isWord(scalar) else {
        isOpen = false
        continue
      }
      let isRun = isPaired(scalar)
      if isOpen, let last = result.indices.last, result[last].isRun == isRun {
        result[last].text.unicodeScalars.append(scalar)
      } else {
        result.append(Piece(text: String(Character(scalar)), isRun: isRun))
      }
      isOpen = true
    }
    return result
  }

  /// What the tokenizer of the search table takes for a part of a word.
  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse, .nonspacingMark, .spacingMark:
      true
    default: false
    }
  }

  /// Scripts without blanks between words, and Hangul, whose words grow endings.
  private static func isPaired(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E01...0x0EFF, 0x1000...0x109F, 0x1780...0x17DD, 0x3005...0x3007, 0x3041...0x3096,
      0x3099...0x309A, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF,
      0x3400...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }

  /// One form for what a person takes for the same: see the mapping below; a voiced mark
  /// joins the letter before it.
  private static func folded(_ scalars: some Sequence<Unicode.Scalar>) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    for scalar in scalars.lazy.map({ folded($0) }) {
      if let last = result.last, let joined = voiced(last, by: scalar) {
        result[result.count - 1] = joined
      } else {
        result.append(scalar)
      }
    }
    return result
  }

  /// か and its mark are が; は takes either mark.
  private static func voiced(
    _ letter: Unicode.Scalar, by mark: Unicode.Scalar
  ) -> Unicode.Scalar? {
    switch (mark.value, letter.value) {
    case (0x3099, 0x3046): Unicode.Scalar(0x3094 as UInt32)
    case (0x3099, 0x304B...0x3062) where letter.value % 2 == 1: moved(letter, by: 1)
    case (0x3099, 0x3064...0x3068) where letter.value % 2 == 0: moved(letter, by: 1)
    case (0x3099, 0x306F...0x307B) where letter.value % 3 == 0: moved(letter, by: 1)
    case (0x309A, 0x306F...0x307B) where letter.value % 3 == 0: moved(letter, by: 2)
    default: nil
    }
  }

  /// Katakana as hiragana, half-width katakana and full-width Latin as their plain forms.
  private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x30A1...0x30F6: moved(scalar, by: -0x60)
    case 0xFF01...0xFF5E: moved(scalar, by: -0xFEE0)
    case 0xFF66...0xFF9F: halfWidth[Int(scalar.value - 0xFF66)]
    default: scalar
    }
  }

  private static func moved(_ scalar: Unicode.Scalar, by offset: Int) -> Unicode.Scalar {
    Unicode.Scalar(UInt32(Int(scalar.value) + offset)) ?? scalar
  }

  /// U+FF66 to U+FF9F in their order, as hiragana; the voiced marks as combining ones.
  private static let halfWidth = Array(
    ("をぁぃぅぇぉゃゅょっーあいうえおかきくけこさしすせそたちつてとなにぬねの"
      + "はひふへほまみむめもやゆよらりるれろわん\u{3099}\u{309A}").unicodeScalars)
}
