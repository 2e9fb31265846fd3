/// A day counted from today: `today`, `today+7d`, `today-2w`, `today+1m`, `today-1y`; also
/// `tomorrow` and `yesterday`.
package struct RelativeDay: Hashable, Sendable {
  package enum Unit: String, Hashable, Sendable, CaseIterable {
    case day = "d"
    case week = "w"
    case month = "m"
    case year = "y"
  }

  /// More than the calendar has days: what bounds a typed number.
  package static let countMax = 4_000_000

  package let count: Int
  package let unit: Unit

  package init(count: Int, unit: Unit) {
    self.count = Swift.max(-Self.countMax, Swift.min(count, Self.countMax))
    self.unit = count == 0 ? .day : unit
  }

  /// Nothing for anything else than the forms above; the unit may be left out for days.
  package init?(text: some StringProtocol) {
    switch String(text) {
    case "today": self.init(count: 0, unit: .day)
    case "tomorrow": self.init(count: 1, unit: .day)
    case "yesterday": self.init(count: -1, unit: .day)
    default:
      var rest = Substring(text)
      guard rest.hasPrefix("today") else { return nil }
      rest.removeFirst(5)
      guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
      rest.removeFirst()
      let unit = rest.last.flatMap { Unit(rawValue: String($0)) }
      if unit != nil { rest.removeLast() }
      guard !rest.isEmpty, rest.utf8.allSatisfy({ (48...57).contains($0) }),
        let count = Int(rest), count <= Self.countMax
      else { return nil }
      self.init(count: sign == "-" ? -count : count, unit: unit ?? .day)
    }
  }

  package var text: String {
    count == 0 ? "today" : "today\(count < 0 ? "-" : "+")\(abs(count))\(unit.rawValue)"
  }

  package func date(from today: CalendarDate) -> CalendarDate {
    switch unit {
    case .day: today.adding(days: count)
    case .week: today.adding(days: count * 7)
    case .month: today.adding(months: count)
    case .year: today.adding(months: count * 12)
    }
  }
}
