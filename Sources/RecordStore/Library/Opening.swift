// Making and opening libraries.

internal import GRDB
internal import Glibc
package import Records

extension Library {
  /// Makes a library in a new folder, and opens it.
  ///
  /// - Throws: ``StoreError/exists(path:)`` where a library is already.
  package static func create(
    at path: String, model: Model, surroundings: Surroundings
  ) async throws -> Library {
    let folder = LibraryFolder(path)
    guard !LibraryFolder.isFile(folder.database) else { throw StoreError.exists(path: folder.path) }
    try folder.make()
    do {
      try await make(folder, model: model, surroundings: surroundings)
    } catch StoreError.file(_, _, EEXIST) {
      throw StoreError.exists(path: folder.path)
    }
    return try await open(folder, surroundings: surroundings)
  }

  /// Makes the library's file aside and gives it its name last: what a full disk, a kill or a model
  /// that can't be kept leaves is no library, and keeps nobody from making one.
  private static func make(
    _ folder: LibraryFolder, model: Model, surroundings: Surroundings
  ) async throws {
    let aside = try AsideFile(besides: folder.database)
    defer { aside.discard() }
    try await translatingErrors {
      let database = try Connections.queue(at: aside.path)
      defer { try? database.close() }
      let file = FileIdentity(of: aside.path)
      _ = try await database.writeWithoutTransaction { db in
        try db.inTransactionReturning {
          try LibraryOrigin.write(db, model: model, file: file, surroundings: surroundings)
        }
      }
    }
    try aside.settle()
  }

  /// Opens a library; one that can't be written here is opened to be looked at
  /// (``Library/isReadOnly``).
  ///
  /// - Parameter isOnlyRead: Opens it so even where it could be written.
  /// - Throws: ``StoreError/missing(path:)``, ``StoreError/notALibrary(path:)``,
  ///   ``StoreError/newer(path:format:known:)``, ``StoreError/unreadableWithoutWriting(path:)``; the
  ///   file is as it was then.
  package static func open(
    at path: String, surroundings: Surroundings, isOnlyRead: Bool = false
  ) async throws -> Library {
    let folder = LibraryFolder(path)
    guard LibraryFolder.isFile(folder.database) else {
      throw StoreError.missing(path: folder.path)
    }
    if isOnlyRead || folder.isReadOnly {
      return try await openToRead(folder, surroundings: surroundings)
    }
    return try await open(folder, surroundings: surroundings)
  }

  /// Makes a library that is gone when it is closed: for tests and previews.
  package static func inMemory(
    model: Model, surroundings: Surroundings
  ) async throws -> Library {
    try await translatingErrors {
      let database = try Connections.memory()
      let current = try await database.writeWithoutTransaction { db in
        try db.inTransactionReturning {
          try LibraryOrigin.write(db, model: model, file: nil, surroundings: surroundings)
        }
      }
      let library = Library(
        path: nil, surroundings: surroundings, database: database, lock: WriterLock(),
        activities: Broadcast(), current: current)
      library.commitFeed.begin(after: 1, of: current.device)
      return library
    }
  }

  private static func open(
    _ folder: LibraryFolder, surroundings: Surroundings
  ) async throws -> Library {
    try await translatingErrors {
      let activities = Broadcast<WriterActivity>()
      let lock = try WriterLock(path: folder.lock) { activities.send($0) }
      if !isOurs(folder) { try checkFormat(folder) }
      let database = try Connections.pool(at: folder.database)
      let file = FileIdentity(of: folder.database)
      lock.watch(file: LibraryFolder.databaseName)
      let current = try await database.writeWithoutTransaction { db in
        // What the header did not say yet may stand in the WAL.
        let format = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard format <= LibrarySchema.format else {
          throw StoreError.newer(path: folder.path, format: format, known: LibrarySchema.format)
        }
        return try LibraryOrigin.read(db, file: file, lock: lock, surroundings: surroundings)
      }
      let opened = try await database.read { try Reading($0, model: current.model).newestNumber() }
      let library = Library(
        path: folder.path, surroundings: surroundings, database: database, lock: lock,
        activities: activities, current: current)
      library.commitFeed.begin(after: opened, of: current.device)
      try await library.followSearchRules()
      try library.watchIfPossible(folder)
      return library
    }
  }

  /// Notices what other processes commit.
  func watchIfPossible(_ folder: LibraryFolder) throws {
    do {
      try watch(folder)
    } catch StoreError.file(operation: "watch", _, _) {
      // The system gives out only so many watches. Without one, what others commit is noticed with
      // the next commit of ours: a library that opens is worth more.
    }
  }

