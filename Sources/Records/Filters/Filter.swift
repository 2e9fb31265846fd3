// What a filter means, typed against a record type. A filter is made from text (`Filter+Read`), told
// as text again (`Filter+Text`), tried on values (`Filter+Matches`), and turned into SQL by the store.
//
// Truth has two values. A test on an empty field is false, and `!=` and `-` are plain complements, so
// they hold for empty fields: `country!=JP` finds what has no country.

/// Which records a list shows.
package indirect enum Filter: Hashable, Sendable {
  /// Everything that all parts leave; no part at all leaves everything.
  case all([Filter])
  /// What at least one part leaves.
  case any([Filter])
  case not(Filter)
  /// Search text: one word, or the words of a quoted phrase.
  case words(String)
  case field(FieldID, Condition)

  /// Leaves everything.
  package static let everything = Filter.all([])

  /// The fields that it looks at.
  package var fields: Set<FieldID> {
    switch self {
    case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.fields) }
    case .not(let part): part.fields
    case .words: []
    case .field(let field, _): [field]
    }
  }
}

/// How two values are compared.
package enum Comparison: String, Hashable, Sendable, CaseIterable {
  case equal = "="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  var needsOrder: Bool { self != .equal && self != .notEqual }
}

/// A test of one field's value.
package enum Condition: Hashable, Sendable {
  /// `notes=`
  case isEmpty
  /// `notes:`
  case isPresent
  case compare(Comparison, Operand)
  /// `1900..1999`, both ends included; an open end is nothing.
  case range(Operand?, Operand?)
  /// `name~port`: somewhere in the text (``TextMatch``), in an attachment's name, in one of the
  /// tags, in the title of a referred record.
  case contains(String)
  /// `tags:coast`
  case hasTag(String)
  /// `trip=Kyoto`: the reference, or one of the references, is to that record.
  case refers(ReferenceText)
}

/// What a field is compared with: all values from the lower to the upper one.
///
/// Most operands are one value. `due=2026-11` stands for the month, and a day in a `dateTime` field
/// for the milliseconds of that day here.
package struct Operand: Hashable, Sendable {
  /// Of the field's type.
  package let lower: Value
  package let upper: Value
  /// How a person writes it, when that says more than the values: `today+7d`, `2026-11`.
  let spelling: String?

  package init(_ value: Value) {
    lower = value
    upper = value
    spelling = nil
  }

  init(lower: Value, upper: Value, spelling: String?) {
    self.lower = lower
    self.upper = upper
    self.spelling = spelling
  }

  package var isSingle: Bool { lower == upper }
}

/// One end of an interval.
package struct Bound: Hashable, Sendable {
  package let value: Value
  package let isInclusive: Bool

  package init(_ value: Value, inclusive: Bool) {
    self.value = value
    isInclusive = inclusive
  }
}

/// What a comparison means: inside the interval, or, when negated, everything else.
package struct FilterBounds: Hashable, Sendable {
  package var lower: Bound?
  package var upper: Bound?
  package var isNegated = false

  package init(lower: Bound? = nil, upper: Bound? = nil, isNegated: Bool = false) {
    self.lower = lower
    self.upper = upper
    self.isNegated = isNegated
  }
}

extension Condition {
  /// The interval of a comparison or a range; nothing for other conditions.
  package var bounds: FilterBounds? {
    switch self {
    case .compare(let comparison, let operand):
      let (lower, upper) = (operand.lower, operand.upper)
      return switch comparison {
      case .equal, .notEqual:
        FilterBounds(
          lower: Bound(lower, inclusive: true), upper: Bound(upper, inclusive: true),
          isNegated: comparison == .notEqual)
      case .less: FilterBounds(upper: Bound(lower, inclusive: false))
      case .lessOrEqual: FilterBounds(upper: Bound(upper, inclusive: true))
      case .greater: FilterBounds(lower: Bound(upper, inclusive: false))
      case .greaterOrEqual: FilterBounds(lower: Bound(lower, inclusive: true))
      }
    case .range(let lower, let upper):
      return FilterBounds(
        lower: lower.map { Bound($0.lower, inclusive: true) },
        upper: upper.map { Bound($0.upper, inclusive: true) })
    default: return nil
    }
  }

  /// Of a choice field: the choices that pass, because choices are ordered as the model lists them
  /// (`rating>low`).
  ///
  /// Nothing for other fields and other conditions. A value that is no choice any more passes no
  /// such test, but for `!=`, which is told by a nil as well: compare it as text.
  package func choices(of field: Field) -> [String]? {
    guard case .choice(let choices) = field.type, let bounds, !bounds.isNegated else { return nil }
    if case .compare(.equal, _) = self { return nil }
    func rank(_ value: Value) -> Int? {
      if case .text(let text) = value { choices.firstIndex(of: text) } else { nil }
    }
    return choices.enumerated().filter { index, _ in
      if let lower = bounds.lower {
        guard let rank = rank(lower.value), lower.isInclusive ? index >= rank : index > rank
        else { return false }
      }
      if let upper = bounds.upper {
        guard let rank = rank(upper.value), upper.isInclusive ? index <= rank : index < rank
        else { return false }
      }
      return true
    }.map(\.element)
  }
}
