// Search text on its way into the search tables. It waits until the transaction ends or enough of it
// has gathered, for a reason: the guards make SQLite open a savepoint for each statement that writes a
// record, and a savepoint makes FTS5 write out what it holds in memory (fts5_main.c,
// fts5SavepointMethod), as an index segment of its own that has to be merged later. Written one after
// the other, with no other statement between them, a thousand records are one segment.
// On the writer's queue, inside one transaction.

internal import GRDB
internal import Records

/// What a search table has to learn or forget of one record.
struct SearchChange {
  /// The quoted name of the search table.
  let table: String
  let row: Int64
  let text: String
  /// A contentless table has to be told what it forgets (fts5.html, "The 'delete' command").
  let forgets: Bool
}

/// Changes of search tables, in the order in which they have to be written.
struct SearchQueue {
  /// The most text that waits: what FTS5 itself holds in memory before it writes a segment.
  static let bytesMax = 1 << 20

  private var changes: [SearchChange] = []
  private var bytes = 0
  /// Tables that will be made anew: what they have to learn is in the records by then.
  private var muted: Set<String> = []

  var isFull: Bool { bytes >= Self.bytesMax }

  mutating func append(_ change: SearchChange) {
    guard !muted.contains(change.table) else { return }
    changes.append(change)
    bytes += change.text.utf8.count + 32
  }

  /// All that waits, by row: FTS5 writes a segment whenever a row number is lower than the last.
  mutating func takeAll() -> [SearchChange] {
    defer {
      changes.removeAll(keepingCapacity: true)
      bytes = 0
    }
    let order = changes.indices.sorted { a, b in
      (changes[a].table, changes[a].row, a) < (changes[b].table, changes[b].row, b)
    }
    return order.map { changes[$0] }
  }

  /// Drops what a table would have to learn until it is made anew, see ``forget(_:)``.
  mutating func mute(_ table: String) {
    forget(table)
    muted.insert(table)
  }

  /// Drops what waits for a table that is made anew now.
  mutating func forget(_ table: String) {
    changes.removeAll { $0.table == table }
    muted.remove(table)
  }
}

extension WriteDoor {
  /// Has a search table learn or forget a text before the transaction ends.
  func search(_ change: SearchChange) throws {
    searches.append(change)
    if searches.isFull { try writeSearches() }
  }

  /// Writes all that waits.
  func writeSearches() throws {
    for change in searches.takeAll() {
      if change.forgets {
        try execute(
          "INSERT INTO \(change.table) (\(change.table), rowid, text) VALUES ('delete', ?, ?)",
          [change.row, change.text])
      } else {
        try execute(
          "INSERT INTO \(change.table) (rowid, text) VALUES (?, ?)", [change.row, change.text])
      }
    }
  }
}
