// One writer at a time, across processes: an advisory lock (flock(2)) on `library.lock`.
//
// SQLite has a lock of its own. This one is taken before it, for two reasons: a checkpoint must
// exclude writers (before 3.51.3 a checkpoint and a writer that resets the WAL could corrupt it),
// and a save that waits behind another program's import should say so instead of timing out.
// The lock dies with its process. Runs on the writer's queue, which it may block.

internal import Dispatch
internal import Glibc
internal import Synchronization

/// What the one writer is doing, as every open library sees it.
package enum WriterActivity: Sendable, Hashable {
  case idle
  case writing
  /// Behind another writer: what it does, as it wrote it into the lock.
  case waiting(behind: String)
}

/// The lock that excludes other writers.
///
/// In memory there are none, and nothing to lock.
final class WriterLock: Sendable {
  private let descriptor: Int32?
  private let path: String
  /// The library that nobody writes here.
  private let refused: String?
  private let report: @Sendable (WriterActivity) -> Void
  /// The library's folder, wherever it is moved to.
  private let folder: Int32?
  /// The library's file in it, as it was opened.
  private let file = Mutex<(name: String, identity: FileIdentity)?>(nil)

  /// - Parameter path: The lock file; it is made when it is missing.
  init(path: String, report: @escaping @Sendable (WriterActivity) -> Void) throws {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError.file(operation: "open the lock", path: path, code: errno)
    }
    self.descriptor = descriptor
    self.path = path
    self.report = report
    refused = nil
    let place = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    let folder = Glibc.open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    self.folder = folder >= 0 ? folder : nil
  }

  /// From now on nobody writes here once the library's file is another one, or gone: SQLite would
  /// go on writing into the one that nobody finds again.
  ///
  /// - Parameter name: Of the file, in the lock's folder.
  func watch(file name: String) {
    guard let folder, let identity = FileIdentity(of: name, in: folder) else { return }
    file.withLock { $0 = (name, identity) }
  }

  /// A lock that lets nobody write: the library at `path` is only looked at.
  init(refusing path: String) {
    descriptor = nil
    self.path = path
    report = { _ in }
    refused = path
    folder = nil
  }

  /// A lock of a library that nobody shares.
  init() {
    descriptor = nil
    path = ""
    report = { _ in }
    refused = nil
    folder = nil
  }

  deinit {
    if let descriptor { close(descriptor) }
    if let folder { close(folder) }
  }

  /// Runs `body` while no other process writes.
  ///
  /// `purpose` is what others see while they wait.
  ///
  /// - Parameter isCancelled: Asked while others write, and only then; the wait is given up.
  /// - Throws: ``StoreError/readOnly(path:)`` where nobody may write.
  func hold<T>(
    for purpose: String, unless isCancelled: () -> Bool = { false }, _ body: () throws -> T
  ) throws -> T {
    if let refused { throw StoreError.readOnly(path: refused) }
    guard let own = self.descriptor else { return try body() }
    let descriptor = try acquire(own, isCancelled)
    defer {
      release(descriptor)
      if descriptor != own { close(descriptor) }
    }
    try checkPresence(descriptor)
    write(purpose, to: descriptor)
    report(.writing)
    return try body()
  }

  /// Runs `body` if no other process writes now; answers nothing otherwise.
  func holdIfFree<T>(_ body: () throws -> T) throws -> T? {
    if refused != nil { return nil }
    guard let descriptor else { return try body() }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    defer { release(descriptor) }
    return try body()
  }

  /// Answers the descriptor that has the lock: the one given, or where it took a wait another one of
  /// the same file, which the holder closes.
  private func acquire(_ descriptor: Int32, _ isCancelled: () -> Bool) throws -> Int32 {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
    report(.waiting(behind: holder(descriptor)))
    // Also where the file was moved meanwhile it is the same one.
    let other = Glibc.open("/proc/self/fd/\(descriptor)", O_RDWR | O_CLOEXEC)
    guard other >= 0 else {
      throw StoreError.file(operation: "open the lock", path: path, code: errno)
    }
    let code: Int32
    do {
      code = try LockWait(other).end(unless: isCancelled)
    } catch {
      report(.idle)
      throw error
    }
    guard code == 0 else {
      throw StoreError.file(operation: "lock", path: path, code: code)
    }
    return other
  }

  /// What is written into a file that nobody can open again is lost.
  private func checkPresence(_ descriptor: Int32) throws {
    var status = stat()
    let isLockThere = fstat(descriptor, &status) != 0 || status.st_nlink > 0
    let isFileThere = file.withLock { file in
      guard let file, let folder else { return true }
      return FileIdentity(of: file.name, in: folder) == file.identity
    }
    if isLockThere, isFileThere { return }
    throw StoreError.gone(path: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
  }

  private func release(_ descriptor: Int32) {
    // Others are woken by a change in the folder (FileWatcher). That of the WAL comes before its
    // fsync, when the commit can't be read yet; this one comes after it.
    _ = ftruncate(descriptor, 0)
    flock(descriptor, LOCK_UN)
    report(.idle)
  }

  private func write(_ purpose: String, to descriptor: Int32) {
    // Only for others to read; a lock without words still locks. They read up to the line's end: what
    // a holder that was killed left behind it need not be cut off.
    let words = Array("\(purpose), process \(getpid())\n".utf8)
    _ = pwrite(descriptor, words, words.count, 0)
  }

  private func holder(_ descriptor: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 200)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { return "another program" }
    return String(decoding: buffer[..<count].prefix { $0 != 10 }, as: UTF8.self)
  }
}

/// A wait for the lock that can be given up: a thread of its own waits, because flock(2) can't be told
/// to stop, and its descriptor is its own, so that what comes too late locks nobody out.
private final class LockWait: Sendable {
  private enum State { case waiting, ended(code: Int32), givenUp }

  /// How often the wait looks whether anybody still wants it.
  private static let pause = DispatchTimeInterval.milliseconds(50)

  private let state = Mutex(State.waiting)
  private let isEnded = DispatchSemaphore(value: 0)

  init(_ descriptor: Int32) {
    DispatchQueue(label: "skyros.lock").async {
      var code: Int32 = 0
      while flock(descriptor, LOCK_EX) != 0 {
        code = errno
        if code != EINTR { break }
        code = 0
      }
      let isWanted = self.state.withLock { state in
        if case .givenUp = state { return false }
        state = .ended(code: code)
        return true
      }
      // Closing it gives the lock back.
      if !isWanted || code != 0 { close(descriptor) }
      self.isEnded.signal()
    }
  }

  /// Waits to the end; answers `errno` where it failed.
  func end(unless isCancelled: () -> Bool) throws -> Int32 {
    while isEnded.wait(timeout: .now() + Self.pause) == .timedOut {
      guard isCancelled() else { continue }
      let isGivenUp = state.withLock { state in
        guard case .waiting = state else { return false }
        state = .givenUp
        return true
      }
      if isGivenUp { throw CancellationError() }
    }
    return state.withLock { state in
      if case .ended(let code) = state { code } else { 0 }
    }
  }
}
