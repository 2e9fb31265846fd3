// Sets of characters: what one place of a pattern takes. See Pattern.swift.

/// A set of characters.
indirect enum PatternSet: Sendable {
  case character(Character)
  /// The characters that are written so in lower case.
  case folded(String)
  /// The characters that one scalar writes, from and to.
  case range(Unicode.Scalar, Unicode.Scalar)
  /// `\d`, `\w`, `\s` and the like.
  case kind(Kind)
  /// The characters whose first scalar has a property.
  case property(PatternProperty)
  case ignoringCase(PatternSet)
  case not(PatternSet)
  case union([PatternSet])
  case both(PatternSet, PatternSet)
  /// In one of the two, and not in the other.
  case oneOf(PatternSet, PatternSet)

  enum Kind: Sendable {
    case any, notNewline, newline
    case number, word, space, horizontalSpace
    case asciiNumber, asciiWord, asciiSpace
  }

  func contains(_ character: Character) -> Bool {
    switch self {
    case .character(let other): return character == other
    case .folded(let other): return character.lowercased() == other
    case .range(let first, let last):
      guard let scalar = Self.scalar(of: character) else { return false }
      return first <= scalar && scalar <= last
    case .kind(let kind): return kind.contains(character)
    case .property(let property): return property.contains(character)
    case .ignoringCase(let set):
      return set.contains(character) || Self.cases(of: character).contains(where: set.contains)
    case .not(let set): return !set.contains(character)
    case .union(let sets): return sets.contains { $0.contains(character) }
    case .both(let one, let other): return one.contains(character) && other.contains(character)
    case .oneOf(let one, let other): return one.contains(character) != other.contains(character)
    }
  }

  /// The character in its other case, where that is one character, and leads back to it.
  private static func cases(of character: Character) -> [Character] {
    let (lower, upper) = (character.lowercased(), character.uppercased())
    let isPair = upper.count == 1 && upper.lowercased() == lower
    return (isPair ? [lower, upper] : [lower]).filter { $0.count == 1 }.map { Character($0) }
  }

  /// What a look into the set costs: the sets that it is made of.
  var size: Int {
    switch self {
    case .character, .folded, .range, .kind, .property: 1
    case .ignoringCase(let set), .not(let set): set.size + 1
    case .union(let sets): sets.reduce(1) { $0 + $1.size }
    case .both(let one, let other), .oneOf(let one, let other): one.size + other.size + 1
    }
  }

  /// The one scalar that a character can be written with; nothing if it takes more.
  static func scalar(of character: Character) -> Unicode.Scalar? {
    let scalars = character.unicodeScalars
    guard scalars.count > 1 else { return scalars.first }
    if let scalar = composed[character] { return scalar }
    return syllable(Array(scalars))
  }

  /// The scalars that a letter and its marks are written with as well.
  ///
  /// The blocks of the letters in use that Unicode composes; Hangul is composed by rule.
  private static let composed: [Character: Unicode.Scalar] = {
    var result: [Character: Unicode.Scalar] = [:]
    for block in [UInt32(0xC0)..<0x2000, 0x3040..<0x3100] {
      for scalar in block.compactMap(Unicode.Scalar.init) {
        result[Character(scalar)] = result[Character(scalar)] ?? scalar
      }
    }
    return result
  }()

  /// The Hangul syllable of its two or three letters (Unicode, section 3.12).
  private static func syllable(_ scalars: [Unicode.Scalar]) -> Unicode.Scalar? {
    guard scalars.count <= 3, (0x1100..<0x1113).contains(scalars[0].value),
      (0x1161..<0x1176).contains(scalars[1].value)
    else { return nil }
    let open = 0xAC00 + ((scalars[0].value - 0x1100) * 21 + scalars[1].value - 0x1161) * 28
    guard scalars.count == 3 else { return Unicode.Scalar(open) }
    guard (0x11A8..<0x11C3).contains(scalars[2].value) else { return nil }
    return Unicode.Scalar(open + scalars[2].value - 0x11A7)
  }
}

extension PatternSet.Kind {
  func contains(_ character: Character) -> Bool {
    switch self {
    case .any: true
    case .notNewline: !character.isNewline
    case .newline: character.isNewline
    case .number: character.isNumber
    case .word: character == "_" || character.isLetter || character.isNumber
    case .space: character.isWhitespace
    case .horizontalSpace:
      character == "\t"
        || character.unicodeScalars.first?.properties.generalCategory == .spaceSeparator
    case .asciiNumber: character.isASCII && character.isNumber
    case .asciiWord:
      character == "_" || character.isASCII && (character.isLetter || character.isNumber)
    case .asciiSpace: character.isASCII && character.isWhitespace
    }
  }
}
