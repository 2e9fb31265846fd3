// assets/upload, the upload itself, and assets/rereference.

/// A field that an asset is for: asked with a field name, answered with a URL.
package struct AssetToken: Sendable, Hashable {
  package var recordName: String?
  package var recordType: String?
  package var fieldName: String?
  package var url: String?

  package init(recordName: String?, recordType: String? = nil, fieldName: String?) {
    self.recordName = recordName
    self.recordType = recordType
    self.fieldName = fieldName
  }
}

package struct AssetUploadMessage: Sendable, Hashable {
  package var tokens: [AssetToken]
  package var zoneID: ZoneID?

  package init(_ tokens: [AssetToken], in zoneID: ZoneID? = nil) {
    self.tokens = tokens
    self.zoneID = zoneID
  }
}

package struct RereferenceRequest: Sendable, Hashable {
  package var assets: [AssetToken]
  package var zoneID: ZoneID?

  package init(_ assets: [AssetToken], in zoneID: ZoneID? = nil) {
    self.assets = assets
    self.zoneID = zoneID
  }
}

/// What an upload answers: the value to put into the record's field.
package struct SingleFile: Sendable, Hashable {
  package var asset: WireAsset

  package init(_ asset: WireAsset) {
    self.asset = asset
  }
}

// MARK: - JSON

extension AssetToken: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    let json = try reader.readValue()
    self.init(
      recordName: json["recordName"]?.string, recordType: json["recordType"]?.string,
      fieldName: json["fieldName"]?.string)
    url = json["url"]?.string
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("recordName", recordName)
      $0.member("recordType", recordType)
      $0.member("fieldName", fieldName)
      $0.member("url", url)
    }
  }
}

extension AssetUploadMessage: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    let (tokens, zoneID) = try reader.readList("tokens", of: AssetToken.self)
    self.init(tokens, in: zoneID)
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("tokens", tokens)
      $0.member("zoneID", zoneID)
    }
  }
}

extension RereferenceRequest: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    let (assets, zoneID) = try reader.readList("assets", of: AssetToken.self)
    self.init(assets, in: zoneID)
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("assets", assets)
      $0.member("zoneID", zoneID)
    }
  }
}

extension SingleFile: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    let start = reader.offset
    var read: WireAsset?
    try reader.beginObject()
    while let name = try reader.nextName() {
      if name == "singleFile" { read = try WireAsset(from: &reader) } else { try reader.skip() }
    }
    guard let read else { throw MalformedMessage("singleFile is missing", at: start) }
    self.init(read)
  }

  package func write(to writer: inout JSONWriter) {
    writer.object { $0.member("singleFile", asset) }
  }
}
