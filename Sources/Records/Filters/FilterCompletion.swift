// What could stand at the cursor of a filter.

/// Candidates for the stretch of text around the cursor.
package struct FilterCompletion: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case field, `operator`, value, group }

  package struct Candidate: Hashable, Sendable {
    /// What replaces the stretch.
    package let text: String
    package let kind: Kind
    /// The field that it names or that it is a value of.
    package let field: FieldID?
  }

  /// The stretch, in bytes of UTF-8.
  package let replacing: Range<Int>
  package let candidates: [Candidate]

  /// - Parameter offset: The cursor, in bytes of UTF-8.
  package init(_ text: String, at offset: Int, for type: RecordType) {
    let utf8 = text.utf8
    let cursor =
      utf8.index(
        utf8.startIndex, offsetBy: Swift.max(0, offset), limitedBy: utf8.endIndex) ?? utf8.endIndex
    let head = text[..<cursor]
    let start = Self.termStart(head)
    var term = head[start...]
    while let first = term.first, first == "-" { term.removeFirst() }
    let base = utf8.distance(from: utf8.startIndex, to: cursor)
    if let symbol = Self.firstOperator(in: term) {
      let typed = term[symbol.upperBound...]
      replacing = base - typed.utf8.count..<base
      let name = String(term[..<symbol.lowerBound])
      candidates = Self.values(of: type.field(named: name), startingWith: String(typed))
    } else {
      replacing = base - term.utf8.count..<base
      candidates = Self.fields(of: type, startingWith: String(term))
    }
  }

  private static func termStart(_ head: Substring) -> String.Index {
    var start = head.startIndex
    var isQuoted = false
    var isEscaped = false
    for index in head.indices {
      let c = head[index]
      if isEscaped {
        isEscaped = false
      } else if c == "\\" {
        isEscaped = true
      } else if c == "\"" {
        isQuoted.toggle()
      } else if !isQuoted, c.isWhitespace || c == "(" {
        start = head.index(after: index)
      }
    }
    return start
  }

  private static func firstOperator(in term: Substring) -> Range<String.Index>? {
    for index in term.indices {
      for symbol in FilterLexer.operators where term[index...].hasPrefix(symbol) {
        return index..<term.index(index, offsetBy: symbol.count)
      }
    }
    return nil
  }

  private static func fields(of type: RecordType, startingWith typed: String) -> [Candidate] {
    let wanted = typed.lowercased()
    var result: [Candidate] = []
    for field in type.visibleFields
    where field.name.lowercased().hasPrefix(wanted) || field.title.lowercased().hasPrefix(wanted) {
      if field.name == typed {
        result += FilterOperators.fitting(field.type).map {
          Candidate(text: typed + $0, kind: .operator, field: field.id)
        }
      } else {
        result.append(Candidate(text: field.name, kind: .field, field: field.id))
      }
    }
    if "or(".hasPrefix(wanted) { result.append(Candidate(text: "or(", kind: .group, field: nil)) }
    return result
  }

  private static func values(of field: Field?, startingWith typed: String) -> [Candidate] {
    guard let field else { return [] }
    let words: [String] =
      switch field.type {
      case .choice(let choices): choices
      case .boolean: ["true", "false"]
      case .date, .dateTime: ["today", "tomorrow", "yesterday", "today+7d", "today-7d"]
      default: []
      }
    let wanted = typed.lowercased()
    return words.filter { $0.lowercased().hasPrefix(wanted) }.map {
      Candidate(text: FilterQuoting.value($0), kind: .value, field: field.id)
    }
  }
}
