// Text into terms. A term ends at a blank or a bracket; quotes keep both, and a backslash takes the
// next character as it is, inside quotes and out. It goes by Unicode scalars: a combining mark behind
// a quote would make another character of it, and the quote would be gone.

/// A stretch of the text with its quotes and escapes undone.
struct FilterWord {
  var text = ""
  /// Whether any of it was quoted or escaped: then it stands for itself only.
  var isQuoted = false
  var range: Range<String.Index>

  var isMissing: Bool { text.isEmpty && !isQuoted }
}

struct FilterLexer {
  let text: String
  private(set) var position: String.Index

  init(_ text: String) {
    self.text = text
    position = text.startIndex
  }

  var isAtEnd: Bool { position == text.endIndex }
  var next: Unicode.Scalar? { isAtEnd ? nil : text.unicodeScalars[position] }

  mutating func skipBlanks() { while let c = next, c.isBlank { advance() } }
  mutating func advance() { position = text.unicodeScalars.index(after: position) }

  private func stands(_ prefix: String) -> Bool {
    text.unicodeScalars[position...].starts(with: prefix.unicodeScalars)
  }

  mutating func take(_ prefix: String) -> Bool {
    guard stands(prefix) else { return false }
    position = text.unicodeScalars.index(position, offsetBy: prefix.unicodeScalars.count)
    return true
  }

  /// The name of a field where one stands before an operator; the position moves behind it.
  mutating func name() -> FilterWord? {
    let start = position
    var ahead = self
    if ahead.next == "\"" {
      guard let word = try? ahead.word(), ahead.startsOperator else { return nil }
      self = ahead
      return word
    }
    while let c = ahead.next, Self.isNameCharacter(c) { ahead.advance() }
    guard ahead.position > start, ahead.startsOperator else { return nil }
    self = ahead
    return FilterWord(text: String(text[start..<position]), range: start..<position)
  }

  private static func isNameCharacter(_ c: Unicode.Scalar) -> Bool { c.isWordPart }

  /// Longest first.
  static let operators = ["!=", "<=", ">=", "=", "<", ">", "~", ":"]

  private var startsOperator: Bool { Self.operators.contains { stands($0) } }

  mutating func takeOperator() -> (symbol: String, range: Range<String.Index>)? {
    let start = position
    for symbol in Self.operators where take(symbol) { return (symbol, start..<position) }
    return nil
  }

  /// A value: up to a blank, a closing bracket or, where asked for, two dots.
  mutating func word(stopAtDots: Bool = false) throws(FilterMistake) -> FilterWord {
    var word = FilterWord(range: position..<position)
    // A bracket that opens inside a word closes inside it: `Paris(Texas)`.
    var open = 0
    while let c = next, !c.isBlank, c != ")" || open > 0 {
      if stopAtDots, stands("..") { break }
      if c == "(" { open += 1 }
      if c == ")" { open -= 1 }
      switch c {
      case "\"":
        try quoted(into: &word)
        continue
      case "\\":
        advance()
        word.isQuoted = true
        if let escaped = next {
          word.text.unicodeScalars.append(escaped)
          advance()
        }
        continue
      default:
        word.text.unicodeScalars.append(c)
        advance()
      }
    }
    word.range = word.range.lowerBound..<position
    return word
  }

  private mutating func quoted(into word: inout FilterWord) throws(FilterMistake) {
    let start = position
    word.isQuoted = true
    advance()
    while let c = next {
      advance()
      if c == "\"" { return }
      if c == "\\", let escaped = next {
        word.text.unicodeScalars.append(escaped)
        advance()
      } else {
        word.text.unicodeScalars.append(c)
      }
    }
    throw FilterMistake(start..<text.endIndex, in: text, .unclosedQuote)
  }
}

extension Unicode.Scalar {
  var isBlank: Bool { properties.isWhitespace }

  /// A letter, a mark on one, a digit or an underscore.
  var isWordPart: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      true
    default: self == "_"
    }
  }
}
