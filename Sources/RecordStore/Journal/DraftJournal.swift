// The journal of open drafts: a file of its own beside the library, so that a long import never
// delays a keystroke (DESIGN.md 2). A draft belongs to the session that writes it; what a session
// left behind is offered to the next one.
//
// No WAL: the file is small, and a rollback journal is safe whatever SQLite's version (see
// Connections). Runs on its own queue; the file is made when the first draft is journaled.

internal import GRDB
internal import Records
internal import Synchronization

/// The drafts that are open, here and in other processes.
final class DraftJournal: Sendable {
  private struct Session {
    let database: DatabaseQueue
    let lock: SessionLock?
    let number: Int64
  }

  private let folder: LibraryFolder?
  private let session = Mutex<Session?>(nil)

  /// - Parameter folder: Nothing for a library in memory, whose drafts die with it.
  init(folder: LibraryFolder?) { self.folder = folder }

  func keep(_ draft: Draft, at milliseconds: Int64) async throws {
    let session = try begin()
    let bytes = Blob.data(draft.bytes)
    try await session.database.write { db in
      try db.execute(
        sql: "INSERT OR REPLACE INTO draft (id, session, at, bytes) VALUES (?, ?, ?, ?)",
        arguments: [ColumnCodec.stored(draft.id.id), session.number, milliseconds, bytes])
    }
  }

  func discard(_ id: DraftID) async throws {
    guard let session = try beginIfThere() else { return }
    try await session.database.write { db in
      try db.execute(
        sql: "DELETE FROM draft WHERE id = ?", arguments: [ColumnCodec.stored(id.id)])
    }
  }

  /// The drafts of sessions that ended, the last typed first.
  func leftBehind() async throws -> [Draft] {
    guard let session = try beginIfThere() else { return [] }
    return try await session.database.read { db in
      let rows = try Row.fetchAll(
        db, sql: "SELECT session, bytes FROM draft WHERE session <> ? ORDER BY at DESC",
        arguments: [session.number])
      return rows.compactMap { row in
        guard session.lock?.isEnded(row[0]) ?? false, let bytes = Blob.bytes(row[1]) else {
          return nil
        }
        // A draft of a newer Skyros stays in the file until that one is back.
        return try? Draft(bytes: bytes)
      }
    }
  }

  /// The bytes of every draft, of living sessions too.
  func allBytes() async throws -> [[UInt8]] {
    guard let session = try beginIfThere() else { return [] }
    return try await session.database.read { db in
      try Row.fetchAll(db, sql: "SELECT bytes FROM draft").compactMap { Blob.bytes($0[0]) }
    }
  }

  /// Ends the session: what it has not discarded is offered to the next one.
  func close() throws {
    let ended = session.withLock { session in
      defer { session = nil }
      return session
    }
    try ended?.database.close()
  }

  // MARK: The session

  /// The session, if there is one or something to read.
  private func beginIfThere() throws -> Session? {
    let isThere =
      session.withLock { $0 != nil } || folder.map { LibraryFolder.isFile($0.drafts) } ?? false
    return isThere ? try begin() : nil
  }

  private func begin() throws -> Session {
    try session.withLock { session in
      if let session { return session }
      let begun = try open()
      session = begun
      return begun
    }
  }

  private func open() throws -> Session {
    var configuration = Configuration()
    configuration.busyMode = .timeout(Connections.busyTimeoutSeconds)
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA synchronous = NORMAL") }
    guard let folder else {
      let database = try DatabaseQueue(configuration: configuration)
      return Session(database: database, lock: nil, number: try Self.number(in: database))
    }
    let lock = try SessionLock(path: folder.draftsLock)
    let database = try DatabaseQueue(path: folder.drafts, configuration: configuration)
    let number = try Self.number(in: database)
    guard lock.take(number) else {
      throw StoreError.file(
        operation: "lock the session of drafts", path: folder.draftsLock, code: 0)
    }
    return Session(database: database, lock: lock, number: number)
  }

  /// Makes the tables where they are missing, and the number of a new session, never given before.
  private static func number(in database: DatabaseQueue) throws -> Int64 {
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS session (number INTEGER PRIMARY KEY AUTOINCREMENT);
          CREATE TABLE IF NOT EXISTS draft (
            id BLOB PRIMARY KEY, session INTEGER NOT NULL, at INTEGER NOT NULL, bytes BLOB NOT NULL);
          INSERT INTO session DEFAULT VALUES;
          """)
      let number = db.lastInsertedRowID
      try db.execute(sql: "DELETE FROM session WHERE number < ?", arguments: [number])
      return number
    }
  }
}

extension LibraryFolder {
  var draftsLock: String { path + "/drafts.lock" }
}
