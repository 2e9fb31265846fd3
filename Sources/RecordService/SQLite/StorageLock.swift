// The lock file beside the database: one writer or one checkpoint at a time, over all processes.
// Writing to it is also how processes tell each other that something was committed.

internal import Glibc
internal import Synchronization

/// A lock that dies with its process.
final class StorageLock: Sendable {
  /// How long a writer waits for another process before it reports `busy`.
  private static let waitMicrosecondsMax: UInt32 = 15_000_000

  private let descriptor: Int32
  private let counter = Atomic<UInt64>(0)

  init(path: String) throws {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StorageFault.system(errno) }
  }

  deinit {
    close(descriptor)
  }

  /// Waits without sleeping in the kernel's queue, which could not be given up.
  func acquire() throws {
    var waited: UInt32 = 0
    var pause: UInt32 = 100
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { throw StorageFault.system(errno) }
      guard waited < Self.waitMicrosecondsMax else { throw StorageFault.busy }
      usleep(pause)
      waited += pause
      pause = min(pause * 2, 5_000)
    }
  }

  func release() {
    flock(descriptor, LOCK_UN)
  }

  /// Wakes those who watch the file.
  func touch() {
    // No two marks in a row are the same, whoever writes them.
    let count = counter.wrappingAdd(1, ordering: .relaxed).newValue
    var mark = UInt64(UInt32(bitPattern: getpid())) << 32 ^ UInt64(UInt32(descriptor)) << 24 ^ count
    // A lost mark costs a waiting reader his wait, no more.
    _ = pwrite(descriptor, &mark, MemoryLayout.size(ofValue: mark), 0)
  }
}

/// Makes the file, when it is missing, so that nobody but its owner reads it.
///
/// An existing one is left alone: closing it would drop the locks that SQLite has on it in this
/// process (sqlite.org/howtocorrupt.html, 2.2).
func makePrivateFile(_ path: String) {
  let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
  // Whoever opens it next says why it can't be made.
  if descriptor >= 0 { close(descriptor) }
}

/// The size of a file; 0 when there is none.
func fileSize(_ path: String) -> Int {
  var status = stat()
  return stat(path, &status) == 0 ? Int(status.st_size) : 0
}
