// Instants as text: ISO 8601, with an offset or in local time.

/// Instants as text.
package enum TimestampText {
  /// `2026-11-21T12:53:00.123Z`: what JSON and exports hold.
  ///
  /// Outside the years 1 to 9999, the bare number of milliseconds since 1970.
  package static func utc(_ time: Timestamp) -> String {
    guard let (date, rest) = LocalTime.split(time.milliseconds) else {
      return String(time.milliseconds)
    }
    return "\(date.text)T\(clock(rest)).\(padded(Int(rest % 1000), 3))Z"
  }

  /// `2026-11-21 21:53`, with seconds and their fraction only where there are any.
  package static func local(_ time: Timestamp, in zone: LocalTime) -> String {
    guard let (date, rest) = zone.local(time) else { return utc(time) }
    // In the hour that clocks repeat, the local text alone would read back as the earlier one.
    guard zone.timestamp(date, millisecondsOfDay: rest) == time else { return utc(time) }
    let fraction = rest % 1000 == 0 ? "" : "." + padded(Int(rest % 1000), 3)
    let time = rest % 60_000 == 0 ? String(clock(rest).dropLast(3)) : clock(rest) + fraction
    return "\(date.text) \(time)"
  }

  /// Reads ISO 8601 as people write it.
  ///
  /// A day, then `T` or a blank, `09:30`, `09:30:15` or `09:30:15.123`, then nothing (local time),
  /// `Z`, `+09:00`, `+0900` or `+09`. A day alone is its first moment. A bare number outside the
  /// calendar reads as ``utc(_:)`` writes it.
  package static func read(_ text: some StringProtocol, in zone: LocalTime) -> Timestamp? {
    let text = trimmed(Substring(text))
    guard text.utf8.count >= 10 else { return nil }
    let cut = text.utf8.index(text.startIndex, offsetBy: 10)
    guard let date = CalendarDate(text: text[..<cut]) else { return outside(text) }
    var scanner = Scanner(text[cut...])
    if scanner.isAtEnd { return zone.timestamp(date) }
    guard scanner.take(84) || scanner.take(116) || scanner.take(32),
      let milliseconds = scanner.clock()
    else { return nil }
    if scanner.isAtEnd { return zone.timestamp(date, millisecondsOfDay: milliseconds) }
    _ = scanner.take(32)
    guard let offset = scanner.offset(), scanner.isAtEnd else { return nil }
    let local = Int64(date.dayNumber) * LocalTime.millisecondsPerDay + milliseconds
    return Timestamp(milliseconds: local - offset * 1000)
  }

  private static func outside(_ text: Substring) -> Timestamp? {
    guard let number = Int64(text), LocalTime.split(number) == nil else { return nil }
    return Timestamp(milliseconds: number)
  }

  private static func clock(_ milliseconds: Int64) -> String {
    let seconds = Int(milliseconds / 1000)
    let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60]
    return parts.map { padded($0, 2) }.joined(separator: ":")
  }
}

/// Reads digits and marks from the front of a text.
private struct Scanner {
  private var rest: Substring.UTF8View

  init(_ text: Substring) { rest = text.utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ byte: UInt8) -> Bool {
    guard rest.first == byte else { return false }
    rest.removeFirst()
    return true
  }

  mutating func digits(_ count: Int, below limit: Int64) -> Int64? {
    var number: Int64 = 0
    for _ in 0..<count {
      guard let byte = rest.first, (48...57).contains(byte) else { return nil }
      number = number * 10 + Int64(byte - 48)
      rest.removeFirst()
    }
    return number < limit ? number : nil
  }

  /// `09:30[:15[.123456]]`, as milliseconds of the day.
  mutating func clock() -> Int64? {
    guard let hour = digits(2, below: 24), take(58), let minute = digits(2, below: 60) else {
      return nil
    }
    var milliseconds = (hour * 60 + minute) * 60_000
    guard take(58) else { return milliseconds }
    guard let second = digits(2, below: 60) else { return nil }
    milliseconds += second * 1000
    guard take(46) || take(44) else { return milliseconds }
    var unit: Int64 = 100
    var count = 0
    while let digit = digits(1, below: 10) {
      milliseconds += digit * unit
      unit /= 10
      count += 1
    }
    return (1...9).contains(count) ? milliseconds : nil
  }

  /// `Z`, `+09:00`, `-0330` or `+09`, in seconds.
  mutating func offset() -> Int64? {
    if take(90) || take(122) { return 0 }
    let isWest = rest.first == 45
    guard take(43) || take(45), let hours = digits(2, below: 24) else { return nil }
    _ = take(58)
    let minutes = isAtEnd ? 0 : digits(2, below: 60)
    guard let minutes else { return nil }
    let seconds = (hours * 60 + minutes) * 60
    return isWest ? -seconds : seconds
  }
}
