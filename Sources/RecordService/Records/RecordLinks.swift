// What a record's fields refer to: other records, and files.

internal import CloudKitWire

struct RecordLinks {
  private(set) var pointers: [StoredPointer] = []
  private(set) var assets: [StoredAssetUse] = []
  /// The fields as they are kept: references say what they do, assets only what they are.
  private(set) var fields: [String: WireField]

  /// Checks and gathers.
  ///
  /// - Parameter held: how the record already refers to that file, so that an echoed asset needs no
  /// receipt.
  init(
    _ fields: [String: WireField], in zone: StoredZone, isReceipt: (WireAsset) -> Bool,
    held: (_ digest: String) throws -> StoredAssetUse?
  ) throws {
    self.fields = fields
    for (name, field) in fields {
      guard let value = field.value else { continue }
      let kept: WireValue
      switch value {
      case .reference, .asset: kept = try keep(value, name, zone, isReceipt, held)
      case .list(let elements):
        kept = .list(try elements.map { try keep($0, name, zone, isReceipt, held) })
      default: kept = value
      }
      self.fields[name] = WireField(kept, field.type, isEncrypted: field.isEncrypted)
    }
  }

  private mutating func keep(
    _ value: WireValue, _ field: String, _ zone: StoredZone, _ isReceipt: (WireAsset) -> Bool,
    _ held: (String) throws -> StoredAssetUse?
  ) throws -> WireValue {
    switch value {
    case .reference(let reference): .reference(try keep(reference, field, zone))
    case .asset(let asset): .asset(try keep(asset, field, isReceipt, held))
    default: value
    }
  }

  private mutating func keep(
    _ reference: WireReference, _ field: String, _ zone: StoredZone
  ) throws -> WireReference {
    guard NameRules.isRecordName(reference.recordName) else {
      throw ServiceError(.badRequest, "The field '\(field)' refers to no possible record.")
    }
    var kept = reference
    let action = reference.action ?? .none
    kept.action = action
    guard action != .none else { return kept }
    if let other = reference.zoneID, !other.zoneName.isExactly(zone.name) {
      throw ServiceError(
        .badRequest, "The field '\(field)': only an action of NONE reaches into another zone.")
    }
    pointers.append(StoredPointer(field: field, target: reference.recordName, action: action))
    return kept
  }

  private mutating func keep(
    _ asset: WireAsset, _ field: String, _ isReceipt: (WireAsset) -> Bool,
    _ held: (String) throws -> StoredAssetUse?
  ) throws -> WireAsset {
    guard let digest = AssetDigest.hex(of: asset) else {
      throw ServiceError(.badRequest, "The field '\(field)' has an asset without a fileChecksum.")
    }
    let bytes: Int64
    if isReceipt(asset), let size = asset.size {
      bytes = size
    } else if let use = try held(digest) {
      bytes = use.bytes
    } else {
      throw ServiceError(
        .badRequest,
        "The field '\(field)' has an asset without a valid receipt. Upload the file, or use "
          + "assets/rereference.")
    }
    assets.append(StoredAssetUse(field: field, digest: digest, bytes: bytes))
    return WireAsset(fileChecksum: asset.fileChecksum, size: bytes)
  }
}
