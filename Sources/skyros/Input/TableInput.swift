// The file of an import. What is no regular file (standard input, a pipe with a name, a device) is copied
// into a file without a name first: an import reads its file twice, and can't be asked how large a pipe
// is. Opening and reading wait for whoever writes, so they do on a thread of their own.

internal import Dispatch
internal import Glibc
internal import RecordStore
internal import Records
internal import Synchronization

/// A file with a table.
struct TableInput {
  /// What may come without a line's end: as much as an import takes for a row.
  private static let lineBytesMax = 64 << 20
  /// Fewer first bytes than this say too little of what a file is.
  private static let headBytesMin = 1024

  /// Where it can be opened, as often as needed.
  let path: String

  /// Opens the file; `-` is standard input.
  ///
  /// - Parameter encoding: The one that a person named.
  /// - Throws: `CancellationError` as soon as the task is cancelled; who waits for a pipe then is left
  ///   behind, which the end of the program ends.
  static func opened(_ path: String, encoding: TextEncoding?) async throws -> TableInput {
    let once = Once()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        once.wait(continuation)
        if Task.isCancelled { once.answer(.failure(CancellationError())) }
        DispatchQueue(label: "skyros.input").async {
          once.answer(Result { try TableInput(path: path, encoding: encoding) })
        }
      }
    } onCancel: {
      once.answer(.failure(CancellationError()))
    }
  }

  private init(path: String, encoding: TextEncoding?) throws {
    var info = stat()
    if path != "-", stat(path, &info) == 0 {
      let kind = info.st_mode & S_IFMT
      guard kind != S_IFREG, kind != S_IFDIR else {
        guard access(path, R_OK) == 0 else { throw Failure.file(path: path, code: errno) }
        self.path = path
        return
      }
    }
    let input = path == "-" ? STDIN_FILENO : Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw Failure.file(path: path, code: errno) }
    defer { if input != STDIN_FILENO { close(input) } }
    let folder = environment("TMPDIR") ?? "/tmp"
    var template = Array("\(folder)/skyros-XXXXXX".utf8CString)
    let copy = mkstemp(&template)
    guard copy >= 0 else { throw Failure.file(path: folder, code: errno) }
    unlink(template)
    try Self.copy(input, of: path, to: copy, encoding)
    // The descriptor stays open: it is what keeps the file.
    self.path = "/proc/self/fd/\(copy)"
  }

  private static func copy(
    _ input: Int32, of path: String, to copy: Int32, _ encoding: TextEncoding?
  ) throws {
    var block = [UInt8](repeating: 0, count: 1 << 18)
    var line = 0
    var isFirst = true
    var isJSON = false
    while true {
      let count = read(input, &block, block.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw Failure.file(path: path, code: errno) }
      if count == 0 { return }
      if isFirst {
        isFirst = false
        let head = Array(block[..<min(count, TableFormat.headBytes)])
        if count >= headBytesMin, let error = ImportError(head: head, encoding: encoding) {
          throw error
        }
        let value = head.first { $0 > 0x20 }
        isJSON = value == UInt8(ascii: "[") || value == UInt8(ascii: "{")
      }
      let hasEnd = memchr(block, 0x0A, count) != nil || memchr(block, 0x0D, count) != nil
      line = hasEnd ? 0 : line + count
      // Values of JSON may all stand on one line.
      guard isJSON || line <= lineBytesMax else {
        throw ImportError.rowTooLong(line: 1, bytesMax: lineBytesMax)
      }
      try write(block[..<count], to: copy, path)
    }
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to copy: Int32, _ path: String) throws {
    var rest = bytes
    while !rest.isEmpty {
      let step = rest.withUnsafeBytes { Glibc.write(copy, $0.baseAddress, $0.count) }
      guard step > 0 || errno == EINTR else { throw Failure.file(path: path, code: errno) }
      rest = rest.dropFirst(max(0, step))
    }
  }
}

/// A continuation that is resumed by whoever comes first.
private final class Once: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<TableInput, any Error>)
    case answered
  }

  private let state = Mutex(State.idle)

  func wait(_ continuation: CheckedContinuation<TableInput, any Error>) {
    state.withLock { $0 = .waiting(continuation) }
  }

  func answer(_ result: sending Result<TableInput, any Error>) {
    let continuation = state.withLock { state -> CheckedContinuation<TableInput, any Error>? in
      guard case .waiting(let continuation) = state else { return nil }
      state = .answered
      return continuation
    }
    continuation?.resume(with: result)
  }
}
