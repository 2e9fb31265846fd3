// A file as a sequence of pieces, read as they are asked for: an upload holds one piece, however
// large the file is.

internal import Glibc
internal import NIOCore

/// The pieces of a file from its beginning.
struct FileChunks: AsyncSequence, Sendable {
  static let chunkBytes = 256 * 1024

  let path: String

  struct Unreadable: Error {
    let code: Int32
  }

  func makeAsyncIterator() -> Iterator { Iterator(path: path) }

  struct Iterator: AsyncIteratorProtocol {
    private let file: OpenFile

    init(path: String) { file = OpenFile(path) }

    mutating func next() async throws -> ByteBuffer? {
      let piece = try file.read()
      return piece.isEmpty ? nil : ByteBuffer(bytes: piece)
    }
  }
}

/// A file that is open as long as somebody reads it.
final class OpenFile {
  private let descriptor: Int32

  init(_ path: String) { descriptor = open(path, O_RDONLY | O_CLOEXEC) }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func skip(to offset: Int64) throws {
    guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else {
      throw FileChunks.Unreadable(code: errno)
    }
  }

  /// The next piece; empty at the end.
  func read() throws -> [UInt8] {
    guard descriptor >= 0 else { throw FileChunks.Unreadable(code: EBADF) }
    var piece = [UInt8](repeating: 0, count: FileChunks.chunkBytes)
    while true {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileChunks.Unreadable(code: errno) }
      piece.removeLast(piece.count - count)
      return piece
    }
  }
}
