// The fixed tables of a library: history, trash, links, counts, devices, the model's versions.
// Record tables are made from the model: TypeSchema. Plain SQL only, so that the sqlite3 shell can
// read the file and check its integrity: no function, collation or tokenizer of our own.

internal import GRDB

/// The tables that every library has.
enum LibrarySchema {
  /// `PRAGMA application_id`: "Skyr".
  static let applicationID: Int32 = 0x536B_7972
  /// `PRAGMA user_version`: raise it with every change of the tables below.
  static let format = 1

  static func create(_ db: Database) throws {
    try db.execute(sql: tables)
    for table in guardedTables { try guardTable(table, db) }
    try SyncSchema.create(db)
    try db.execute(sql: sealedRows)
    try db.execute(sql: "PRAGMA application_id = \(applicationID)")
    try db.execute(sql: "PRAGMA user_version = \(format)")
  }

  /// Tables that only an open transaction of the log may change (DESIGN.md 3, "One door").
  static let guardedTables = [
    "_change", "_range", "_trash", "_purged", "_link", "_conflict", "_count", "_model",
  ]

  /// Refuses writes that do not come through an open row of the log.
  ///
  /// The log's newest row is unsealed only inside a transaction of ours, so a write from another
  /// program, or one of ours past the door, finds it sealed.
  static func guardTable(_ table: String, _ db: Database) throws {
    for verb in ["INSERT", "UPDATE", "DELETE"] {
      try db.execute(
        sql: """
          CREATE TRIGGER "\(table).\(verb.lowercased())" BEFORE \(verb) ON "\(table)" BEGIN
            SELECT RAISE(ABORT, '\(refusal)')
            WHERE (SELECT sealed FROM _transaction ORDER BY number DESC LIMIT 1) IS NOT 0;
          END
          """)
    }
  }

  static func unguardTable(_ table: String, _ db: Database) throws {
    for verb in ["insert", "update", "delete"] {
      try db.execute(sql: "DROP TRIGGER IF EXISTS \"\(table).\(verb)\"")
    }
  }

  static let refusal =
    "Skyros keeps history: change records with the skyros program, not in SQL"

  private static let sealedRows = """
    CREATE TRIGGER "_transaction.update" BEFORE UPDATE ON _transaction WHEN old.sealed BEGIN
      SELECT RAISE(ABORT, '\(refusal)');
    END;
    CREATE TRIGGER "_transaction.delete" BEFORE DELETE ON _transaction WHEN old.sealed BEGIN
      SELECT RAISE(ABORT, '\(refusal)');
    END;
    """

  private static let tables = """
    -- Settings of the library: its own id, the file that it last was, the device that writes.
    CREATE TABLE _library (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    -- Every device that ever wrote here. living: ours, now.
    CREATE TABLE _device (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, since INTEGER NOT NULL, living INTEGER NOT NULL);
    CREATE TABLE _model (
      version INTEGER PRIMARY KEY, yaml TEXT NOT NULL, at INTEGER NOT NULL, number INTEGER);
    -- The log: one row a transaction. time: the highest stamp given in it. sealed: it is done.
    CREATE TABLE _transaction (
      number INTEGER PRIMARY KEY, at INTEGER NOT NULL, time INTEGER NOT NULL,
      device INTEGER NOT NULL, author TEXT NOT NULL, origin TEXT NOT NULL,
      sealed INTEGER NOT NULL DEFAULT 0, undoes INTEGER, note TEXT, records INTEGER NOT NULL);
    CREATE INDEX "_transaction.undoes" ON _transaction(undoes) WHERE undoes IS NOT NULL;
    -- What a transaction did to a record. before: the touched fields with their values before.
    CREATE TABLE _change (
      seq INTEGER PRIMARY KEY, number INTEGER NOT NULL, type TEXT NOT NULL, id BLOB NOT NULL,
      kind TEXT NOT NULL, before BLOB);
    CREATE INDEX "_change.number" ON _change(number);
    CREATE INDEX "_change.id" ON _change(id);
    -- Records inserted in bulk: a range of _row, instead of a change each.
    CREATE TABLE _range (
      type TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, number INTEGER NOT NULL,
      PRIMARY KEY (type, first)) WITHOUT ROWID;
    CREATE INDEX "_range.number" ON _range(number);
    -- The drafts that a commit consumed: a journal does not offer them again.
    CREATE TABLE _consumed (draft BLOB PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE _trash (
      id BLOB PRIMARY KEY, type TEXT NOT NULL, row INTEGER NOT NULL, title TEXT NOT NULL,
      deleted INTEGER NOT NULL, created INTEGER NOT NULL, pending INTEGER, state BLOB NOT NULL);
    CREATE INDEX "_trash.deleted" ON _trash(deleted);
    CREATE INDEX "_trash.row" ON _trash(type, row);
    CREATE INDEX "_trash.pending" ON _trash(pending) WHERE pending IS NOT NULL;
    -- Purged records that a record service has yet to hear of.
    CREATE TABLE _purged (
      id BLOB PRIMARY KEY, type TEXT NOT NULL, number INTEGER NOT NULL, pending INTEGER,
      row INTEGER) WITHOUT ROWID;
    -- Every reference from a field that holds several.
    CREATE TABLE _link (
      source BLOB NOT NULL, field TEXT NOT NULL, target BLOB NOT NULL, type TEXT NOT NULL,
      PRIMARY KEY (source, field, target)) WITHOUT ROWID;
    CREATE INDEX "_link.target" ON _link(target);
    CREATE TABLE _conflict (id BLOB PRIMARY KEY, type TEXT NOT NULL) WITHOUT ROWID;
    -- living and trashed records of a type, and the next _row, which is never given twice.
    CREATE TABLE _count (
      type TEXT PRIMARY KEY, living INTEGER NOT NULL, next INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE _attachment (
      hash TEXT PRIMARY KEY, size INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;

    """
}
