// A table in a file, read chunk by chunk: bytes, text, rows. Memory stays flat whatever the size.
// Blocks on the file; runs on the writer's queue or off it, one at a time.

internal import Glibc
internal import Records

/// One row as its file has it.
enum SourceRow {
  case cells(TableRow)
  case members(JSONRow)

  var line: Int {
    switch self {
    case .cells(let row): row.line
    case .members(let row): row.line
    }
  }

  var element: Int? {
    switch self {
    case .cells: nil
    case .members(let row): row.element
    }
  }
}

/// A file with a table in it.
struct TableSource {
  private static let chunkBytes = 1 << 20
  /// What may be read without a row's end: a file that has none is no table, and may have no end
  /// either.
  static let rowBytesMax = 64 << 20

  let path: String
  let encoding: TextEncoding
  let format: TableFormat
  let totalBytes: Int64
  private let isCancelled: @Sendable () -> Bool

  /// - Parameter isCancelled: Asked chunk by chunk while rows are read.
  init(
    _ request: ImportRequest, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws {
    path = request.path
    self.isCancelled = isCancelled
    let file = try SourceFile(path)
    defer { file.close() }
    totalBytes = file.size
    var head = [UInt8](repeating: 0, count: TableFormat.headBytes)
    let count = try file.read(into: &head)
    head.removeLast(head.count - count)
    if let error = ImportError(head: head, encoding: request.encoding) { throw error }
    encoding = request.encoding ?? TextEncoding.detect(head)
    var decoder = TextDecoder(encoding)
    var text: [UInt8] = []
    head.withUnsafeBufferPointer { decoder.decode($0, into: &text) }
    format = request.format ?? TableFormat.detect(name: path, head: text)
  }

  /// Hands out the rows in order, the header of a CSV file too.
  ///
  /// - Parameter body: Gets the row and the bytes of the file read so far.
  func forEachRow(_ body: (SourceRow, Int64) throws -> Void) throws {
    let file = try SourceFile(path)
    defer { file.close() }
    var decoder = TextDecoder(encoding)
    var reader = RowsReader(format)
    var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
    var decoded: [UInt8] = []
    var bytes: Int64 = 0
    var rowEnd: Int64 = 0
    func take(_ row: SourceRow) throws {
      rowEnd = bytes
      try body(row, bytes)
    }
    while true {
      if isCancelled() { throw CancellationError() }
      if bytes - rowEnd > Self.rowBytesMax {
        throw ImportError.rowTooLong(line: reader.startLine, bytesMax: Self.rowBytesMax)
      }
      let count = try file.read(into: &chunk)
      if count == 0 { break }
      bytes += Int64(count)
      if decoder.isTransparent {
        try chunk.withUnsafeBufferPointer {
          try reader.read(UnsafeBufferPointer(rebasing: $0[..<count]), take)
        }
      } else {
        decoded.removeAll(keepingCapacity: true)
        chunk.withUnsafeBufferPointer {
          decoder.decode(UnsafeBufferPointer(rebasing: $0[..<count]), into: &decoded)
        }
        try decoded.withUnsafeBufferPointer { chunk in
          try reader.read(chunk, take)
        }
      }
    }
    decoded.removeAll(keepingCapacity: true)
    decoder.finish(into: &decoded)
    try decoded.withUnsafeBufferPointer { rest in
      try reader.read(rest, take)
    }
    try reader.finish(take)
  }
}

/// The rows of either kind of table.
private enum RowsReader {
  case csv(CSVReader)
  case json(JSONRowsReader)

  init(_ format: TableFormat) {
    switch format {
    case .csv(let delimiter): self = .csv(CSVReader(delimiter: delimiter))
    case .json: self = .json(JSONRowsReader(lines: false))
    case .ndjson: self = .json(JSONRowsReader(lines: true))
    }
  }

  var startLine: Int {
    switch self {
    case .csv(let reader): reader.startLine
    case .json(let reader): reader.startLine
    }
  }

  mutating func read(
    _ chunk: UnsafeBufferPointer<UInt8>, _ body: (SourceRow) throws -> Void
  ) throws {
    switch self {
    case .csv(var reader):
      // Taken out and put back, so that its buffers are not copied.
      self = .csv(CSVReader())
      defer { self = .csv(reader) }
      try reader.read(chunk) { try body(.cells($0)) }
    case .json(var reader):
      self = .json(JSONRowsReader(lines: true))
      defer { self = .json(reader) }
      try reader.read(chunk) { try body(.members($0)) }
    }
  }

  mutating func finish(_ body: (SourceRow) throws -> Void) throws {
    switch self {
    case .csv(var reader): try reader.finish { try body(.cells($0)) }
    case .json(var reader): try reader.finish { try body(.members($0)) }
    }
  }
}

/// An open file.
private struct SourceFile {
  let path: String
  let descriptor: Int32
  let size: Int64

  init(_ path: String) throws {
    self.path = path
    descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw StoreError.file(operation: "read", path: path, code: errno)
    }
    var info = stat()
    size = fstat(descriptor, &info) == 0 ? Int64(info.st_size) : 0
  }

  /// Fills the buffer as far as the file goes.
  func read(into buffer: inout [UInt8]) throws -> Int {
    var filled = 0
    while filled < buffer.count {
      let count = buffer.withUnsafeMutableBytes { bytes in
        Glibc.read(descriptor, bytes.baseAddress?.advanced(by: filled), bytes.count - filled)
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else {
        throw StoreError.file(operation: "read", path: path, code: errno)
      }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  func close() { _ = Glibc.close(descriptor) }
}
