// Writing records into a table: flat rows of `_id` and the fields, which an import takes back. The
// file is streamed; memory stays flat whatever its size.

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
  private var file: NewFile
  private let type: RecordType
  private let format: ExportFormat
  private var count = 0

  init(path: String, type: RecordType, format: ExportFormat) throws {
    file = try NewFile(at: path)
    self.type = type
    self.format = format
    try file.add { buffer in
      switch format {
      case .csv: buffer += FlatRow.header(of: type)
      case .json: buffer.append(contentsOf: "[".utf8)
      case .ndjson: break
      }
    }
  }

  mutating func add(_ snapshot: Snapshot) throws {
    let isFirst = count == 0
    try file.add { [type, format] buffer in
      switch format {
      case .csv: buffer += FlatRow.line(snapshot, of: type)
      case .json:
        buffer.append(contentsOf: (isFirst ? "\n" : ",\n").utf8)
        FlatRow.object(snapshot, of: type).append(to: &buffer)
      case .ndjson:
        FlatRow.object(snapshot, of: type).append(to: &buffer)
        buffer.append(10)
      }
    }
    count += 1
  }

  /// Ends the file; it is on disk then.
  mutating func finish() throws -> Int {
    if format == .json { try file.add { $0.append(contentsOf: "\n]\n".utf8) } }
    try file.finish()
    return count
  }

  func abandon() { file.abandon() }
}
