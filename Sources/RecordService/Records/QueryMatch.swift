// Whether a record passes a query's filters.
//
// A field that a record lacks passes no comparator but the negative ones: what is absent is not
// equal, not in a list, does not begin with anything. (Apple's text leaves it open; written down
// in RecordService.docc.)

internal import CloudKitWire

/// A record with its fields read, as filters and sorts look at it.
struct QueryRecord {
  let stored: StoredRecord
  let fields: [String: WireField]

  /// Reads those fields; nil means all.
  init(_ stored: StoredRecord, reading names: Set<String>?) {
    self.stored = stored
    fields =
      names.map { StoredFields.read(stored.fields, only: $0) } ?? StoredFields.read(stored.fields)
  }

  func value(of key: QueryKey) -> WireValue? {
    switch key {
    case .field(let name): fields[name]?.value
    case .system(.recordName): .string(stored.name)
    case .system(.createdTimestamp): .timestamp(stored.createdAt)
    case .system(.modifiedTimestamp): .timestamp(stored.modifiedAt)
    case .system(.createdUserRecordName):
      .reference(WireReference(recordName: stored.createdBy))
    case .system(.modifiedUserRecordName):
      .reference(WireReference(recordName: stored.modifiedBy))
    case .system(.parent): stored.parent.map { .reference(WireReference(recordName: $0)) }
    case .system(.share): nil
    }
  }
}

struct QueryMatch: Sendable {
  /// Each is tried on every record; nobody has a use for more.
  private static let filtersMax = 100

  private let filters: [QueryFilter]

  /// Throws for a filter that can't mean anything.
  init(_ query: RecordQuery) throws {
    filters = query.filters
    guard filters.count <= Self.filtersMax else {
      throw ServiceError(.badRequest, "A query has at most \(Self.filtersMax) filters.")
    }
    for filter in filters {
      guard
        filter.value.value != nil || filter.comparator == .equals
          || filter.comparator == .notEquals
      else { throw ServiceError(.badRequest, "A filter's fieldValue is missing.") }
      switch filter.comparator {
      case .near:
        guard case .location = filter.value.value, let distance = filter.distance, distance >= 0
        else {
          throw ServiceError(.badRequest, "NEAR needs a location and a distance in metres.")
        }
      case .isIn, .isNotIn, .listContainsAny, .notListContainsAny, .listContainsAll,
        .notListContainsAll:
        guard case .list = filter.value.value else {
          throw ServiceError(.badRequest, "\(filter.comparator.rawValue) needs a list.")
        }
      default: continue
      }
    }
  }

  /// The fields that the filters look at.
  var fieldNames: [String] { filters.compactMap(\.key.fieldName) }

  /// The only names that a record which passes can have; nil when no filter says so.
  ///
  /// Then nobody has to look at every record of the type.
  var recordNames: [String]? {
    for filter in filters where filter.key == .system(.recordName) {
      switch (filter.comparator, filter.value.value) {
      case (.equals, let value?): return Self.names([value])
      case (.isIn, .list(let values)?): return Self.names(values)
      default: continue
      }
    }
    return nil
  }

  private static func names(_ values: [WireValue]) -> [String] {
    values.compactMap { value in
      switch value {
      case .string(let name): name
      case .reference(let reference): reference.recordName
      default: nil
      }
    }
  }

  /// A field and the values of which a record that passes has one; nil when no filter says so.
  var lookup: (field: String, values: [IndexedValue])? {
    for filter in filters {
      guard let field = filter.key.fieldName else { continue }
      let wanted: [WireValue]
      switch (filter.comparator, filter.value.value) {
      case (.equals, let value?): wanted = [value]
      case (.isIn, .list(let values)?): wanted = values
      default: continue
      }
      let values = wanted.compactMap { IndexedValue($0) }
      if values.count == wanted.count { return (field, values) }
    }
    return nil
  }

  func matches(_ record: QueryRecord) -> Bool {
    filters.allSatisfy { Self.passes(record.value(of: $0.key), $0) }
  }

