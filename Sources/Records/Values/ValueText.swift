// Text into values: forms, the command line, imports and the values of a filter all read here, so
// that the same text means the same everywhere. The table is DESIGN.md 2, column "Argument".

/// Values as text, and back.
package enum ValueText {
  /// Reads a text as a value of a field.
  ///
  /// The empty text clears. Text kinds are taken as they are; all others may have blanks around
  /// them. References are ids here: titles are looked up by who has the store.
  package static func read(
    _ text: String, as type: FieldType, in time: LocalTime
  ) throws(ValueMistake) -> Value {
    if text.isEmpty { return .empty }
    switch type {
    case .text, .longText: return .text(text)
    case .url, .email, .choice: return try shaped(text, as: type)
    case .tags: return .tags(nonEmpty: TagSet(list(text)))
    default: break
    }
    let text = trimmed(text[...])
    if text.isEmpty { return .empty }
    switch type {
    case .integer, .counter: return .integer(try integer(text))
    case .number: return .number(try required(NumberText.number(text), .number))
    case .decimal: return .decimal(try required(Decimal(text), .decimal))
    case .boolean: return .boolean(try required(boolean(text), .boolean))
    case .date: return .date(try required(date(text, in: time), .date))
    case .dateTime: return .dateTime(try required(dateTime(text, in: time), .dateTime))
    case .location: return .location(try required(Location(text: String(text)), .location))
    case .reference: return .reference(try required(RecordID(String(text)), .reference))
    case .references:
      var ids: [RecordID] = []
      for part in list(String(text)) { ids.append(try required(RecordID(part), .reference)) }
      return .references(sorted: ids)
    default: throw .attachment
    }
  }

  package static func read(
    _ text: String, as field: Field, in time: LocalTime
  ) throws(ValueMistake) -> Value {
    try read(text, as: field.type, in: time)
  }

  /// The parts of a comma-separated list; blanks around each, and empty parts, are dropped.
  ///
  /// A part in double quotes keeps its commas; a doubled quote in it is one quote.
  package static func list(_ text: String) -> [String] {
    var parts: [String] = []
    var part = ""
    var isQuoted = false
    var rest = text.unicodeScalars[...]
    func close() {
      let plain = isQuoted ? part : String(trimmed(part[...]))
      if !plain.isEmpty { parts.append(plain) }
      part = ""
      isQuoted = false
    }
    while let scalar = rest.popFirst() {
      if scalar == "," {
        close()
      } else if scalar == "\"", part.unicodeScalars.allSatisfy(\.properties.isWhitespace),
        !isQuoted,
        let quoted = takeQuoted(&rest)
      {
        part = quoted
        isQuoted = true
      } else if !(isQuoted && scalar.properties.isWhitespace) {
        part.unicodeScalars.append(scalar)
      }
    }
    close()
    return parts
  }

  /// A part that ``list(_:)`` reads back.
  static func listPart(_ part: String) -> String {
    // By scalars, as they are read: a mark joins the comma or the quote before it.
    let isPlain =
      !part.unicodeScalars.contains { $0 == "," || $0 == "\"" }
      && ExactText.isSame(String(trimmed(part[...])), part)
    if isPlain { return part }
    var result = "\""
    for scalar in part.unicodeScalars {
      if scalar == "\"" { result.unicodeScalars.append(scalar) }
      result.unicodeScalars.append(scalar)
    }
    result.unicodeScalars.append("\"")
    return result
  }

  /// The text up to the closing quote, if there is one before the next comma or the end.
  private static func takeQuoted(_ rest: inout Substring.UnicodeScalarView) -> String? {
    var ahead = rest
    var result = ""
    while let scalar = ahead.popFirst() {
      guard scalar == "\"" else {
        result.unicodeScalars.append(scalar)
        continue
      }
      if ahead.first == "\"" {
        ahead.removeFirst()
        result.append("\"")
        continue
      }
      let next = ahead.first { !$0.properties.isWhitespace }
      guard next == nil || next == "," else { return nil }
      rest = ahead
      return result
    }
    return nil
  }
}

// MARK: - One kind each

extension ValueText {
  static func integer(_ text: Substring) throws(ValueMistake) -> Int64 {
    if let number = Int64(text) { return number }
    let digits = text.first == "-" || text.first == "+" ? text.dropFirst() : text
    let isWhole = !digits.isEmpty && digits.utf8.allSatisfy { (48...57).contains($0) }
    throw isWhole ? .integerRange : .integer
  }

  /// `true` and `false`, and what other programs write for them.
  static func boolean(_ text: some StringProtocol) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "1", "on": true
    case "false", "no", "0", "off": false
    default: nil
    }
  }

  static func date(_ text: Substring, in time: LocalTime) -> CalendarDate? {
    CalendarDate(text: text) ?? RelativeDay(text: text)?.date(from: time.today)
  }

  static func dateTime(_ text: Substring, in time: LocalTime) -> Timestamp? {
    if let timestamp = TimestampText.read(text, in: time) { return timestamp }
    return RelativeDay(text: text).map { time.timestamp($0.date(from: time.today)) }
  }

  private static func shaped(
    _ text: String, as type: FieldType
  ) throws(ValueMistake) -> Value {
    switch type {
    case .url: if !TextShape.isURL(text) { throw .url }
    case .email: if !TextShape.isEmail(text) { throw .email }
    case .choice(let choices): if !choices.contains(text) { throw .choice(choices) }
    default: break
    }
    return .text(text)
  }

  private static func required<T>(
    _ value: T?, _ mistake: ValueMistake
  ) throws(ValueMistake) -> T {
    guard let value else { throw mistake }
    return value
  }
}

/// What an address looks like: enough to catch a slip, not a judge of what exists.
package enum TextShape {
  /// A scheme, a colon and something, without blanks.
  package static func isURL(_ text: String) -> Bool {
    let bytes = text.utf8
    guard let colon = bytes.firstIndex(of: 58), let first = bytes.first, isLetter(first),
      bytes.index(after: colon) < bytes.endIndex, !text.contains(where: \.isWhitespace)
    else { return false }
    return bytes[..<colon].allSatisfy {
      isLetter($0) || (48...57).contains($0) || [43, 45, 46].contains($0)
    }
  }

  /// Something, an at sign, a domain, without blanks.
  package static func isEmail(_ text: String) -> Bool {
    guard let at = text.lastIndex(of: "@"), at > text.startIndex else { return false }
    let domain = text[text.index(after: at)...]
    return !domain.isEmpty && domain.first != "." && domain.last != "."
      && !text.contains(where: \.isWhitespace)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte)
  }
}
