// Taking a bulk insertion back: its records are ranges of row numbers in the log, and go to the trash
// as ranges too. On the writer's queue, inside one transaction.

internal import GRDB
internal import Records

extension Undoing {
  /// Deletes what bulk insertions made, a page of row numbers at a time.
  mutating func takeBackRanges() throws {
    let ranges = try Row.fetchAll(
      door.db, sql: "SELECT type, first, last FROM _range WHERE number = ? ORDER BY type, first",
      arguments: [target])
    for (name, ranges) in Dictionary(grouping: ranges, by: { $0[0] as String }) {
      guard let type = door.model.type(TypeID(trusted: name)) else { continue }
      let made = ranges.map { range -> ClosedRange<Int64> in
        let (first, last): (Int64, Int64) = (range[1], range[2])
        return first...max(first, last)
      }
      let rows = try unedited(made, of: type)
      if door.model.types.contains(where: { $0.fields.contains { $0.type.target == type.id } }) {
        for rows in rows { try takeBackReferred(rows, of: type) }
      } else {
        try door.withLargeCache { try takeBack(rows, of: type) }
      }
    }
  }

  /// Deletes rows that nothing can refer to: no rule of another record has to be asked.
  private func takeBack(_ ranges: [ClosedRange<Int64>], of type: RecordType) throws {
    let table = try BulkTable(
      type, rows: ranges.reduce(0) { $0 + Int64($1.count) }, needed: [],
      others: ["_trash", "_change"], makesSearch: true, door)
    var trashing = try BulkTrashing(type, forgetsSearch: !table.isSearchMade, door)
    for rows in ranges {
      try forEachPage(of: rows) { page in
        try trashing.trashWritten(rows: page)
        try door.watch?.count(page.count)
      }
      try forEachPage(of: rows) { page in
        // What was written again since is told by more than its columns.
        for record in try door.reading.living(type, rows: page) {
          var state = record.state
          state.delete(stamp: door.stamp(above: state.vector))
          try door.put(state, of: type, id: record.id, previous: record)
        }
      }
    }
    try table.close()
  }

  private mutating func takeBackReferred(
    _ rows: ClosedRange<Int64>, of type: RecordType
  ) throws {
    try forEachPage(of: rows) { page in
      for record in try door.reading.living(type, rows: page) {
        try deletion.delete(record.reference)
      }
      try door.watch?.count(page.count)
    }
  }

  private func forEachPage(
    of rows: ClosedRange<Int64>, _ body: (ClosedRange<Int64>) throws -> Void
  ) rethrows {
    var first = rows.lowerBound
    while first <= rows.upperBound {
      let last = min(rows.upperBound, first + Self.pageRows - 1)
      try body(first...last)
      first = last + 1
    }
  }
}
