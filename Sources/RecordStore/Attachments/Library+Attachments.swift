// Attachments as the rest of the program sees them: take a file in, save it out, clear away what
// nothing refers to. All of it runs off the caller's actor and streams.

internal import FoundationEssentials
internal import GRDB
package import Records

/// What a collection of unused attachments removed.
package struct CollectedAttachments: Sendable, Hashable {
  package var files: Int
  package var bytes: Int64

  package init(files: Int = 0, bytes: Int64 = 0) {
    self.files = files
    self.bytes = bytes
  }
}

extension Library {
  /// How long content that nothing refers to is kept: an unsaved form may still hold it, and a
  /// journaled draft may be taken up days later.
  package static let unusedAttachmentAge = Duration.seconds(30 * 24 * 60 * 60)

  /// Takes a file's content in.
  ///
  /// A record refers to it only once a draft with the answer is committed.
  ///
  /// - Throws: ``StoreError/file(operation:path:code:)``; `EISDIR` for what is no plain file, `EFBIG` for one
  ///   past 4 GiB, `ENOSPC` on a full disk.
  @concurrent
  package func attach(_ path: String, name: String? = nil) async throws -> Attachment {
    try requireWriting()
    return try attachments.take(path, name: name)
  }

  /// Writes an attachment's content to a new file, checked against its hash.
  ///
  /// - Throws: `EEXIST` when there is a file of that name; ``StoreError/attachmentMissing(hash:)``,
  ///   ``StoreError/attachmentDamaged(hash:)``.
  @concurrent
  package func saveAttachment(_ attachment: Attachment, to path: String) async throws {
    try attachments.copy(attachment.hash, to: path)
  }

  /// Hands out an attachment's content piece by piece, and checks it against its hash at the end.
  ///
  /// - Throws: What `body` throws; ``StoreError/attachmentMissing(hash:)``;
  ///   ``StoreError/attachmentDamaged(hash:)``, after which what was handed out must be thrown away.
  @concurrent
  package func readAttachment(
    _ attachment: Attachment, _ body: @Sendable (UnsafeRawBufferPointer) throws -> Void
  ) async throws {
    try attachments.read(attachment.hash, body)
  }

  /// Where an attachment's content lies, for a program that shows it.
  ///
  /// It must not be written to.
  package func attachmentPath(_ attachment: Attachment) throws -> String {
    try attachments.existingPath(of: attachment.hash)
  }

  /// Removes content that no record, trashed record, past value or draft refers to, and that is
  /// older than ``unusedAttachmentAge``.
  @concurrent
  package func collectAttachments() async throws -> CollectedAttachments {
    let horizon =
      surroundings.milliseconds() - Int64(Self.unusedAttachmentAge.components.seconds) * 1000
    var unused: [AttachmentFolder.Entry] = []
    try attachments.forEachEntry { entry in
      if entry.modified.milliseconds < horizon { unused.append(entry) }
    }
    guard !unused.isEmpty else { return CollectedAttachments() }
    // Asked after the list was made: what is committed meanwhile is younger than the horizon or
    // still referred to.
    let used = try await attachmentHashes()
    var result = CollectedAttachments()
    for entry in unused {
      if let hash = entry.hash, used.contains(hash) { continue }
      try attachments.remove(entry)
      result.files += 1
      result.bytes += entry.size
    }
    return result
  }

  /// The hashes that anything in the library refers to: values, siblings, the trash, history, drafts.
  func attachmentHashes() async throws -> Set<String> {
    var hashes = try await read { try AttachmentReferences.all(in: $0) }
    for bytes in try await drafts.allBytes() {
      AttachmentReferences.collect(from: bytes[...], into: &hashes)
    }
    return hashes
  }
}

/// Finds the attachments that a library's rows refer to.
enum AttachmentReferences {
  static func all(in reading: Reading) throws -> Set<String> {
    var result = try living(in: reading)
    for type in reading.model.types {
      let table = TypeSchema(type).table
      try collect("SELECT _causal FROM \(table) WHERE _causal IS NOT NULL", reading, &result)
    }
    try collect("SELECT before FROM _change WHERE before IS NOT NULL", reading, &result)
    try collect("SELECT state FROM _trash", reading, &result)
    return result
  }

  /// What the living records show.
  static func living(in reading: Reading) throws -> Set<String> {
    var result: Set<String> = []
    for type in reading.model.types {
      let schema = TypeSchema(type)
      for field in schema.columns where field.type == .attachment {
        let column = TypeSchema.quoted(field.id.name)
        let texts = try String.fetchCursor(
          reading.db,
          sql: "SELECT substr(\(column), 1, 64) FROM \(schema.table) WHERE \(column) IS NOT NULL")
        while let hash = try texts.next() { result.insert(hash) }
      }
    }
    return result
  }

  private static func collect(
    _ sql: String, _ reading: Reading, _ result: inout Set<String>
  ) throws {
    let rows = try Row.fetchCursor(reading.db, sql: sql)
    while let row = try rows.next() {
      try row.withUnsafeData(atIndex: 0) { data in
        guard let data, data.count >= 64 else { return }
        collect(from: Array(data)[...], into: &result)
      }
    }
  }

  /// The hashes in bytes that hold encoded values: a hash is the only text of 64 lower-case
  /// hexadecimal digits there that matters, and one too many keeps a file, which does no harm.
  static func collect(from bytes: ArraySlice<UInt8>, into result: inout Set<String>) {
    var run = bytes.startIndex
    for index in bytes.indices {
      let byte = bytes[index]
      let isDigit = (48...57).contains(byte) || (97...102).contains(byte)
      if !isDigit { run = index + 1 }
      if index - run >= 63 {
        result.insert(String(decoding: bytes[(index - 63)...index], as: UTF8.self))
      }
    }
  }
}
