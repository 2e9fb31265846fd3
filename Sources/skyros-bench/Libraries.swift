// Libraries to measure on, made by the real import, and the reference: the same columns, indexes and
// search table filled by the sqlite3 shell.

import FoundationEssentials
import GRDB
import Glibc

/// Makes what the figures of a library need.
struct Libraries {
  let folder: String
  let records: Int

  static let model = """
    skyros: 1
    types:
      Place:
        title: name
        list: [name, country, population, founded]
        sort: -population
        fields:
          geoname_id: {type: integer}
          name: {type: text, required: true, search: true, index: true}
          country: {type: text, index: true}
          region: {type: text}
          population: {type: integer, index: true}
          latitude: {type: number}
          longitude: {type: number}
          founded: {type: date}
          notes: {type: longText, search: true}

    """

  var csv: String { "\(folder)/places-\(records).csv" }
  var library: String { "\(folder)/places-\(records).skyros" }
  var reference: String { "\(folder)/reference-\(records).sqlite" }

  /// A library that is made anew in each run and removed at its end.
  var scratch: String { "\(folder)/scratch-\(records).skyros" }

  static func remove(_ library: String) throws {
    guard access(library, F_OK) == 0 else { return }
    try FileManager.default.removeItem(atPath: library)
  }

  var hasNoReference: Bool { access(reference, F_OK) != 0 }

  /// A `skyros` on one of the libraries.
  ///
  /// 80 by 24 is home (DESIGN.md 6).
  func session(
    on library: String, columns: Int32 = 80, rows: Int32 = 24
  ) throws -> TerminalSession {
    try TerminalSession(
      [Programs.skyros, "--library", library], environment: environment, columns: columns,
      rows: rows)
  }

  var environment: [String: String] { ["XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder] }

  /// What stands in the first row of a list of places.
  static func firstTitle(of library: String) throws -> String {
    let queue = try DatabaseQueue(path: "\(library)/library.sqlite")
    let title = try queue.read {
      try String.fetchOne(
        $0, sql: "SELECT name FROM Place ORDER BY population DESC, _row DESC LIMIT 1")
    }
    try queue.close()
    guard let title else { throw BenchError.failed("an empty library") }
    return title
  }

  /// The library to browse, imported if it is not there from an earlier run.
  func make() throws {
    if access(csv, F_OK) != 0 { try Make.write(records, seed: 1, to: csv) }
    // A form that an earlier run left open would be offered before anything else.
    for suffix in ["", "-wal", "-shm"] { unlink("\(library)/drafts.sqlite\(suffix)") }
    if access("\(library)/library.sqlite", F_OK) == 0 { return }
    _ = try makeLibrary(at: library)
  }

  /// Makes a new library of the records; answers what the import took.
  func makeLibrary(at path: String) throws -> Programs.Run {
    let model = "\(folder)/places.yaml"
    try Self.model.write(toFile: model, atomically: true, encoding: .utf8)
    _ = try Programs.run([Programs.skyros, "new", path, "--model", model])
    return try Programs.run([
      Programs.skyros, "--library", path, "import", csv, "--type", "Place",
    ])
  }

  /// Fills the reference by the sqlite3 shell; answers what that took.
  ///
  /// The shell gets the columns of the file, our own indexes on them and our own search table, and
  /// the same durability: WAL and `synchronous=FULL`, one transaction. It gets no ids, no guards and
  /// no history. The search table is filled by one statement, which is the fastest way there is: a
  /// trigger for each row takes ten times as long.
  func fillReference() throws -> Programs.Run {
    for suffix in ["", "-wal", "-shm"] { unlink(reference + suffix) }
    let source = try DatabaseQueue(path: "\(library)/library.sqlite")
    let made = try source.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT sql FROM sqlite_master
          WHERE name IN ('Place.name', 'Place.country', 'Place.population', 'Place._search')
          """)
    }
    try source.close()
    guard made.count == 4 else { throw BenchError.failed("not a library of places") }
    let script = "\(folder)/reference.sql"
    let text = """
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      CREATE TABLE Place (geoname_id INTEGER, name TEXT, country TEXT, region TEXT,
        population INTEGER, latitude REAL, longitude REAL, founded TEXT, notes TEXT);
      \(made.joined(separator: ";\n"));
      BEGIN;
      .import --csv --skip 1 \(csv) Place
      INSERT INTO "Place._search" (rowid, text) SELECT rowid, name || char(10) || notes FROM Place;
      COMMIT;

      """
    try text.write(toFile: script, atomically: true, encoding: .utf8)
    return try Programs.run(["sqlite3", "-bail", reference, ".read \(script)"])
  }
}
