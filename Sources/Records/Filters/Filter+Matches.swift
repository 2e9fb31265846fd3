// A filter tried on values in memory: what the store's SQL has to agree with, and what a list uses to
// tell whether one changed record still belongs to it.

extension Filter {
  /// Whether a record passes.
  ///
  /// - Parameters:
  ///   - value: The record's value of a field.
  ///   - words: Whether a search for the words finds the record.
  ///   - title: The title of a referred record, where it is known.
  package func matches(
    _ type: RecordType, value: (FieldID) -> Value, words: (String) -> Bool,
    title: (RecordID) -> String? = { _ in nil }
  ) -> Bool {
    switch self {
    case .all(let parts):
      return parts.allSatisfy { $0.matches(type, value: value, words: words, title: title) }
    case .any(let parts):
      return parts.contains { $0.matches(type, value: value, words: words, title: title) }
    case .not(let part):
      return !part.matches(type, value: value, words: words, title: title)
    case .words(let text): return words(text)
    case .field(let id, let condition):
      guard let field = type.field(id) else { return false }
      return condition.holds(for: value(id), of: field, title: title)
    }
  }
}

extension Condition {
  /// Whether a value passes.
  package func holds(
    for value: Value, of field: Field, title: (RecordID) -> String? = { _ in nil }
  ) -> Bool {
    switch self {
    case .isEmpty: return value.isEmpty
    case .isPresent: return !value.isEmpty
    case .hasTag(let tag):
      if case .tags(let tags) = value { return tags.contains(tag) }
      return false
    case .contains(let text):
      let match = TextMatch(text)
      return value.searchedTexts(title: title).contains { match.matches($0) }
    case .refers(let wanted):
      return value.targets.contains { id in
        switch wanted {
        case .id(let wantedID): id == wantedID
        case .title(let text): title(id) == text
        }
      }
    case .compare, .range: return isInBounds(value, field)
    }
  }

  private func isInBounds(_ value: Value, _ field: Field) -> Bool {
    guard let bounds else { return false }
    var compared = value
    if case .attachment(let file) = value { compared = .text(file.name) }
    var isInside = !value.isEmpty
    if case .compare(let comparison, let operand) = self, !comparison.needsOrder,
      operand.isSingle
    {
      isInside = isInside && compared == operand.lower
    } else {
      if let lower = bounds.lower { isInside = isInside && lower.isBelow(compared, field) }
      if let upper = bounds.upper { isInside = isInside && upper.isAbove(compared, field) }
    }
    return isInside != bounds.isNegated
  }
}

extension Bound {
  fileprivate func isBelow(_ value: Value, _ field: Field) -> Bool {
    field.order(self.value, precedes: value) || isInclusive && self.value == value
  }

  fileprivate func isAbove(_ value: Value, _ field: Field) -> Bool {
    field.order(value, precedes: self.value) || isInclusive && self.value == value
  }
}

extension Value {
  fileprivate func searchedTexts(title: (RecordID) -> String?) -> [String] {
    switch self {
    case .text(let text): [text]
    case .tags(let tags): tags.tags
    case .attachment(let file): [file.name]
    default: targets.compactMap(title)
    }
  }
}
