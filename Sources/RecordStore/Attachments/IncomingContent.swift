// A file that another device attached, on its way in: known by its hash before it is here. Pieces are
// written as they come, and what came survives a crash, so that the next attempt goes on behind it.

internal import Crypto
internal import Glibc
internal import Synchronization

/// Content that is being received.
///
/// Thread-safe; one owner at a time, who holds the sync lease.
package final class IncomingContent: Sendable {
  private struct Progress {
    var hasher = SHA256()
    var size: Int64 = 0
  }

  private let descriptor: Int32
  private let path: String
  private let hash: String
  private let sizeMax: Int64
  private let folder: AttachmentFolder
  private let progress: Mutex<Progress>

  /// - Parameters:
  ///   - hash: What the whole content has to have as its SHA-256.
  ///   - sizeMax: More bytes than this are refused.
  init(_ hash: String, sizeMax: Int64, in folder: AttachmentFolder) throws {
    path = try folder.incomingPath(of: hash)
    self.hash = hash
    self.sizeMax = sizeMax
    self.folder = folder
    descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError.file(operation: "write", path: path, code: errno)
    }
    progress = Mutex(Progress())
    try takeUp()
  }

  deinit { Glibc.close(descriptor) }

  /// How many bytes are here already.
  package var size: Int64 { progress.withLock(\.size) }

  /// Hashes what an earlier attempt left.
  private func takeUp() throws {
    var buffer = [UInt8](repeating: 0, count: AttachmentFolder.chunkBytes)
    try progress.withLock { progress in
      while true {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else {
          throw StoreError.file(operation: "read", path: path, code: errno)
        }
        if count == 0 { return }
        progress.hasher.update(data: buffer[..<count])
        progress.size += Int64(count)
      }
    }
  }

  /// Writes the next piece.
  ///
  /// - Parameter isContinued: False where the sender began again at the first byte.
  package func append(_ piece: [UInt8], isContinued: Bool) throws {
    try progress.withLock { progress in
      if !isContinued { try restart(&progress) }
      progress.size += Int64(piece.count)
      guard progress.size <= sizeMax else {
        throw StoreError.attachmentDamaged(hash: hash)
      }
      try piece.withUnsafeBytes { try AttachmentFolder.write($0, to: descriptor, path: path) }
      progress.hasher.update(data: piece)
    }
  }

  /// Throws away what came.
  package func discard() throws { try progress.withLock { try restart(&$0) } }

  private func restart(_ progress: inout Progress) throws {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw StoreError.file(operation: "write", path: path, code: errno)
    }
    progress = Progress()
  }

  /// Checks the content, and puts it where records find it.
  ///
  /// - Throws: ``StoreError/attachmentDamaged(hash:)`` for any other content; it is thrown away.
  package func finish() throws {
    let found = progress.withLock { AttachmentFolder.hex($0.hasher.finalize()) }
    guard found == hash else {
      unlink(path)
      throw StoreError.attachmentDamaged(hash: hash)
    }
    guard fsync(descriptor) == 0 else {
      throw StoreError.file(operation: "write", path: path, code: errno)
    }
    try folder.keepIncoming(path, as: hash)
  }
}

extension Library {
  /// Begins, or goes on, to receive content.
  package func receiveContent(_ hash: String, sizeMax: Int64) throws -> IncomingContent {
    try IncomingContent(hash, sizeMax: sizeMax, in: attachments)
  }

  /// Whether an attachment's content is here.
  package func hasContent(_ hash: String) -> Bool { attachments.has(hash) }

  /// Where content lies, to be read; nothing while it is not here.
  package func contentPath(_ hash: String) -> String? {
    do { return try attachments.existingPath(of: hash) } catch { return nil }
  }
}

/// The name of content.
package enum ContentHash {
  /// 64 lower-case hexadecimal digits.
  package static func of(_ bytes: [UInt8]) -> String {
    AttachmentFolder.hex(SHA256.hash(data: bytes))
  }

  package static func isHash(_ text: String) -> Bool { AttachmentFolder.isHash(text) }
}
