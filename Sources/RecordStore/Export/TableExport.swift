// Writing records into a table: flat rows of `_id` and the fields, which an import takes back. The
// file is streamed; memory stays flat whatever its size.

internal import Glibc
package import Records
internal import Synchronization

/// The forms that a table is exported in.
package enum ExportFormat: String, Sendable, Hashable, CaseIterable {
  case csv, json, ndjson
}

/// Which of a query's records an export takes.
package enum ExportSelection: Sendable, Hashable {
  case all
  case only(Set<RecordID>)
  case allBut(Set<RecordID>)

  func takes(_ id: RecordID) -> Bool {
    switch self {
    case .all: true
    case .only(let ids): ids.contains(id)
    case .allBut(let ids): !ids.contains(id)
    }
  }
}

extension Library {
  /// Writes the records of a query into a new file, in the query's order.
  ///
  /// A file that could not be finished is removed again.
  ///
  /// - Returns: How many records it holds.
  /// - Throws: ``StoreError/file(operation:path:code:)``; `EEXIST` when there is a file already.
  package func exportTable(
    _ query: ListQuery, _ selection: ExportSelection = .all, to path: String,
    format: ExportFormat
  ) async throws -> Int {
    guard let type = model.type(query.type) else { throw StoreError.unknownType(query.type) }
    let table = TableFile(try TableWriter(path: path, type: type, format: format))
    do {
      try await forEachRow(query) { snapshot in
        guard selection.takes(snapshot.id) else { return }
        try table.writer.withLock { try $0.add(snapshot) }
      }
      return try table.writer.withLock { try $0.finish() }
    } catch {
      table.writer.withLock { $0.abandon() }
      throw error
    }
  }
}

/// Hands the writer from the caller to the reader's queue and back.
private final class TableFile: Sendable {
  let writer: Mutex<TableWriter>

  init(_ writer: TableWriter) { self.writer = Mutex(writer) }
}

/// A table being written.
private struct TableWriter: Sendable {
  private static let bufferBytes = 256 << 10

  private let path: String
  private let descriptor: Int32
  private let type: RecordType
  private let format: ExportFormat
  private var buffer: [UInt8] = []
  private var count = 0

  init(path: String, type: RecordType, format: ExportFormat) throws {
    self.path = path
    self.type = type
    self.format = format
    descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError.file(operation: "export", path: path, code: errno)
    }
    switch format {
    case .csv: buffer += FlatRow.header(of: type)
    case .json: buffer.append(contentsOf: "[".utf8)
    case .ndjson: break
    }
  }

  mutating func add(_ snapshot: Snapshot) throws {
    switch format {
    case .csv: buffer += FlatRow.line(snapshot, of: type)
    case .json:
      buffer.append(contentsOf: (count == 0 ? "\n" : ",\n").utf8)
      FlatRow.object(snapshot, of: type).append(to: &buffer)
    case .ndjson:
      FlatRow.object(snapshot, of: type).append(to: &buffer)
      buffer.append(10)
    }
    count += 1
    if buffer.count >= Self.bufferBytes { try flush() }
  }

  /// Ends the file; it is on disk then.
  mutating func finish() throws -> Int {
    if format == .json { buffer.append(contentsOf: "\n]\n".utf8) }
    try flush()
    guard fsync(descriptor) == 0, Glibc.close(descriptor) == 0 else { throw failure }
    return count
  }

  func abandon() {
    Glibc.close(descriptor)
    unlink(path)
  }

  private var failure: StoreError { .file(operation: "export", path: path, code: errno) }

  private mutating func flush() throws {
    var rest = buffer[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw failure }
      rest = rest.dropFirst(written)
    }
    buffer.removeAll(keepingCapacity: true)
  }
}
