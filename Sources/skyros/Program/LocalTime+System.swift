// The person's clock and time zone (TZ, or the machine's), for dates typed and times shown.

internal import Glibc
internal import Records

extension LocalTime {
  /// Today, here.
  static var system: LocalTime {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    let today = CalendarDate(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
    return LocalTime(today: today ?? .epoch) { seconds in
      var moment = time_t(seconds)
      var parts = tm()
      localtime_r(&moment, &parts)
      return parts.tm_gmtoff
    }
  }
}

extension CalendarDate {
  /// For a clock outside the calendar.
  fileprivate static var epoch: CalendarDate {
    guard let day = CalendarDate(dayNumber: 0) else { preconditionFailure("1970 is a year") }
    return day
  }
}
