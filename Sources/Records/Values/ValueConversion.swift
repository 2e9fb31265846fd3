// A value carried over to a field of another type, when a model changes.

extension Value {
  /// The same value in another type; nothing where it would not come back as it was.
  ///
  /// `7` becomes the text `7`; the text `007` does not become a number, because its zeros would be
  /// lost.
  package func converted(from old: FieldType, to new: FieldType) -> Value? {
    if isEmpty { return .empty }
    guard let result = carried(to: new), !result.isEmpty, result.carried(to: old) == self else {
      return nil
    }
    return result
  }

  private func carried(to type: FieldType) -> Value? {
    switch (self, type) {
    case (.boolean(let flag), .integer), (.boolean(let flag), .counter):
      return .integer(flag ? 1 : 0)
    case (.integer(let number), .boolean):
      return number == 0 || number == 1 ? .boolean(number == 1) : nil
    case (.number(let number), .integer), (.number(let number), .counter):
      return Int64(exactly: number).map(Value.integer)
    case (.reference(let id), .references): return .references([id])
    case (.references(let ids), .reference): return ids.count == 1 ? .reference(ids[0]) : nil
    case (.attachment, .attachment): return self
    case (.text(let text), .choice(let choices)): return choices.contains(text) ? self : nil
    case (_, .attachment), (.attachment, _): return nil
    default:
      // The form for files does not depend on a day or a time zone.
      guard let epoch = CalendarDate(dayNumber: 0) else { return nil }
      return try? ValueText.read(ValueText.flat(self), as: type, in: .utc(today: epoch))
    }
  }
}
