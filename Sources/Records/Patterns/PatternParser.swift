// The text of a pattern into its tree. See Pattern.swift.
//
// What Swift's `Regex` refuses is refused here. What it reads means the same here, or is refused.

struct PatternParser {
  /// What `(?i)` and its like ask for.
  struct Flags {
    var ignoresCase = false
    var dotTakesNewlines = false
    /// `^` and `$` hold at each line.
    var seesLines = false
    /// Spaces and comments stand for nothing.
    var isSpaced = false
    var asciiDigits = false
    var asciiWords = false
    var asciiSpaces = false
  }

  /// One thing that a sequence is made of.
  private enum Atom {
    case literal(Character)
    case tree(PatternTree)
    /// A tree that can't be repeated: it takes no character.
    case fixed(PatternTree)
    case nothing
  }

  /// The sets that the tree tells by number.
  private(set) var sets: [PatternSet] = []
  var flags = Flags()
  private let text: [Character]
  private var index = 0
  private var depth = 0
  private var names: Set<String> = []

  init(_ text: String) { self.text = Array(text) }

  mutating func pattern() throws(PatternMistake) -> PatternTree {
    let tree = try choice()
    guard peek == nil else { throw PatternMistake() }
    return tree
  }

  private mutating func choice() throws(PatternMistake) -> PatternTree {
    var branches = [try sequence()]
    while take("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func sequence() throws(PatternMistake) -> PatternTree {
    var parts: [PatternTree] = []
    // What a mark that follows makes another character of.
    var last: Character?
    while let next = peek, next != "|", next != ")" {
      let atom = try atom()
      if case .nothing = atom { continue }
      let repetition = try repetition()
      if case .literal(let character) = atom, repetition == nil, let before = last,
        let whole = Self.joined(before, character)
      {
        parts[parts.count - 1] = add(literal(whole))
        last = whole
        continue
      }
      let part = try tree(atom, isRepeated: repetition != nil)
      if let repetition {
        parts.append(.repetition(part, least: repetition.least, most: repetition.most))
        last = nil
      } else {
        parts.append(part)
        if case .literal(let character) = atom { last = character } else { last = nil }
      }
    }
    return parts.isEmpty ? .empty : parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private mutating func tree(
    _ atom: Atom, isRepeated: Bool
  ) throws(PatternMistake) -> PatternTree {
    switch atom {
    case .nothing: return .empty
    case .literal(let character): return add(literal(character))
    case .tree(let tree): return tree
    case .fixed(let tree):
      if isRepeated { throw PatternMistake() }
      return tree
    }
  }

  private mutating func atom() throws(PatternMistake) -> Atom {
    guard let character = next() else { throw PatternMistake() }
    switch character {
    case "\\": return try escape()
    case "[": return .tree(add(try customSet()))
    case "(": return try group()
    case ".": return .tree(add(.kind(flags.dotTakesNewlines ? .any : .notNewline)))
    case "^": return .fixed(.place(flags.seesLines ? .lineStart : .start))
    case "$": return .fixed(.place(flags.seesLines ? .lineEnd : .end))
    case "*", "+", "?": throw PatternMistake()
    case "{":
      if try bounds(from: index) != nil { throw PatternMistake() }
      return .literal(character)
    case "#" where flags.isSpaced:
      while let next = peek, !next.isNewline { index += 1 }
      return .nothing
    case _ where flags.isSpaced && character.isWhitespace: return .nothing
    default: return .literal(character)
    }
  }

  private mutating func escape() throws(PatternMistake) -> Atom {
    switch peek {
    case "b": return fixed(.wordBreak)
    case "B": return fixed(.noWordBreak)
    case "A": return fixed(.start)
    case "z": return fixed(.end)
    case "Z": return fixed(.lastLineEnd)
    case "R": return taken(.newline)
    case "X": return taken(.any)
    case "Q":
      index += 1
      return .fixed(quote())
    default: break
    }
    switch try escaped() {
    case .set(let set): return .tree(add(set))
    case .literal(let character): return .literal(character)
    }
  }

  private mutating func fixed(_ place: PatternPlace) -> Atom {
    index += 1
    return .fixed(.place(place))
  }

  private mutating func taken(_ kind: PatternSet.Kind) -> Atom {
    index += 1
    return .tree(add(.kind(kind)))
  }

  /// What stands between `\Q` and `\E`, as it is.
  private mutating func quote() -> PatternTree {
    var parts: [PatternTree] = []
    while let character = next() {
      if character == "\\", take("E") { break }
      parts.append(add(literal(character)))
    }
    return .sequence(parts)
  }
}

// MARK: - Groups

extension PatternParser {
  private mutating func group() throws(PatternMistake) -> Atom {
    let outer = flags
    if take("?") {
      if take("#") {
        while let character = next() { if character == ")" { return .nothing } }
        throw PatternMistake()
      } else if take("P") {
        guard take("<") else { throw PatternMistake() }
        try name(until: ">")
      } else if take("<") {
        try name(until: ">")
      } else if take("'") {
        try name(until: "'")
      } else if !take(":") {
        try readFlags()
        // Alone, they hold up to the end of the group around them.
        if take(")") { return .nothing }
        guard take(":") else { throw PatternMistake() }
      }
    } else if peek == "*" {
      throw PatternMistake()
    }
    try enter()
    let tree = try choice()
    depth -= 1
    guard take(")") else { throw PatternMistake() }
    flags = outer
    return .tree(tree)
  }

  mutating func enter() throws(PatternMistake) {
    depth += 1
    if depth > Pattern.depthMax { throw PatternMistake() }
  }

  mutating func leave() { depth -= 1 }

  private mutating func name(until end: Character) throws(PatternMistake) {
    var name = ""
    while let character = next(), character != end {
      let isName = character == "_" || character.isLetter || !name.isEmpty && character.isNumber
      guard isName else { throw PatternMistake() }
      name.append(character)
    }
    guard !name.isEmpty, names.insert(name).inserted else { throw PatternMistake() }
  }

  private mutating func readFlags() throws(PatternMistake) {
    var isOn = true
    while let character = peek, character != ")", character != ":" {
      index += 1
      switch character {
      case "-" where isOn: isOn = false
      case "i": flags.ignoresCase = isOn
      case "s": flags.dotTakesNewlines = isOn
      case "m": flags.seesLines = isOn
      case "x": flags.isSpaced = isOn
      // Which groups are kept makes no difference to whether a text matches.
      case "n": break
      case "D": flags.asciiDigits = isOn
      case "W": flags.asciiWords = isOn
      case "S": flags.asciiSpaces = isOn
      default: throw PatternMistake()
      }
    }
  }
}

// MARK: - Repetition

extension PatternParser {
  private static let countMax = 65_535

  /// How often what stands before is repeated; nothing if it isn't.
  private mutating func repetition() throws(PatternMistake) -> (least: Int, most: Int?)? {
    while flags.isSpaced, peek?.isWhitespace == true { index += 1 }
    let result: (Int, Int?)
    if take("*") {
      result = (0, nil)
    } else if take("+") {
      result = (1, nil)
    } else if take("?") {
      result = (0, 1)
    } else if peek == "{", let bounds = try bounds(from: index + 1) {
      index = bounds.end
      result = (bounds.least, bounds.most)
    } else {
      return nil
    }
    // As few as will do, or as many: the same to whether a text matches. Keeping what was taken
    // is not, and can't be told from states.
    if !take("?"), peek == "+" { throw PatternMistake() }
    return result
  }

  /// Reads `2}`, `2,}`, `2,3}` or `,3}`; nothing if the brace stands for itself.
  private func bounds(
    from start: Int
  ) throws(PatternMistake) -> (least: Int, most: Int?, end: Int)? {
    var parts = [""]
    var place = start
    while place < text.count, text[place] != "}" {
      switch text[place] {
      case " ": break
      case "," where parts.count == 1: parts.append("")
      case "0"..."9" where text[place].isASCII: parts[parts.count - 1].append(text[place])
      default: return nil
      }
      place += 1
    }
    guard place < text.count, parts.contains(where: { !$0.isEmpty }) else { return nil }
    let numbers = parts.map { Int($0) ?? ($0.isEmpty ? 0 : Int.max) }
    guard numbers.allSatisfy({ $0 <= Self.countMax }) else { throw PatternMistake() }
    let least = numbers[0]
    let most = parts.count == 1 ? least : parts[1].isEmpty ? nil : numbers[1]
    if let most, most < least { throw PatternMistake() }
    return (least, most, place + 1)
  }
}

// MARK: - Parts

extension PatternParser {
  var peek: Character? { index < text.count ? text[index] : nil }

  /// The character behind ``peek``.
  var second: Character? { index + 1 < text.count ? text[index + 1] : nil }

  mutating func next() -> Character? {
    guard let character = peek else { return nil }
    index += 1
    return character
  }

  mutating func take(_ character: Character) -> Bool {
    guard peek == character else { return false }
    index += 1
    return true
  }

  private mutating func add(_ set: PatternSet) -> PatternTree {
    sets.append(set)
    return .set(sets.count - 1)
  }

  func literal(_ character: Character) -> PatternSet {
    flags.ignoresCase ? .folded(character.lowercased()) : .character(character)
  }

  /// The one character that two make, as a letter and its mark do; nothing if they stay two.
  static func joined(_ first: Character, _ second: Character) -> Character? {
    let both = String([first, second])
    return both.count == 1 ? Character(both) : nil
  }
}
