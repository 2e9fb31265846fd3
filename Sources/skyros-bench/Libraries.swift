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

  /// The library, imported if it is not there yet; answers what the import took, if it ran.
  func make() throws -> Programs.Run? {
    if access(csv, F_OK) != 0 { try Make.write(records, seed: 1, to: csv) }
    if access("\(library)/library.sqlite", F_OK) == 0 { return nil }
    let model = "\(folder)/places.yaml"
    try Self.model.write(toFile: model, atomically: true, encoding: .utf8)
    _ = try Programs.run([Programs.skyros, "new", library, "--model", model])
    return try Programs.run([
      Programs.skyros, "--library", library, "import", csv, "--type", "Place",
    ])
  }

  /// Fills the reference by the sqlite3 shell; answers what that took.
  ///
  /// The shell gets our own table, indexes and search table, without the guards, and the same
  /// durability: WAL and `synchronous=FULL`, one transaction.
  func fillReference() throws -> Programs.Run {
    for suffix in ["", "-wal", "-shm"] { unlink(reference + suffix) }
    let source = try DatabaseQueue(path: "\(library)/library.sqlite")
    let statements = try source.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT sql FROM sqlite_master
          WHERE sql IS NOT NULL AND name NOT LIKE 'Place.\\_search\\_%' ESCAPE '\\'
            AND (name = 'Place._search' OR (tbl_name = 'Place' AND type IN ('table', 'index')))
          ORDER BY type = 'index'
          """)
    }
    try source.close()
    let script = "\(folder)/reference.sql"
    let text = """
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      \(statements.joined(separator: ";\n"));
      CREATE TEMP VIEW incoming AS SELECT geoname_id, name, country, region, population, latitude,
        longitude, founded, notes FROM Place;
      CREATE TEMP TRIGGER take INSTEAD OF INSERT ON incoming BEGIN
        INSERT INTO Place (_id, _created, _time, _device, _pending, geoname_id, name, country, region,
          population, latitude, longitude, founded, notes)
        VALUES (randomblob(16), 1, 1, 1, 2, new.geoname_id, new.name, new.country, new.region,
          new.population, new.latitude, new.longitude, new.founded, new.notes);
        INSERT INTO "Place._search" (rowid, text)
        VALUES (last_insert_rowid(), new.name || char(10) || new.notes);
      END;
      .import --csv --skip 1 \(csv) incoming

      """
    try text.write(toFile: script, atomically: true, encoding: .utf8)
    return try Programs.run(["sqlite3", "-bail", reference, ".read \(script)"])
  }
}
