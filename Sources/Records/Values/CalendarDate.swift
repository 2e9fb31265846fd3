/// A day of the proleptic Gregorian calendar, years 1 to 9999, without a time or a zone.
package struct CalendarDate: Hashable, Sendable, Comparable {
  /// Days since 1970-01-01.
  package let dayNumber: Int

  private static let first = daysFromCivil(year: 1, month: 1, day: 1)
  private static let last = daysFromCivil(year: 9999, month: 12, day: 31)

  /// Nothing outside the years 1 to 9999.
  package init?(dayNumber: Int) {
    guard (Self.first...Self.last).contains(dayNumber) else { return nil }
    self.dayNumber = dayNumber
  }

  /// Nothing for a day that the calendar does not have.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...Self.daysInMonth(year: year, month: month)).contains(day)
    else { return nil }
    dayNumber = Self.daysFromCivil(year: year, month: month, day: day)
  }

  /// Reads `2026-11-21`.
  package init?(text: some StringProtocol) {
    var text = String(text)
    guard let date = text.withUTF8({ CalendarDate(bytes: $0) }) else { return nil }
    self = date
  }

  /// The same out of bytes, in one pass: a million rows have a million dates.
  package init?(bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count == 10, bytes[4] == 45, bytes[7] == 45 else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var number = 0
      for index in range {
        let digit = bytes[index] &- 48
        guard digit < 10 else { return nil }
        number = number * 10 + Int(digit)
      }
      return number
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else {
      return nil
    }
    self.init(year: year, month: month, day: day)
  }

  /// `2026-11-21`, the storage form, which sorts as text.
  package var text: String {
    let (year, month, day) = components
    return String(unsafeUninitializedCapacity: 10) { bytes in
      var rest = (year * 100 + month) * 100 + day
      for index in [9, 8, 6, 5, 3, 2, 1, 0] {
        bytes[index] = 48 + UInt8(rest % 10)
        rest /= 10
      }
      bytes[4] = 45
      bytes[7] = 45
      return 10
    }
  }

  package var components: (year: Int, month: Int, day: Int) { Self.civil(fromDays: dayNumber) }

  /// Monday is 1, Sunday 7 (ISO 8601).
  package var weekday: Int { ((dayNumber + 3) % 7 + 7) % 7 + 1 }

  /// The day `days` later, held at the ends of the calendar.
  package func adding(days: Int) -> CalendarDate {
    let sum = dayNumber.addingReportingOverflow(days)
    let clamped = sum.overflow ? (days > 0 ? Self.last : Self.first) : sum.partialValue
    return CalendarDate(clampedDay: clamped)
  }

  /// The same day `months` later, or that month's last day.
  package func adding(months: Int) -> CalendarDate {
    let (year, month, day) = components
    let index = year * 12 + month - 1 + max(-200_000, min(months, 200_000))
    let target = (index.quotientAndRemainder(dividingBy: 12))
    let newYear = max(1, min(target.quotient, 9999))
    let newMonth = max(0, target.remainder) + 1
    let newDay = min(day, Self.daysInMonth(year: newYear, month: newMonth))
    return CalendarDate(
      clampedDay: Self.daysFromCivil(year: newYear, month: newMonth, day: newDay))
  }

  package static func < (a: Self, b: Self) -> Bool { a.dayNumber < b.dayNumber }

  private init(clampedDay: Int) { dayNumber = max(Self.first, min(clampedDay, Self.last)) }
}

extension CalendarDate {
  package static func daysInMonth(year: Int, month: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970-01-01 (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
  private static func daysFromCivil(year: Int, month: Int, day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
    let z = days + 719_468
    let era = (z >= 0 ? z : z - 146_096) / 146_097
    let dayOfEra = z - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted + (shifted < 10 ? 3 : -9)
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }
}

func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
