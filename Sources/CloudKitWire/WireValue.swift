// The value of a field, and the rules by which JSON becomes one.

/// A typed value.
///
/// Doubles are finite, timestamps whole milliseconds since 1970 UTC.
package enum WireValue: Sendable, Hashable {
  case string(String)
  case int64(Int64)
  case double(Double)
  case timestamp(Int64)
  case bytes([UInt8])
  indirect case location(WireLocation)
  indirect case reference(WireReference)
  indirect case asset(WireAsset)
  case list([WireValue])
}

/// A place.
///
/// Metres, degrees and metres a second, as Core Location has them.
package struct WireLocation: Sendable, Hashable {
  package var latitude: Double
  package var longitude: Double
  package var horizontalAccuracy: Double?
  package var verticalAccuracy: Double?
  package var altitude: Double?
  package var speed: Double?
  package var course: Double?
  /// Whole milliseconds since 1970 UTC.
  package var timestamp: Int64?

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A pointer to another record.
package struct WireReference: Sendable, Hashable {
  package enum Action: String, Sendable, Hashable {
    case none = "NONE"
    /// Deleting the target deletes the record that holds this.
    case deleteSelf = "DELETE_SELF"
    /// The target must exist, and can't be deleted while this points at it.
    case validate = "VALIDATE"
  }

  package var recordName: String
  /// Nil means the zone of the record that holds it.
  package var zoneID: ZoneID?
  /// Nil only inside a query's filter.
  package var action: Action?

  package init(recordName: String, zoneID: ZoneID? = nil, action: Action? = Action.none) {
    self.recordName = recordName
    self.zoneID = zoneID
    self.action = action
  }
}

/// An uploaded file, as the upload answered it or as a record shows it.
package struct WireAsset: Sendable, Hashable {
  package var fileChecksum: String?
  package var size: Int64?
  package var receipt: String?
  package var referenceChecksum: String?
  package var wrappingKey: String?
  /// Only in responses; short-lived.
  package var downloadURL: String?

  package init(
    fileChecksum: String? = nil, size: Int64? = nil, receipt: String? = nil,
    referenceChecksum: String? = nil, wrappingKey: String? = nil, downloadURL: String? = nil
  ) {
    self.fileChecksum = fileChecksum
    self.size = size
    self.receipt = receipt
    self.referenceChecksum = referenceChecksum
    self.wrappingKey = wrappingKey
    self.downloadURL = downloadURL
  }
}

/// Why a JSON value is not a field's value; the reason is a clause without the value in it.
package struct UnfitValue: Error, Sendable, Hashable {
  package let reason: String

  package init(_ reason: String) {
    self.reason = reason
  }
}

extension WireValue {
  /// Reads a value of a known type.
  package init(_ json: JSONValue, as type: FieldType) throws(UnfitValue) {
    switch type {
    case .string:
      guard let text = json.string else { throw UnfitValue("a string is expected") }
      self = .string(text)
    case .int64:
      // Booleans are integers in storage, and some clients send them as they are.
      if case .bool(let flag) = json {
        self = .int64(flag ? 1 : 0)
        return
      }
      guard let number = json.wholeNumber else {
        throw UnfitValue("an integer of 64 bits is expected")
      }
      self = .int64(number)
    case .double:
      guard let number = json.number else { throw UnfitValue("a number is expected") }
      self = .double(number)
    case .timestamp:
      guard let milliseconds = json.wholeNumber else {
        throw UnfitValue("whole milliseconds are expected")
      }
      self = .timestamp(milliseconds)
    case .bytes, .encryptedBytes:
      guard let data = json.string.flatMap({ Base64.decode($0) }) else {
        throw UnfitValue("base64 is expected")
      }
      self = .bytes(data)
    case .location: self = .location(try WireLocation(json))
    case .reference: self = .reference(try WireReference(json))
    case .asset: self = .asset(try WireAsset(json))
    case .unknownList:
      guard let elements = json.array else { throw UnfitValue("a list is expected") }
      guard elements.isEmpty else { throw UnfitValue("a list needs the type of its elements") }
      self = .list([])
    default:
      guard let elements = json.array, let element = type.element else {
        throw UnfitValue("a list is expected")
      }
      self = .list(try elements.map { json throws(UnfitValue) in try WireValue(json, as: element) })
    }
  }

  /// The type that a value without a tag has.
  ///
  /// Timestamps and bytes can't be told from numbers and strings, so they are never inferred.
  package static func inferredType(of json: JSONValue) throws(UnfitValue) -> FieldType {
    switch json {
    case .string: return .string
    case .int: return .int64
    // Written with a fraction or an exponent, be it of zero: the writer means a double.
    case .double: return .double
    case .bool: return .int64
    case .object:
      if json["recordName"] != nil { return .reference }
      if json["latitude"] != nil { return .location }
      if json["fileChecksum"] != nil || json["receipt"] != nil { return .asset }
      throw UnfitValue("the type of an object can't be told")
    case .array(let elements):
      guard let first = elements.first else { return .unknownList }
      var element = try inferredType(of: first)
      for other in elements.dropFirst() {
        let type = try inferredType(of: other)
        guard type != element else { continue }
        guard [type, element].allSatisfy({ $0 == .int64 || $0 == .double }) else {
          throw UnfitValue("a list has elements of different types")
        }
        element = .double
      }
      guard let list = element.list else { throw UnfitValue("a list in a list") }
      return list
    case .null: throw UnfitValue("null has no type")
    }
  }

  /// Writes the value.
  ///
  /// `type` tells bytes from strings; numbers become strings when asked.
  package func write(to writer: inout JSONWriter, numbersAsStrings: Bool = false) {
    switch self {
    case .string(let text): writer.string(text)
    case .int64(let number):
      if numbersAsStrings { writer.string(String(number)) } else { writer.int(number) }
    case .double(let number):
      if numbersAsStrings { writer.string(number.description) } else { writer.double(number) }
    case .timestamp(let milliseconds): writer.int(milliseconds)
    case .bytes(let data): writer.base64(data)
    case .location(let location): location.write(to: &writer)
    case .reference(let reference): reference.write(to: &writer)
    case .asset(let asset): asset.write(to: &writer)
    case .list(let elements):
      writer.array {
        for element in elements { element.write(to: &$0, numbersAsStrings: numbersAsStrings) }
      }
    }
  }
}

extension WireValue {
  /// What the value counts towards the size of a record: text and bytes by their length, whatever
  /// has a fixed size by that.
  ///
  /// An asset's file does not count.
  package var byteCount: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .int64, .double, .timestamp: 8
    case .bytes(let data): data.count
    case .location: 64
    case .reference(let reference):
      reference.recordName.utf8.count + (reference.zoneID?.zoneName.utf8.count ?? 0) + 8
    case .asset: 64
    case .list(let elements): elements.reduce(0) { $0 + $1.byteCount }
    }
  }
}

