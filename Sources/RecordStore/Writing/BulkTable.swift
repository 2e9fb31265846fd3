// A record table made ready for a change of many rows, and put back as it was before the transaction
// ends. An index that is made anew of all rows costs a fraction of one that follows each; a guard
// costs every row a savepoint, and keeps out nobody inside a transaction that holds the writer's lock.
// On the writer's queue; where the work fails, all of it goes with the transaction.

internal import GRDB
internal import Records

/// One record table during one change of many rows.
struct BulkTable {
  /// Fewer rows than this are changed with the table as it is.
  static let rowsMin: Int64 = 2000

  private let door: WriteDoor
  private let schema: TypeSchema
  private let dropped: [String]
  private let unguarded: [String]
  /// Whether the search table is made anew at the end.
  let isSearchMade: Bool

  /// Takes away what slows the table down: its guard, and the indexes that nothing needs meanwhile,
  /// where most of its rows are about to change.
  ///
  /// - Parameters:
  ///   - rows: About how many rows are going to be written.
  ///   - needed: The names of the indexes that stay.
  ///   - others: Further tables that the rows go to.
  ///   - makesSearch: Whether the search table is made anew of what is left.
  init(
    _ type: RecordType, rows: Int64, needed: Set<String>, others: [String] = [],
    makesSearch: Bool = false, _ door: WriteDoor
  ) throws {
    self.door = door
    schema = TypeSchema(type)
    let isLarge = rows >= Self.rowsMin
    let isMost = try isLarge && door.living(of: type.id) <= rows * 2
    unguarded = isLarge ? [type.id.name] + others : []
    isSearchMade = isMost && makesSearch
    dropped = isMost ? schema.indexes.map(\.name).filter { !needed.contains($0) } : []
    for table in unguarded { try LibrarySchema.unguardTable(table, door.db) }
    for name in dropped { try door.execute("DROP INDEX IF EXISTS \"\(name)\"") }
    if isSearchMade { door.searches.mute(schema.searchTable) }
  }

  /// Puts all of it back.
  func close() throws {
    for index in schema.indexes where dropped.contains(index.name) { try door.execute(index.sql) }
    if isSearchMade { try door.rebuildSearch(of: schema.type) }
    for table in unguarded { try LibrarySchema.guardTable(table, door.db) }
  }
}

extension WriteDoor {
  /// A page cache for work on whole tables, in KiB: it keeps an index of a million ids in memory, well
  /// within the bound on memory (DESIGN.md 8).
  private static let largeCacheKibibytes = 32 << 10
  /// SQLite's own (pragma.html, "cache_size").
  private static let usualCacheKibibytes = 2000

  /// Runs `body` with a larger page cache.
  func withLargeCache<T>(_ body: () throws -> T) throws -> T {
    try db.execute(sql: "PRAGMA cache_size = -\(Self.largeCacheKibibytes)")
    let result = Result { try body() }
    do {
      try db.execute(sql: "PRAGMA cache_size = -\(Self.usualCacheKibibytes)")
    } catch {
      // A transaction that was interrupted refuses every statement; what ended it is told instead.
      guard case .failure(let cause) = result else { throw error }
      throw cause
    }
    return try result.get()
  }
}
