// A small file read or written whole. Large ones are never handled this way.

internal import Glibc

enum WholeFile {
  /// The bytes of a file; nothing where it can't be read or is longer.
  static func read(_ path: String, bytesMax: Int) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&piece, 1, piece.count, file)
      bytes += piece[..<count]
      if bytes.count > bytesMax { return nil }
      if count < piece.count { return ferror(file) == 0 ? bytes : nil }
    }
  }

  /// Writes a file that only its owner reads, whole or not at all.
  static func writePrivately(_ bytes: [UInt8], to path: String) -> Bool {
    let draft = path + ".new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    let isWhole =
      fchmod(descriptor, 0o600) == 0 && write(descriptor, bytes, bytes.count) == bytes.count
      && fsync(descriptor) == 0
    close(descriptor)
    guard isWhole, rename(draft, path) == 0 else {
      unlink(draft)
      return false
    }
    return true
  }
}
