// The sync lease: one process at a time syncs a library. An advisory lock (flock(2)) on a file of the
// folder, which dies with its process, however it ends.

internal import Glibc

/// Held while its owner syncs; let go when it is dropped.
package final class SyncLease: Sendable {
  private let descriptor: Int32?

  private init(_ descriptor: Int32?) { self.descriptor = descriptor }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// Takes the lease, or answers nothing where another process holds it.
  ///
  /// A library in memory has no other process.
  package static func take(_ library: Library) throws -> SyncLease? {
    guard let folder = library.path else { return SyncLease(nil) }
    let path = LibraryFolder(folder).path + "/sync.lock"
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError.file(operation: "open the lock", path: path, code: errno)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      if code == EWOULDBLOCK { return nil }
      throw StoreError.file(operation: "lock", path: path, code: code)
    }
    let words = Array("process \(getpid())\n".utf8)
    ftruncate(descriptor, 0)
    _ = pwrite(descriptor, words, words.count, 0)
    return SyncLease(descriptor)
  }

  /// Whether some process syncs the library now.
  package static func isHeld(_ library: Library) -> Bool {
    do { return try take(library) == nil } catch { return false }
  }
}