  /// Whether the file's header says that it is a library of a format that we know (fileformat2.html,
  /// "The Database Header"): a look at 100 bytes, where opening it twice would read the WAL twice.
  private static func isOurs(_ folder: LibraryFolder) -> Bool {
    let descriptor = Glibc.open(folder.database, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { _ = Glibc.close(descriptor) }
    var header = [UInt8](repeating: 0, count: 100)
    guard Glibc.read(descriptor, &header, header.count) == header.count else { return false }
    func number(at offset: Int) -> UInt32 {
      header[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    return header.starts(with: "SQLite format 3\0".utf8)
      && number(at: 68) == UInt32(bitPattern: LibrarySchema.applicationID)
      && number(at: 60) <= UInt32(LibrarySchema.format)
  }

  /// Looks at the file before anything may write to it.
  private static func checkFormat(_ folder: LibraryFolder) throws {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(Connections.busyTimeoutSeconds)
    do {
      let queue = try DatabaseQueue(path: folder.database, configuration: configuration)
      try queue.read { try checkFormat($0, of: folder) }
      try queue.close()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
      throw StoreError.notALibrary(path: folder.path)
    }
  }

  /// Refuses what is not a library, or one of a newer Skyros.
  static func checkFormat(_ db: Database, of folder: LibraryFolder) throws {
    let application = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    let format = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    guard application == LibrarySchema.applicationID else {
      throw StoreError.notALibrary(path: folder.path)
    }
    guard format <= LibrarySchema.format else {
      throw StoreError.newer(path: folder.path, format: format, known: LibrarySchema.format)
    }
  }
}

/// The first rows of a library, and what opening reads of them.
enum LibraryOrigin {
  static func write(
    _ db: Database, model: Model, file: FileIdentity?, surroundings: Surroundings
  ) throws -> Library.Current {
    try model.checkNames()
    try LibrarySchema.create(db)
    let device = DeviceID(random: surroundings.random())
    let now = surroundings.milliseconds()
    try set("library", surroundings.newRecordID().description, db)
    try set("rules", "\(SearchText.rules)", db)
    try DeviceRecord.begin(device, name: surroundings.deviceName, at: now, db)
    try DeviceRecord.sign(machine: surroundings.machine, file: file, db)
    // The log begins with the making of the library: the door is open from here on.
    try db.execute(
      sql: """
        INSERT INTO _transaction (number, at, time, device, author, origin, sealed, records)
        VALUES (1, ?, ?, ?, ?, 'migration', 0, 0)
        """,
      arguments: [
        now, Int64(bitPattern: HybridTime(milliseconds: now).rawValue),
        Int64(bitPattern: device.rawValue), surroundings.person,
      ])
    for type in model.types { try TypeSchema(type).create(db) }
    try db.execute(
      sql: "INSERT INTO _model (version, yaml, at, number) VALUES (1, ?, ?, 1)",
      arguments: [ModelText.text(of: model), now])
    try db.execute(sql: "UPDATE _transaction SET sealed = 1, note = 'library' WHERE number = 1")
    return Library.Current(model: model, modelVersion: 1, device: device)
  }

  static func read(
    _ db: Database, file: FileIdentity?, lock: WriterLock, surroundings: Surroundings
  ) throws -> Library.Current {
    try SyncSchema.complete(db, lock: lock)
    let (version, model) = try newestModel(db)
    let device = try DeviceRecord.living(db, file: file, lock: lock, surroundings: surroundings)
    return Library.Current(model: model, modelVersion: version, device: device)
  }

  static func newestModel(_ db: Database) throws -> (version: Int, model: Model) {
    let row = try Row.fetchOne(
      db, sql: "SELECT version, yaml FROM _model ORDER BY version DESC LIMIT 1")
    guard let row else { throw StoreError.damaged("no model") }
    return (row[0], try ModelText.model(of: row[1]))
  }

  static func set(_ key: String, _ value: String, _ db: Database) throws {
    try db.execute(
      sql: "INSERT OR REPLACE INTO _library (key, value) VALUES (?, ?)", arguments: [key, value])
  }

  static func value(_ key: String, _ db: Database) throws -> String? {
    try String.fetchOne(
      db.cachedStatement(sql: "SELECT value FROM _library WHERE key = ?"), arguments: [key])
  }
}

extension Library {
  /// Makes the search tables anew where they were written by the rules of another Skyros.
  func followSearchRules() async throws {
    let rules = "\(SearchText.rules)"
    guard try await read({ try LibraryOrigin.value("rules", $0.db) }) != rules else { return }
    _ = try await transaction(TransactionHead(origin: .repair, note: "search")) { door in
      // Another program may have done it meanwhile.
      guard try LibraryOrigin.value("rules", door.db) != rules else { return }
      for type in door.model.types { try door.rebuildSearch(of: type) }
      try LibraryOrigin.set("rules", rules, door.db)
      door.repaired()
    }
  }

  /// What a write has to know, read anew where another process changed it.
  func refreshed(_ db: Database) throws -> Current {
    let known = state
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT (SELECT max(version) FROM _model), (SELECT id FROM _device WHERE living = 1)"))
    if let id: Int64 = row?[1], id != Int64(bitPattern: known.device.rawValue) {
      update { $0.device = DeviceID(rawValue: UInt64(bitPattern: id)) }
    }
    guard let version: Int = row?[0], version != known.modelVersion else { return state }
    let newest = try LibraryOrigin.newestModel(db)
    update {
      $0.model = newest.model
      $0.modelVersion = newest.version
    }
    return state
  }
}

extension Database {
  /// Runs `body` in a transaction and gives its answer back.
  func inTransactionReturning<T>(_ body: () throws -> T) throws -> T {
    var answer: T?
    try inTransaction(.immediate) {
      answer = try body()
      return .commit
    }
    guard let answer else { throw StoreError.damaged("a transaction without an answer") }
    return answer
  }
}
