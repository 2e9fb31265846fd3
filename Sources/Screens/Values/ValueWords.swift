// Values as people read them in lists, records and histories: with titles for references, words for
// yes and no. Pure, but for the local zone.

internal import Records
internal import TerminalKit
internal import ViewModels
internal import Wording

/// Makes texts of values for people to look at.
struct ValueWords: Sendable {
  let words: Words
  let time: TimeSource

  /// The value, on as many lines as it has.
  ///
  /// - Parameter titles: What referred records are called; one that is missing is gone.
  func text(_ value: Value, titles: [RecordID: String] = [:]) -> String {
    switch value {
    case .boolean(let flag): flag ? words.yes : words.no
    case .reference(let id): titles[id] ?? words.goneRecord
    case .references(let ids):
      ids.map { titles[$0] ?? words.goneRecord }.joined(separator: ", ")
    case .attachment(let file): "\(file.name) (\(size(file.size)))"
    case .date(let date): date.text
    default: ValueText.show(value, in: time())
    }
  }

  /// More characters than any line shows.
  private static let lineCharactersMax = 2000

  /// The value on one line; a list's cell.
  func line(_ value: Value, titles: [RecordID: String] = [:]) -> String {
    switch value {
    case .boolean(let flag): return flag ? "✓" : "–"
    case .text(let text):
      // A character is a byte at least: only what may be longer is cut.
      let isShort = text.utf8.count <= Self.lineCharactersMax
      let text = isShort ? text : String(text.prefix(Self.lineCharactersMax))
      guard text.utf8.contains(10) else { return text }
      return text.split(separator: "\n").joined(separator: " ⏎ ")
    default: return text(value, titles: titles)
    }
  }

  /// The time of day when it was today, else the day and the time.
  func time(_ stamp: Timestamp) -> String {
    let zone = time()
    guard let (date, rest) = zone.local(stamp) else { return TimestampText.utc(stamp) }
    let minutes = Int(rest / 60_000)
    let clock = "\(two(minutes / 60)):\(two(minutes % 60))"
    return date == zone.today ? clock : "\(date.text) \(clock)"
  }

  /// `12 bytes`, `3.4 MB`.
  func size(_ bytes: Int64) -> String {
    let units = ["kB", "MB", "GB", "TB"]
    guard bytes >= 1000 else { return words.bytes(Int(bytes)) }
    var size = Double(bytes) / 1000
    var unit = 0
    while size >= 999.95, unit < units.count - 1 {
      size /= 1000
      unit += 1
    }
    return "\(NumberText.text((size * 10).rounded() / 10)) \(units[unit])"
  }

  /// The day of the week, which one wants to know of a date.
  func weekday(_ date: CalendarDate) -> String { words.phrases.weekdays[date.weekday - 1] }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
