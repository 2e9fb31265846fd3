// The tables of a service file. Plain enough to read with the sqlite3 shell.

internal import GRDB

enum SQLiteSchema {
  /// What each version added to the tables of the one before.
  ///
  /// A version that was ever released is not changed any more: old files take the steps that they
  /// lack, new ones take all. The file of a newer version is refused.
  static let versions = [first, second]

  private static let first = """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY) WITHOUT ROWID;
    CREATE TABLE epoch (number INTEGER PRIMARY KEY, id INTEGER NOT NULL);
    CREATE TABLE user (
      number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE,
      record_name TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL);
    CREATE TABLE api_token (
      id TEXT PRIMARY KEY, digest TEXT NOT NULL UNIQUE, container TEXT NOT NULL,
      environment TEXT NOT NULL, created_at INTEGER NOT NULL);
    CREATE TABLE session (
      id TEXT PRIMARY KEY, user INTEGER NOT NULL, container TEXT NOT NULL,
      environment TEXT NOT NULL, current TEXT NOT NULL, next TEXT, previous TEXT,
      previous_until INTEGER NOT NULL, rotated_at INTEGER NOT NULL, expires_at INTEGER NOT NULL);
    CREATE INDEX session_user ON session (user);
    CREATE TABLE signing_key (
      id TEXT PRIMARY KEY, container TEXT NOT NULL, pem TEXT NOT NULL, user INTEGER,
      record_name TEXT NOT NULL, created_at INTEGER NOT NULL);
    CREATE TABLE sign_in_code (
      digest TEXT PRIMARY KEY, user INTEGER NOT NULL, until INTEGER NOT NULL);
    CREATE TABLE database (
      number INTEGER PRIMARY KEY AUTOINCREMENT, container TEXT NOT NULL,
      environment TEXT NOT NULL, scope TEXT NOT NULL, owner INTEGER NOT NULL,
      sequence INTEGER NOT NULL DEFAULT 0, forgotten INTEGER NOT NULL DEFAULT 0,
      floor INTEGER NOT NULL DEFAULT 0,
      UNIQUE (owner, container, environment, scope));
    CREATE TABLE zone (
      number INTEGER PRIMARY KEY AUTOINCREMENT, database INTEGER NOT NULL, name TEXT NOT NULL,
      sequence INTEGER NOT NULL, forgotten INTEGER NOT NULL DEFAULT 0,
      changed INTEGER NOT NULL, deleted_at INTEGER, bytes INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL);
    CREATE UNIQUE INDEX zone_name ON zone (database, name);
    CREATE INDEX zone_changed ON zone (database, changed);
    CREATE TABLE record (
      zone INTEGER NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, sequence INTEGER NOT NULL,
      tag INTEGER NOT NULL, fields TEXT NOT NULL, has_assets INTEGER NOT NULL, parent TEXT,
      created_at INTEGER NOT NULL, created_by TEXT NOT NULL, modified_at INTEGER NOT NULL,
      modified_by TEXT NOT NULL, deleted INTEGER NOT NULL, bytes INTEGER NOT NULL);
    CREATE UNIQUE INDEX record_name ON record (zone, name);
    CREATE UNIQUE INDEX record_sequence ON record (zone, sequence);
    CREATE INDEX record_type ON record (zone, type, name) WHERE deleted = 0;
    CREATE INDEX record_tombstone ON record (modified_at) WHERE deleted = 1;
    CREATE TABLE field_type (
      zone INTEGER NOT NULL, type TEXT NOT NULL, field TEXT NOT NULL, tag TEXT NOT NULL,
      PRIMARY KEY (zone, type, field)) WITHOUT ROWID;
    CREATE TABLE pointer (
      zone INTEGER NOT NULL, source TEXT NOT NULL, field TEXT NOT NULL, target TEXT NOT NULL,
      action TEXT NOT NULL);
    CREATE INDEX pointer_source ON pointer (zone, source);
    CREATE INDEX pointer_target ON pointer (zone, target, action);
    CREATE TABLE asset_use (
      zone INTEGER NOT NULL, record TEXT NOT NULL, field TEXT NOT NULL, digest TEXT NOT NULL,
      bytes INTEGER NOT NULL);
    CREATE INDEX asset_use_record ON asset_use (zone, record);
    CREATE INDEX asset_use_digest ON asset_use (digest);
    CREATE TABLE answer (
      key TEXT PRIMARY KEY, body BLOB NOT NULL, created_at INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX answer_age ON answer (created_at);
    CREATE TABLE subscription (
      database INTEGER NOT NULL, subscriber TEXT NOT NULL, id TEXT NOT NULL,
      json TEXT NOT NULL, PRIMARY KEY (database, subscriber, id)) WITHOUT ROWID;
    CREATE TABLE courier (
      digest TEXT NOT NULL, subscriber TEXT NOT NULL, container TEXT NOT NULL,
      environment TEXT NOT NULL, created_at INTEGER NOT NULL,
      PRIMARY KEY (digest, subscriber, container, environment)) WITHOUT ROWID;
    CREATE INDEX courier_subscriber ON courier (subscriber, container, environment);
    CREATE TABLE notification (
      number INTEGER PRIMARY KEY AUTOINCREMENT, digest TEXT NOT NULL, payload TEXT NOT NULL,
      created_at INTEGER NOT NULL);
    CREATE INDEX notification_digest ON notification (digest, number);
    CREATE INDEX notification_age ON notification (created_at);
    """

  /// Whose an API token is; digests of the tokens of removed users; fields that queries look up.
  private static let second = """
    ALTER TABLE api_token ADD COLUMN user INTEGER;
    CREATE TABLE removed_token (digest TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE indexed_field (
      number INTEGER PRIMARY KEY AUTOINCREMENT, zone INTEGER NOT NULL, type TEXT NOT NULL,
      field TEXT NOT NULL, up_to TEXT NOT NULL, UNIQUE (zone, type, field));
    CREATE TABLE field_value (
      field INTEGER NOT NULL, value ANY NOT NULL, name TEXT NOT NULL,
      PRIMARY KEY (field, value, name)) WITHOUT ROWID, STRICT;
    """

  /// Brings the tables to today's version; refuses a file that is newer.
  static func prepare(_ db: Database, secret: [UInt8], epoch: Int64) throws {
    let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    guard found <= versions.count else { throw StorageFault.newerFile }
    guard found < versions.count else { return }
    for step in versions[max(0, found)...] { try db.execute(sql: step) }
    if found == 0 {
      try db.execute(
        sql: "INSERT INTO meta (key, value) VALUES ('secret', ?)",
        arguments: [DatabaseValue(bytes: secret)])
      try db.execute(sql: "INSERT INTO epoch (number, id) VALUES (0, ?)", arguments: [epoch])
    }
    try db.execute(sql: "PRAGMA user_version = \(versions.count)")
  }
}

/// What can go wrong with the file of a service as a whole.
package enum StorageFault: Error, Hashable, Sendable {
  /// It was made by a newer Skyros.
  case newerFile
  /// Another process held the writers' lock for too long.
  case busy
  /// No room is left on the disk.
  case full
  /// A lock, watch or file could not be opened; errno.
  case system(Int32)
}
