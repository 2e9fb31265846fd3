// Text into a filter: `country=JP population>1000000 name~port tag:coast due<=today+7d -visited
// "two words" or(...)`. Terms stand side by side and all have to hold.

extension Filter {
  /// What bounds a filter: longer, deeper or with more terms than any person writes.
  package static let textBytesMax = 16_384
  package static let depthMax = 32
  package static let termsMax = 256

  /// Reads a filter.
  ///
  /// Relative days count from `time.today`; a saved filter is kept as text and read anew.
  package static func read(
    _ text: String, for type: RecordType, in time: LocalTime
  ) throws(FilterMistake) -> Filter {
    if text.utf8.count > textBytesMax {
      throw FilterMistake(
        text.startIndex..<text.endIndex, in: text, .tooLong(bytesMax: textBytesMax))
    }
    var reader = FilterReader(text, type: type, time: time)
    let parts = try reader.terms(depth: 0)
    if !reader.lexer.isAtEnd { throw reader.mistake(here: .unexpectedClose) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }
}

struct FilterReader {
  var lexer: FilterLexer
  private let type: RecordType
  private let time: LocalTime
  private var count = 0

  init(_ text: String, type: RecordType, time: LocalTime) {
    lexer = FilterLexer(text)
    self.type = type
    self.time = time
  }

  func mistake(_ range: Range<String.Index>, _ kind: FilterMistake.Kind) -> FilterMistake {
    FilterMistake(range, in: lexer.text, kind)
  }

  /// A mistake at the next character.
  func mistake(here kind: FilterMistake.Kind) -> FilterMistake {
    let start = lexer.position
    let end = lexer.isAtEnd ? start : lexer.text.unicodeScalars.index(after: start)
    return mistake(start..<end, kind)
  }

  mutating func terms(depth: Int) throws(FilterMistake) -> [Filter] {
    var parts: [Filter] = []
    lexer.skipBlanks()
    while let next = lexer.next, next != ")" {
      parts.append(try term(depth: depth))
      lexer.skipBlanks()
    }
    return parts
  }

  private mutating func term(depth: Int) throws(FilterMistake) -> Filter {
    let start = lexer.position
    if depth > Filter.depthMax { throw mistake(here: .tooDeep(max: Filter.depthMax)) }
    count += 1
    if count > Filter.termsMax { throw mistake(here: .tooMany(max: Filter.termsMax)) }
    if lexer.take("-") {
      guard let next = lexer.next, !next.isBlank, next != ")" else {
        throw mistake(start..<lexer.position, .missingTerm)
      }
      return .not(try term(depth: depth + 1))
    }
    if lexer.take("or(") { return try group(from: start, depth, Filter.any) }
    if lexer.take("and(") || lexer.take("(") { return try group(from: start, depth, Filter.all) }
    if let name = lexer.name() { return try test(name) }
    if let found = lexer.takeOperator() {
      throw mistake(found.range, .missingField(operator: found.symbol))
    }
    let word = try lexer.word()
    let field = word.isQuoted ? nil : type.field(named: word.text)
    if let field, field.type == .boolean {
      return .field(field.id, .compare(.equal, Operand(.boolean(true))))
    }
    // Empty quotes ask for nothing.
    if word.text.isEmpty { throw mistake(word.range, .missingTerm) }
    return .words(word.text)
  }

  private mutating func group(
    from start: String.Index, _ depth: Int, _ combine: ([Filter]) -> Filter
  ) throws(FilterMistake) -> Filter {
    let opening = start..<lexer.position
    let parts = try terms(depth: depth + 1)
    guard lexer.take(")") else { throw mistake(opening, .unclosedGroup) }
    if parts.isEmpty { throw mistake(start..<lexer.position, .missingTerm) }
    return parts.count == 1 ? parts[0] : combine(parts)
  }
}

// MARK: - One test

extension FilterReader {
  private mutating func test(_ name: FilterWord) throws(FilterMistake) -> Filter {
    guard let (symbol, range) = lexer.takeOperator() else { throw mistake(here: .missingTerm) }
    guard let field = type.field(named: name.text) else {
      return try tagTest(name, symbol)
    }
    let fitting = FilterOperators.fitting(field.type)
    guard fitting.contains(symbol) else {
      throw mistake(
        range,
        .operatorDoesNotFit(
          field: field.name, operator: symbol, type: field.type.word, fitting: fitting))
    }
    let canRange = symbol == "=" && field.type.hasOrder
    let first = try lexer.word(stopAtDots: canRange)
    if canRange, lexer.take("..") { return try self.range(of: field, from: first) }
    if first.text.isEmpty {
      switch symbol {
      case "=": return .field(field.id, .isEmpty)
      case "!=", ":": return .field(field.id, .isPresent)
      default: throw mistake(range.lowerBound..<lexer.position, .missingValue(operator: symbol))
      }
    }
    return try condition(of: field, symbol, first)
  }

