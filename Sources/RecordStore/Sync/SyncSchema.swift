// The tables of sync: what the record service is known to hold, where the change feed was left, what
// is set aside, and the event log. They live in the library's one file, so that one transaction
// covers them and the records.

internal import GRDB

enum SyncSchema {
  /// Makes the tables that a library of an earlier Skyros lacks.
  static func complete(_ db: Database, lock: WriterLock) throws {
    if try isComplete(db) { return }
    try lock.hold(for: "making tables") {
      try db.inTransactionReturning {
        try create(db)
        if try !db.columns(in: "_event").contains(where: { $0.name == "attempts" }) {
          try db.execute(sql: "ALTER TABLE _event ADD COLUMN \(attempts)")
        }
      }
    }
  }

  /// Whether nothing is missing that this Skyros reads.
  static func isComplete(_ db: Database) throws -> Bool {
    let found = try String.fetchAll(
      db,
      sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('_content', '_shape')")
    return try found.count == 2 && db.columns(in: "_event").contains { $0.name == "attempts" }
  }

  static func create(_ db: Database) throws {
    try db.execute(sql: tables)
  }

  private static let attempts = "attempts INTEGER NOT NULL DEFAULT 1"

  private static let tables = """
    -- Where the library syncs to and how far it got: service, zone, token, pause.
    CREATE TABLE IF NOT EXISTS _sync (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    -- What the service is known to hold. name: its record name where it is not the id's own text.
    -- tag: its change tag; NULL: it is not known to hold the record. seen: what was read in it last.
    -- pass: the full reading of the zone in which it was last met.
    CREATE TABLE IF NOT EXISTS _remote (
      id BLOB PRIMARY KEY, type TEXT NOT NULL, name TEXT, tag TEXT, seen BLOB,
      pass INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS "_remote.pass" ON _remote(pass);
    -- Saves that the service refuses, each until it is saved again or retried by a person.
    CREATE TABLE IF NOT EXISTS _parked (
      id BLOB PRIMARY KEY, type TEXT NOT NULL, pending INTEGER NOT NULL, reason TEXT NOT NULL,
      detail TEXT, at INTEGER NOT NULL) WITHOUT ROWID;
    -- Records from the service that can't be taken in yet (of a type that only newer devices know,
    -- or damaged), to the bit as they came.
    CREATE TABLE IF NOT EXISTS _held (
      name TEXT PRIMARY KEY, type TEXT, tag TEXT, reason TEXT NOT NULL, message BLOB NOT NULL,
      at INTEGER NOT NULL) WITHOUT ROWID;
    -- Attached files that records here refer to and that have not arrived. record, field: where the
    -- service holds them. reason: why it is not tried any more.
    CREATE TABLE IF NOT EXISTS _content (
      hash TEXT PRIMARY KEY, size INTEGER NOT NULL, record TEXT NOT NULL, field TEXT NOT NULL,
      attempts INTEGER NOT NULL, reason TEXT, at INTEGER NOT NULL) WITHOUT ROWID;
    -- What the service answered when it took a file: with it, a record may refer to the file.
    CREATE TABLE IF NOT EXISTS _receipt (
      hash TEXT PRIMARY KEY, descriptor BLOB NOT NULL, at INTEGER NOT NULL, record TEXT NOT NULL,
      field TEXT NOT NULL) WITHOUT ROWID;
    -- The model as registers, a row a type: what it says is joined between devices like a record.
    CREATE TABLE IF NOT EXISTS _shape (
      type TEXT PRIMARY KEY, state BLOB NOT NULL, tag TEXT, pending INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS _event (
      id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, trigger TEXT NOT NULL,
      started INTEGER NOT NULL, moved INTEGER NOT NULL, ended INTEGER, outcome TEXT NOT NULL,
      sent INTEGER NOT NULL DEFAULT 0, acknowledged INTEGER NOT NULL DEFAULT 0,
      received INTEGER NOT NULL DEFAULT 0, applied INTEGER NOT NULL DEFAULT 0,
      merged INTEGER NOT NULL DEFAULT 0, conflicting INTEGER NOT NULL DEFAULT 0,
      parked INTEGER NOT NULL DEFAULT 0, skipped INTEGER NOT NULL DEFAULT 0,
      bytes INTEGER NOT NULL DEFAULT 0, error TEXT, detail TEXT,
      \(attempts));
    """
}
