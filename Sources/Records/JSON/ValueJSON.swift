// Values as JSON and back: the column "JSON" of DESIGN.md 2.

/// Values as JSON, exactly as stored.
package enum ValueJSON {
  package static func json(_ value: Value) -> JSON {
    switch value {
    case .empty: .null
    case .text(let text): .string(text)
    case .integer(let number): .integer(number)
    case .number(let number): .number(number)
    case .decimal(let decimal): .string(decimal.text)
    case .boolean(let flag): .boolean(flag)
    case .date(let date): .string(date.text)
    case .dateTime(let stamp): .string(TimestampText.utc(stamp))
    case .tags(let tags): .array(tags.tags.map(JSON.string))
    case .location(let place):
      ["lat": .number(place.latitude), "lon": .number(place.longitude)]
    case .reference(let id): .string(id.description)
    case .references(let ids): .array(ids.map { .string($0.description) })
    case .attachment(let file):
      ["name": .string(file.name), "bytes": .integer(file.size), "sha256": .string(file.hash)]
    }
  }

  /// Appends a value without making a tree of it.
  package static func append(_ value: Value, to bytes: inout [UInt8]) {
    switch value {
    case .text(let text): JSON.append(text, to: &bytes)
    case .integer(let number): JSON.append(number, to: &bytes)
    default: json(value).append(to: &bytes)
    }
  }

  /// Reads what ``json(_:)`` writes, and what other programs write for it.
  ///
  /// A string is read like an argument where the field holds something else (`"5"`, `"true"`), a
  /// number becomes text in a text field, digit by digit.
  package static func read(
    _ json: JSON, as type: FieldType, in time: LocalTime
  ) throws(ValueMistake) -> Value {
    switch (json, type) {
    case (.null, _): return .empty
    case (.array(let elements), .tags):
      return .tags(nonEmpty: TagSet(try strings(elements, .tags)))
    case (.array(let elements), .references):
      var ids: [RecordID] = []
      for text in try strings(elements, .reference) {
        guard let id = RecordID(text) else { throw .reference }
        ids.append(id)
      }
      return .references(sorted: ids)
    case (.object, .location): return .location(try location(json))
    case (.object, .attachment): return .attachment(try attachment(json))
    case (.string(let text), .tags): return .tags(nonEmpty: TagSet([text]))
    case (.string(let text), _): return try ValueText.read(text, as: type, in: time)
    case (.boolean(let flag), .boolean): return .boolean(flag)
    case (.boolean(let flag), .text), (.boolean(let flag), .longText):
      return .text(flag ? "true" : "false")
    default: break
    }
    guard let digits = digits(json) else { throw expected(type) }
    return try number(json, digits, type, in: time)
  }

  private static func digits(_ json: JSON) -> String? {
    switch json {
    case .integer(let number): String(number)
    case .number(let number): NumberText.text(number)
    case .numeral(let digits): digits
    default: nil
    }
  }

  private static func number(
    _ json: JSON, _ digits: String, _ type: FieldType, in time: LocalTime
  ) throws(ValueMistake) -> Value {
    switch type {
    case .integer, .counter:
      if case .integer(let number) = json { return .integer(number) }
      // `5.0` and `5e0` are whole numbers too.
      guard let number = Double(digits) else { throw .integer }
      guard let whole = Int64(exactly: number) else {
        throw number == number.rounded() ? .integerRange : .integer
      }
      return .integer(whole)
    case .boolean where json == .integer(0) || json == .integer(1):
      return .boolean(json == .integer(1))
    case .number, .decimal, .text, .longText, .choice:
      return try ValueText.read(digits, as: type, in: time)
    default: throw expected(type)
    }
  }

  private static func strings(
    _ elements: [JSON], _ mistake: ValueMistake
  ) throws(ValueMistake) -> [String] {
    var result: [String] = []
    for element in elements {
      guard case .string(let text) = element else { throw mistake }
      result.append(text)
    }
    return result
  }

  private static func location(_ json: JSON) throws(ValueMistake) -> Location {
    let parts = ["lat", "lon"].compactMap { json[$0].flatMap(digits).flatMap(Double.init) }
    guard parts.count == 2, let place = Location(latitude: parts[0], longitude: parts[1]) else {
      throw .location
    }
    return place
  }

  private static func attachment(_ json: JSON) throws(ValueMistake) -> Attachment {
    guard case .string(let name) = json["name"], case .integer(let size) = json["bytes"],
      case .string(let hash) = json["sha256"], size >= 0, hash.utf8.count == 64,
      hash.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    else { throw .attachment }
    return Attachment(hash: hash, name: name, size: size)
  }

  /// The mistake that names what the type takes.
  private static func expected(_ type: FieldType) -> ValueMistake {
    switch type {
    case .text, .longText: .text
    case .url: .url
    case .email: .email
    case .choice(let choices): .choice(choices)
    case .integer, .counter: .integer
    case .number: .number
    case .decimal: .decimal
    case .boolean: .boolean
    case .date: .date
    case .dateTime: .dateTime
    case .tags: .tags
    case .location: .location
    case .reference, .references: .reference
    case .attachment: .attachment
    }
  }
}
