/// A zone's name and whose it is.
package struct ZoneID: Sendable, Hashable {
  /// The zone that every database has.
  package static let defaultName = "_defaultZone"

  package var zoneName: String
  /// A user's record name; nil means the caller.
  package var ownerRecordName: String?
  /// Only in responses: `REGULAR_CUSTOM_ZONE` or `DEFAULT_ZONE`.
  package var zoneType: String?

  package init(_ zoneName: String, ownerRecordName: String? = nil, zoneType: String? = nil) {
    self.zoneName = zoneName
    self.ownerRecordName = ownerRecordName
    self.zoneType = zoneType
  }

  /// Nil unless it is an object with a zoneName, or (some clients) the bare name.
  package init?(_ json: JSONValue) {
    if let name = json.string {
      self.init(name)
      return
    }
    guard let name = json["zoneName"]?.string else { return nil }
    self.init(
      name, ownerRecordName: json["ownerRecordName"]?.string, zoneType: json["zoneType"]?.string)
  }

  package var isDefault: Bool { zoneName == Self.defaultName }
}

extension ZoneID: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    let start = reader.offset
    guard let id = ZoneID(try reader.readValue()) else {
      throw MalformedMessage("a zoneID needs a zoneName", at: start)
    }
    self = id
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("zoneName", zoneName)
      $0.member("ownerRecordName", ownerRecordName)
      $0.member("zoneType", zoneType)
    }
  }
}
