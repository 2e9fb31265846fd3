// What a person can ask of a field's values in the model editor, by the rules of the model file: only
// what has a meaning for the field's type, and only texts that read. Pure.

package import Records

/// One rule of a field.
package enum FieldRule: Sendable, Hashable, CaseIterable {
  case required, unique, search, index
  case defaultValue, min, max, pattern, merge, onDelete

  /// Whether the rule has a meaning for a type.
  package func fits(_ type: FieldType) -> Bool {
    switch self {
    case .required: true
    case .unique, .index: type.isIndexable
    case .search: type.isSearchable
    case .defaultValue: type.target == nil && type != .attachment
    case .min, .max: type.boundType != nil
    case .pattern: type.isText
    case .merge: MergePolicy.allCases.count { $0.fits(type) } > 1
    case .onDelete: type.target != nil
    }
  }
}

/// Why a text is no rule.
package enum RuleMistake: Error, Sendable, Hashable {
  case value(ValueMistake)
  /// A default has to be the same on every day.
  case relative
  case pattern
  /// The least is above the most.
  case emptyRange
}

extension Field {
  /// The text of a rule, as a person would type it; empty where nothing is asked.
  package func text(of rule: FieldRule) -> String {
    switch rule {
    case .defaultValue: ValueText.flat(defaultValue)
    case .min: min.map(ValueText.flat) ?? ""
    case .max: max.map(ValueText.flat) ?? ""
    case .pattern: pattern ?? ""
    case .merge: merge.rawValue
    case .onDelete: onDelete.rawValue
    case .required, .unique, .search, .index: ""
    }
  }

  /// The field with a rule that was typed; an empty text asks nothing any more.
  package func setting(
    _ rule: FieldRule, to text: String
  ) throws(RuleMistake) -> Field {
    var field = self
    switch rule {
    case .defaultValue: field.defaultValue = try Self.value(text, as: type) ?? .empty
    case .min: field.min = try Self.value(text, as: type.boundType ?? type)
    case .max: field.max = try Self.value(text, as: type.boundType ?? type)
    case .pattern:
      if !text.isEmpty, Pattern(text) == nil { throw .pattern }
      field.pattern = text.isEmpty ? nil : text
    case .merge:
      if let policy = MergePolicy(rawValue: text), policy.fits(type) { field.merge = policy }
    case .onDelete:
      if let rule = DeleteRule(rawValue: text) { field.onDelete = rule }
    case .required, .unique, .search, .index: break
    }
    if let min = field.min, let max = field.max, ValueOrder.precedes(max, min) {
      throw .emptyRange
    }
    return field
  }

  private static func value(_ text: String, as type: FieldType) throws(RuleMistake) -> Value? {
    guard !text.isEmpty else { return nil }
    guard let day = CalendarDate(dayNumber: 0), RelativeDay(text: text) == nil else {
      throw .relative
    }
    do {
      return try ValueText.read(text, as: type, in: .utc(today: day))
    } catch {
      throw .value(error)
    }
  }
}
