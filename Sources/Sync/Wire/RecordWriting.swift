// A record on its way out: typed fields for every client, and the causal state for ours. Pure.

package import CloudKitWire
package import Records
package import RecordStore

/// An operation, and what an acknowledgement of it will mean.
package struct OutgoingRecord: Sendable {
  package let pending: PendingRecord
  package let name: String
  package let seen: SeenCopy?
  /// The operation as it is sent: written once.
  package let body: [UInt8]

  init(pending: PendingRecord, name: String, operation: RecordOperation, seen: SeenCopy?) {
    self.init(pending: pending, name: name, body: operation.body(), seen: seen)
  }

  init(pending: PendingRecord, name: String, body: [UInt8], seen: SeenCopy?) {
    self.pending = pending
    self.name = name
    self.body = body
    self.seen = seen
  }
}

package enum RecordWriting {
  /// Other clients see by it that a record is in the trash: 1.
  package static let deletedFieldName = "skyros_deleted"

  /// What to send for a pending change; nothing where the service never had what was purged here.
  ///
  /// - Parameters:
  ///   - names: Record names of referenced records that are not their id's text.
  ///   - assets: What the service answered to the upload of a file, by its hash.
  ///   - spill: What of the record travels in files.
  package static func outgoing(
    _ pending: PendingRecord, type: RecordType?, names: [RecordID: String],
    assets: [String: WireAsset] = [:], spill: Spill = Spill()
  ) -> OutgoingRecord? {
    let name = pending.remote?.name ?? pending.reference.id.description
    var record = WireRecord(recordName: name, recordType: pending.reference.type.name)
    record.recordChangeTag = pending.remote?.tag
    guard let state = pending.state, let type else {
      guard record.recordChangeTag != nil else { return nil }
      let operation = RecordOperation(.delete, record, desiredKeys: [])
      return OutgoingRecord(pending: pending, name: name, operation: operation, seen: nil)
    }
    let travelling = state.travelling(in: type)
    let isNew = record.recordChangeTag == nil
    for field in type.fields {
      let value = travelling.settledValue(of: field)
      if !spill.texts.contains(field.id),
        let wire = FieldWire.field(value, name: { names[$0] ?? $0.description })
      {
        record.fields[field.id.name] = wire
      } else if !isNew, value.isEmpty || spill.texts.contains(field.id) {
        // Cleared by name: a field that is not listed would keep its value.
        record.fields[field.id.name] = WireField(nil, ValueKind(field.type).wireType)
      }
    }
    var files = FileReferences(known: RecordFiles.seenFiles(of: pending), assets: assets)
    files.place(travelling, type, spill, into: &record)
    var checksums: [FieldID: String] = [:]
    for field in type.fields { checksums[field.id] = files.placed[field.id.name]?.checksum }
    let causal = CausalBytes.bytes(
      travelling, type: type, checksums: spill.hasState ? [:] : checksums)
    if spill.hasState {
      if !isNew { record.fields[CausalBytes.fieldName] = WireField(nil, .bytes) }
    } else {
      record.fields[CausalBytes.fieldName] = .bytes(causal)
    }
    let isDeleted = travelling.existence == .deleted
    if isDeleted || !isNew { record.fields[deletedFieldName] = .int64(isDeleted ? 1 : 0) }
    // `update` leaves the fields alone that only other clients know.
    let operation = RecordOperation(isNew ? .create : .update, record, desiredKeys: [])
    var seen = SeenCopy(
      causal: Digest64.of(causal), vector: travelling.vector, isDeleted: isDeleted)
    seen.files = files.placed
    return OutgoingRecord(pending: pending, name: name, operation: operation, seen: seen)
  }
}

/// The fields of one record that refer to files.
private struct FileReferences {
  let known: [String: SeenFile]
  let assets: [String: WireAsset]
  /// What the copy will refer to once the record is taken.
  private(set) var placed: [String: SeenFile] = [:]

  init(known: [String: SeenFile], assets: [String: WireAsset]) {
    self.known = known
    self.assets = assets
  }

  mutating func place(
    _ state: RecordState, _ type: RecordType, _ spill: Spill, into record: inout WireRecord
  ) {
    for (field, attachment) in RecordFiles.shownAttachments(state, type) {
      placeOne(field.name, attachment.hash, in: &record)
    }
    for (field, bytes) in RecordFiles.spilled(state, type, spill) {
      placeOne(field, ContentHash.of(bytes), in: &record)
    }
    placeOthers(RecordFiles.otherAttachments(state, type).map(\.hash), in: &record)
    for (field, _) in known where placed[field] == nil {
      let kind: CloudKitWire.FieldType = field == RecordFiles.othersField ? .assetList : .asset
      record.fields[field] = WireField(nil, kind)
    }
  }

  private mutating func placeOne(_ field: String, _ hash: String, in record: inout WireRecord) {
    if let file = known[field], file.hash == hash {
      placed[field] = file
    } else if let asset = assets[hash] {
      placed[field] = SeenFile(hash: hash, checksum: asset.fileChecksum ?? "")
      record.fields[field] = .asset(asset)
    }
  }

  /// A list is written whole: what the copy refers to already is asked for anew by its receipt.
  private mutating func placeOthers(_ hashes: [String], in record: inout WireRecord) {
    guard !hashes.isEmpty else { return }
    let field = RecordFiles.othersField
    let all = hashes.joined(separator: ",")
    if let file = known[field], file.hash == all {
      placed[field] = file
      return
    }
    let found = hashes.compactMap { hash in assets[hash].map { (hash, $0) } }
    guard !found.isEmpty else { return }
    placed[field] = SeenFile(
      hash: found.map(\.0).joined(separator: ","),
      checksum: found.map { $0.1.fileChecksum ?? "" }.joined(separator: ","))
    record.fields[field] = WireField(.list(found.map { .asset($0.1) }), .assetList)
  }
}
