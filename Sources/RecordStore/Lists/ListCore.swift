// One list that lives: its order, kept up to date by the commits. Shared by all observers of a query.
//
//   opening ──window──▶ partial ──whole order──▶ complete ──commit──▶ complete
//
// partial: the rows are matches, more may follow, and before the first one too unless they are the
// beginning of the order. complete: any position can be asked for. Each
// commit is applied once and in order, because one task does it all; a reload reads the order and
// the number of the log's newest transaction in one snapshot, and skips commits up to that number.

internal import GRDB
internal import Records

/// The shared part of a live list.
actor ListCore {
  /// The most rows that are read before the whole order is known: two of the largest screens.
  static let windowMax = 200
  /// The rows that are read with the window: one of the largest screens.
  static let firstRowsMax = 60
  /// More changed rows than this are answered by reading the order anew.
  static let changedRowsMax = 500

  nonisolated let query: ListQuery
  nonisolated let updates = Broadcast<CoreUpdate>()
  private let library: Library
  private var plan: ListPlan
  private var order = RowOrder()
  /// The first rows as the window was read, until something changes.
  private var firstRows: [ListRow?] = []
  private var state = ListState(
    version: 0, count: 0, isComplete: false, isPinned: false, arrived: 0, sections: [])
  /// The newest transaction that the order knows of.
  private var number: Int64 = 0
  private var work: Task<Void, Never>?
  private var isOver = false
  private var waiting: [(number: Int64, continuation: CheckedContinuation<Void, Never>)] = []

  /// What the observers hear, with the number of records behind it.
  struct CoreUpdate: Sendable {
    let update: ListUpdate
    let records: Int
  }

  /// The list at one moment, for pinning and for reading rows.
  struct Moment: Sendable {
    let plan: ListPlan
    let order: RowOrder
    let state: ListState
    let number: Int64
  }

  init(_ query: ListQuery, library: Library) throws {
    self.query = query
    self.library = library
    plan = try ListPlan(query, model: library.model)
  }

  deinit {
    work?.cancel()
    updates.end()
  }

  /// The list with its whole order; nothing while that is on its way.
  var wholeMoment: Moment? { state.isComplete ? moment : nil }

  var moment: Moment { Moment(plan: plan, order: order, state: state, number: number) }

  /// Reads the first rows, and has the rest follow.
  func begin() async throws {
    guard work == nil else { return }
    let commits = library.commits()
    let plan = plan
    let (window, firstRows, number) = try await library.read { reading in
      let window = try reading.window(plan, limit: Self.windowMax)
      let first = window.rows.prefix(Self.firstRowsMax).map { Int64($0) }
      return (window, try reading.listRows(first, plan: plan), try reading.newestNumber())
    }
    order = window.rows
    self.firstRows = firstRows
    self.number = number
    state.count = window.rows.count
    state.isBeginning = window.isBeginning
    work = Task { [weak self, library] in
      // Without keeping the list alive: a list that nobody looks at any more is not worth its order,
      // and the last one to let it go ends this.
      if let whole = try? await Whole.read(plan, library) { await self?.take(whole, records: 0) }
      await self?.resumeWaiting()
      for await commit in commits {
        guard let self, !Task.isCancelled else { return }
        await self.apply(commit)
        await self.resumeWaiting()
      }
      await self?.giveUp()
    }
  }

  /// Rows that came with the window; nothing if they don't reach, or may be of yesterday.
  func firstPage(_ range: Range<Int>) -> ListPage? {
    let range = range.clamped(to: 0..<order.count)
    guard state.version == 0, number == library.commitFeed.last,
      range.upperBound <= firstRows.count
    else { return nil }
    return ListPage(version: 0, start: range.lowerBound, rows: Array(firstRows[range]))
  }

  // MARK: Keeping up

  /// Returns when the order knows of a transaction.
  func catchUp(to number: Int64) async {
    guard self.number < number || !state.isComplete, !isOver else { return }
    await withCheckedContinuation { waiting.append((number, $0)) }
  }

  /// The library was closed: nobody waits for what can't come.
  private func giveUp() {
    isOver = true
    for entry in waiting { entry.continuation.resume() }
    waiting = []
  }

  private func resumeWaiting() {
    guard state.isComplete else { return }
    let ready = waiting.filter { $0.number <= number }
    waiting.removeAll { $0.number <= number }
    for entry in ready { entry.continuation.resume() }
  }

  private func reload() async {
    do {
      take(try await Whole.read(plan, library), records: 1)
    } catch {
      // Closed or cancelled; what the list shows stays right as far as it goes.
      return
    }
  }

  /// The whole order at one moment.
  private struct Whole: Sendable {
    let order: RowOrder
    let number: Int64
    let sections: [ListSection]

    static func read(_ plan: ListPlan, _ library: Library) async throws -> Whole {
      let base = plan.isUnfiltered ? nil : await library.lists.base(of: plan)
      if let whole = try await readInHalves(plan, library, base) { return whole }
      return try await library.read { reading in
        let number = try reading.newestNumber()
        let order = try reading.wholeOrder(plan, base: base?.number == number ? base?.order : nil)
        return Whole(order: order, number: number, sections: try reading.sections(plan))
      }
    }

    /// A long table without an index to ask is read by two readers at once.
    ///
    /// Nothing where it is not worth it, or where a save came between what the two saw.
    private static func readInHalves(
      _ plan: ListPlan, _ library: Library, _ base: ListCore.Moment?
    ) async throws -> Whole? {
      let rowsOfOne = library.surroundings.rowsOfOneReader
      let middle = try await library.read {
        try $0.middleOfScan(plan, rowsOfOneReader: rowsOfOne)
      }
      guard let middle else { return nil }
      func half(_ half: ListPlan.Half) async throws -> (number: Int64, matches: RowOrder) {
        try await library.read { (try $0.newestNumber(), try $0.matches(plan, half)) }
      }
      async let later = half(.after(middle))
      let earlier = try await half(.upTo(middle))
      let (number, rest) = try await later
      return try await library.read { reading in
        guard number == earlier.number, try reading.newestNumber() == number else { return nil }
        let order = try reading.wholeOrder(
          plan, of: earlier.matches + rest, base: base?.number == number ? base?.order : nil)
        return Whole(order: order, number: number, sections: try reading.sections(plan))
      }
    }
  }

  private func take(_ whole: Whole, records: Int) {
    firstRows = []
    order = whole.order
    number = whole.number
    state.version += 1
    state.count = order.count
    state.isComplete = true
    state.isBeginning = true
    state.sections = whole.sections
    tell(.reset(state), records: records)
  }

  private func apply(_ commit: Commit) async {
    // After a restored backup the numbers begin again: then the model counts as changed.
    if commit.modelChanged {
      if let changed = try? ListPlan(query, model: library.model) { plan = changed }
      await reload()
      return
    }
    guard commit.number > number else { return }
    let commit = plan.widened(commit)
    guard commit.touches(plan.type.id) else {
      number = commit.number
      // The rows are the same, but what they refer to may be called otherwise.
      let shown = Set(plan.columns.compactMap(\.type.target))
      if shown.contains(where: commit.touches) {
        state.version += 1
        tell(.reset(state), records: 1)
      }
      return
    }
    guard case .some(let changes) = commit.changes else { return await reload() }
    let ids = changes.keys.filter { $0.type == plan.type.id }.map(\.id)
    guard ids.count <= Self.changedRowsMax else { return await reload() }
    await apply(ids, commit.number)
  }

  private func apply(_ ids: [RecordID], _ number: Int64) async {
    let (plan, order) = (plan, order)
    do {
      let (change, sections) = try await library.read { reading in
        var changed: [UInt32: RowPlace?] = [:]
        for id in ids {
          guard let row = try reading.row(of: id, type: plan.type) else { continue }
          changed[row] = .some(try reading.place(of: row, plan: plan))
        }
        return (
          try OrderChange(order, changed: changed, plan: plan, reading: reading),
          try reading.sections(plan)
        )
      }
      self.order = change.order
      self.number = number
      guard !change.diff.isEmpty else { return }
      state.version += 1
      state.count = change.order.count
      state.sections = sections
      tell(.changed(change.diff, state), records: ids.count)
    } catch {
      await reload()
    }
  }

  private func tell(_ update: ListUpdate, records: Int) {
    updates.send(CoreUpdate(update: update, records: records))
  }
}

