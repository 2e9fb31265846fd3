// How the library's file is opened: one writer and several readers (GRDB's pool), WAL, every commit
// on disk before it is called saved, no checkpoint but our own.

internal import Dispatch
internal import GRDB
internal import GRDBSQLite

/// Opens the SQLite connections of a library.
enum Connections {
  /// How long a statement waits for a program that holds SQLite's own lock (a sqlite3 shell): our
  /// own programs wait for each other at ``WriterLock``, without limit and visibly.
  static let busyTimeoutSeconds = 10.0
  /// Readers at once: a window, the whole order, a search, an export.
  ///
  /// Each has a cache of 2 MB.
  static let readersMax = 4

  static func pool(at path: String) throws -> DatabasePool {
    let frame = FirstFrame(of: path)
    let pool = try DatabasePool(path: path, configuration: configuration())
    _ = consume frame
    // GRDB's pool sets NORMAL, which may lose the last commits when the power goes.
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    return pool
  }

  /// Connections that only read.
  ///
  /// - Parameter isImmutable: Without the files that a WAL needs beside it: nobody may write then
  ///   (c3ref/open.html, "immutable").
  static func readers(at path: String, isImmutable: Bool) throws -> DatabasePool {
    var configuration = configuration()
    configuration.readonly = true
    guard isImmutable else { return try DatabasePool(path: path, configuration: configuration) }
    // Debian's SQLite takes a URI for a path (SQLITE_USE_URI); one that does not, finds no such file.
    let escaped = path.utf8.reduce(into: "") { text, byte in
      let isPlain = byte > 0x20 && byte < 0x7F && !"%?#".utf8.contains(byte)
      let digits = String(byte, radix: 16, uppercase: true)
      text += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
    }
    return try DatabasePool(
      path: "file:\(escaped)?mode=ro&immutable=1", configuration: configuration)
  }

  /// One connection without WAL, for a file that is being made and that nobody else knows.
  static func queue(at path: String) throws -> DatabaseQueue {
    try DatabaseQueue(path: path, configuration: configuration())
  }

  static func memory() throws -> DatabaseQueue {
    try DatabaseQueue(configuration: configuration())
  }

  private static func configuration() -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(busyTimeoutSeconds)
    configuration.maximumReaderCount = readersMax
    // An import or a sync, which write for long, give way to the thread that draws. A queue of its
    // own gets a thread whatever waits elsewhere; the global one has as many as there are cores.
    configuration.writeTargetQueue = DispatchQueue(label: "skyros.writer", qos: .utility)
    configuration.foreignKeysEnabled = false
    configuration.observesSuspensionNotifications = false
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
      try db.execute(sql: "PRAGMA temp_store = FILE")
      // Pages of deleted rows are reused, not wiped first (Debian's SQLite wipes them).
      try db.execute(sql: "PRAGMA secure_delete = OFF")
      try TextMatchFunction.add(to: db)
    }
    return configuration
  }
}
