// The file of a backup: a library's SQLite file with two tables more, `_backup` (when it was made)
// and `_backup_piece` (the attachments, in pieces of at most 1 MiB). Synchronous: its callers are off
// the UI's actor.

internal import FoundationEssentials
internal import GRDB
internal import Glibc
internal import Records

/// An open backup file, or the copy that becomes one.
struct BackupFile {
  private let queue: DatabaseQueue
  private let path: String

  init(path: String) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      // The file is made aside and synced once, when it is whole.
      try db.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF")
    }
    self.path = path
    queue = try DatabaseQueue(path: path, configuration: configuration)
  }

  func close() throws { try queue.close() }

  // MARK: Making

  func attachmentHashes(model: Model) throws -> Set<String> {
    try queue.read { try AttachmentReferences.all(in: Reading($0, model: model)) }
  }

  /// Puts attachments in, checked on the way.
  ///
  /// - Returns: The hashes whose content is not here or not what it was.
  func addAttachments(
    from folder: AttachmentFolder, hashes: Set<String>, made: Int64
  ) throws -> [String] {
    var missing: [String] = []
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE _backup (made INTEGER NOT NULL);
          CREATE TABLE _backup_piece (
            hash TEXT NOT NULL, position INTEGER NOT NULL, bytes BLOB NOT NULL,
            PRIMARY KEY (hash, position));
          """)
      try db.execute(sql: "INSERT INTO _backup VALUES (?)", arguments: [made])
    }
    for hash in hashes.sorted() {
      do {
        try queue.write { try add(hash, from: folder, $0) }
      } catch StoreError.attachmentMissing, StoreError.attachmentDamaged {
        missing.append(hash)
      }
    }
    return missing
  }

  private func add(_ hash: String, from folder: AttachmentFolder, _ db: Database) throws {
    let insert = try db.makeStatement(sql: "INSERT INTO _backup_piece VALUES (?, ?, ?)")
    var piece: [UInt8] = []
    var position = 0
    func flush() throws {
      guard !piece.isEmpty || position == 0 else { return }
      try insert.execute(arguments: [hash, position, Data(piece)])
      position += 1
      piece.removeAll(keepingCapacity: true)
    }
    try folder.read(hash) { chunk in
      piece.append(contentsOf: chunk)
      if piece.count >= Library.backupPieceBytes { try flush() }
    }
    try flush()
  }

  /// Reads the whole file once, as SQLite does to check it.
  func check() throws {
    let verdict = try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
    guard verdict == "ok" else { throw StoreError.damaged("the backup \(path)") }
  }

  // MARK: Reading

  /// When the backup was made; nothing if this is no backup.
  func made() throws -> Timestamp? {
    try queue.read { db in
      guard try db.tableExists("_backup"), try db.tableExists("_backup_piece") else { return nil }
      return try Int64.fetchOne(db, sql: "SELECT made FROM _backup").map(Timestamp.init)
    }
  }

  func format() throws -> (application: Int32, version: Int) {
    try queue.read { db in
      (
        try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0,
        try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
      )
    }
  }

  func attachmentCount() throws -> Int {
    try queue.read {
      try Int.fetchOne($0, sql: "SELECT count(DISTINCT hash) FROM _backup_piece") ?? 0
    }
  }

  /// Puts every attachment of the backup into a folder, under the hash of what it really holds.
  func takeAttachments(into folder: AttachmentFolder) throws {
    let hashes = try queue.read {
      try String.fetchAll($0, sql: "SELECT DISTINCT hash FROM _backup_piece ORDER BY hash")
    }
    for hash in hashes {
      var position = 0
      var rest: ArraySlice<UInt8> = []
      _ = try folder.take(name: hash, from: path) { buffer in
        if rest.isEmpty {
          rest = try queue.read { db in
            let data = try Data.fetchOne(
              db, sql: "SELECT bytes FROM _backup_piece WHERE hash = ? AND position = ?",
              arguments: [hash, position])
            return data.map { Array($0)[...] } ?? []
          }
          position += 1
        }
        let count = min(buffer.count, rest.count)
        buffer.copyBytes(from: rest.prefix(count))
        rest = rest.dropFirst(count)
        return count
      }
    }
  }

  /// Makes the file a plain library file again.
  func dropOwnTables() throws {
    try queue.write { try $0.execute(sql: "DROP TABLE _backup_piece; DROP TABLE _backup") }
  }

  /// Takes a device id of its own for what the file is going to be: the next thing that is written
  /// in it must not be taken for what the old device wrote (invariant J6).
  ///
  /// - Parameter file: The library's file that the pages go to.
  func takeNewDevice(for file: FileIdentity?, surroundings: Surroundings) throws {
    try queue.write { db in
      try SyncSchema.create(db)
      _ = try DeviceRecord.takeNew(db, file: file, surroundings: surroundings)
    }
  }

  /// Copies the file's pages over another database, as one transaction there (c3ref/backup_finish).
  func copyPages(to target: Database) throws {
    try queue.read { try $0.backup(to: target) }
  }
}
