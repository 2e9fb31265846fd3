// zones/list, zones/lookup, zones/modify.

package enum ZoneOperationType: String, Sendable, Hashable {
  case create, delete
}

package struct ZoneOperation: Sendable, Hashable {
  package var type: ZoneOperationType?
  package var zoneID: ZoneID?

  package init(_ type: ZoneOperationType?, _ zoneID: ZoneID?) {
    self.type = type
    self.zoneID = zoneID
  }
}

package struct ZonesModifyRequest: Sendable, Hashable {
  package var operations: [ZoneOperation]

  package init(_ operations: [ZoneOperation]) {
    self.operations = operations
  }
}

package struct ZonesLookupRequest: Sendable, Hashable {
  package var zones: [ZoneID?]

  package init(_ zones: [ZoneID?]) {
    self.zones = zones
  }
}

/// A zone as the service describes it.
package struct WireZone: Sendable, Hashable {
  package var zoneID: ZoneID
  package var syncToken: String?
  package var atomic: Bool
  package var deleted = false

  package init(_ zoneID: ZoneID, syncToken: String?, atomic: Bool) {
    self.zoneID = zoneID
    self.syncToken = syncToken
    self.atomic = atomic
  }
}

package enum ZoneResult: Sendable, Hashable {
  case zone(WireZone)
  case failure(ServiceError)
}

package struct ZonesResponse: Sendable, Hashable {
  package var zones: [ZoneResult]

  package init(_ zones: [ZoneResult]) {
    self.zones = zones
  }
}

// MARK: - JSON

extension ZoneOperation: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    self.init(nil, nil)
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "operationType":
        type = try reader.readValue().string.flatMap { ZoneOperationType(rawValue: $0) }
      case "zone":
        let json = try reader.readValue()
        zoneID = ZoneID(json["zoneID"] ?? json)
      case "zoneID": zoneID = ZoneID(try reader.readValue())
      default: try reader.skip()
      }
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("operationType", type?.rawValue)
      $0.key("zone")
      $0.object { $0.member("zoneID", zoneID) }
    }
  }
}

extension ZonesModifyRequest: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    self.init(try reader.readList("operations", of: ZoneOperation.self).list)
  }

  package func write(to writer: inout JSONWriter) {
    writer.object { $0.member("operations", operations) }
  }
}

extension ZonesLookupRequest: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    let start = reader.offset
    let json = try reader.readValue()
    guard let zones = json["zones"]?.array else {
      throw MalformedMessage("zones are missing", at: start)
    }
    // Both forms occur: the bare zone id, and a zone dictionary around it.
    self.init(zones.map { ZoneID($0["zoneID"] ?? $0) })
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.key("zones")
      $0.array { for zone in zones { zone?.write(to: &$0) } }
    }
  }
}

extension WireZone: WireWritable {
  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("zoneID", zoneID)
      $0.member("syncToken", syncToken)
      $0.member("atomic", atomic)
      if deleted { $0.member("deleted", true) }
    }
  }
}

extension ZoneResult: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    let start = reader.offset
    var error = ServiceError.Parts()
    var zoneID: ZoneID?
    var token: String?
    var atomic = true
    var deleted = false
    try reader.beginObject()
    while let name = try reader.nextName() {
      if try error.read(name, from: &reader) { continue }
      switch name {
      case "zoneID": zoneID = ZoneID(try reader.readValue())
      case "syncToken": token = try reader.readOptionalString()
      case "atomic": atomic = try reader.readFlag() ?? true
      case "deleted": deleted = try reader.readFlag() ?? false
      default: try reader.skip()
      }
    }
    if var failure = error.failure {
      failure.zoneID = zoneID
      self = .failure(failure)
      return
    }
    guard let zoneID else { throw MalformedMessage("a zone needs a zoneID", at: start) }
    var zone = WireZone(zoneID, syncToken: token, atomic: atomic)
    zone.deleted = deleted
    self = .zone(zone)
  }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .zone(let zone): zone.write(to: &writer)
    case .failure(let error): error.write(to: &writer)
    }
  }
}

extension ZonesResponse: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    self.init([])
    try reader.beginObject()
    while let name = try reader.nextName() {
      if name == "zones" { zones = try reader.readMessages() ?? [] } else { try reader.skip() }
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.object { $0.member("zones", zones) }
  }
}
