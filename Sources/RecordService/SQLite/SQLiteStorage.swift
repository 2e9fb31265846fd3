// The storage contract on one SQLite file, for several processes at once.
//
// Writers: callers queue their bodies; one at a time, a batch of them runs in one transaction, each
// in a savepoint of its own, so that fifty clients share an fsync and one's failure is his own.
// Around the batch this process holds the lock file, so that no checkpoint runs beside a writer,
// in no process: SQLite before 3.51.3 can corrupt a WAL when one connection resets it while
// another writes (sqlite.org/wal.html, "the WAL-reset bug"). Automatic checkpoints are off; ours
// run at the end of a batch, under the same lock.
//
// Threads: GRDB's writer queue runs the batches; reads run on its reader queues.

internal import GRDB
internal import Synchronization

/// Records in one SQLite file.
package final class SQLiteStorage: RecordStorage {
  /// A batch ends after this, so that the next in line is not kept waiting.
  private static let batchMax: Duration = .milliseconds(50)
  /// Size of the write-ahead log that asks for a checkpoint.
  private static let checkpointBytes = 16_000_000
  /// The same while the disk has little room, of which a long log would take the last.
  private static let scarceCheckpointBytes = 1_000_000
  /// How long SQLite waits for another connection.
  private static let busySeconds: Double = 10
  /// Free pages inside the file that take new records although the disk is tight.
  private static let sparePagesMin: Int64 = 1_000

  private struct Job: Sendable {
    let purpose: WritePurpose
    let run: @Sendable (Database, ChangeNotes) throws -> Void
    let finish: @Sendable ((any Error)?) -> Void
  }

  private struct Line: Sendable {
    var jobs: [Job] = []
    var isServed = false
  }

  package let path: String
  package let signal = ChangeSignal()
  private let pool: DatabasePool
  private let lock: StorageLock
  private let watch: FileWatch
  private let line = Mutex(Line())
  private let disk: @Sendable (_ path: String) -> DiskRoom

  /// Opens the file, and makes it when it is missing.
  ///
  /// Blocks while another process opens it.
  ///
  /// - Parameter bytesMax: how large the file may grow before it counts as full.
  private init(
    path: String, surroundings: ServiceSurroundings, bytesMax: Int64?
  ) throws {
    self.path = path
    disk = surroundings.disk
    var configuration = Configuration()
    configuration.busyMode = .timeout(Self.busySeconds)
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
      // A log that was moved into the file begins anew at this size, not at the one it had.
      try db.execute(sql: "PRAGMA journal_size_limit = \(Self.scarceCheckpointBytes / 2)")
      try db.execute(sql: "PRAGMA synchronous = FULL")
      try db.execute(sql: "PRAGMA temp_store = MEMORY")
      try db.execute(sql: "PRAGMA cache_size = -16000")
    }
    let lock = try StorageLock(path: path + "-lock")
    self.lock = lock
    // Opening creates, recovers and lays out the file: one process at a time.
    try lock.acquire()
    defer { lock.release() }
    makePrivateFile(path)
    pool = try DatabasePool(path: path, configuration: configuration)
    let secret = surroundings.random(32)
    let epoch = surroundings.random(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    try pool.writeWithoutTransaction { db in
      // The pool sets NORMAL when it turns the log on.
      try db.execute(sql: "PRAGMA synchronous = FULL")
      if let bytesMax {
        let pageBytes = try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 4_096
        try db.execute(sql: "PRAGMA max_page_count = \(max(1, bytesMax / pageBytes))")
      }
      try db.inTransaction(.immediate) {
        try SQLiteSchema.prepare(db, secret: secret, epoch: epoch)
        return .commit
      }
    }
    watch = try FileWatch(path: path + "-lock", signal)
  }

  /// Opens the file from an async function: waiting for its lock must not hold up its thread.
  package static func open(
    path: String, surroundings: ServiceSurroundings, bytesMax: Int64? = nil
  ) async throws -> SQLiteStorage {
    try await onThreadOfItsOwn {
      try SQLiteStorage(path: path, surroundings: surroundings, bytesMax: bytesMax)
    }
  }

  /// Closes the file after what is queued has been written.
  package func close() async throws {
    watch.stop()
    let pool = pool
    // Closing waits for the readers, which run on the same few threads as async functions do.
    try await onThreadOfItsOwn { try pool.close() }
  }

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StorageReading) throws -> Value
  ) async throws -> Value {
    do {
      return try await pool.read { db in
        try body(SQLiteTransaction(db: db, notes: ChangeNotes()))
      }
    } catch {
      throw Self.translated(error)
    }
  }

  package func write<Value: Sendable>(
    _ purpose: WritePurpose, _ body: @escaping @Sendable (any StorageWriting) throws -> Value
  ) async throws -> Value {
    let outcome = Mutex<Value?>(nil)
    let box = OutcomeBox(outcome)
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      enqueue(
        Job(
          purpose: purpose,
          run: { db, notes in
            box.set(try body(SQLiteTransaction(db: db, notes: notes)))
          },
          finish: { error in
            if let error { continuation.resume(throwing: error) } else { continuation.resume() }
          }))
    }
    guard let value = box.take() else {
      preconditionFailure("A job that finished without error has an outcome.")
    }
    return value
  }

  /// Copies the file while it is in use.
  package func copy(to path: String) async throws {
    let pool = pool
    try await onThreadOfItsOwn {
      makePrivateFile(path)
      let target = try DatabaseQueue(path: path)
      try pool.backup(to: target)
      try target.close()
    }
  }

  // MARK: The line of writers

  private func enqueue(_ job: Job) {
    let mustServe = line.withLock { line in
      line.jobs.append(job)
      defer { line.isServed = true }
      return !line.isServed
    }
    guard mustServe else { return }
    pool.asyncWriteWithoutTransaction { db in self.serve(db) }
  }

  private func serve(_ db: Database) {
    while true {
      let isEmpty = line.withLock { line in
        if line.jobs.isEmpty { line.isServed = false }
        return line.jobs.isEmpty
      }
      if isEmpty { return }
      runBatch(db)
    }
  }

  private func runBatch(_ db: Database) {
    var done: [(job: Job, error: (any Error)?)] = []
    let notes = ChangeNotes()
    let room = disk(path)
    do {
      try lock.acquire()
      defer { lock.release() }
      try db.inTransaction(.immediate) {
        let takesMore = try !room.isTight || hasSparePages(db)
        let start = ContinuousClock.now
        while let job = nextJob() {
          done.append((job, nil))
          done[done.count - 1].error =
            takesMore || job.purpose == .freeing
            ? try outcome(of: job, db, notes) : StorageFault.full
          if ContinuousClock.now - start > Self.batchMax { break }
        }
        return .commit
      }
      notes.commit()
      checkpointIfDue(db, room)
    } catch {
      // Nothing of the batch is there. Those that had failed keep their own reason.
      if done.isEmpty, let job = nextJob() { done.append((job, nil)) }
      let reason = Self.translated(error)
      for index in done.indices where done[index].error == nil { done[index].error = reason }
      for (job, error) in done { job.finish(error) }
      if case StorageFault.full = reason { makeRoom(db) }
      return
    }
    if !notes.committed.isEmpty {
      lock.touch()
      signal.notify(notes.committed)
    }
    for (job, error) in done { job.finish(error) }
  }

  private func nextJob() -> Job? {
    line.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
  }

  /// The error of one body; throws when the whole transaction is lost with it.
  private func outcome(of job: Job, _ db: Database, _ notes: ChangeNotes) throws -> (any Error)? {
    notes.begin()
    do {
      try db.inSavepoint {
        try job.run(db, notes)
        return .commit
      }
      notes.commit()
      return nil
    } catch {
      notes.rollback()
      guard db.isInsideTransaction else { throw error }
      return Self.translated(error)
    }
  }

  /// Whether deletions left room inside the file.
  private func hasSparePages(_ db: Database) throws -> Bool {
    (try Int64.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0) >= Self.sparePagesMin
  }

  /// Moves the log into the file, under the lock that the batch holds.
  ///
  /// It never waits for readers: what they still need is moved the next time.
  private func checkpointIfDue(_ db: Database, _ room: DiskRoom) {
    let most = room.isScarce ? Self.scarceCheckpointBytes : Self.checkpointBytes
    guard fileSize(path + "-wal") > most else { return }
    if room.isScarce { emptyLog(db) } else { move(db, .passive) }
  }

  /// Gives the room of the log back to a full disk.
  private func makeRoom(_ db: Database) {
    guard (try? lock.acquire()) != nil else { return }
    defer { lock.release() }
    emptyLog(db)
  }

  /// Moves the log into the file and cuts it off, if no reader is in it.
  private func emptyLog(_ db: Database) {
    // Who waits for readers here keeps all writers waiting.
    guard (try? db.execute(sql: "PRAGMA busy_timeout = 0")) != nil else { return }
    move(db, .truncate)
    _ = try? db.execute(sql: "PRAGMA busy_timeout = \(Int(Self.busySeconds * 1_000))")
  }

  /// A failure leaves the log as it is: nothing is lost, and the next batch tries again.
  private func move(_ db: Database, _ mode: Database.CheckpointMode) {
    _ = try? db.checkpoint(mode)
  }

  private static func translated(_ error: any Error) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    switch error.resultCode {
    case .SQLITE_FULL: return StorageFault.full
    // The log's own index finds no room: SQLite's words for a disk that is full to the last.
    case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
      return StorageFault.full
    case .SQLITE_BUSY, .SQLITE_LOCKED: return StorageFault.busy
    default: return error
    }
  }
}

/// Carries a value out of a job.
private final class OutcomeBox<Value: Sendable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: consuming sending Mutex<Value?>) {
    self.value = value
  }

  func set(_ new: Value) { value.withLock { $0 = new } }
  func take() -> Value? { value.withLock { $0 } }
}

/// Which databases the bodies of a batch changed.
///
/// Used on the writer's thread only.
final class ChangeNotes {
  private(set) var committed: Set<DatabaseKey> = []
  private var pending: Set<DatabaseKey> = []

  func begin() { pending = [] }
  func note(_ database: DatabaseKey) { pending.insert(database) }
  func rollback() { pending = [] }

  func commit() {
    committed.formUnion(pending)
    pending = []
  }
}
