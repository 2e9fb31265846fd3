// One library: the folder, its connections, its model, and who writes in it.
//
// A `Library` is Sendable and blocks nobody: reads run on the pool's readers, writes one after the
// other on its writer, and what comes back are values. It must not know any view or wire.

internal import Dispatch
internal import GRDB
package import Records
internal import Synchronization

/// An open library.
package final class Library: Sendable {
  /// The folder; nothing for a library in memory.
  package let path: String?
  package let surroundings: Surroundings

  /// Whether it can only be looked at: its folder or file can't be written here.
  ///
  /// Every write throws ``StoreError/readOnly(path:)`` then.
  package let isReadOnly: Bool

  let database: any DatabaseWriter
  /// The file as it was opened, where it must not change while it is looked at.
  private let frozen: FrozenFile?
  let lock: WriterLock
  let activities: Broadcast<WriterActivity>
  let commitFeed: CommitFeed
  /// Sync's own books, or the lease, may have changed.
  let syncFeed = Broadcast<Void>()
  let attachments: AttachmentFolder
  let drafts: DraftJournal
  let lists = SharedLists()
  private let current: Mutex<Current>
  private let watcher = Mutex<FileWatcher?>(nil)

  /// What every transaction and every reader has to know of the library.
  struct Current: Sendable {
    var model: Model
    var modelVersion: Int
    var device: DeviceID
  }

  init(
    path: String?, surroundings: Surroundings, database: any DatabaseWriter, lock: WriterLock,
    activities: Broadcast<WriterActivity>, current: Current, isReadOnly: Bool = false,
    frozen: FrozenFile? = nil
  ) {
    self.path = path
    self.isReadOnly = isReadOnly
    self.frozen = frozen
    self.surroundings = surroundings
    self.database = database
    self.lock = lock
    self.activities = activities
    self.current = Mutex(current)
    commitFeed = CommitFeed()
    // What can't be saved is not journaled either.
    drafts = DraftJournal(folder: isReadOnly ? nil : path.map { LibraryFolder($0) })
    attachments =
      path.map { AttachmentFolder(path: LibraryFolder($0).attachments) } ?? AttachmentFolder()
  }

  /// The model now.
  ///
  /// Never waits for the database.
  package var model: Model { current.withLock(\.model) }

  /// The device that writes in this copy (invariant J6).
  package var device: DeviceID { current.withLock(\.device) }

  /// Whether somebody writes, and whom a write of ours waits for.
  package var activity: AsyncStream<WriterActivity> { activities.stream() }

  /// The commits of this and every other process, from now on, in order.
  package func commits() -> AsyncStream<Commit> { commitFeed.broadcast.stream() }

  /// Tells whenever something of sync may have changed, here or in another process: its settings, the
  /// event log, what waits, who holds the lease.
  ///
  /// A listener that is slow hears of several changes once.
  package func syncNotices() -> AsyncStream<Void> { syncFeed.stream(.bufferingNewest(1)) }

  var state: Current { current.withLock(\.self) }

  func update(_ change: (inout Current) -> Void) { current.withLock { change(&$0) } }

  func hold(_ watcher: FileWatcher) { self.watcher.withLock { $0 = watcher } }

  /// Ends all work and closes the file.
  ///
  /// Streams end; later calls throw.
  package func close() async throws {
    watcher.withLock { $0 = nil }
    commitFeed.end()
    syncFeed.end()
    lists.end()
    activities.end()
    try drafts.close()
    let database = database
    try await translatingErrors {
      // Closing waits for the readers, and blocks while it does. Readers run on the same few threads
      // as async functions do, so it must not wait on one of those.
      try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
        DispatchQueue(label: "skyros.close").async {
          done.resume(
            with: Result {
              self.checkpointBeforeClosing()
              try database.close()
            })
        }
      }
    }
  }
}

/// SQLite's errors as the store's own.
func translatingErrors<T>(_ body: () async throws -> T) async throws -> T {
  do {
    return try await body()
  } catch let error as DatabaseError {
    throw StoreError.sqlite(
      code: error.extendedResultCode.rawValue, message: error.message ?? "no message")
  }
}

extension Library {
  /// Runs `body` on a snapshot of the file, off the caller's actor.
  func read<T: Sendable>(
    _ body: @escaping @Sendable (Reading) throws -> T
  ) async throws -> T {
    let model = model
    let database = database
    return try await translatingErrors {
      do {
        let answer = try await database.read { db in try body(Reading(db, model: model)) }
        guard frozen?.isChanged != true else { throw StoreError.changedByOthers(path: path ?? "") }
        return answer
      } catch is DatabaseError where frozen?.isChanged == true {
        throw StoreError.changedByOthers(path: path ?? "")
      }
    }
  }
}