extension WireLocation: WireWritable {
  init(_ json: JSONValue) throws(UnfitValue) {
    guard let latitude = json["latitude"]?.number, let longitude = json["longitude"]?.number else {
      throw UnfitValue("a location needs latitude and longitude")
    }
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
      throw UnfitValue("a location lies off the globe")
    }
    self.init(latitude: latitude, longitude: longitude)
    horizontalAccuracy = try Self.number("horizontalAccuracy", of: json)
    verticalAccuracy = try Self.number("verticalAccuracy", of: json)
    altitude = try Self.number("altitude", of: json)
    speed = try Self.number("speed", of: json)
    course = try Self.number("course", of: json)
    if let stamp = json["timestamp"], !stamp.isNull {
      guard let milliseconds = stamp.wholeNumber else {
        throw UnfitValue("a location's timestamp is whole milliseconds")
      }
      timestamp = milliseconds
    }
  }

  private static func number(
    _ name: String, of json: JSONValue
  ) throws(UnfitValue) -> Double? {
    guard let member = json[name], !member.isNull else { return nil }
    guard let number = member.number else {
      throw UnfitValue("a location's \(name) is a number")
    }
    return number
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("latitude", latitude)
      $0.member("longitude", longitude)
      $0.member("horizontalAccuracy", horizontalAccuracy)
      $0.member("verticalAccuracy", verticalAccuracy)
      $0.member("altitude", altitude)
      $0.member("speed", speed)
      $0.member("course", course)
      $0.member("timestamp", timestamp)
    }
  }
}

extension WireReference: WireWritable {
  init(_ json: JSONValue) throws(UnfitValue) {
    guard let name = json["recordName"]?.string else {
      throw UnfitValue("a reference needs a recordName")
    }
    var zone: ZoneID?
    if let json = json["zoneID"], !json.isNull {
      guard let id = ZoneID(json) else { throw UnfitValue("a reference's zoneID needs a name") }
      zone = id
    }
    var action: Action?
    if let word = json["action"], !word.isNull {
      guard let known = word.string.flatMap({ Action(rawValue: $0) }) else {
        throw UnfitValue("a reference's action is NONE, DELETE_SELF or VALIDATE")
      }
      action = known
    }
    self.init(recordName: name, zoneID: zone, action: action)
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("recordName", recordName)
      $0.member("action", action?.rawValue)
      $0.member("zoneID", zoneID)
    }
  }
}

extension WireAsset: WireReadable, WireWritable {
  init(_ json: JSONValue) throws(UnfitValue) {
    guard case .object = json else { throw UnfitValue("an asset is an object") }
    self.init(
      fileChecksum: json["fileChecksum"]?.string, size: json["size"]?.wholeNumber,
      receipt: json["receipt"]?.string, referenceChecksum: json["referenceChecksum"]?.string,
      wrappingKey: json["wrappingKey"]?.string, downloadURL: json["downloadURL"]?.string)
    guard fileChecksum != nil || receipt != nil else {
      throw UnfitValue("an asset needs its fileChecksum and receipt")
    }
  }

  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    let start = reader.offset
    let json = try reader.readValue()
    do throws(UnfitValue) {
      self = try WireAsset(json)
    } catch {
      throw MalformedMessage(error.reason, at: start)
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("fileChecksum", fileChecksum)
      $0.member("size", size)
      $0.member("receipt", receipt)
      $0.member("referenceChecksum", referenceChecksum)
      $0.member("wrappingKey", wrappingKey)
      $0.member("downloadURL", downloadURL)
    }
  }
}
