// `field=value` words of the command line, up to where a store or a file is needed: titles of other
// records and `@PATH` are handed back as what they are.

/// A word of the command line, taken apart: `tags+=coast`.
package struct FieldArgument: Hashable, Sendable {
  package enum Operation: Hashable, Sendable { case set, add, subtract }

  package let name: String
  package let operation: Operation
  package let text: String

  /// Nothing without a name and an equals sign.
  package init?(_ word: String) {
    guard let equals = word.firstIndex(of: "=") else { return nil }
    var name = word[..<equals]
    switch name.last {
    case "+": operation = .add
    case "-": operation = .subtract
    default: operation = .set
    }
    if operation != .set { name.removeLast() }
    guard !name.isEmpty else { return nil }
    self.name = String(name)
    text = String(word[word.index(after: equals)...])
  }
}

/// A record, as a person names it.
package enum ReferenceText: Hashable, Sendable {
  case id(RecordID)
  /// The record's title, which must be the only one.
  case title(String)

  package init(_ text: String) {
    self = RecordID(text).map(ReferenceText.id) ?? .title(text)
  }
}

/// What the text of an argument stands for.
package enum ArgumentValue: Hashable, Sendable {
  case value(Value)
  case references([ReferenceText])
  /// The content of a file: as text, or as an attachment.
  case file(path: String)
}

extension ValueText {
  /// Reads the text of an argument.
  package static func argument(
    _ text: String, as type: FieldType, in time: LocalTime
  ) throws(ValueMistake) -> ArgumentValue {
    if text.hasPrefix("@"), text.utf8.count > 1 {
      switch type {
      case .text, .longText, .attachment: return .file(path: String(text.dropFirst()))
      default: break
      }
    }
    switch type {
    case .reference:
      let title = trimmed(text[...])
      return title.isEmpty ? .value(.empty) : .references([ReferenceText(String(title))])
    case .references:
      let titles = list(text)
      return titles.isEmpty ? .value(.empty) : .references(titles.map { ReferenceText($0) })
    default: return .value(try read(text, as: type, in: time))
    }
  }
}

/// A change of one field that may build on what it holds.
package enum ValueEdit: Hashable, Sendable {
  case set(Value)
  case add(Value)
  case subtract(Value)

  /// The value after the change.
  package func applied(to current: Value) throws(ValueMistake) -> Value {
    switch (self, current) {
    case (.set(let value), _): return value
    case (.add(let value), .empty): return value
    case (_, .empty):
      if case .subtract(.integer(let number)) = self {
        return try ValueEdit.subtract(.integer(number)).applied(to: .integer(0))
      }
      return .empty
    case (.add(.empty), _), (.subtract(.empty), _): return current
    case (.add(.integer(let number)), .integer(let held)):
      return .integer(try checked(held.addingReportingOverflow(number)))
    case (.subtract(.integer(let number)), .integer(let held)):
      return .integer(try checked(held.subtractingReportingOverflow(number)))
    case (.add(.tags(let tags)), .tags(let held)): return .tags(held.union(tags))
    case (.subtract(.tags(let tags)), .tags(let held)):
      return .tags(nonEmpty: held.subtracting(tags))
    case (.add(.references(let ids)), .references(let held)):
      return .references(sorted: held + ids)
    case (.subtract(.references(let ids)), .references(let held)):
      return .references(sorted: held.filter { !ids.contains($0) })
    default: throw .notAddable
    }
  }

  private func checked(
    _ result: (partialValue: Int64, overflow: Bool)
  ) throws(ValueMistake) -> Int64 {
    if result.overflow { throw .overflow }
    return result.partialValue
  }

  /// Whether `+=` and `-=` have a meaning for the type.
  package static func fits(_ type: FieldType) -> Bool {
    switch type {
    case .counter, .tags, .references: true
    default: false
    }
  }
}
