// records/query: the query dictionary.

package enum Comparator: String, Sendable, Hashable, CaseIterable {
  case equals = "EQUALS"
  case notEquals = "NOT_EQUALS"
  case lessThan = "LESS_THAN"
  case lessThanOrEquals = "LESS_THAN_OR_EQUALS"
  case greaterThan = "GREATER_THAN"
  case greaterThanOrEquals = "GREATER_THAN_OR_EQUALS"
  case near = "NEAR"
  case containsAllTokens = "CONTAINS_ALL_TOKENS"
  case containsAnyTokens = "CONTAINS_ANY_TOKENS"
  case isIn = "IN"
  case isNotIn = "NOT_IN"
  case listContains = "LIST_CONTAINS"
  case notListContains = "NOT_LIST_CONTAINS"
  case listContainsAny = "LIST_CONTAINS_ANY"
  case notListContainsAny = "NOT_LIST_CONTAINS_ANY"
  case listContainsAll = "LIST_CONTAINS_ALL"
  case notListContainsAll = "NOT_LIST_CONTAINS_ALL"
  case beginsWith = "BEGINS_WITH"
  case notBeginsWith = "NOT_BEGINS_WITH"
  case listMemberBeginsWith = "LIST_MEMBER_BEGINS_WITH"
  case notListMemberBeginsWith = "NOT_LIST_MEMBER_BEGINS_WITH"
}

/// What the service itself keeps about each record.
package enum SystemField: String, Sendable, Hashable, CaseIterable {
  case recordName, share, parent
  case createdUserRecordName, createdTimestamp
  case modifiedUserRecordName, modifiedTimestamp

  /// Reads the public names and the stored ones (`___recordID`).
  package init?(name: String) {
    if let field = SystemField(rawValue: name) {
      self = field
      return
    }
    switch name {
    case "___recordID": self = .recordName
    case "___share": self = .share
    case "___parent": self = .parent
    case "___createdBy": self = .createdUserRecordName
    case "___createTime": self = .createdTimestamp
    case "___modifiedBy": self = .modifiedUserRecordName
    case "___modTime": self = .modifiedTimestamp
    default: return nil
    }
  }
}

/// What a filter or a sort looks at.
package enum QueryKey: Sendable, Hashable {
  case field(String)
  case system(SystemField)

  /// The name of a field of the record's own.
  package var fieldName: String? {
    if case .field(let name) = self { name } else { nil }
  }
}

package struct QueryFilter: Sendable, Hashable {
  package var comparator: Comparator
  package var key: QueryKey
  package var value: WireField
  /// Metres, for NEAR.
  package var distance: Double?

  package init(
    _ key: QueryKey, _ comparator: Comparator, _ value: WireField, distance: Double? = nil
  ) {
    self.key = key
    self.comparator = comparator
    self.value = value
    self.distance = distance
  }
}

package struct QuerySort: Sendable, Hashable {
  package var key: QueryKey
  package var ascending: Bool
  /// Sort by the distance from here.
  package var relativeLocation: WireLocation?

  package init(_ key: QueryKey, ascending: Bool = true, relativeLocation: WireLocation? = nil) {
    self.key = key
    self.ascending = ascending
    self.relativeLocation = relativeLocation
  }
}

package struct RecordQuery: Sendable, Hashable {
  package var recordType: String
  package var filters: [QueryFilter] = []
  package var sorts: [QuerySort] = []

  package init(_ recordType: String, filters: [QueryFilter] = [], sorts: [QuerySort] = []) {
    self.recordType = recordType
    self.filters = filters
    self.sorts = sorts
  }
}

package struct QueryRequest: Sendable, Hashable {
  package var query: RecordQuery
  package var zoneID: ZoneID?
  package var zoneWide = false
  package var resultsLimit: Int?
  package var continuationMarker: String?
  package var desiredKeys: [String]?
  package var numbersAsStrings: Bool?

  package init(_ query: RecordQuery, in zoneID: ZoneID? = nil) {
    self.query = query
    self.zoneID = zoneID
  }
}

// MARK: - JSON

extension QueryKey {
  private static func key(
    field: String?, system: String?, at offset: Int
  ) throws(MalformedMessage) -> QueryKey {
    if let system {
      guard let field = SystemField(name: system) else {
        throw MalformedMessage("an unknown systemFieldName", at: offset)
      }
      return .system(field)
    }
    guard let field else { throw MalformedMessage("a fieldName is missing", at: offset) }
    return field.hasPrefix("___")
      ? SystemField(name: field).map { .system($0) } ?? .field(field)
      : .field(field)
  }

