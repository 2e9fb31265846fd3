// Tells living sessions from those that ended: a session is a number, and as long as it lives it
// holds the lock on the byte of that number in `drafts.lock`. The lock dies with its process, also
// by kill -9. Open file description locks (fcntl(2)), so that two libraries of one process tell each
// other apart too.

internal import Glibc

/// The lock file of the sessions that have a library open.
final class SessionLock: Sendable {
  /// `F_OFD_SETLK` of Linux, which the module map leaves out.
  private static let setLock: Int32 = 37

  private let descriptor: Int32

  /// - Parameter path: The lock file; it is made when it is missing.
  init(path: String) throws {
    descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError.file(operation: "open the lock of drafts", path: path, code: errno)
    }
  }

  deinit { close(descriptor) }

  /// Takes the lock of a session; answers whether nobody else has it.
  func take(_ session: Int64) -> Bool { set(F_WRLCK, session) }

  /// Whether the session ended: its lock is free.
  func isEnded(_ session: Int64) -> Bool {
    guard take(session) else { return false }
    _ = set(F_UNLCK, session)
    return true
  }

  private func set(_ kind: Int32, _ session: Int64) -> Bool {
    var range = flock()
    range.l_type = Int16(kind)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = off_t(session)
    range.l_len = 1
    return fcntl(descriptor, Self.setLock, &range) == 0
  }
}
