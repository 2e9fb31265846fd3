// Indexes grow behind the queries that had to read much, a bounded piece at a time.

internal import CloudKitWire

/// Records that a query read one by one although it knew the value that it looked for.
struct QueryScan: Sendable {
  /// Reading fewer is no trouble.
  private static let recordsMin = 1_000
  /// Records taken into an index in one transaction.
  private static let pieceMax = 500
  /// Fields of one type that are looked up in a zone; beyond, queries go on reading.
  private static let fieldsMax = 8

  let zone: StoredZone
  let type: String
  let field: String
  let records: Int

  var asksForIndex: Bool { records >= Self.recordsMin }

  /// Takes the next records into the index; true when there are more.
  func growIndex(in database: DatabaseKey, _ storage: any StorageWriting) throws -> Bool {
    // Deleted or made again since: nothing to look up any more.
    guard try storage.zone(named: zone.name, in: database)?.number == zone.number else {
      return false
    }
    let indexes = try storage.indexes(of: type, in: zone.number)
    var index = indexes.first { $0.field.isExactly(field) }
    if index == nil, indexes.count < Self.fieldsMax {
      index = try storage.addIndex(of: field, type: type, in: zone.number)
    }
    guard let index else { return false }
    var count = 0
    var last = index.upTo
    var values: [(name: String, value: IndexedValue)] = []
    try storage.records(of: type, in: zone.number, after: index.upTo) { record in
      let value = StoredFields.read(record.fields, only: [field])[field]?.value
      if let value = value.flatMap({ IndexedValue($0) }) { values.append((record.name, value)) }
      last = record.name
      count += 1
      return count < Self.pieceMax
    }
    for (name, value) in values { try storage.note(value, of: name, in: index.number) }
    try storage.extend(index.number, upTo: last)
    return count == Self.pieceMax
  }
}

extension RecordService {
  /// What one query pays for those that come after it.
  private static let piecesMax = 40

  func growIndexes(behind scans: [QueryScan], in database: DatabaseKey) async throws {
    for scan in scans where scan.asksForIndex {
      for _ in 0..<Self.piecesMax where !Task.isCancelled {
        do {
          guard try await storage.write({ try scan.growIndex(in: database, $0) }) else { break }
        } catch StorageFault.full, StorageFault.busy {
          // The answer is there without it.
          return
        }
      }
    }
  }
}