  static func read(
    field: JSONValue?, system: JSONValue?, at offset: Int
  ) throws(MalformedMessage) -> QueryKey {
    try key(field: field?.string, system: system?.string, at: offset)
  }

  fileprivate func write(to writer: inout JSONWriter) {
    switch self {
    case .field(let name): writer.member("fieldName", name)
    case .system(let field): writer.member("systemFieldName", field.rawValue)
    }
  }
}

extension QueryFilter: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    let start = reader.offset
    var word: String?
    var field: JSONValue?
    var system: JSONValue?
    var value: WireField?
    var distance: Double?
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "comparator": word = try reader.readValue().string
      case "fieldName": field = try reader.readValue()
      case "systemFieldName": system = try reader.readValue()
      case "fieldValue": value = try WireField(from: &reader)
      case "distance": distance = try reader.readValue().number
      default: try reader.skip()
      }
    }
    guard let comparator = word.flatMap({ Comparator(rawValue: $0) }) else {
      throw MalformedMessage("a filter needs a known comparator", at: start)
    }
    guard let value else { throw MalformedMessage("a filter needs a fieldValue", at: start) }
    let key = try QueryKey.read(field: field, system: system, at: start)
    self.init(key, comparator, value, distance: distance)
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("comparator", comparator.rawValue)
      key.write(to: &$0)
      $0.member("fieldValue", value)
      $0.member("distance", distance)
    }
  }
}

extension QuerySort: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    let start = reader.offset
    let json = try reader.readValue()
    let key = try QueryKey.read(
      field: json["fieldName"], system: json["systemFieldName"], at: start)
    self.init(key, ascending: json["ascending"]?.truth ?? true)
    guard let place = json["relativeLocation"], !place.isNull else { return }
    do throws(UnfitValue) {
      relativeLocation = try WireLocation(place["value"] ?? place)
    } catch {
      throw MalformedMessage(error.reason, at: start)
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      key.write(to: &$0)
      $0.member("ascending", ascending)
      $0.member("relativeLocation", relativeLocation.map { WireField.location($0) })
    }
  }
}

extension RecordQuery: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    let start = reader.offset
    var type: String?
    var filters: [QueryFilter] = []
    var sorts: [QuerySort] = []
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "recordType": type = try reader.readValue().string
      case "filterBy": filters = try reader.readOneOrMore()
      case "sortBy": sorts = try reader.readOneOrMore()
      default: try reader.skip()
      }
    }
    guard let type else { throw MalformedMessage("a query needs a recordType", at: start) }
    self.init(type, filters: filters, sorts: sorts)
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("recordType", recordType)
      if !filters.isEmpty { $0.member("filterBy", filters) }
      if !sorts.isEmpty { $0.member("sortBy", sorts) }
    }
  }
}

extension QueryRequest: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    self.init(RecordQuery(""))
    let start = reader.offset
    var hasQuery = false
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "query":
        query = try RecordQuery(from: &reader)
        hasQuery = true
      case "zoneID": zoneID = try reader.readZoneID()
      case "zoneWide": zoneWide = try reader.readFlag() ?? false
      case "resultsLimit": resultsLimit = try reader.readCount()
      case "continuationMarker": continuationMarker = try reader.readOptionalString()
      case "desiredKeys": desiredKeys = try reader.readStrings()
      case "numbersAsStrings", "numberAsStrings": numbersAsStrings = try reader.readFlag()
      default: try reader.skip()
      }
    }
    guard hasQuery else { throw MalformedMessage("the query is missing", at: start) }
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("query", query)
      $0.member("zoneID", zoneID)
      if zoneWide { $0.member("zoneWide", true) }
      $0.member("resultsLimit", resultsLimit)
      $0.member("continuationMarker", continuationMarker)
      $0.member("desiredKeys", desiredKeys)
      $0.member("numbersAsStrings", numbersAsStrings)
    }
  }
}

extension JSONReader {
  /// An array of messages, or a single one without its brackets, or null.
  fileprivate mutating func readOneOrMore<Message: WireReadable>() throws(MalformedMessage)
    -> [Message]
  {
    if try peek() == .object { return [try Message(from: &self)] }
    return try readMessages() ?? []
  }
}
