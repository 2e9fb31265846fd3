// Notices that another process writes: inotify(7) on the library's folder wakes a thread of its own,
// which sleeps in poll(2) otherwise. No timer and no polling: idle is idle. What is typed into a form
// (the draft journal) wakes nobody else; a process that lets the sync lease go does (its file is closed).

internal import Glibc
internal import Synchronization

/// Calls back after files of a folder were written.
final class FileWatcher: Sendable {
  /// Events that come within this time after one are answered together: a long import writes
  /// thousands of times a second.
  static let gatheringMilliseconds: Int32 = 20

  private let stopping: Int32

  /// - Parameter changed: Runs on the watcher's thread.
  init(folder: String, changed: @escaping @Sendable () -> Void) throws {
    let events = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard events >= 0 else {
      throw StoreError.file(operation: "watch", path: folder, code: errno)
    }
    let mask = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE)
    guard inotify_add_watch(events, folder, mask) >= 0 else {
      let code = errno
      Glibc.close(events)
      throw StoreError.file(operation: "watch", path: folder, code: code)
    }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      let code = errno
      Glibc.close(events)
      throw StoreError.file(operation: "watch", path: folder, code: code)
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    stopping = ends[1]
    let loop = WatchLoop(events: events, stop: ends[0], changed: changed)
    var thread = pthread_t()
    let context = Unmanaged.passRetained(loop)
    let code = pthread_create(
      &thread, nil,
      { context in
        context.map { Unmanaged<WatchLoop>.fromOpaque($0).takeRetainedValue().run() }
        return nil
      }, context.toOpaque())
    guard code == 0 else {
      context.release()
      Glibc.close(ends[1])
      throw StoreError.file(operation: "watch", path: folder, code: code)
    }
    pthread_detach(thread)
  }

  /// Ends the thread: it sees the other end of its pipe closed.
  deinit { Glibc.close(stopping) }
}

/// The watcher's thread.
private final class WatchLoop: Sendable {
  private let events: Int32
  private let stop: Int32
  private let changed: @Sendable () -> Void

  init(events: Int32, stop: Int32, changed: @escaping @Sendable () -> Void) {
    self.events = events
    self.stop = stop
    self.changed = changed
  }

  deinit {
    Glibc.close(events)
    Glibc.close(stop)
  }

  func run() {
    while wait(timeout: -1) {
      guard drain() else { continue }
      changed()
      // What comes in meanwhile is gathered, and asked for once.
      var pause = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
      if poll(&pause, 1, FileWatcher.gatheringMilliseconds) != 0 { return }
    }
  }

  /// Sleeps until something was written; false when the watcher is gone.
  private func wait(timeout: Int32) -> Bool {
    var descriptors = [
      pollfd(fd: events, events: Int16(POLLIN), revents: 0),
      pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&descriptors, 2, timeout) < 0 {
      guard errno == EINTR else { return false }
    }
    return descriptors[1].revents == 0
  }

  /// Reads what happened; whether any of it is news of the library.
  private func drain() -> Bool {
    var isNews = false
    let bytes = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.bufferBytes, alignment: MemoryLayout<inotify_event>.alignment)
    defer { bytes.deallocate() }
    while case let count = read(events, bytes.baseAddress, bytes.count), count > 0 {
      var at = 0
      while at + Self.headBytes <= count {
        let event = bytes.loadUnaligned(fromByteOffset: at, as: inotify_event.self)
        let name = bytes[(at + Self.headBytes)...].prefix(Int(event.len)).prefix { $0 != 0 }
        // More happened than the queue holds: anything may have.
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 || Self.isNews(name) { isNews = true }
        at += Self.headBytes + Int(event.len)
      }
    }
    return isNews
  }

  private static let headBytes = MemoryLayout<inotify_event>.size
  private static let bufferBytes = 4096

  /// The files of the records and of sync; everything else in the folder says nothing to others.
  private static func isNews(_ name: some Sequence<UInt8>) -> Bool {
    name.starts(with: "library.".utf8) || name.starts(with: "sync.".utf8)
  }
}

extension Library {
  /// Begins to notice what other processes commit.
  func watch(_ folder: LibraryFolder) throws {
    let watcher = try FileWatcher(folder: folder.path) { [weak self] in
      guard let self else { return }
      Task {
        await self.noticeCommits()
        self.syncFeed.send(())
      }
    }
    hold(watcher)
  }
}
