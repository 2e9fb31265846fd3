// The first frame of a write-ahead log that is not there yet. GRDB's pool wants one, and makes a
// table and drops it again for it: a commit with two syncs, and a schema to be read anew, before the
// first row. Here the frame is written without waiting for the disk: it says nothing new, the first
// commit that does syncs the whole log with its folder, and without a valid checksum it is skipped
// (https://www.sqlite.org/fileformat2.html, "The Write-Ahead Log"). Runs where the library is opened.

internal import GRDBSQLite
internal import Glibc

/// A connection that has written the first frame, and keeps the log while it is open.
struct FirstFrame: ~Copyable {
  private let connection: OpaquePointer

  /// Nothing where the log has frames already, and where it can't be begun: then the pool does it,
  /// and says what is wrong.
  init?(of path: String) {
    var info = stat()
    if stat(path + "-wal", &info) == 0, info.st_size > 0 { return nil }
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let handle else {
      sqlite3_close(handle)
      return nil
    }
    guard Self.begin(handle) else {
      sqlite3_close(handle)
      return nil
    }
    connection = handle
  }

  deinit { sqlite3_close(connection) }

  /// Writes the file's version over itself.
  private static func begin(_ handle: OpaquePointer) -> Bool {
    sqlite3_busy_timeout(handle, 1_000)
    let settings = "PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF"
    guard run(settings, handle), text("PRAGMA journal_mode", handle) == "wal",
      run("BEGIN IMMEDIATE", handle)
    else { return false }
    guard let version = text("PRAGMA user_version", handle).flatMap({ Int32($0) }),
      run("PRAGMA user_version = \(version)", handle)
    else { return false }
    return run("COMMIT", handle)
  }

  private static func run(_ sql: String, _ handle: OpaquePointer) -> Bool {
    sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK
  }

  private static func text(_ sql: String, _ handle: OpaquePointer) -> String? {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW, let found = sqlite3_column_text(statement, 0)
    else { return nil }
    return String(cString: found)
  }
}