  private static func passes(_ value: WireValue?, _ filter: QueryFilter) -> Bool {
    guard let wanted = filter.value.value else {
      return (value == nil) == (filter.comparator == .equals)
    }
    let list = if case .list(let elements) = value { elements } else { [WireValue]() }
    let options = if case .list(let elements) = wanted { elements } else { [wanted] }
    let has: (WireValue) -> Bool = { option in list.contains { isSame($0, option) } }
    switch filter.comparator {
    case .equals: return value.map { isSame($0, wanted) } ?? false
    case .notEquals: return value.map { !isSame($0, wanted) } ?? true
    case .lessThan: return order(value, wanted).map { $0 < 0 } ?? false
    case .lessThanOrEquals: return order(value, wanted).map { $0 <= 0 } ?? false
    case .greaterThan: return order(value, wanted).map { $0 > 0 } ?? false
    case .greaterThanOrEquals: return order(value, wanted).map { $0 >= 0 } ?? false
    case .near:
      guard case .location(let here) = value, case .location(let there) = wanted else {
        return false
      }
      return here.metres(to: there) <= (filter.distance ?? 0)
    case .containsAllTokens:
      return QueryTokens.of(wanted).isSubset(of: QueryTokens.of(value))
    case .containsAnyTokens:
      return !QueryTokens.of(wanted).isDisjoint(with: QueryTokens.of(value))
    case .isIn: return value.map { value in options.contains { isSame(value, $0) } } ?? false
    case .isNotIn:
      return value.map { value in !options.contains { isSame(value, $0) } } ?? true
    case .listContains: return has(wanted)
    case .notListContains: return !has(wanted)
    case .listContainsAny: return options.contains(where: has)
    case .notListContainsAny: return !options.contains(where: has)
    case .listContainsAll: return options.allSatisfy(has)
    case .notListContainsAll: return !options.allSatisfy(has)
    case .beginsWith: return begins(value, wanted)
    case .notBeginsWith: return !begins(value, wanted)
    case .listMemberBeginsWith: return list.contains { begins($0, wanted) }
    case .notListMemberBeginsWith: return !list.contains { begins($0, wanted) }
    }
  }

  /// Equal as a query means it: numbers by value, references by the record they name.
  static func isSame(_ one: WireValue, _ other: WireValue) -> Bool {
    switch (one, other) {
    case (.reference(let left), .reference(let right)):
      left.recordName.isExactly(right.recordName)
    case (.reference(let left), .string(let right)): left.recordName.isExactly(right)
    // The name of a record, asked for as a reference.
    case (.string(let left), .reference(let right)): left.isExactly(right.recordName)
    case (.location(let left), .location(let right)):
      left.latitude == right.latitude && left.longitude == right.longitude
    case (.asset(let left), .asset(let right)): left.fileChecksum == right.fileChecksum
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
    default: order(one, other) == 0
    }
  }

  /// Below, at or above zero; nil when the two can't be ordered.
  static func order(_ one: WireValue?, _ other: WireValue) -> Int? {
    switch (one, other) {
    case (.string(let left), .string(let right)): compare(left, right)
    case (.bytes(let left), .bytes(let right)):
      left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    case (.double(let left), .double(let right)): compare(left, right)
    case (.int64(let left), .double(let right)), (.timestamp(let left), .double(let right)):
      compare(left, right)
    case (.double(let left), .int64(let right)), (.double(let left), .timestamp(let right)):
      compare(right, left).map { -$0 }
    case (.int64(let left), .int64(let right)), (.timestamp(let left), .timestamp(let right)),
      (.int64(let left), .timestamp(let right)), (.timestamp(let left), .int64(let right)):
      compare(left, right)
    case (.reference(let left), .reference(let right)):
      compare(left.recordName, right.recordName)
    default: nil
    }
  }

  /// By bytes, which is by code points, as the storage orders names.
  private static func compare(_ left: String, _ right: String) -> Int? {
    if left.isExactly(right) { return 0 }
    return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
  }

  private static func compare<Value: Comparable>(_ left: Value, _ right: Value) -> Int? {
    left < right ? -1 : left == right ? 0 : 1
  }

  /// An integer against a double, without losing the low bits of a large one.
  private static func compare(_ left: Int64, _ right: Double) -> Int? {
    if let exact = Int64(exactly: right) { return compare(left, exact) }
    if right >= 9.2e18 { return -1 }
    if right <= -9.2e18 { return 1 }
    return Double(left) < right ? -1 : 1
  }

  private static func begins(_ value: WireValue?, _ wanted: WireValue) -> Bool {
    guard case .string(let text) = value, case .string(let start) = wanted else { return false }
    return text.utf8.starts(with: start.utf8)
  }
}

/// The words of a text, for the token comparators.
enum QueryTokens {
  static func of(_ value: WireValue?) -> Set<String> {
    switch value {
    case .string(let text): words(of: text)
    case .list(let elements): elements.reduce(into: []) { $0.formUnion(of($1)) }
    default: []
    }
  }

  /// Runs of letters and digits, in lower case.
  private static func words(of text: String) -> Set<String> {
    Set(text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
  }
}
