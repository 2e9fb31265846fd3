// Stored records as the wire has them. The fields are stored as they are answered, so that the
// common case is a copy of bytes.

internal import CloudKitWire

struct RecordEncoder: Sendable {
  /// Nil means all.
  var desiredKeys: [String]?
  var numbersAsStrings: Bool
  var zoneID: ZoneID
  /// Makes the short-lived URL of an asset.
  var downloadURL: @Sendable (_ digest: String, _ bytes: Int64) -> String

  func write(_ record: StoredRecord, to writer: inout JSONWriter) {
    if record.isDeleted {
      writeTombstone(record.name, to: &writer)
      return
    }
    writer.beginObject()
    writer.member("recordName", record.name)
    writer.member("recordType", record.type)
    writer.key("fields")
    writeFields(record, to: &writer)
    writer.key("pluginFields")
    writer.object { _ in }
    writer.member("recordChangeTag", record.changeTag)
    stamp("created", record.createdAt, record.createdBy, to: &writer)
    stamp("modified", record.modifiedAt, record.modifiedBy, to: &writer)
    writer.member("deleted", false)
    if let parent = record.parent {
      writer.key("parent")
      writer.object { $0.member("recordName", parent) }
    }
    writer.member("zoneID", zoneID)
    writer.endObject()
  }

  func writeTombstone(_ name: String, to writer: inout JSONWriter) {
    writer.object {
      $0.member("recordName", name)
      $0.member("deleted", true)
      $0.member("zoneID", zoneID)
    }
  }

  private func stamp(
    _ name: String, _ milliseconds: Int64, _ user: String, to writer: inout JSONWriter
  ) {
    writer.key(name)
    writer.object {
      $0.member("timestamp", milliseconds)
      $0.member("userRecordName", user)
      $0.member("deviceID", "2")
    }
  }

  private func writeFields(_ record: StoredRecord, to writer: inout JSONWriter) {
    if let desiredKeys, desiredKeys.isEmpty {
      writer.object { _ in }
      return
    }
    guard desiredKeys != nil || numbersAsStrings || record.hasAssets else {
      writer.raw(record.fields.utf8)
      return
    }
    var fields = StoredFields.read(record.fields)
    if let desiredKeys {
      let wanted = Set(desiredKeys)
      fields = fields.filter { wanted.contains($0.key) }
    }
    if record.hasAssets { fields = fields.mapValues(withURL) }
    WireRecord.write(fields, to: &writer, numbersAsStrings: numbersAsStrings)
  }

  private func withURL(_ field: WireField) -> WireField {
    var field = field
    field.value = field.value.map(withURL)
    return field
  }

  private func withURL(_ value: WireValue) -> WireValue {
    switch value {
    case .asset(var asset):
      guard let digest = AssetDigest.hex(of: asset) else { return value }
      asset.downloadURL = downloadURL(digest, asset.size ?? 0)
      return .asset(asset)
    case .list(let elements): return .list(elements.map(withURL))
    default: return value
    }
  }
}

/// The fields object between its stored text and its values.
enum StoredFields {
  static func read(_ text: String) -> [String: WireField] {
    let record = try? WireRecord(body: Array("{\"fields\":".utf8) + Array(text.utf8) + [0x7D])
    // What the service wrote itself it can read; a damaged row shows no fields rather than none
    // of the zone.
    return record?.fields ?? [:]
  }

  /// Some of the fields, stepping over the others.
  static func read(_ text: String, only names: Set<String>) -> [String: WireField] {
    guard !names.isEmpty else { return [:] }
    var fields: [String: WireField] = [:]
    do throws(MalformedMessage) {
      var reader = JSONReader(Array(text.utf8))
      try reader.beginObject()
      while let name = try reader.nextName() {
        if names.contains(name) {
          fields[name] = try WireField(from: &reader)
        } else {
          try reader.skip()
        }
      }
    } catch {
      // A damaged row shows no fields, as above.
      return [:]
    }
    return fields
  }

  static func write(_ fields: [String: WireField]) -> String {
    var writer = JSONWriter(reserving: 512)
    WireRecord.write(fields, to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

/// The digest that names a file, inside an asset dictionary.
enum AssetDigest {
  /// Hex SHA-256, from the checksum that the upload answered.
  static func hex(of asset: WireAsset) -> String? {
    guard let bytes = asset.fileChecksum.flatMap({ Base64.decode($0) }), bytes.count == 32 else {
      return nil
    }
    return Hex.encode(bytes)
  }
}
