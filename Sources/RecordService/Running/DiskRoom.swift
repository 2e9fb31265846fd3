// How much room a disk has left. Blocking, but the kernel answers from memory.

internal import Glibc

/// The room on the disk of a file or folder.
package struct DiskRoom: Sendable, Hashable {
  /// Kept back for what makes room: a deletion writes the log before it frees anything.
  ///
  /// Twice the largest request, whose log may stand in the way.
  private static let reserveBytesMax: Int64 = 128_000_000
  /// Above the reserve, what the log may still have to move into the file, twice.
  private static let logBytes: Int64 = 32_000_000

  package var freeBytes: Int64
  package var totalBytes: Int64

  package init(freeBytes: Int64, totalBytes: Int64) {
    self.freeBytes = freeBytes
    self.totalBytes = totalBytes
  }

  /// As the kernel says; without end where it does not.
  package init(of path: String) {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else {
      self.init(freeBytes: .max, totalBytes: .max)
      return
    }
    let block = Int64(status.f_frsize)
    self.init(
      freeBytes: Int64(status.f_bavail) * block, totalBytes: Int64(status.f_blocks) * block)
  }

  /// So little is left that only what makes room goes on.
  package var isTight: Bool { freeBytes < reserveBytes }

  /// So little is left that the log has to be kept short: moving a long one into the file would use
  /// the reserve up.
  package var isScarce: Bool { freeBytes < reserveBytes + Self.logBytes }

  /// Of a small disk, a twentieth.
  private var reserveBytes: Int64 { min(Self.reserveBytesMax, totalBytes / 20) }
}
