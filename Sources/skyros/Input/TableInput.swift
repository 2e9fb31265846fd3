// The file of an import. Standard input is copied into a file without a name first: an import reads
// its file twice, and can't be asked how large a pipe is.

internal import Glibc

/// A file with a table.
struct TableInput {
  /// Where it can be opened, as often as needed.
  let path: String

  init(path: String) throws(Failure) {
    guard path == "-" else {
      guard access(path, R_OK) == 0 else { throw .file(path: path, code: errno) }
      self.path = path
      return
    }
    let folder = environment("TMPDIR") ?? "/tmp"
    var template = Array("\(folder)/skyros-XXXXXX".utf8CString)
    let copy = mkstemp(&template)
    guard copy >= 0 else { throw .file(path: folder, code: errno) }
    unlink(template)
    try Self.copyInput(to: copy)
    // The descriptor stays open: it is what keeps the file.
    self.path = "/proc/self/fd/\(copy)"
  }

  private static func copyInput(to copy: Int32) throws(Failure) {
    var block = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = read(STDIN_FILENO, &block, block.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .file(path: "-", code: errno) }
      if count == 0 { return }
      var written = 0
      while written < count {
        let step = block[written..<count].withUnsafeBytes { write(copy, $0.baseAddress, $0.count) }
        guard step > 0 || errno == EINTR else { throw .file(path: "-", code: errno) }
        written += max(0, step)
      }
    }
  }
}
