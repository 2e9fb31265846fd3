// A file is written aside, whole, and named last: whatever ends the writing, no half of it ever stands
// under the name that people know, and no file of theirs is overwritten.

internal import Glibc

/// A file under a private name beside the one that it becomes.
struct AsideFile: Sendable {
  let path: String
  private let target: String
  private let operation: String

  /// Makes an empty file that only its owner reads.
  ///
  /// Its name is the target's with six letters more, which no other file has (mkstemp(3)).
  ///
  /// - Parameter operation: What is tried, for ``StoreError/file(operation:path:code:)``.
  init(besides target: String, operation: String = "write") throws {
    var name = Array((target + ".XXXXXX").utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else {
      throw StoreError.file(operation: operation, path: target, code: errno)
    }
    Glibc.close(descriptor)
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.target = target
    self.operation = operation
  }

  /// Gives the file its name, for good: both the file and its name are on the disk afterwards.
  ///
  /// - Throws: ``StoreError/file(operation:path:code:)``, with `EEXIST` where a file of that name was
  ///   made meanwhile.
  func settle() throws {
    try sync(path)
    if link(path, target) == 0 {
      unlink(path)
    } else {
      // Some file systems know no second names (FAT).
      let code = errno
      guard code != EEXIST, access(target, F_OK) != 0 else { throw failure(EEXIST) }
      guard rename(path, target) == 0 else { throw failure(errno) }
    }
    try sync(target.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(target[...$0]) } ?? ".")
  }

  /// Removes the file, unless it has its name, and what SQLite left beside it.
  func discard() {
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
  }

  private func sync(_ path: String) throws {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { Glibc.close(descriptor) }
    // Not every file system takes it for a folder, and says so.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(errno) }
  }

  private func failure(_ code: Int32) -> StoreError {
    .file(operation: operation, path: target, code: code)
  }
}
