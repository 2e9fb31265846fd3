// Values as any client of the service reads them (the "Wire" column of DESIGN.md 2), both ways.

package import CloudKitWire
package import Records

/// What a value is on its way, so that a reader whose model lacks the field still reads it: the
/// wire has fewer types than a library.
///
/// The raw values are part of the wire form.
package enum ValueKind: UInt8, Sendable, Hashable {
  case text = 1
  case integer, number, decimal, boolean, date, dateTime, tags, location, reference, references
  case attachment

  package init?(_ value: Value) {
    switch value {
    case .empty: return nil
    case .text: self = .text
    case .integer: self = .integer
    case .number: self = .number
    case .decimal: self = .decimal
    case .boolean: self = .boolean
    case .date: self = .date
    case .dateTime: self = .dateTime
    case .tags: self = .tags
    case .location: self = .location
    case .reference: self = .reference
    case .references: self = .references
    case .attachment: self = .attachment
    }
  }

  package init(_ type: Records.FieldType) {
    switch type {
    case .text, .longText, .url, .email, .choice: self = .text
    case .integer, .counter: self = .integer
    case .number: self = .number
    case .decimal: self = .decimal
    case .boolean: self = .boolean
    case .date: self = .date
    case .dateTime: self = .dateTime
    case .tags: self = .tags
    case .location: self = .location
    case .reference: self = .reference
    case .references: self = .references
    case .attachment: self = .attachment
    }
  }

  /// The tag of a field that holds such values.
  package var wireType: CloudKitWire.FieldType {
    switch self {
    case .text, .decimal, .date: .string
    case .integer, .boolean: .int64
    case .number: .double
    case .dateTime: .timestamp
    case .tags: .stringList
    case .location: .location
    case .reference: .reference
    case .references: .referenceList
    case .attachment: .asset
    }
  }
}

/// Turns values into fields of the wire and back.
package enum FieldWire {
  /// The field of a value; nothing for an attachment, whose bytes travel by themselves.
  ///
  /// - Parameter name: The record name of a referenced record.
  package static func field(_ value: Value, name: (RecordID) -> String) -> WireField? {
    switch value {
    case .empty, .attachment: nil
    case .text(let text): .string(text)
    case .integer(let number): .int64(number)
    case .number(let number): .double(number)
    case .decimal(let decimal): .string(decimal.text)
    case .boolean(let flag): .int64(flag ? 1 : 0)
    case .date(let date): .string(date.text)
    case .dateTime(let time): .timestamp(time.milliseconds)
    case .tags(let tags): .strings(tags.tags)
    case .location(let place):
      .location(WireLocation(latitude: place.latitude, longitude: place.longitude))
    case .reference(let id): .reference(WireReference(recordName: name(id)))
    case .references(let ids): .references(ids.map { WireReference(recordName: name($0)) })
    }
  }

  /// The value in a field; nothing where it holds what the kind can't be.
  package static func value(_ field: WireField, as kind: ValueKind) -> Value? {
    guard let value = field.value else { return .empty }
    switch (kind, value) {
    case (.text, .string(let text)): return .text(nonEmpty: text)
    case (.decimal, .string(let text)): return Decimal(text).map(Value.decimal)
    case (.date, .string(let text)): return CalendarDate(text: text).map(Value.date)
    case (.integer, .int64(let number)): return .integer(number)
    case (.boolean, .int64(let number)): return .boolean(number != 0)
    case (.number, .double(let number)): return .number(finite: number)
    case (.number, .int64(let number)): return .number(finite: Double(number))
    case (.decimal, .double(let number)): return Decimal("\(number)").map(Value.decimal)
    case (.decimal, .int64(let number)): return Decimal("\(number)").map(Value.decimal)
    case (.dateTime, .timestamp(let time)): return .dateTime(Timestamp(milliseconds: time))
    case (.tags, .list(let elements)):
      return .tags(
        nonEmpty: TagSet(elements.compactMap { if case .string(let tag) = $0 { tag } else { nil } })
      )
    case (.location, .location(let place)):
      return Location(latitude: place.latitude, longitude: place.longitude).map(Value.location)
    case (.reference, .reference(let reference)):
      return .reference(RecordNaming.id(of: reference.recordName))
    case (.references, .list(let elements)):
      return .references(
        sorted: elements.compactMap { element in
          guard case .reference(let reference) = element else { return nil }
          return RecordNaming.id(of: reference.recordName)
        })
    default: return nil
    }
  }
}

/// Record names and identities.
package enum RecordNaming {
  /// The identity of a record by its name on the service.
  ///
  /// Our own names are lower-case UUIDs. Any other one, as foreign writers choose them, stands for
  /// the same identity on every device.
  package static func id(of name: String) -> RecordID {
    if let id = RecordID(name), id.description == name { return id }
    let high = Digest64.of(name.utf8)
    let low = Digest64.of("skyros:\(name)".utf8)
    // Version 8 of RFC 9562: bits by a rule of our own.
    return RecordID(
      high: high & ~0xF000 | 0x8000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  /// The name to keep beside an identity; nothing where the identity's own text is the name.
  package static func keptName(_ name: String) -> String? {
    RecordNaming.id(of: name).description == name ? nil : name
  }

  /// The device that stands for a person who writes with some other program.
  package static func device(ofUser user: String) -> DeviceID {
    DeviceID(random: Digest64.of("user:\(user)".utf8))
  }
}
