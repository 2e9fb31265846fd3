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

  /// The same, straight from a body; nil for what is no zone id.
  init?(reading reader: inout JSONReader) throws(MalformedMessage) {
    guard try reader.peek() == .object else {
      self.init(try reader.readValue())
      return
    }
    var zoneName: String?
    var owner: String?
    var type: String?
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "zoneName": zoneName = try reader.readValue().string
      case "ownerRecordName": owner = try reader.readValue().string
      case "zoneType": type = try reader.readValue().string
      default: try reader.skip()
      }
    }
    guard let zoneName else { return nil }
    self.init(zoneName, ownerRecordName: owner, zoneType: type)
  }

  package var isDefault: Bool { zoneName == Self.defaultName }
}

extension ZoneID: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    let start = reader.offset
    guard let id = try ZoneID(reading: &reader) else {
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
