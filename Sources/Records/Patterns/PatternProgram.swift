// The automaton of a pattern, and its walk through one text. See Pattern.swift.

/// A pattern as instructions, each of which is a state.
struct PatternProgram: Sendable {
  enum Instruction: Sendable {
    /// Takes one character of the set, and goes on behind.
    case take(set: Int)
    /// Goes on behind where the place holds.
    case check(PatternPlace)
    case jump(Int)
    /// Goes on behind, and at the other instruction too.
    case split(Int)
    case match
  }

  private(set) var instructions: [Instruction] = []
  let sets: [PatternSet]
  /// What a look into each set costs, in steps.
  let costs: [Int]
  private(set) var checksWords = false

  /// - Precondition: The tree has fewer states than ``Pattern/statesMax``.
  init(_ tree: PatternTree, sets: [PatternSet]) {
    self.sets = sets
    costs = sets.map(\.size)
    add(tree)
    instructions.append(.match)
  }

  private mutating func add(_ tree: PatternTree) {
    switch tree {
    case .empty: break
    case .set(let number): instructions.append(.take(set: number))
    case .place(let place):
      if place == .wordBreak || place == .noWordBreak { checksWords = true }
      instructions.append(.check(place))
    case .sequence(let parts):
      for part in parts { add(part) }
    case .choice(let branches):
      var ends: [Int] = []
      for branch in branches.dropLast() {
        let split = hole()
        add(branch)
        ends.append(hole())
        instructions[split] = .split(instructions.count)
      }
      if let last = branches.last { add(last) }
      for end in ends { instructions[end] = .jump(instructions.count) }
    case .repetition(let part, let least, let most):
      add(part, least: least, most: most)
    }
  }

  private mutating func add(_ part: PatternTree, least: Int, most: Int?) {
    var start = instructions.count
    for _ in 0..<least {
      start = instructions.count
      add(part)
    }
    guard let most else {
      if least > 0 {
        instructions.append(.split(start))
      } else {
        let split = hole()
        add(part)
        instructions.append(.jump(split))
        instructions[split] = .split(instructions.count)
      }
      return
    }
    // Whoever leaves out one leaves out the rest: all go to the end at once.
    var splits: [Int] = []
    for _ in least..<most {
      splits.append(hole())
      add(part)
    }
    for split in splits { instructions[split] = .split(instructions.count) }
  }

  /// An instruction that is filled in once its target is known.
  private mutating func hole() -> Int {
    instructions.append(.jump(0))
    return instructions.count - 1
  }
}

/// One walk of a program through one text.
struct PatternRun {
  private let program: PatternProgram
  private let stepsMax: Int
  /// Instructions looked at.
  private(set) var steps = 0

  /// The states that wait for the next character, each once.
  private var waiting: [Int] = []
  /// The round in which an instruction was last reached.
  private var reached: [Int]
  private var round = 0
  private var hasMatched = false
  private var open: [Int] = []
  /// What each set said of a character, and in which round: states that share a set ask it once.
  private var answers: [(round: Int, isIn: Bool)]
  /// What the sets said of ASCII, for the whole text; empty where they are too many.
  private var ascii: [Bool?]
  /// The character that is looked at, where it is one byte.
  private var byte: Int?
  private static let asciiSetsMax = 64

  init(_ program: PatternProgram, stepsMax: Int) {
    self.program = program
    self.stepsMax = stepsMax
    reached = Array(repeating: -1, count: program.instructions.count)
    answers = Array(repeating: (-1, false), count: program.sets.count)
    let isSmall = program.sets.count <= Self.asciiSetsMax
    ascii = Array(repeating: nil, count: isSmall ? program.sets.count * 128 : 0)
  }

  mutating func matches(_ text: String) -> Bool {
    var characters = text.makeIterator()
    var place = TextPlace(
      after: characters.next(), second: characters.next(), seesWords: program.checksWords)
    reach(0, at: place)
    while let character = place.after {
      if waiting.isEmpty { return false }
      let before = waiting
      byte = ascii.isEmpty || character.utf8.count > 1 ? nil : character.utf8.first.map(Int.init)
      waiting.removeAll(keepingCapacity: true)
      place.advance(next: characters.next())
      round += 1
      hasMatched = false
      for state in before {
        steps += 1
        if case .take(let set) = program.instructions[state], takes(set, character) {
          reach(state + 1, at: place)
        }
      }
      if steps > stepsMax { return true }
    }
    return hasMatched
  }

  private mutating func takes(_ set: Int, _ character: Character) -> Bool {
    if let byte {
      if let known = ascii[set * 128 + byte] { return known }
      steps += program.costs[set]
      let isIn = program.sets[set].contains(character)
      ascii[set * 128 + byte] = isIn
      return isIn
    }
    if answers[set].round != round {
      steps += program.costs[set]
      answers[set] = (round, program.sets[set].contains(character))
    }
    return answers[set].isIn
  }

  /// Takes a state, and all that it leads to without a character.
  private mutating func reach(_ state: Int, at place: TextPlace) {
    open.append(state)
    while let state = open.popLast() {
      if reached[state] == round { continue }
      reached[state] = round
      steps += 1
      switch program.instructions[state] {
      case .take: waiting.append(state)
      case .check(let wanted): if place.holds(wanted) { open.append(state + 1) }
      case .jump(let target): open.append(target)
      case .split(let other):
        open.append(other)
        open.append(state + 1)
      case .match: hasMatched = true
      }
    }
  }
}

/// A place between two characters of a text.
private struct TextPlace {
  private(set) var after: Character?
  private var before: Character?
  /// The one behind `after`.
  private var second: Character?
  private let seesWords: Bool
  private var words = WordWindow()

  init(after: Character?, second: Character?, seesWords: Bool) {
    self.after = after
    self.second = second
    self.seesWords = seesWords
    if seesWords { words = WordWindow(after: after, second: second) }
  }

  mutating func advance(next: Character?) {
    (before, after, second) = (after, second, next)
    if seesWords { words.advance(next: next) }
  }

  func holds(_ place: PatternPlace) -> Bool {
    switch place {
    case .start: before == nil
    case .end: after == nil
    case .lastLineEnd: after == nil || second == nil && after?.isNewline == true
    case .lineStart: before?.isNewline ?? true
    case .lineEnd: after?.isNewline ?? true
    case .wordBreak: words.isBreak
    case .noWordBreak: !words.isBreak
    }
  }
}
