// Files and standard input as a person names them, read whole. What may be large is streamed by the
// store instead.

internal import Glibc
internal import Records

/// A file to read, or standard input.
struct InputFile {
  /// The most that is read whole: more than any field holds.
  private static let sizeMax = 64 << 20

  /// As the person gave it; `-` is standard input.
  let path: String

  static let standardInput = InputFile(path: "-")

  func text() throws(Failure) -> String {
    guard let text = String(validating: try bytes(), as: UTF8.self) else {
      throw .notText(path: path)
    }
    return text
  }

  func bytes() throws(Failure) -> [UInt8] {
    let isInput = path == "-"
    let descriptor = isInput ? STDIN_FILENO : Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file(path: path, code: errno) }
    defer { if !isInput { close(descriptor) } }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &block, block.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .file(path: path, code: errno) }
      if count == 0 { return bytes }
      bytes += block[..<count]
      guard bytes.count <= Self.sizeMax else { throw .file(path: path, code: EFBIG) }
    }
  }
}
