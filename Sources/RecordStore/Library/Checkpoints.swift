// Checkpoints: moving the WAL's pages into the file. SQLite before 3.51.3 can corrupt the file when
// a checkpoint and a writer that resets the WAL meet, so automatic ones are off, and ours run on the
// writer's queue under the lock that excludes every other writer.

internal import Glibc
internal import GRDB

extension Library {
  /// The WAL's size from which on a checkpoint is worth its reads: 4 MB, what a screen of edits
  /// never reaches and an import passes at once.
  static let checkpointBytesMin = 4 << 20

  /// The WAL's size from which on closing empties it: the next start reads all that is in it.
  static let closingBytesMin = 64 << 10

  /// Moves the WAL into the file if it has grown and nobody else writes.
  ///
  /// Never makes a save wait: it is queued behind what the writer has to do.
  func checkpointIfDue() {
    guard let path, walSize(path) >= Self.checkpointBytesMin else { return }
    database.asyncWriteWithoutTransaction { db in self.emptyLog(db) }
  }

  /// The same at the end, for less; blocks.
  func checkpointBeforeClosing() {
    guard let path, walSize(path) >= Self.closingBytesMin else { return }
    database.writeWithoutTransaction { db in emptyLog(db) }
  }

  /// Copies the WAL into the file and cuts it off, if no other process reads from it: SQLite leaves it
  /// as it is when the last connection to close can only read, as those of GRDB's pool do.
  private func emptyLog(_ db: Database) {
    // A checkpoint that fails leaves the WAL as it is; the next one tries again.
    _ = try? lock.holdIfFree {
      // Not even for a moment: readers are never waited for.
      try db.execute(sql: "PRAGMA busy_timeout = 0")
      _ = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    let usual = Int(Connections.busyTimeoutSeconds * 1000)
    _ = try? db.execute(sql: "PRAGMA busy_timeout = \(usual)")
  }

  private func walSize(_ path: String) -> Int {
    var info = stat()
    guard stat(LibraryFolder(path).database + "-wal", &info) == 0 else { return 0 }
    return Int(info.st_size)
  }
}
