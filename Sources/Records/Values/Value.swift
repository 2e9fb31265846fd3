// The values that a field can hold, as the domain sees them. How a value looks in SQLite, on the
// wire and on the command line is written where it is used; the table is DESIGN.md 2.

/// One field's value.
///
/// `empty` is what SQLite keeps as NULL and JSON as null.
///
/// Equality is exact: two values are equal when every device would store the same bytes for them.
package enum Value: Hashable, Sendable {
  case empty
  /// `text`, `longText`, `url`, `email`, `choice`. Never the empty string (``Value/text(nonEmpty:)``).
  case text(String)
  /// `integer` and `counter`.
  case integer(Int64)
  /// `number`: finite, never negative zero (``Value/number(finite:)``).
  case number(Double)
  case decimal(Decimal)
  case boolean(Bool)
  case date(CalendarDate)
  /// Milliseconds since 1970 UTC.
  case dateTime(Timestamp)
  case tags(TagSet)
  case location(Location)
  case reference(RecordID)
  /// Ascending, without duplicates (``Value/references(sorted:)``).
  case references([RecordID])
  case attachment(Attachment)

  package var isEmpty: Bool { if case .empty = self { true } else { false } }

  package static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.empty, .empty): true
    case (.text(let a), .text(let b)): ExactText.isSame(a, b)
    case (.integer(let a), .integer(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.decimal(let a), .decimal(let b)): a == b
    case (.boolean(let a), .boolean(let b)): a == b
    case (.date(let a), .date(let b)): a == b
    case (.dateTime(let a), .dateTime(let b)): a == b
    case (.tags(let a), .tags(let b)): a == b
    case (.location(let a), .location(let b)): a == b
    case (.reference(let a), .reference(let b)): a == b
    case (.references(let a), .references(let b)): a == b
    case (.attachment(let a), .attachment(let b)): a == b
    default: false
    }
  }

  /// A text; empty when nothing is written in it.
  package static func text(nonEmpty text: String) -> Value { text.isEmpty ? .empty : .text(text) }

  /// A number, or nothing for an infinite or undefined one.
  ///
  /// Negative zero becomes zero.
  package static func number(finite number: Double) -> Value? {
    guard number.isFinite else { return nil }
    return .number(number == 0 ? 0 : number)
  }

  /// Several references as a set; empty when there is none.
  package static func references(sorted ids: some Sequence<RecordID>) -> Value {
    let unique = Set(ids).sorted()
    return unique.isEmpty ? .empty : .references(unique)
  }

  /// Tags as a set; empty when there is none.
  package static func tags(nonEmpty tags: TagSet) -> Value { tags.isEmpty ? .empty : .tags(tags) }
}

/// A set of tags, kept ascending by bytes so that its storage form is canonical.
package struct TagSet: Hashable, Sendable {
  private let elements: [ExactText]

  /// Trims nothing; drops empty tags and duplicates.
  package init(_ tags: some Sequence<String>) { self.init(exact: tags.map(ExactText.init)) }

  /// Drops empty tags and duplicates.
  package init(exact tags: some Sequence<ExactText>) {
    elements = Set(tags.filter { !$0.text.isEmpty }).sorted()
  }

  package var tags: [String] { elements.map(\.text) }
  package var isEmpty: Bool { elements.isEmpty }
  package func contains(_ tag: String) -> Bool { elements.contains(ExactText(tag)) }
  package func union(_ other: TagSet) -> TagSet { TagSet(tags + other.tags) }
  package func subtracting(_ other: TagSet) -> TagSet {
    TagSet(tags.filter { !other.contains($0) })
  }
}

/// An instant: whole milliseconds since 1970-01-01 UTC.
package struct Timestamp: Hashable, Sendable, Comparable {
  package let milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }
}

/// A place on the earth, in degrees (WGS 84).
package struct Location: Hashable, Sendable {
  package let latitude: Double
  package let longitude: Double

  /// Nothing unless latitude is within ±90 and longitude within ±180.
  package init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = latitude == 0 ? 0 : latitude
    self.longitude = longitude == 0 ? 0 : longitude
  }

  /// `lat,lon` with the fewest digits that read back to the same numbers.
  package var text: String { "\(NumberText.text(latitude)),\(NumberText.text(longitude))" }

  /// Reads ``text``; blanks around the numbers are taken.
  package init?(text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2,
      let latitude = NumberText.number(trimmed(parts[0])),
      let longitude = NumberText.number(trimmed(parts[1]))
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }
}

/// What a record says of an attached file.
///
/// The bytes are in the store, under their hash.
package struct Attachment: Hashable, Sendable {
  /// SHA-256 of the content: 64 lower-case hexadecimal digits.
  package let hash: String
  /// The file's name as its owner called it: data, never a path to write to.
  package let name: String
  /// In bytes.
  package let size: Int64

  package init(hash: String, name: String, size: Int64) {
    self.hash = hash
    self.name = name
    self.size = size
  }

  package static func == (a: Self, b: Self) -> Bool {
    a.hash == b.hash && a.size == b.size && ExactText.isSame(a.name, b.name)
  }
}

extension Value {
  /// The records that it refers to.
  package var targets: [RecordID] {
    switch self {
    case .reference(let id): [id]
    case .references(let ids): ids
    default: []
    }
  }
}

/// Numbers as text, the same on every device and in every locale.
package enum NumberText {
  /// The shortest text that reads back to the same number; whole numbers without a fraction.
  package static func text(_ number: Double) -> String {
    if number == number.rounded(), abs(number) < 1e15 { return String(Int64(number)) }
    return "\(number)"
  }

  /// Reads a finite decimal number; no hexadecimal, no words.
  package static func number(_ text: some StringProtocol) -> Double? {
    let allowed = text.utf8.allSatisfy {
      (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0)
    }
    guard allowed, let number = Double(text), number.isFinite else { return nil }
    return number == 0 ? 0 : number
  }
}

func trimmed(_ text: Substring) -> Substring {
  var rest = text
  while let first = rest.first, first.isWhitespace { rest.removeFirst() }
  while let last = rest.last, last.isWhitespace { rest.removeLast() }
  return rest
}