extension Reading {
  func newestNumber() throws -> Int64 {
    try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT max(number) FROM _transaction WHERE sealed")) ?? 0
  }

  /// The row number of a record, living, in the trash, or purged; nothing if it never was here.
  func row(of id: RecordID, type: RecordType) throws -> UInt32? {
    let stored = ColumnCodec.stored(id)
    let row =
      try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT _row FROM \(TypeSchema(type).table) WHERE _id = ?"),
        arguments: [stored])
      ?? Int64.fetchOne(
        db.cachedStatement(sql: "SELECT row FROM _trash WHERE id = ?"), arguments: [stored])
      ?? Int64.fetchOne(
        db.cachedStatement(sql: "SELECT row FROM _purged WHERE id = ?"), arguments: [stored])
    return row.map { UInt32(truncatingIfNeeded: $0) }
  }

  func sections(_ plan: ListPlan) throws -> [ListSection] {
    guard let sections = plan.sections, let field = plan.query.sections.flatMap(plan.type.field)
    else { return [] }
    var start = 0
    return try Row.fetchAll(
      db, sql: sections.sql, arguments: StatementArguments(sections.arguments)
    ).map { row in
      let count: Int = row[1]
      defer { start += count }
      return ListSection(
        value: ColumnCodec.value(row[0], of: field.type), start: start, count: count)
    }
  }
}
