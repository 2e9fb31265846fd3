// Days of the proleptic Gregorian calendar, for stepping through dates. Pure.

/// A day, as `2026-11-21`.
package struct CalendarDay: Hashable, Comparable, Sendable {
  package let year: Int
  package let month: Int
  package let day: Int

  /// Nil when there is no such day, or its year does not have four digits.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...Self.days(inMonth: month, year: year)).contains(day)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Nil for anything but `YYYY-MM-DD` of an existing day.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2], text.allSatisfy({ $0.isASCII && $0 != "+" }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// 1970-01-01.
  package static let epoch = CalendarDay()

  private init() {
    (year, month, day) = (1970, 1, 1)
  }

  package var text: String {
    func padded(_ number: Int, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
  }

  static func days(inMonth month: Int, year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }

  /// Days since 1970-01-01.
  package var number: Int {
    // Months counted from March, so that the leap day is the last of its year.
    let shifted = (month + 9) % 12
    let years = month <= 2 ? year - 1 : year
    return 365 * years + years / 4 - years / 100 + years / 400 + (153 * shifted + 2) / 5 + day
      - 719_469
  }

  package init?(number: Int) {
    guard (-719_162...2_932_896).contains(number) else { return nil }
    let days = number + 719_468
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    self.init(year: year, month: month, day: dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  /// 0 for Monday.
  package var weekday: Int { ((number + 3) % 7 + 7) % 7 }

  package func adding(days: Int) -> CalendarDay? { CalendarDay(number: number + days) }

  /// The same day of another month, or its last day where that month is shorter.
  package func adding(months: Int) -> CalendarDay? {
    let total = year * 12 + month - 1 + months
    guard total >= 12 else { return nil }
    let (year, month) = (total / 12, total % 12 + 1)
    return CalendarDay(
      year: year, month: month, day: min(day, Self.days(inMonth: month, year: year)))
  }

  package static func < (left: CalendarDay, right: CalendarDay) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}
