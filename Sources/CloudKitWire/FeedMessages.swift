// The change feeds: changes/database, changes/zone, and their deprecated forms.

/// One zone of a changes/zone request, or the whole of a records/changes request.
package struct ZoneChangesQuery: Sendable, Hashable {
  package var zoneID: ZoneID?
  package var syncToken: String?
  package var resultsLimit: Int?
  package var desiredKeys: [String]?
  /// Nil and empty both mean all types.
  package var desiredRecordTypes: [String]?
  package var reverse: Bool?
  package var numbersAsStrings: Bool?

  package init(zoneID: ZoneID? = nil, syncToken: String? = nil) {
    self.zoneID = zoneID
    self.syncToken = syncToken
  }
}

package struct ZoneChangesRequest: Sendable, Hashable {
  package var zones: [ZoneChangesQuery] = []
  /// What holds for every zone that does not say otherwise; its zoneID and syncToken are nil.
  package var common = ZoneChangesQuery()

  package init(_ zones: [ZoneChangesQuery] = []) {
    self.zones = zones
  }

  /// Each zone with what it takes from the request.
  package var resolved: [ZoneChangesQuery] {
    zones.map { zone in
      var full = zone
      full.resultsLimit = zone.resultsLimit ?? common.resultsLimit
      full.desiredKeys = zone.desiredKeys ?? common.desiredKeys
      full.desiredRecordTypes = zone.desiredRecordTypes ?? common.desiredRecordTypes
      full.reverse = zone.reverse ?? common.reverse
      full.numbersAsStrings = zone.numbersAsStrings ?? common.numbersAsStrings
      return full
    }
  }
}

/// What one zone answered: a page of changes.
package struct ZoneChangesPage: Sendable, Hashable {
  package var zoneID: ZoneID?
  package var records: [RecordResult] = []
  package var syncToken: String?
  package var moreComing = false

  package init() {}
}

package enum ZoneChangesResult: Sendable, Hashable {
  case page(ZoneChangesPage)
  case failure(ServiceError)
}

package struct ZoneChangesResponse: Sendable, Hashable {
  package var zones: [ZoneChangesResult] = []

  package init() {}
}

/// changes/database, and zones/changes with its other name for the token.
package struct DatabaseChangesRequest: Sendable, Hashable {
  package var syncToken: String?
  package var resultsLimit: Int?

  package init(syncToken: String? = nil) {
    self.syncToken = syncToken
  }
}

package struct DatabaseChangesResponse: Sendable, Hashable {
  package struct Zone: Sendable, Hashable {
    package var zoneID: ZoneID
    package var deleted: Bool
  }

  package var zones: [Zone] = []
  package var syncToken: String?
  package var moreComing = false

  package init() {}
}

// MARK: - JSON

extension ZoneChangesQuery: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    self.init()
    // pyicloud and old clients send the bare zone id, or its members beside the token.
    var bareName: String?
    var owner: String?
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "zoneName": bareName = try reader.readOptionalString()
      case "ownerRecordName": owner = try reader.readOptionalString()
      default: if try !read(name, from: &reader) { try reader.skip() }
      }
    }
    if zoneID == nil, let bareName { zoneID = ZoneID(bareName, ownerRecordName: owner) }
  }

  /// True when the member was one of these.
  mutating func read(
    _ name: String, from reader: inout JSONReader
  ) throws(MalformedMessage) -> Bool {
    switch name {
    case "zoneID": zoneID = try reader.readZoneID()
    case "syncToken": syncToken = try reader.readOptionalString()
    case "resultsLimit": resultsLimit = try reader.readCount()
    case "desiredKeys": desiredKeys = try reader.readStrings()
    case "desiredRecordTypes": desiredRecordTypes = try reader.readStrings()
    case "reverse": reverse = try reader.readFlag()
    case "numbersAsStrings", "numberAsStrings": numbersAsStrings = try reader.readFlag()
    default: return false
    }
    return true
  }

  package func write(to writer: inout JSONWriter) {
    writer.object { writeMembers(to: &$0) }
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("zoneID", zoneID)
    writer.member("syncToken", syncToken)
    writer.member("resultsLimit", resultsLimit)
    writer.member("desiredKeys", desiredKeys)
    writer.member("desiredRecordTypes", desiredRecordTypes)
    writer.member("reverse", reverse)
    writer.member("numbersAsStrings", numbersAsStrings)
  }
}

extension ZoneChangesRequest: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    self.init()
    let start = reader.offset
    var hasZones = false
    try reader.beginObject()
    while let name = try reader.nextName() {
      if name == "zones" {
        guard let read = try reader.readMessages(ZoneChangesQuery.self) else { continue }
        zones = read
        hasZones = true
      } else if try !common.read(name, from: &reader) {
        try reader.skip()
      }
    }
    guard hasZones else { throw MalformedMessage("zones are missing", at: start) }
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("zones", zones)
      common.writeMembers(to: &$0)
    }
  }
}

extension ZoneChangesPage {
  /// True when the member was one of these.
  fileprivate mutating func read(
    _ name: String, from reader: inout JSONReader
  ) throws(MalformedMessage) -> Bool {
    switch name {
    case "zoneID": zoneID = try reader.readZoneID()
    case "records": records = try reader.readMessages() ?? []
    case "syncToken": syncToken = try reader.readOptionalString()
    case "moreComing": moreComing = try reader.readFlag() ?? false
    default: return false
    }
    return true
  }
}

extension ZoneChangesResult: WireReadable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    var page = ZoneChangesPage()
    var error = ServiceError.Parts()
    try reader.beginObject()
    while let name = try reader.nextName() {
      if try page.read(name, from: &reader) { continue }
      if try !error.read(name, from: &reader) { try reader.skip() }
    }
    if var failure = error.failure {
      failure.zoneID = page.zoneID
      self = .failure(failure)
    } else {
      self = .page(page)
    }
  }
}

extension ZoneChangesResponse: WireReadable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    self.init()
    try reader.beginObject()
    while let name = try reader.nextName() {
      if name == "zones" { zones = try reader.readMessages() ?? [] } else { try reader.skip() }
    }
  }
}

extension DatabaseChangesRequest: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    self.init()
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "syncToken", "metaSyncToken":
        if let token = try reader.readOptionalString() { syncToken = token }
      case "resultsLimit": resultsLimit = try reader.readCount()
      default: try reader.skip()
      }
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("syncToken", syncToken)
      $0.member("resultsLimit", resultsLimit)
    }
  }
}

extension DatabaseChangesResponse: WireReadable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    self.init()
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "zones": zones = try reader.readMessages() ?? []
      case "syncToken", "metaSyncToken": syncToken = try reader.readOptionalString()
      case "moreComing": moreComing = try reader.readFlag() ?? false
      default: try reader.skip()
      }
    }
  }
}

extension DatabaseChangesResponse.Zone: WireReadable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    let start = reader.offset
    let json = try reader.readValue()
    guard let id = json["zoneID"].flatMap({ ZoneID($0) }) else {
      throw MalformedMessage("a zone needs a zoneID", at: start)
    }
    self.init(zoneID: id, deleted: json["deleted"]?.truth ?? false)
  }
}
