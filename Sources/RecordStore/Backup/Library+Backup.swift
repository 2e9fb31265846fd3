// A backup is one file: a consistent copy of the library's SQLite file, with the attachments inside
// it in pieces. Made and restored while programs are at work on the library.
//
// It is written aside, checked, and named last, so that a full disk never leaves half a backup under
// a good one's name. Tokens are no part of it: they are not in the library.

internal import FoundationEssentials
internal import GRDB
internal import Glibc
package import Records

/// What a backup holds.
package struct BackupSummary: Sendable, Hashable {
  package let path: String
  package let bytes: Int64
  package let attachments: Int
  /// Attachments that records refer to and that are not here, so that they are not in the backup.
  package let missingAttachments: [String]
}

/// What a restored backup brought.
package struct RestoreSummary: Sendable, Hashable {
  /// When the backup was made.
  package let made: Timestamp
  /// Where the library as it was before is kept.
  package let previous: String
  package let records: Int
}

extension Library {
  /// How much of an attachment is in one row: what passes through memory at a time.
  static let backupPieceBytes = 1 << 20

  /// Copies the library, as it is at one moment, to a new file.
  ///
  /// - Throws: `EEXIST` when there is a file of that name.
  package func backUp(to path: String) async throws -> BackupSummary {
    guard access(path, F_OK) != 0 else {
      throw StoreError.file(operation: "write a backup", path: path, code: EEXIST)
    }
    let aside = try AsideFile(besides: path, operation: "write a backup")
    defer { aside.discard() }
    try await copyFile(to: aside.path)
    return try finishBackup(aside, at: path)
  }

  /// Makes a backup of a copy of the library's file.
  func finishBackup(_ aside: AsideFile, at path: String) throws -> BackupSummary {
    let copy = try BackupFile(path: aside.path)
    let missing = try copy.addAttachments(
      from: attachments, hashes: copy.attachmentHashes(model: model),
      made: surroundings.milliseconds())
    let count = try copy.attachmentCount()
    try copy.check()
    try copy.close()
    try aside.settle()
    var info = stat()
    stat(path, &info)
    return BackupSummary(
      path: path, bytes: Int64(info.st_size), attachments: count, missingAttachments: missing)
  }

  /// Copies the SQLite file as it is at one moment.
  ///
  /// `VACUUM INTO` reads one snapshot and excludes nobody (lang_vacuum.html). A connection of its own
  /// does it, so that a save of this process does not queue behind it.
  private func copyFile(to path: String) async throws {
    try await translatingErrors {
      // What can't be written here, no save queues behind.
      if let folder = self.path, !isReadOnly {
        let source = try DatabaseQueue(path: LibraryFolder(folder).database)
        defer { try? source.close() }
        try await source.writeWithoutTransaction {
          try $0.execute(sql: "VACUUM INTO ?", arguments: [path])
        }
      } else {
        try await database.writeWithoutTransaction {
          try $0.execute(sql: "VACUUM INTO ?", arguments: [path])
        }
      }
    }
  }
}
