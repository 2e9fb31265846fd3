// Checkpoints: moving the WAL's pages into the file. SQLite before 3.51.3 can corrupt the file when
// a checkpoint and a writer that resets the WAL meet, so automatic ones are off, and ours run on the
// writer's queue under the lock that excludes every other writer.

internal import Glibc
internal import GRDB

extension Library {
  /// The WAL's size from which on a checkpoint is worth its reads: 4 MB, what a screen of edits
  /// never reaches and an import passes at once.
  static let checkpointBytesMin = 4 << 20

  /// Moves the WAL into the file if it has grown and nobody else writes.
  ///
  /// Never makes a save wait: it is queued behind what the writer has to do.
  func checkpointIfDue() {
    guard let path, walSize(path) >= Self.checkpointBytesMin else { return }
    let lock = lock
    database.asyncWriteWithoutTransaction { db in
      // A checkpoint that fails leaves the WAL as it is; the next one tries again.
      _ = try? lock.holdIfFree {
        _ = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)")
      }
    }
  }

  private func walSize(_ path: String) -> Int {
    var info = stat()
    guard stat(LibraryFolder(path).database + "-wal", &info) == 0 else { return 0 }
    return Int(info.st_size)
  }
}
