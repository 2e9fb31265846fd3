// Opening a library that can't be written here, to look at it: a disk without writing, a folder or a
// file of somebody else's. Nothing is made and nothing is changed, not even the files that SQLite
// keeps beside a WAL.
//
// Two ways (wal.html, "Read-Only Databases"). Where those files are there, SQLite reads with them, also
// while others write. Where they are not, the file itself says all unless a WAL with something in it
// lies beside it: then it is read as immutable, and looked at after each read whether it still is.

internal import GRDB
internal import Glibc
internal import Records

extension Library {
  static func openToRead(
    _ folder: LibraryFolder, surroundings: Surroundings
  ) async throws -> Library {
    try await translatingErrors {
      let (database, frozen): (DatabasePool, FrozenFile?)
      do {
        (database, frozen) = try await reader(of: folder)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
        throw StoreError.notALibrary(path: folder.path)
      }
      let (current, newest) = try await database.read { db in
        try checkFormat(db, of: folder)
        let (version, model) = try LibraryOrigin.newestModel(db)
        guard try SyncSchema.isComplete(db), let device = try DeviceRecord.written(db) else {
          throw StoreError.unreadableWithoutWriting(path: folder.path)
        }
        let current = Library.Current(model: model, modelVersion: version, device: device)
        return (current, try Reading(db, model: model).newestNumber())
      }
      let library = Library(
        path: folder.path, surroundings: surroundings, database: database,
        lock: WriterLock(refusing: folder.path), activities: Broadcast(), current: current,
        isReadOnly: true, frozen: frozen)
      library.commitFeed.begin(after: newest, of: current.device)
      try library.watchIfPossible(folder)
      return library
    }
  }

  /// Refuses what would write beside the library's file; in it, ``WriterLock`` does.
  func requireWriting() throws {
    if isReadOnly, let path { throw StoreError.readOnly(path: path) }
  }

  private static func reader(
    of folder: LibraryFolder
  ) async throws -> (DatabasePool, FrozenFile?) {
    let log = folder.database + "-wal"
    if LibraryFolder.isFile(log), LibraryFolder.isFile(folder.database + "-shm") {
      do {
        let shared = try Connections.readers(at: folder.database, isImmutable: false)
        _ = try await shared.read { try Int.fetchOne($0, sql: "PRAGMA schema_version") }
        return (shared, nil)
      } catch let error as DatabaseError where error.isUnopened {
        // These files are somebody else's too.
      }
    }
    guard !LibraryFolder.hasBytes(log) else {
      throw StoreError.unreadableWithoutWriting(path: folder.path)
    }
    let frozen = FrozenFile(folder.database)
    return (try Connections.readers(at: folder.database, isImmutable: true), frozen)
  }
}

extension DatabaseError {
  /// Whether what SQLite keeps beside a WAL can't be used as it lies there.
  fileprivate var isUnopened: Bool {
    [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM].contains(resultCode)
  }
}

/// A file that nobody is expected to write while it is looked at.
struct FrozenFile: Sendable {
  private let path: String
  private let version: Version?

  /// What changes when a file is written.
  private struct Version: Hashable {
    let inode: UInt64
    let bytes: Int64
    let seconds: Int
    let nanoseconds: Int

    init?(of path: String) {
      var info = stat()
      guard stat(path, &info) == 0 else { return nil }
      inode = UInt64(info.st_ino)
      bytes = Int64(info.st_size)
      seconds = info.st_mtim.tv_sec
      nanoseconds = info.st_mtim.tv_nsec
    }
  }

  init(_ path: String) {
    self.path = path
    version = Version(of: path)
  }

  var isChanged: Bool { Version(of: path) != version }
}
