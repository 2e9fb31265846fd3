// Where words end and begin, for `\b`: the rules of Unicode's UAX 29, section 4, by characters
// rather than scalars, so that what extends a letter is never apart from it. Categories stand for
// the longer ones of its tables, from which some rare signs, and formatting, differ.

/// Four characters of a text, two on each side of a place.
struct WordWindow {
  private var kinds: [Kind?] = [nil, nil, nil, nil]

  init() {}

  init(after: Character?, second: Character?) {
    kinds = [nil, nil, after.map(Kind.init), second.map(Kind.init)]
  }

  mutating func advance(next: Character?) {
    kinds = [kinds[1], kinds[2], kinds[3], next.map(Kind.init)]
  }

  /// Whether one word ends here, or another begins.
  var isBreak: Bool {
    guard let before = kinds[1], let after = kinds[2] else {
      // WB1 and WB2: both ends of a text.
      return true
    }
    switch (before, after) {
    case (.space, .space), (.katakana, .katakana): return false
    case (.letter, .letter), (.letter, .digit), (.digit, .letter), (.digit, .digit): return false
    case (.letter, .inLetters), (.letter, .inBoth): return kinds[3] != .letter
    case (.inLetters, .letter), (.inBoth, .letter): return kinds[0] != .letter
    case (.digit, .inDigits), (.digit, .inBoth): return kinds[3] != .digit
    case (.inDigits, .digit), (.inBoth, .digit): return kinds[0] != .digit
    case (.joiner, .joiner), (.joiner, .letter), (.joiner, .digit), (.joiner, .katakana),
      (.letter, .joiner), (.digit, .joiner), (.katakana, .joiner):
      return false
    default: return true
    }
  }

  private enum Kind {
    case letter, digit, katakana, space
    /// Joins what words are made of, as the low line does.
    case joiner
    /// No end of a word between two letters, two digits, or either.
    case inLetters, inDigits, inBoth
    case other

    init(_ character: Character) {
      guard let scalar = character.unicodeScalars.first else {
        self = .other
        return
      }
      self = Self(scalar)
    }

    private init(_ scalar: Unicode.Scalar) {
      switch scalar.value {
      case 0x3A, 0xB7, 0x387, 0x55F, 0x5F4, 0x2027, 0xFE13, 0xFE55, 0xFF1A: self = .inLetters
      case 0x27, 0x2E, 0x2018, 0x2019, 0x2024, 0xFE52, 0xFF07, 0xFF0E: self = .inBoth
      case 0x2C, 0x3B, 0x37E, 0x589, 0x60C, 0x60D, 0x66C, 0x7F8, 0x2044, 0xFE10, 0xFE14, 0xFE50,
        0xFE54, 0xFF0C, 0xFF1B:
        self = .inDigits
      case 0x3031...0x3035, 0x309B, 0x309C, 0x30A0...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF,
        0x32D0...0x32FE, 0x3300...0x3357, 0xFF66...0xFF9D:
        self = .katakana
      case 0x3041...0x3096, 0x309D...0x309F: self = .other
      case 0x5F, 0x202F: self = .joiner
      // Signs that write sounds.
      case 0xB8, 0x2C2...0x2C5, 0x2D2...0x2D7, 0x2DE...0x2DF, 0x2E5...0x2EB, 0x2ED, 0x2EF...0x2FF:
        self = .letter
      default: self = Self(properties: scalar.properties)
      }
    }

    private init(properties: Unicode.Scalar.Properties) {
      switch properties.generalCategory {
      case .decimalNumber: self = .digit
      case .connectorPunctuation: self = .joiner
      case .spaceSeparator: self = .space
      default: self = properties.isAlphabetic && !properties.isIdeographic ? .letter : .other
      }
    }
  }
}
