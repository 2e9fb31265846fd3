// The order of a list: the row numbers of its records, four bytes each, so that a million of them
// are an array and a jump to the end is an index.

internal import GRDB
internal import GRDBSQLite
internal import Records

/// Row numbers in the order of a list.
typealias RowOrder = ContiguousArray<UInt32>

extension Reading {
  /// The whole order of a list.
  ///
  /// - Parameter base: The order of the same list without a filter, if somebody has it.
  func wholeOrder(_ plan: ListPlan, base: RowOrder? = nil) throws -> RowOrder {
    guard !plan.isUnfiltered else { return try base ?? step(plan.rows()) }
    // Matches are found in the order of the table, which reads each page once, and are brought into
    // the list's order afterwards: a few by their own keys, many by the order of all rows.
    return try wholeOrder(plan, of: matches(plan), base: base)
  }

  /// The order of rows that are known to match.
  func wholeOrder(_ plan: ListPlan, of matches: RowOrder, base: RowOrder?) throws -> RowOrder {
    if matches.count <= Self.sortedByKeyMax { return try sorted(matches, plan) }
    let isMatch = RowSet(matches)
    let whole = try base ?? step(ListPlan(plan.base, model: model).rows())
    var order = RowOrder()
    order.reserveCapacity(matches.count)
    for row in whole where isMatch.contains(row) { order.append(row) }
    return try plan.rank.map { try ranked(order, by: $0, plan) } ?? order
  }

  /// The middle of a table that a plan has to read row by row, if it is worth being read by two.
  ///
  /// Nothing where it is short, and where an index or the search table knows the matches.
  func middleOfScan(_ plan: ListPlan, rowsOfOneReader: Int64) throws -> Int64? {
    guard !plan.isUnfiltered, plan.words == nil, !plan.condition.asksSearchTable,
      let last = try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT max(_row) FROM \(plan.table)")), last > rowsOfOneReader
    else { return nil }
    let steps = try Row.fetchAll(
      db, sql: "EXPLAIN QUERY PLAN \(plan.matches.sql)",
      arguments: StatementArguments(plan.matches.arguments))
    // https://www.sqlite.org/eqp.html: one step, "SCAN table", and no index in it.
    guard steps.count == 1, let detail: String = steps.first?["detail"],
      detail.hasPrefix("SCAN "), !detail.contains("INDEX")
    else { return nil }
    return last / 2
  }

  /// The matches in one half of the table, in any order.
  func matches(_ plan: ListPlan, _ half: ListPlan.Half) throws -> RowOrder {
    try step(plan.matches(half))
  }

  /// The row numbers of the list, in any order.
  private func matches(_ plan: ListPlan) throws -> RowOrder {
    guard let words = plan.words else { return try step(plan.matches) }
    let hits = try step(words.hits)
    if words.isAlone { return hits }
    guard hits.count > Self.sortedByKeyMax else { return try step(plan.matches) }
    let isHit = RowSet(hits)
    var matches = try step(plan.matches(words.rest))
    matches.removeAll { !isHit.contains($0) }
    return matches
  }

  /// The same rows, those whose titles fit better first.
  private func ranked(_ order: RowOrder, by rank: OrderTerm, _ plan: ListPlan) throws -> RowOrder {
    var rows = Array(repeating: RowOrder(), count: OrderTerm.lastRank)
    try forEach(plan.ranks(rank)) { statement in
      let tier = Int(sqlite3_column_int64(statement, 1))
      guard rows.indices.contains(tier) else { return }
      rows[tier].append(UInt32(truncatingIfNeeded: sqlite3_column_int64(statement, 0)))
    }
    var tiers: [RowOrder] = []
    var others = order
    for found in rows.map(RowSet.init) {
      tiers.append(others.filter { found.contains($0) })
      others.removeAll { found.contains($0) }
    }
    return tiers.reduce(RowOrder(), +) + others
  }

  /// Fewer rows than this are sorted by reading the key of each.
  private static let sortedByKeyMax = 2000

  func sorted(_ rows: RowOrder, _ plan: ListPlan) throws -> RowOrder {
    var places: [(row: UInt32, place: RowPlace)] = []
    for row in rows {
      if let place = try key(of: row, plan: plan) { places.append((row, place)) }
    }
    places.sort { $0.place.precedes($1.place, plan) }
    return RowOrder(places.map(\.row))
  }

