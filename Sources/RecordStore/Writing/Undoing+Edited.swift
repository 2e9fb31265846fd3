// What an undo leaves alone: a new record that was edited since would take the edits with it into the
// trash. It stays, and its edited fields are told. On the writer's queue, inside one transaction.

internal import GRDB
internal import Records

extension Undoing {
  /// The fields of a living record that are not what they were right after a change.
  func editedFields(of record: StoredRecord, since seq: Int64) throws -> [FieldID] {
    guard !record.isDeleted else { return [] }
    var then = record.shown
    for step in try door.reading.past(of: record.reference, from: seq + 1).reversed() {
      for (field, change) in step.change.fields { then[field] = change.before }
    }
    return record.shown.fields(unlike: then)
  }

  /// The rows of a bulk insertion without those whose records were edited since, which are noted as
  /// skipped.
  mutating func unedited(
    _ ranges: [ClosedRange<Int64>], of type: RecordType
  ) throws -> [ClosedRange<Int64>] {
    let isAsMade = try Bool.fetchOne(
      door.db, sql: "SELECT NOT EXISTS (SELECT 1 FROM _change WHERE number > ? AND type = ?)",
      arguments: [target, type.id.name])
    if isAsMade == true { return ranges }
    var result: [ClosedRange<Int64>] = []
    for range in ranges {
      var first = range.lowerBound
      for row in try editedRows(range, of: type) {
        if first < row { result.append(first...(row - 1)) }
        first = row + 1
      }
      if first <= range.upperBound { result.append(first...range.upperBound) }
    }
    return result
  }

  /// Ascending.
  private mutating func editedRows(
    _ rows: ClosedRange<Int64>, of type: RecordType
  ) throws -> [Int64] {
    let changed = try Row.fetchAll(
      door.db.cachedStatement(
        sql: """
          SELECT _row, _id FROM \(TypeSchema(type).table) AS r WHERE _row BETWEEN ? AND ?
            AND EXISTS (SELECT 1 FROM _change AS c WHERE c.id = r._id AND c.number > ?)
          ORDER BY _row
          """),
      arguments: [rows.lowerBound, rows.upperBound, target])
    return try changed.compactMap { row -> Int64? in
      guard let id = ColumnCodec.recordID(row[1]), let record = try door.reading.record(type, id)
      else { return nil }
      let insertion = try door.reading.past(of: record.reference).first { $0.seq == nil }
      let made = (insertion?.change.fields ?? [:]).mapValues(\.after)
      let fields = record.shown.fields(unlike: made)
      if !fields.isEmpty { skipped[record.reference] = fields }
      return fields.isEmpty ? nil : row[0]
    }
  }
}

extension [FieldID: Value] {
  /// The fields whose values differ, ascending.
  fileprivate func fields(unlike other: Self) -> [FieldID] {
    Set(keys).union(other.keys).filter { self[$0] ?? .empty != other[$0] ?? .empty }.sorted()
  }
}
