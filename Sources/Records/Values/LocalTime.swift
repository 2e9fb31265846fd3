// What "today" and "half past nine" mean to the person: passed in, because the domain has no clock
// and no table of time zones.

/// A day to count from, and the offsets of the person's time zone.
package struct LocalTime: Sendable {
  package static let millisecondsPerDay: Int64 = 86_400_000

  package let today: CalendarDate
  /// Seconds east of UTC at an instant given in seconds since 1970 UTC.
  package let offset: @Sendable (_ utcSeconds: Int64) -> Int

  package init(today: CalendarDate, offset: @escaping @Sendable (Int64) -> Int) {
    self.today = today
    self.offset = offset
  }

  /// A place whose clocks show UTC.
  package static func utc(today: CalendarDate) -> LocalTime { LocalTime(today: today) { _ in 0 } }

  /// The instant at which the clocks here show a time of a day.
  ///
  /// Of two such instants (clocks go back) the earlier; of none (clocks go forward) the one that the
  /// offset before the change gives.
  package func timestamp(_ date: CalendarDate, millisecondsOfDay: Int64 = 0) -> Timestamp {
    let local = Int64(date.dayNumber) * Self.millisecondsPerDay + millisecondsOfDay
    let localSeconds = floorDivided(local, 1000)
    // Offsets lie within a day, so these two stand on either side of any change nearby.
    let before = Int64(offset(localSeconds - 86_400))
    let after = Int64(offset(localSeconds + 86_400))
    for candidate in [before, after] where Int64(offset(localSeconds - candidate)) == candidate {
      return Timestamp(milliseconds: local - candidate * 1000)
    }
    return Timestamp(milliseconds: local - before * 1000)
  }

  /// What the clocks here show at an instant; nothing outside the calendar.
  package func local(_ time: Timestamp) -> (date: CalendarDate, millisecondsOfDay: Int64)? {
    let seconds = Int64(offset(floorDivided(time.milliseconds, 1000)))
    let (local, overflow) = time.milliseconds.addingReportingOverflow(seconds * 1000)
    guard !overflow else { return nil }
    return Self.split(local)
  }

  /// Milliseconds since 1970, as a day and what has passed of it.
  static func split(_ milliseconds: Int64) -> (date: CalendarDate, millisecondsOfDay: Int64)? {
    let day = floorDivided(milliseconds, millisecondsPerDay)
    guard let date = CalendarDate(dayNumber: Int(day)) else { return nil }
    return (date, milliseconds - day * millisecondsPerDay)
  }
}

/// The quotient rounded towards minus infinity; the divisor is positive.
func floorDivided(_ number: Int64, _ divisor: Int64) -> Int64 {
  let quotient = number / divisor
  return number % divisor < 0 ? quotient - 1 : quotient
}
