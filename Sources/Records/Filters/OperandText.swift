// The values of a filter: as a form reads them, and for days and instants also the wider ones that
// only a filter has (`2026`, `2026-11`, a day in a `dateTime` field).

enum OperandText {
  static func read(
    _ text: String, as type: FieldType, in time: LocalTime
  ) throws(ValueMistake) -> Operand {
    switch type {
    case .date:
      guard let days = days(text, in: time) else { throw .date }
      return Operand(
        lower: .date(days.first), upper: .date(days.last),
        spelling: spelling(text, .date(days.first)))
    case .dateTime: return try instants(text, in: time)
    case .choice(let choices):
      guard choices.contains(text) else { throw .choice(choices) }
      return Operand(.text(text))
    // A filter may look for a part of an address, or for one that is malformed.
    case .url, .email, .attachment: return Operand(.text(text))
    default: return Operand(try ValueText.read(text, as: type, in: time))
    }
  }

  /// How a person writes it, read back by ``read(_:as:in:)``.
  static func text(of operand: Operand) -> String {
    operand.spelling ?? ValueText.flat(operand.lower)
  }

  private static func instants(
    _ text: String, in time: LocalTime
  ) throws(ValueMistake) -> Operand {
    if let days = days(text, in: time) {
      let end = days.last.adding(days: 1)
      let upper =
        end == days.last
        ? time.timestamp(end, millisecondsOfDay: LocalTime.millisecondsPerDay - 1)
        : Timestamp(milliseconds: time.timestamp(end).milliseconds - 1)
      return Operand(
        lower: .dateTime(time.timestamp(days.first)), upper: .dateTime(upper), spelling: text)
    }
    guard let instant = TimestampText.read(text, in: time) else { throw .dateTime }
    let (upper, overflow) = instant.milliseconds.addingReportingOverflow(width(of: text) - 1)
    let lower = Value.dateTime(instant)
    guard !overflow, upper > instant.milliseconds else { return Operand(lower) }
    return Operand(
      lower: lower, upper: .dateTime(Timestamp(milliseconds: upper)), spelling: text)
  }

  /// How many milliseconds a written time of day stands for.
  private static func width(of text: String) -> Int64 {
    guard text.utf8.count > 11 else { return 1 }
    let clock = text.utf8.dropFirst(11).prefix {
      $0 == 58 || $0 == 46 || $0 == 44 || (48...57).contains($0)
    }
    let colons = clock.count { $0 == 58 }
    if clock.contains(46) || clock.contains(44) { return 1 }
    return colons == 1 ? 60_000 : colons == 2 ? 1000 : 1
  }

  /// The days that a text stands for.
  private static func days(
    _ text: String, in time: LocalTime
  ) -> (first: CalendarDate, last: CalendarDate)? {
    if let date = CalendarDate(text: text) { return (date, date) }
    if let relative = RelativeDay(text: text) {
      let date = relative.date(from: time.today)
      return (date, date)
    }
    let isYear = text.utf8.count == 4
    guard isYear || text.utf8.count == 7,
      let first = CalendarDate(text: text + (isYear ? "-01-01" : "-01"))
    else { return nil }
    let (year, month, _) = first.components
    let lastMonth = isYear ? 12 : month
    let last = CalendarDate(
      year: year, month: lastMonth,
      day: CalendarDate.daysInMonth(year: year, month: lastMonth))
    return last.map { (first, $0) }
  }

  private static func spelling(_ text: String, _ value: Value) -> String? {
    text == ValueText.flat(value) ? nil : text
  }
}
