// What of a record travels as files of the service, apart from the record: attached files, and what
// would make the record too long (DESIGN.md 2, "asset when the record would pass 700 KB"). Pure.

package import CloudKitWire
package import Records
package import RecordStore

/// A file that a record refers to and that the service has to hold before it.
package struct NeededFile: Sendable, Hashable {
  package let record: String
  package let type: String
  /// The field of the wire that will refer to it.
  package let field: String
  package let hash: String
  package let size: Int64
  /// The content of a value that travels as a file; nothing for an attachment, which is one.
  package let bytes: [UInt8]?
  /// The field by which the record refers to it now, so that it need not be sent again.
  package let heldIn: String?
}

/// What of a record is too long to travel inside of it.
package struct Spill: Sendable, Hashable {
  package var texts: Set<FieldID> = []
  package var hasState = false

  package init() {}

  package var isEmpty: Bool { texts.isEmpty && !hasState }
}

package enum RecordFiles {
  /// Longer records give their longest texts away to files: below the service's bound by as much as
  /// the body may grow on its way (DESIGN.md 2).
  package static let recordBytesMax = 700_000
  /// Files of siblings that lost: a list, in the order of their hashes.
  package static let othersField = "skyros_files"
  /// The causal state, where it is too long for its own field.
  package static let stateField = "skyros_state_file"
  private static let textPrefix = "skyros_text_"

  /// Where a long text lies.
  package static func textField(_ field: FieldID) -> String { textPrefix + field.name }

  // MARK: Out

  /// What has to leave a record so that it fits.
  package static func spill(_ state: RecordState, type: RecordType, bytes: Int) -> Spill {
    var spill = Spill()
    var left = bytes
    let texts = type.fields.compactMap { field -> (id: FieldID, size: Int)? in
      guard case .text(let text) = state.settledValue(of: field) else { return nil }
      return (field.id, text.utf8.count)
    }
    for text in texts.sorted(by: { $0.size > $1.size }) where left > recordBytesMax {
      guard text.size > recordBytesMax / 100 else { break }
      spill.texts.insert(text.id)
      left -= text.size
    }
    spill.hasState = left > recordBytesMax
    return spill
  }

  /// The files that a pending record needs and that the service's copy does not refer to yet.
  package static func needed(
    by pending: PendingRecord, type: RecordType, spill: Spill
  ) -> [NeededFile] {
    guard let state = pending.state?.travelling(in: type) else { return [] }
    let name = pending.remote?.name ?? pending.reference.id.description
    let seen = seenFiles(of: pending)
    var result: [NeededFile] = []
    func add(_ field: String, _ hash: String, _ size: Int64, _ bytes: [UInt8]? = nil) {
      guard seen[field]?.hash != hash else { return }
      result.append(
        NeededFile(
          record: name, type: type.id.name, field: field, hash: hash, size: size, bytes: bytes,
          heldIn: seen.first { $0.value.hash == hash }?.key))
    }
    for (field, attachment) in shownAttachments(state, type) {
      add(field.name, attachment.hash, attachment.size)
    }
    // A list is written whole.
    let others = otherAttachments(state, type)
    if seen[othersField]?.hash != others.map(\.hash).joined(separator: ",") {
      for attachment in others { add(othersField, attachment.hash, attachment.size) }
    }
    for (field, bytes) in spilled(state, type, spill) {
      add(field, ContentHash.of(bytes), Int64(bytes.count), bytes)
    }
    return result
  }

  /// The files that the service's copy refers to, as far as it is known.
  static func seenFiles(of pending: PendingRecord) -> [String: SeenFile] {
    guard pending.remote?.tag != nil else { return [:] }
    return SeenCopy(bytes: pending.remote?.seen)?.files ?? [:]
  }

  static func shownAttachments(
    _ state: RecordState, _ type: RecordType
  ) -> [(field: FieldID, attachment: Attachment)] {
    type.fields.compactMap { field in
      guard field.type == .attachment,
        case .attachment(let attachment) = state.settledValue(of: field)
      else { return nil }
      return (field.id, attachment)
    }
  }

  /// Those of siblings that lost, and of fields that only other devices know.
  static func otherAttachments(_ state: RecordState, _ type: RecordType) -> [Attachment] {
    let shown = Set(shownAttachments(state, type).map(\.attachment.hash))
    return state.attachments.filter { !shown.contains($0.hash) }
  }

  /// The contents that leave the record, by the field that will refer to them.
  static func spilled(
    _ state: RecordState, _ type: RecordType, _ spill: Spill
  ) -> [(field: String, bytes: [UInt8])] {
    var result: [(field: String, bytes: [UInt8])] = []
    for field in type.fields where spill.texts.contains(field.id) {
      guard case .text(let text) = state.settledValue(of: field) else { continue }
      result.append((textField(field.id), Array(text.utf8)))
    }
    if spill.hasState { result.append((stateField, CausalBytes.bytes(state, type: type))) }
    return result
  }

  // MARK: In

  /// The fields of a copy whose content lies in files, and has to be fetched before it can be read.
  package static func spilled(in record: WireRecord) -> [(file: WireAsset, field: String)] {
    record.fields.compactMap { name, field in
      guard case .asset(let asset) = field.value else { return nil }
      if name == stateField { return (asset, CausalBytes.fieldName) }
      guard name.hasPrefix(textPrefix) else { return nil }
      let target = String(name.dropFirst(textPrefix.count))
      // A value in the field itself is newer: somebody wrote it who knows nothing of the file.
      return record.fields[target]?.value == nil ? (asset, target) : nil
    }.sorted { $0.field < $1.field }
  }

  /// The SHA-256 in a service's name for a file; nothing where it is another kind of name.
  package static func hash(of asset: WireAsset) -> String? {
    guard let bytes = asset.fileChecksum.flatMap({ Base64.decode($0) }), bytes.count == 32 else {
      return nil
    }
    return Hex.encode(bytes)
  }

  /// The files that a copy refers to.
  static func files(
    of record: WireRecord, known: [String: SeenFile], state: RecordState?, type: RecordType
  ) -> [String: SeenFile] {
    var result: [String: SeenFile] = [:]
    for (name, field) in record.fields {
      let assets: [WireAsset] =
        switch field.value {
        case .asset(let asset): [asset]
        case .list(let elements):
          elements.compactMap { if case .asset(let asset) = $0 { asset } else { nil } }
        default: []
        }
      guard !assets.isEmpty else { continue }
      let checksum = assets.map { $0.fileChecksum ?? "" }.joined(separator: ",")
      if let file = known[name], file.checksum == checksum {
        result[name] = file
        continue
      }
      var hash = assets.map { self.hash(of: $0) ?? "" }.joined(separator: ",")
      if let field = type.field(FieldID(trusted: name)), hash.isEmpty,
        case .attachment(let attachment)? = state?.settledValue(of: field)
      {
        hash = attachment.hash
      }
      result[name] = SeenFile(hash: hash, checksum: checksum)
    }
    return result
  }

  /// Where the service holds the attachments that a copy speaks of, and which it does not hold.
  static func contents(
    of record: WireRecord, _ files: [String: SeenFile], state: RecordState, type: RecordType
  ) -> (wanted: [WantedContent], lacking: [String]) {
    var wanted: [WantedContent] = []
    var lacking: [String] = []
    for attachment in state.attachments {
      let field = files.first { file in
        file.value.hash.split(separator: ",").contains { $0 == attachment.hash }
      }
      if let field = field?.key {
        wanted.append(
          WantedContent(
            hash: attachment.hash, size: attachment.size, record: record.recordName ?? "",
            field: field))
      } else {
        lacking.append(attachment.hash)
      }
    }
    return (wanted, lacking)
  }
}