  /// `tag:coast` where no field is called so: any of the type's tags fields.
  private mutating func tagTest(
    _ name: FilterWord, _ symbol: String
  ) throws(FilterMistake) -> Filter {
    let fields = type.visibleFields.filter { $0.type == .tags }
    guard name.text == "tag", symbol == ":" || symbol == "=", !fields.isEmpty else {
      throw mistake(
        name.range, .unknownField(name.text, known: type.visibleFields.map(\.name)))
    }
    let word = try lexer.word()
    let condition = word.text.isEmpty ? Condition.isPresent : .hasTag(word.text)
    let tests = fields.map { Filter.field($0.id, condition) }
    return tests.count == 1 ? tests[0] : .any(tests)
  }

  private mutating func range(
    of field: Field, from first: FilterWord
  ) throws(FilterMistake) -> Filter {
    let last = try lexer.word()
    let lower = first.isMissing ? nil : try operand(first, of: field)
    let upper = last.isMissing ? nil : try operand(last, of: field)
    let whole = first.range.lowerBound..<last.range.upperBound
    if lower == nil, upper == nil { throw mistake(whole, .missingValue(operator: "..")) }
    if let lower, let upper, field.order(upper.upper, precedes: lower.lower) {
      throw mistake(whole, .emptyRange)
    }
    return .field(field.id, .range(lower, upper))
  }

  private func condition(
    of field: Field, _ symbol: String, _ word: FilterWord
  ) throws(FilterMistake) -> Filter {
    if symbol == "~" { return .field(field.id, .contains(word.text)) }
    switch field.type {
    case .reference, .references:
      let test = Filter.field(field.id, .refers(ReferenceText(word.text)))
      return symbol == "!=" ? .not(test) : test
    case .tags where symbol == ":": return .field(field.id, .hasTag(word.text))
    case .text, .longText, .url, .email, .attachment:
      if symbol == ":" { return .field(field.id, .contains(word.text)) }
    default: break
    }
    let comparison = Comparison(rawValue: symbol) ?? .equal
    return .field(field.id, .compare(comparison, try operand(word, of: field)))
  }

  private func operand(_ word: FilterWord, of field: Field) throws(FilterMistake) -> Operand {
    do {
      return try OperandText.read(word.text, as: field.type, in: time)
    } catch {
      throw mistake(
        word.range, .badValue(field: field.name, text: word.text, error))
    }
  }
}

/// Which operators have a meaning for a type of field.
enum FilterOperators {
  static func fitting(_ type: FieldType) -> [String] {
    switch type {
    case .text, .longText, .url, .email, .choice:
      ["=", "!=", "<", "<=", ">", ">=", "~", ":"]
    case .integer, .counter, .number, .decimal, .date, .dateTime:
      ["=", "!=", "<", "<=", ">", ">=", ":"]
    case .boolean, .location: ["=", "!=", ":"]
    case .tags, .reference, .references, .attachment: ["=", "!=", "~", ":"]
    }
  }
}

extension FieldType {
  /// Whether `<` and ranges have a meaning.
  var hasOrder: Bool { FilterOperators.fitting(self).contains("<") }
}

extension Field {
  /// The order of two values of this field; choices go by the model's list.
  func order(_ a: Value, precedes b: Value) -> Bool {
    if case .choice(let choices) = type, case .text(let a) = a, case .text(let b) = b {
      guard let first = choices.firstIndex(of: a), let second = choices.firstIndex(of: b) else {
        return false
      }
      return first < second
    }
    return ValueOrder.precedes(a, b)
  }
}
