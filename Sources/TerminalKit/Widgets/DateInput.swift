// A day to be entered: typed, or stepped to. UI actor.

package import UILoop

/// A date as text, with the weekday beside it.
///
/// Alt with the arrows (or + and - when the text is a whole date) steps a day; PgUp and PgDn a week; Alt
/// with PgUp and PgDn a month; C-t is today. Other text is kept as typed, for whoever
/// reads it to judge (`today+7d`, or a date with a time behind it).
@UI
package final class DateInput: Input {
  package var onChange: @UI () -> Void = {}
  private let today: @UI () -> CalendarDay
  private unowned let stage: Stage
  private let field: TextField

  package init(
    stage: Stage, _ text: String = "", placeholder: String = "YYYY-MM-DD",
    today: @escaping @UI () -> CalendarDay
  ) {
    self.stage = stage
    self.today = today
    field = TextField(text, placeholder: placeholder)
    field.onChange = { [unowned self] in onChange() }
  }

  package var text: String {
    get { field.text }
    set { field.text = newValue }
  }

  private var day: CalendarDay? { CalendarDay(String(field.text.prefix(10))) }

  /// Whether the text is a day and nothing more.
  private var isDay: Bool { CalendarDay(field.text) != nil }

  package func handle(_ event: InputEvent) -> Bool {
    guard case .key(let key) = event else { return field.handle(event) }
    switch (key.code, key.modifiers) {
    case (.up, .alt), (.up, .shift): return step { $0.adding(days: 1) }
    case (.down, .alt), (.down, .shift): return step { $0.adding(days: -1) }
    case (.pageUp, []): return step { $0.adding(days: 7) }
    case (.pageDown, []): return step { $0.adding(days: -7) }
    case (.pageUp, .alt), (.pageUp, .shift): return step { $0.adding(months: 1) }
    case (.pageDown, .alt), (.pageDown, .shift): return step { $0.adding(months: -1) }
    case (.character("+"), []) where isDay: return step { $0.adding(days: 1) }
    case (.character("-"), []) where isDay: return step { $0.adding(days: -1) }
    case (.character("t"), .control):
      field.enter(today().text)
      return true
    default: return field.handle(event)
    }
  }

  /// Steps from the entered day; an empty field becomes today first.
  private func step(_ move: (CalendarDay) -> CalendarDay?) -> Bool {
    if field.buffer.isEmpty {
      field.enter(today().text)
    } else if let next = day.flatMap(move) {
      field.enter(next.text + field.text.dropFirst(10))
    }
    return true
  }

  package func draw(in area: Rect, on grid: inout Grid, isFocused: Bool) {
    var area = area.line(0)
    if area.columns >= 20, let day, stage.phrases.weekdays.count == 7 {
      let beside = area.takeColumns(-6)
      grid.put(stage.phrases.weekdays[day.weekday], in: beside, .dim, align: .trailing)
    }
    field.draw(in: area, on: &grid, isFocused: isFocused)
  }
}
