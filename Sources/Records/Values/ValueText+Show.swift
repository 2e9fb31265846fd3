// Values into text, for three readers: a person who looks, a person who edits, a file.

extension ValueText {
  /// For people to look at: instants in local time, tags with blanks between.
  ///
  /// References show their ids: who has their titles shows those instead. Control characters are
  /// still in it; the terminal shows them as symbols.
  package static func show(_ value: Value, in time: LocalTime) -> String {
    switch value {
    case .dateTime(let stamp): TimestampText.local(stamp, in: time)
    case .tags(let tags): tags.tags.joined(separator: ", ")
    case .references(let ids): ids.map(\.description).joined(separator: ", ")
    case .attachment(let file): file.name
    default: flat(value)
    }
  }

  /// For a form: reads back to the same value in the same time zone (attachments excepted).
  package static func edit(_ value: Value, in time: LocalTime) -> String {
    if case .dateTime(let stamp) = value { return TimestampText.local(stamp, in: time) }
    return flat(value)
  }

  /// For a file: reads back to the same value in any time zone (attachments excepted).
  package static func flat(_ value: Value) -> String {
    switch value {
    case .empty: ""
    case .text(let text): text
    case .integer(let number): String(number)
    case .number(let number): NumberText.text(number)
    case .decimal(let decimal): decimal.text
    case .boolean(let flag): flag ? "true" : "false"
    case .date(let date): date.text
    case .dateTime(let stamp): TimestampText.utc(stamp)
    case .tags(let tags): tags.tags.map(listPart).joined(separator: ",")
    case .location(let location): location.text
    case .reference(let id): id.description
    case .references(let ids): ids.map(\.description).joined(separator: ",")
    case .attachment(let file): file.name
    }
  }
}
