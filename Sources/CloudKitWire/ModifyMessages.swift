// records/modify and records/lookup.

/// What an operation does, and so what it demands of the record's change tag.
package enum OperationType: String, Sendable, Hashable, CaseIterable {
  case create, update, forceUpdate, replace, forceReplace, delete, forceDelete

  /// Whether it needs the tag of the record as it stands.
  package var needsTag: Bool { self == .update || self == .replace || self == .delete }
  package var isDelete: Bool { self == .delete || self == .forceDelete }
  package var isReplace: Bool { self == .replace || self == .forceReplace }
  package var isForced: Bool {
    self == .forceUpdate || self == .forceReplace || self == .forceDelete
  }
}

package struct RecordOperation: Sendable, Hashable {
  /// Nil when the sender used a word that the protocol lacks.
  package var type: OperationType?
  package var record: WireRecord
  /// Nil means all fields; empty means none.
  package var desiredKeys: [String]?
  package var numbersAsStrings: Bool?

  package init(_ type: OperationType?, _ record: WireRecord, desiredKeys: [String]? = nil) {
    self.type = type
    self.record = record
    self.desiredKeys = desiredKeys
  }
}

package struct ModifyRequest: Sendable, Hashable {
  package var operations: [RecordOperation] = []
  package var zoneID: ZoneID?
  /// Nil means true in custom zones; elsewhere it has no meaning.
  package var atomic: Bool?
  package var desiredKeys: [String]?
  package var numbersAsStrings: Bool?

  package init(
    _ operations: [RecordOperation] = [], in zoneID: ZoneID? = nil, atomic: Bool? = nil
  ) {
    self.operations = operations
    self.zoneID = zoneID
    self.atomic = atomic
  }
}

package struct RecordsResponse: Sendable, Hashable {
  package var records: [RecordResult] = []
  package var continuationMarker: String?
  package var syncToken: String?

  package init() {}
}

package struct LookupRequest: Sendable, Hashable {
  package struct Name: Sendable, Hashable {
    package var recordName: String?
    package var desiredKeys: [String]?
    /// Only some clients say it here; the request's own zone comes first.
    package var zoneID: ZoneID?

    package init(_ recordName: String?) {
      self.recordName = recordName
    }
  }

  package var records: [Name] = []
  package var zoneID: ZoneID?
  package var desiredKeys: [String]?
  package var numbersAsStrings: Bool?

  package init(_ names: [String] = [], in zoneID: ZoneID? = nil) {
    records = names.map { Name($0) }
    self.zoneID = zoneID
  }
}

// MARK: - JSON

extension RecordOperation: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    self.init(nil, WireRecord())
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "operationType":
        type = try reader.readValue().string.flatMap { OperationType(rawValue: $0) }
      case "record":
        if try reader.peek() == .object {
          record = try WireRecord(from: &reader)
        } else {
          // That operation's own mistake.
          try reader.skip()
          record.fault = "the record is an object"
        }
      case "desiredKeys": desiredKeys = try reader.readStrings()
      case "numbersAsStrings", "numberAsStrings": numbersAsStrings = try reader.readFlag()
      default: try reader.skip()
      }
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("operationType", type?.rawValue)
      $0.member("record", record)
      $0.member("desiredKeys", desiredKeys)
      $0.member("numbersAsStrings", numbersAsStrings)
    }
  }
}

extension ModifyRequest: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    self.init()
    let start = reader.offset
    var hasOperations = false
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "operations":
        guard let read = try reader.readMessages(RecordOperation.self) else { continue }
        operations = read
        hasOperations = true
      case "zoneID": zoneID = try reader.readZoneID()
      case "atomic": atomic = try reader.readFlag()
      case "desiredKeys": desiredKeys = try reader.readStrings()
      case "numbersAsStrings", "numberAsStrings": numbersAsStrings = try reader.readFlag()
      default: try reader.skip()
      }
    }
    guard hasOperations else { throw MalformedMessage("operations are missing", at: start) }
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("operations", operations)
      $0.member("zoneID", zoneID)
      $0.member("atomic", atomic)
      $0.member("desiredKeys", desiredKeys)
      $0.member("numbersAsStrings", numbersAsStrings)
    }
  }
}

extension RecordsResponse: WireReadable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    self.init()
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "records": records = try reader.readMessages() ?? []
      case "continuationMarker": continuationMarker = try reader.readOptionalString()
      case "syncToken": syncToken = try reader.readOptionalString()
      default: try reader.skip()
      }
    }
  }
}

extension LookupRequest: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    self.init()
    let start = reader.offset
    var hasRecords = false
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "records":
        guard let read = try reader.readMessages(Name.self) else { continue }
        records = read
        hasRecords = true
      case "zoneID": zoneID = try reader.readZoneID()
      case "desiredKeys": desiredKeys = try reader.readStrings()
      case "numbersAsStrings", "numberAsStrings": numbersAsStrings = try reader.readFlag()
      default: try reader.skip()
      }
    }
    guard hasRecords else { throw MalformedMessage("records are missing", at: start) }
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("records", records)
      $0.member("zoneID", zoneID)
      $0.member("desiredKeys", desiredKeys)
      $0.member("numbersAsStrings", numbersAsStrings)
    }
  }
}

extension LookupRequest.Name: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    if try reader.peek() == .string {
      self.init(try reader.readString())
      return
    }
    self.init(nil)
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "recordName": recordName = try reader.readValue().string
      case "desiredKeys": desiredKeys = try reader.readStrings()
      case "zoneID": zoneID = ZoneID(try reader.readValue())
      default: try reader.skip()
      }
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("recordName", recordName)
      $0.member("desiredKeys", desiredKeys)
      $0.member("zoneID", zoneID)
    }
  }
}
