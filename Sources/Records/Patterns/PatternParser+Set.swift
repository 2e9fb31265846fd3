// Sets in the text of a pattern: `[a-z]`, and what a backslash names.

extension PatternParser {
  enum Escaped {
    case literal(Character)
    case set(PatternSet)
  }

  /// Reads on behind a `[`.
  mutating func customSet() throws(PatternMistake) -> PatternSet {
    try enter()
    let isNegated = take("^")
    var set = try members()
    while !take("]") {
      guard let sign = next(), next() == sign else { throw PatternMistake() }
      let other = try members()
      switch sign {
      case "&": set = .both(set, other)
      case "-": set = .both(set, .not(other))
      default: set = .oneOf(set, other)
      }
    }
    leave()
    return isNegated ? .not(set) : set
  }

  private var isAtSign: Bool {
    guard let peek, "&-~".contains(peek) else { return false }
    return second == peek
  }

  /// At least one member, up to a `]` or a sign between two sets.
  private mutating func members() throws(PatternMistake) -> PatternSet {
    var members: [PatternSet] = []
    var last: Character?
    while let next = peek, next != "]", !isAtSign {
      if flags.isSpaced, next.isWhitespace {
        _ = take(next)
        continue
      }
      switch try member() {
      case .set(let set):
        if isRange { throw PatternMistake() }
        members.append(set)
        last = nil
      case .literal(let first) where isRange:
        _ = take("-")
        guard case .literal(let end) = try member() else { throw PatternMistake() }
        members.append(try range(first, end))
        last = nil
      case .literal(var character):
        if let whole = last.flatMap({ Self.joined($0, character) }) {
          members.removeLast()
          character = whole
        }
        members.append(literal(character))
        last = character
      }
    }
    guard peek != nil, !members.isEmpty else { throw PatternMistake() }
    return members.count == 1 ? members[0] : .union(members)
  }

  /// Whether a range goes on here.
  private var isRange: Bool { peek == "-" && second != "]" && second != "-" && second != nil }

  private mutating func member() throws(PatternMistake) -> Escaped {
    switch next() {
    case nil: throw PatternMistake()
    case "[":
      if peek == ":" { return .set(try namedSet()) }
      return .set(try customSet())
    case "\\":
      if take("b") { return .literal("\u{8}") }
      return try escaped()
    case let character?: return .literal(character)
    }
  }

  private func range(
    _ first: Character, _ last: Character
  ) throws(PatternMistake) -> PatternSet {
    guard let first = PatternSet.scalar(of: first), let last = PatternSet.scalar(of: last),
      first <= last
    else { throw PatternMistake() }
    return flags.ignoresCase ? .ignoringCase(.range(first, last)) : .range(first, last)
  }

  /// Reads `:alpha:]`.
  private mutating func namedSet() throws(PatternMistake) -> PatternSet {
    _ = take(":")
    let isNegated = take("^")
    var name = ""
    while let character = next(), character != ":" { name.append(character) }
    guard take("]") else { throw PatternMistake() }
    let set: PatternSet
    switch name {
    case "digit": set = .property(.categories([.decimalNumber]))
    case "alnum":
      set = .union([.property(.flag(.alphabetic)), .kind(.number)])
    default:
      guard let property = PatternProperty(named: name) else { throw PatternMistake() }
      set = .property(property)
    }
    return isNegated ? .not(set) : set
  }
}

// MARK: - Behind a backslash

extension PatternParser {
  /// What means the same inside of `[…]` and outside.
  mutating func escaped() throws(PatternMistake) -> Escaped {
    guard let character = next() else { throw PatternMistake() }
    if let kind = kind(character) { return .set(kind) }
    if character == "p" || character == "P" {
      let property = PatternSet.property(try property())
      return .set(character == "p" ? property : .not(property))
    }
    if let scalar = try scalar(character) { return .literal(Character(scalar)) }
    // Letters and digits that mean nothing yet, and references back, of which states know nothing.
    guard !character.isLetter, !character.isNumber else { throw PatternMistake() }
    return .literal(character)
  }

  private func kind(_ character: Character) -> PatternSet? {
    switch character {
    case "d": .kind(flags.asciiDigits ? .asciiNumber : .number)
    case "D": .not(.kind(flags.asciiDigits ? .asciiNumber : .number))
    case "w": .kind(flags.asciiWords ? .asciiWord : .word)
    case "W": .not(.kind(flags.asciiWords ? .asciiWord : .word))
    case "s": .kind(flags.asciiSpaces ? .asciiSpace : .space)
    case "S": .not(.kind(flags.asciiSpaces ? .asciiSpace : .space))
    case "h": .kind(.horizontalSpace)
    case "H": .not(.kind(.horizontalSpace))
    case "v": .kind(.newline)
    case "V": .not(.kind(.newline))
    default: nil
    }
  }

  private mutating func property() throws(PatternMistake) -> PatternProperty {
    guard take("{") else { throw PatternMistake() }
    var name = ""
    while let character = next(), character != "}" { name.append(character) }
    guard let property = PatternProperty(named: name) else { throw PatternMistake() }
    return property
  }

  /// The scalar that a letter behind a backslash writes; nothing if it writes none.
  private mutating func scalar(
    _ character: Character
  ) throws(PatternMistake) -> Unicode.Scalar? {
    switch character {
    case "t": return "\t"
    case "n": return "\n"
    case "r": return "\r"
    case "f": return "\u{c}"
    case "e": return "\u{1b}"
    case "a": return "\u{7}"
    case "0": return try number(digits(atMost: 3, radix: 8), radix: 8)
    case "x":
      if peek == "{" { return try braced(radix: 16) }
      return try number(digits(atMost: 2, radix: 16), radix: 16)
    case "u":
      if peek == "{" { return try braced(radix: 16) }
      return try exact(4)
    case "U": return try exact(8)
    case "o": return try braced(radix: 8)
    default: return nil
    }
  }

  private mutating func exact(_ count: Int) throws(PatternMistake) -> Unicode.Scalar {
    let digits = digits(atMost: count, radix: 16)
    guard digits.count == count else { throw PatternMistake() }
    return try number(digits, radix: 16)
  }

  private mutating func braced(radix: Int) throws(PatternMistake) -> Unicode.Scalar {
    guard take("{") else { throw PatternMistake() }
    let digits = digits(atMost: 8, radix: radix)
    guard !digits.isEmpty, take("}") else { throw PatternMistake() }
    return try number(digits, radix: radix)
  }

  private mutating func digits(atMost count: Int, radix: Int) -> String {
    var result = ""
    while result.count < count, let peek, peek.isASCII,
      let value = peek.hexDigitValue, value < radix
    {
      result.append(peek)
      _ = take(peek)
    }
    return result
  }

  private func number(
    _ digits: String, radix: Int
  ) throws(PatternMistake) -> Unicode.Scalar {
    guard let value = digits.isEmpty ? 0 : UInt32(digits, radix: radix),
      let scalar = Unicode.Scalar(value)
    else { throw PatternMistake() }
    return scalar
  }
}
