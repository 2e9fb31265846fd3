// Restoring a backup into a library, while other programs may have it open: they see one commit that
// changes everything. The library as it was is backed up first, so that nothing is lost.
//
// The restored library is a copy of what the device was (invariant J6): it takes a new device id, so
// that what it writes from now on is never taken for what the old one wrote.

internal import GRDB
internal import Glibc
internal import Records

extension Library {
  /// Replaces what is in the library by a backup.
  ///
  /// - Throws: ``StoreError/notALibrary(path:)`` for a file that is no backup, ``StoreError/newer(path:format:known:)``,
  ///   ``StoreError/damaged(_:)``; the library is then as it was.
  package func restoreBackup(from path: String) async throws -> RestoreSummary {
    guard LibraryFolder.isFile(path) else {
      throw StoreError.file(operation: "read", path: path, code: ENOENT)
    }
    let folder = try backupsFolder()
    let aside = "\(folder)/.restoring-\(getpid()).sqlite"
    defer { for suffix in ["", "-journal"] { unlink(aside + suffix) } }
    try Self.copyFile(path, to: aside)
    let made = try prepare(aside, named: path)
    let newest = try await read { try $0.newestNumber() }
    let safety = try safetyPath(before: "restore")
    _ = try await backUp(to: safety)
    let copy = try BackupFile(path: aside)
    defer { try? copy.close() }
    let database = database
    let previous = try await translatingErrors {
      try await database.writeWithoutTransaction { db in
        try self.lock.hold(for: "the restoring of a backup") {
          let previous = try self.backUpAgain(db, insteadOf: safety, ifAbove: newest)
          try copy.copyPages(to: db)
          try self.adoptRestoredFile(db)
          return previous
        }
      }
    }
    try await followSearchRules()
    let records = try await counts().values.reduce(0, +)
    return RestoreSummary(made: made, previous: previous, records: records)
  }

  /// Puts a backup in the place of a library that can't be opened, or not be read well enough to be
  /// backed up itself.
  ///
  /// What was there is kept in the library's folder of backups.
  ///
  /// - Throws: What ``restoreBackup(from:)`` throws; the library is then as it was.
  package static func replaceDamaged(
    at path: String, from backup: String, surroundings: Surroundings
  ) async throws -> RestoreSummary {
    let folder = LibraryFolder(path)
    guard LibraryFolder.isFile(folder.database) else { throw StoreError.missing(path: folder.path) }
    let kept = try DamagedFile(of: folder, at: surroundings.milliseconds())
    do {
      try kept.setAside()
      let library = try await create(at: folder.path, model: Model(), surroundings: surroundings)
      do {
        let summary = try await library.restoreBackup(from: backup)
        try await library.close()
        unlink(summary.previous)
        return RestoreSummary(made: summary.made, previous: kept.place, records: summary.records)
      } catch {
        try await library.close()
        throw error
      }
    } catch {
      kept.putBack()
      throw error
    }
  }

  /// Backs up once more where others committed since the first backup was begun: now nobody writes.
  ///
  /// - Returns: Where the library as it is now is kept.
  private func backUpAgain(
    _ db: Database, insteadOf path: String, ifAbove number: Int64
  ) throws -> String {
    let newest = try Int64.fetchOne(db, sql: "SELECT max(number) FROM _transaction") ?? 0
    guard newest > number else { return path }
    let newer = try safetyPath(before: "restore")
    let aside = try AsideFile(besides: newer, operation: "write a backup")
    defer { aside.discard() }
    try db.execute(sql: "VACUUM INTO ?", arguments: [aside.path])
    _ = try finishBackup(aside, at: newer)
    unlink(path)
    return newer
  }

  /// Checks the copy of a backup, takes its attachments over, and makes it a plain library file of a
  /// new device: its pages replace the library's in one transaction, whatever ends the program then.
  private func prepare(_ aside: String, named path: String) throws -> Timestamp {
    do {
      let copy = try BackupFile(path: aside)
      defer { try? copy.close() }
      let format = try copy.format()
      guard format.application == LibrarySchema.applicationID, let made = try copy.made() else {
        throw StoreError.notALibrary(path: path)
      }
      guard format.version <= LibrarySchema.format else {
        throw StoreError.newer(path: path, format: format.version, known: LibrarySchema.format)
      }
      try copy.check()
      try copy.takeAttachments(into: attachments)
      try copy.dropOwnTables()
      let file = self.path.flatMap { FileIdentity(of: LibraryFolder($0).database) }
      try copy.takeNewDevice(for: file, surroundings: surroundings)
      return made
    } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
      throw StoreError.notALibrary(path: path)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      throw StoreError.damaged("the backup \(path)")
    }
  }

  /// Reads anew what every write has to know, and tells everybody that everything changed.
  private func adoptRestoredFile(_ db: Database) throws {
    try surroundings.faults?.tick()
    guard let device = try DeviceRecord.written(db) else { throw StoreError.damaged("no device") }
    let (version, model) = try LibraryOrigin.newestModel(db)
    update { $0 = Current(model: model, modelVersion: version, device: device) }
    let number = try Int64.fetchOne(db, sql: "SELECT max(number) FROM _transaction") ?? 0
    commitFeed.restart(
      Commit(
        number: number, origin: .repair, isOwn: true, changes: .many(Set(model.types.map(\.id))),
        modelChanged: true), of: device)
  }

  /// A name, not taken yet, for the backup that is made before something is changed at large.
  func safetyPath(before step: String) throws -> String {
    let stem = "\(try backupsFolder())/before-\(step)-\(surroundings.milliseconds())"
    var number = 1
    while access("\(stem)-\(number).backup", F_OK) == 0 { number += 1 }
    return "\(stem)-\(number).backup"
  }

  func backupsFolder() throws -> String {
    try requireWriting()
    if let path {
      let folder = LibraryFolder(path).backups
      try LibraryFolder.makeFolder(folder)
      return folder
    }
    return getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  }

  private static func copyFile(_ source: String, to target: String) throws {
    let input = Glibc.open(source, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else {
      throw StoreError.file(operation: "read", path: source, code: errno)
    }
    defer { Glibc.close(input) }
    let output = Glibc.open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard output >= 0 else {
      throw StoreError.file(operation: "write", path: target, code: errno)
    }
    defer { Glibc.close(output) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: AttachmentFolder.chunkBytes, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = Glibc.read(input, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw StoreError.file(operation: "read", path: source, code: errno)
      }
      if count == 0 { return }
      try AttachmentFolder.write(
        UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: output, path: target)
    }
  }
}
