// The order of a query's results, and the place of a record in it, so that a page can begin where
// the last one ended although records have come and gone.

internal import CloudKitWire

/// Where a record stands in a sorted query.
struct QueryPlace: Sendable {
  /// One for each sort; nil when the record lacks the field.
  var keys: [WireValue?]
  /// The zone's name: its number would tell how many zones others have made.
  var zone: String
  var name: String
}

struct QueryOrder: Sendable {
  /// A marker holds a value for each.
  private static let sortsMax = 16
  /// Text and bytes sort by so many of their first bytes, which a marker holds.
  private static let keyBytesMax = 1_024
  /// Above all that the sorts can come to.
  private static let markerBytesMax = 200_000

  private let sorts: [QuerySort]

  init(_ query: RecordQuery) throws {
    sorts = query.sorts
    guard sorts.count <= Self.sortsMax else {
      throw ServiceError(.badRequest, "A query has at most \(Self.sortsMax) sorts.")
    }
  }

  /// The fields by which it sorts.
  var fieldNames: [String] { sorts.compactMap(\.key.fieldName) }

  var isByName: Bool { sorts.isEmpty }

  func place(of record: QueryRecord, in zone: String) -> QueryPlace {
    QueryPlace(
      keys: sorts.map { sort in
        let value = record.value(of: sort.key)
        guard let here = sort.relativeLocation else { return value.flatMap(Self.key) }
        guard case .location(let place) = value else { return nil }
        return .double(here.metres(to: place))
      },
      zone: zone, name: record.stored.name)
  }

  /// The part of a value by which it sorts; nil for kinds that have no order.
  private static func key(_ value: WireValue) -> WireValue? {
    switch value {
    case .string(let text) where text.utf8.count > keyBytesMax:
      var end = text.utf8.index(text.startIndex, offsetBy: keyBytesMax)
      // Not in the middle of a character's bytes.
      while text.utf8[end] & 0xC0 == 0x80 { end = text.utf8.index(before: end) }
      return .string(String(text[..<end]))
    case .bytes(let data): return .bytes(Array(data.prefix(keyBytesMax)))
    case .list, .location, .asset: return nil
    default: return value
    }
  }

  /// Absent values come last, whichever way the others go; ties go by zone and name.
  func isBefore(_ one: QueryPlace, _ other: QueryPlace) -> Bool {
    for (sort, pair) in zip(sorts, zip(one.keys, other.keys)) {
      switch pair {
      case (nil, nil): continue
      case (nil, _): return false
      case (_, nil): return true
      case (let left?, let right?):
        let order = QueryMatch.order(left, right) ?? 0
        if order != 0 { return (order < 0) == sort.ascending }
      }
    }
    if !one.zone.isExactly(other.zone) { return Self.precedes(one.zone, other.zone) }
    return Self.precedes(one.name, other.name)
  }

  /// By bytes, as the storage orders names.
  static func precedes(_ one: String, _ other: String) -> Bool {
    one.utf8.lexicographicallyPrecedes(other.utf8)
  }

  // MARK: Markers

  /// An opaque text for the place, bound to the query that it belongs to.
  func marker(_ place: QueryPlace, digest: String) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("q", digest)
      writer.member("z", place.zone)
      writer.member("n", place.name)
      writer.key("k")
      writer.array { writer in
        for key in place.keys {
          guard let key, let type = Self.type(of: key) else {
            writer.null()
            continue
          }
          WireField(key, type).write(to: &writer)
        }
      }
    }
    return Base64.encode(writer.bytes)
  }

  func place(_ marker: String, digest: String) throws -> QueryPlace {
    let unknown = ServiceError(.badRequest, "The continuationMarker is not of this query.")
    guard marker.utf8.count <= Self.markerBytesMax, let bytes = Base64.decode(marker) else {
      throw unknown
    }
    var reader = JSONReader(bytes)
    guard let json = try? reader.readValue(), json["q"]?.string == digest,
      let zone = json["z"]?.string, let name = json["n"]?.string,
      let keys = json["k"]?.array, keys.count == sorts.count
    else { throw unknown }
    return QueryPlace(
      keys: try keys.map { key in
        if key.isNull { return nil }
        guard let tag = key["type"]?.string, let type = FieldType(tag: tag),
          let value = key["value"], let read = try? WireValue(value, as: type)
        else { throw unknown }
        return read
      },
      zone: zone, name: name)
  }

  private static func type(of value: WireValue) -> FieldType? {
    switch value {
    case .string: .string
    case .int64: .int64
    case .double: .double
    case .timestamp: .timestamp
    case .bytes: .bytes
    case .location: .location
    case .reference: .reference
    case .asset: .asset
    case .list: nil
    }
  }
}