  /// Row numbers, stepped without making a value of each.
  func step(_ rows: SQLPart) throws -> RowOrder {
    var order = RowOrder()
    try forEach(rows) { statement in
      order.append(UInt32(truncatingIfNeeded: sqlite3_column_int64(statement, 0)))
    }
    return order
  }

  private func forEach(_ rows: SQLPart, _ body: (SQLiteStatement) -> Void) throws {
    let statement = try db.makeStatement(sql: rows.sql)
    try statement.setArguments(StatementArguments(rows.arguments))
    let handle = statement.sqliteStatement
    defer { sqlite3_reset(handle) }
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW: body(handle)
      case SQLITE_DONE: return
      case let code: throw DatabaseError(resultCode: ResultCode(rawValue: code))
      }
    }
  }

  /// What a row's place is compared by; nothing if it is not in the list.
  func place(of row: UInt32, plan: ListPlan) throws -> RowPlace? {
    try place(plan.place, row)
  }

  /// The place of a row that is in the list.
  func key(of row: UInt32, plan: ListPlan) throws -> RowPlace? { try place(plan.key, row) }

  private func place(_ part: SQLPart, _ row: UInt32) throws -> RowPlace? {
    let statement = try db.cachedStatement(sql: part.sql)
    let arguments = part.arguments + [Int64(row).databaseValue]
    return try Row.fetchOne(statement, arguments: StatementArguments(arguments)).map { found in
      RowPlace(values: found.databaseValues.map { $0 })
    }
  }

  /// Where a row with a place goes in an order that does not hold it: a binary search, which reads
  /// twenty rows of a million.
  func position(of place: RowPlace, in order: RowOrder, plan: ListPlan) throws -> Int {
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      // A row that vanished since the order was read is on its way out: any side will do.
      if let other = try key(of: order[middle], plan: plan), other.precedes(place, plan) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}

/// Row numbers to look up, a bit each.
struct RowSet {
  private let bits: [UInt64]

  init(_ rows: RowOrder) {
    var bits = [UInt64](repeating: 0, count: Int((rows.max() ?? 0) / 64) + 1)
    for row in rows { bits[Int(row / 64)] |= 1 << UInt64(row % 64) }
    self.bits = bits
  }

  func contains(_ row: UInt32) -> Bool {
    let word = Int(row / 64)
    return word < bits.count && bits[word] & 1 << UInt64(row % 64) != 0
  }
}

/// The values that SQLite sorts a row by, with its row number last.
struct RowPlace {
  let values: [DatabaseValue]

  /// Whether this row comes before another one, exactly as the plan's ORDER BY has it.
  func precedes(_ other: RowPlace, _ plan: ListPlan) -> Bool {
    for (index, term) in plan.terms.enumerated() {
      let order = Self.compare(values[index], other.values[index], foldsCase: term.foldsCase)
      if order != 0 { return (order < 0) != term.descending }
    }
    let last = plan.terms.count
    let order = Self.compare(values[last], other.values[last], foldsCase: false)
    return (order < 0) != plan.rowDescending
  }

  /// SQLite's order of values (datatype3.html, "Sort Order"): NULL, numbers, text, blobs.
  private static func compare(_ a: DatabaseValue, _ b: DatabaseValue, foldsCase: Bool) -> Int {
    switch (a.storage, b.storage) {
    case (.int64(let a), .int64(let b)): order(a, b)
    case (.double(let a), .double(let b)): order(a, b)
    case (.int64(let a), .double(let b)): order(Double(a), b)
    case (.double(let a), .int64(let b)): order(a, Double(b))
    case (.string(let a), .string(let b)): order(a, b, foldsCase: foldsCase)
    case (.blob(let a), .blob(let b)):
      a.elementsEqual(b) ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
    default: order(rank(a), rank(b))
    }
  }

  private static func rank(_ value: DatabaseValue) -> Int {
    switch value.storage {
    case .null: 0
    case .int64, .double: 1
    case .string: 2
    case .blob: 3
    }
  }

  private static func order<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a == b ? 0 : 1 }

  private static func order(_ a: String, _ b: String, foldsCase: Bool) -> Int {
    func folded(_ byte: UInt8) -> UInt8 {
      foldsCase && (65...90).contains(byte) ? byte + 32 : byte
    }
    var other = b.utf8.makeIterator()
    for byte in a.utf8 {
      guard let next = other.next() else { return 1 }
      if folded(byte) != folded(next) { return folded(byte) < folded(next) ? -1 : 1 }
    }
    return other.next() == nil ? 0 : -1
  }
}
