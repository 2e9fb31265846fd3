// The sync lease: one process at a time syncs a library. An open file description lock (fcntl(2)) on
// a file of the folder, which dies with its process, however it ends. Unlike flock(2) it can be asked
// for without being taken, so that whoever only looks never stands in the way of who wants it. Its
// file is closed then, which wakes the others (FileWatcher).

internal import Glibc

/// Held while its owner syncs; let go when it is dropped.
package final class SyncLease: Sendable {
  /// `F_OFD_GETLK` and `F_OFD_SETLK` of Linux, which the module map leaves out.
  private static let getLock: Int32 = 36
  private static let setLock: Int32 = 37

  private let descriptor: Int32?

  private init(_ descriptor: Int32?) { self.descriptor = descriptor }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// Takes the lease, or answers nothing where another process holds it.
  ///
  /// A library in memory has no other process.
  package static func take(_ library: Library) throws -> SyncLease? {
    guard let path = path(of: library) else { return SyncLease(nil) }
    if library.isReadOnly { throw StoreError.readOnly(path: library.path ?? path) }
    // Asked first: a file that is opened for nothing would wake everybody when it is closed.
    if isHeld(library) { return nil }
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError.file(operation: "open the lock", path: path, code: errno)
    }
    var range = wholeFile
    guard fcntl(descriptor, setLock, &range) == 0 else {
      let code = errno
      close(descriptor)
      if code == EAGAIN || code == EACCES { return nil }
      throw StoreError.file(operation: "lock", path: path, code: code)
    }
    let words = Array("process \(getpid())\n".utf8)
    ftruncate(descriptor, 0)
    _ = pwrite(descriptor, words, words.count, 0)
    return SyncLease(descriptor)
  }

  /// Whether some process syncs the library now.
  package static func isHeld(_ library: Library) -> Bool {
    guard let path = path(of: library) else { return false }
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var range = wholeFile
    guard fcntl(descriptor, getLock, &range) == 0 else { return false }
    return range.l_type != Int16(F_UNLCK)
  }

  private static func path(of library: Library) -> String? {
    library.path.map { LibraryFolder($0).path + "/sync.lock" }
  }

  private static var wholeFile: flock {
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    return range
  }
}
