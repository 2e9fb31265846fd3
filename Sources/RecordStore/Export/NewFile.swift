// A file that a person names and that is not there yet: written piece by piece, on disk once it is
// finished, and never over one that is there. One thread at a time.

internal import Glibc

/// A new file being written.
package struct NewFile: Sendable {
  private static let bufferBytes = 256 << 10

  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  /// - Throws: ``StoreError/file(operation:path:code:)``; `EEXIST` when there is a file already.
  init(at path: String) throws(StoreError) {
    self.path = path
    descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure }
  }

  /// Writes all of a new file; one that could not be finished is removed again.
  ///
  /// - Throws: ``StoreError/file(operation:path:code:)``; `EEXIST` when there is a file already.
  package static func write(_ bytes: [UInt8], at path: String) throws(StoreError) {
    var file = try NewFile(at: path)
    do {
      try file.add { $0 += bytes }
      try file.finish()
    } catch {
      file.abandon()
      throw error
    }
  }

  mutating func add(_ piece: (inout [UInt8]) -> Void) throws(StoreError) {
    piece(&buffer)
    if buffer.count >= Self.bufferBytes { try flush() }
  }

  /// Ends the file; it is on disk then.
  mutating func finish() throws(StoreError) {
    try flush()
    guard fsync(descriptor) == 0, Glibc.close(descriptor) == 0 else { throw failure }
  }

  func abandon() {
    Glibc.close(descriptor)
    unlink(path)
  }

  private var failure: StoreError { .file(operation: "export", path: path, code: errno) }

  private mutating func flush() throws(StoreError) {
    var rest = buffer[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw failure }
      rest = rest.dropFirst(written)
    }
    buffer.removeAll(keepingCapacity: true)
  }
}
