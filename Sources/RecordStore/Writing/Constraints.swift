// The constraints of the model, checked when a person or an import file saves, and never when sync
// applies (DESIGN.md 2). Only what is written is checked: what another device saved is never stuck.

package import Records

/// One value that a constraint does not allow.
package struct FieldProblem: Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    case required
    /// The least that is allowed (for text: characters).
    case belowMinimum(Value)
    case aboveMaximum(Value)
    /// The regular expression that the whole text has to match.
    case pattern(String)
    case notAChoice([String])
    /// Another record has the value already.
    case notUnique(RecordID)
    /// The value is of another type than the field.
    case wrongType
    /// Longer than any field may be, in bytes of UTF-8.
    case tooLong(max: Int)
    /// The text holds U+0000, at which SQLite's own functions end a text.
    case zeroCharacter
  }

  package let type: TypeID
  package let record: RecordID
  package let field: FieldID
  package let reason: Reason

  package init(type: TypeID, record: RecordID, field: FieldID, reason: Reason) {
    self.type = type
    self.record = record
    self.field = field
    self.reason = reason
  }
}

/// The constraints that one value can be checked against without the store.
package struct Constraints: Sendable {
  /// The most bytes of one text: what SQLite and a terminal bear without a thought.
  package static let textBytesMax = 16 << 20

  private let field: Field
  private let pattern: Pattern?

  package init(_ field: Field) {
    self.field = field
    // One that can't be read allows everything: the reader of model files refuses it, so it comes
    // from another version of the program.
    pattern = field.pattern.flatMap { Pattern($0) }
  }

  /// Why the field can't hold the value; nothing if it can.
  package func problem(with value: Value) -> FieldProblem.Reason? {
    if value.isEmpty { return field.required ? .required : nil }
    guard value.fits(field.type) else { return .wrongType }
    switch value {
    case .text(let text):
      if text.utf8.count > Self.textBytesMax { return .tooLong(max: Self.textBytesMax) }
      if text.utf8.contains(0) { return .zeroCharacter }
      if case .choice(let choices) = field.type, !choices.contains(text) {
        return .notAChoice(choices)
      }
      // Counting characters takes the text apart: only where their number matters.
      let isBounded = field.min != nil || field.max != nil
      if isBounded, let bound = bound(.integer(Int64(text.count))) { return bound }
      if let pattern, !pattern.matches(text) { return .pattern(pattern.text) }
      return nil
    default: return bound(value)
    }
  }

  private func bound(_ value: Value) -> FieldProblem.Reason? {
    if let min = field.min, ValueOrder.precedes(value, min) { return .belowMinimum(min) }
    if let max = field.max, ValueOrder.precedes(max, value) { return .aboveMaximum(max) }
    return nil
  }
}

extension Library {
  /// What is wrong with a draft's own values, related drafts included.
  ///
  /// Whether a unique value is taken is only known when it is committed.
  package func problems(of draft: Draft) -> [FieldProblem] {
    let related = draft.related.flatMap { problems(of: $0) }
    guard let type = model.type(draft.type) else { return related }
    return Constraints.problems(of: draft, type: type) + related
  }
}

extension Constraints {
  /// The problems of the fields that a draft writes; all visible fields for a new record.
  static func problems(of draft: Draft, type: RecordType) -> [FieldProblem] {
    let written = draft.changes
    return type.visibleFields.compactMap { field in
      guard draft.isNew || written[field.id] != nil, let value = draft.value(of: field.id) else {
        return nil
      }
      return Constraints(field).problem(with: value).map {
        FieldProblem(type: type.id, record: draft.record, field: field.id, reason: $0)
      }
    }
  }
}

extension Value {
  /// Whether a field of the type can hold the value.
  package func fits(_ type: FieldType) -> Bool {
    switch (self, type) {
    case (.empty, _): true
    case (.text, .text), (.text, .longText), (.text, .url), (.text, .email), (.text, .choice): true
    case (.integer, .integer), (.integer, .counter): true
    case (.number, .number), (.decimal, .decimal), (.boolean, .boolean): true
    case (.date, .date), (.dateTime, .dateTime), (.tags, .tags), (.location, .location): true
    case (.reference, .reference), (.references, .references): true
    case (.attachment, .attachment): true
    default: false
    }
  }
}
