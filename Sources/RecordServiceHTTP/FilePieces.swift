internal import Glibc
internal import RecordService

/// A file in pieces that fit a socket's buffer.
///
/// One reader.
final class FilePieces {
  private static let pieceBytes = 262_144
  private let descriptor: Int32

  /// - Parameter offset: Where to begin.
  init(path: String, from offset: Int = 0) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0, lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else {
      throw StorageFault.system(errno)
    }
  }

  deinit {
    close(descriptor)
  }

  /// Nil at the end.
  func next() throws -> [UInt8]? {
    let descriptor = descriptor
    let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { buffer, count in
      count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
    }
    return piece.isEmpty ? nil : piece
  }
}
