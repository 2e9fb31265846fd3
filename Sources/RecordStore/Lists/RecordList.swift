// A list as one observer has it: the shared list, or a pinned moment of it. Pinning freezes ids and
// order, and the log gives the old values, so that no read transaction stays open (DESIGN.md 4).

internal import GRDB
package import Records
internal import Synchronization

/// A live list.
///
/// Thread-safe; observers of one query share the work behind it.
package final class RecordList: Sendable {
  package let query: ListQuery
  private let library: Library
  private let core: ListCore
  private let broadcast = Broadcast<ListUpdate>()
  private let pinned = Mutex<ListCore.Moment?>(nil)
  private let pump: Mutex<Task<Void, Never>?>

  init(_ core: ListCore, library: Library) {
    query = core.query
    self.core = core
    self.library = library
    pump = Mutex(nil)
    let updates = core.updates.stream()
    let task = Task { [weak self] in
      for await update in updates { self?.pass(update) }
      self?.broadcast.end()
    }
    pump.withLock { $0 = task }
  }

  deinit {
    pump.withLock { $0?.cancel() }
    broadcast.end()
  }

  package func state() async -> ListState {
    if let pinned = pinned.withLock({ $0?.state }) { return pinned }
    return await core.moment.state
  }

  /// The list's version once it knows every transaction that was committed before the call.
  package func caughtUp() async -> Int {
    await core.catchUp(to: library.commitFeed.last)
    return await state().version
  }

  /// Changes from now on, in order.
  ///
  /// A pinned list tells only that something arrived.
  package func updates() -> AsyncStream<ListUpdate> { broadcast.stream() }

  // MARK: Rows

  /// Rows by position, as far as the list has them.
  package func rows(_ range: Range<Int>) async throws -> ListPage {
    let pin = pinned.withLock(\.self)
    if pin == nil, let page = await core.firstPage(range) { return page }
    let moment = if let pin { pin } else { await core.moment }
    let range = range.clamped(to: 0..<moment.order.count)
    let numbers = moment.order[range].map { Int64($0) }
    let plan = moment.plan
    let rows = try await library.read { reading in
      if pin != nil {
        return try numbers.map { try reading.listRow($0, plan: plan, asOf: moment.number) }
      }
      return try reading.listRows(numbers, plan: plan)
    }
    return ListPage(version: moment.state.version, start: range.lowerBound, rows: rows)
  }

  /// The ids of rows by position; rows that were purged meanwhile are left out.
  package func ids(_ range: Range<Int>) async throws -> [RecordID] {
    let moment = await moment()
    let range = range.clamped(to: 0..<moment.order.count)
    let numbers = moment.order[range].map { Int64($0) }
    return try await library.read { reading in
      try numbers.compactMap { try reading.id(of: $0, type: moment.plan.type) }
    }
  }

  /// Where a record stands; nothing if it is not in the list.
  package func index(of id: RecordID) async throws -> Int? {
    let moment = await moment()
    let row = try await library.read { try $0.row(of: id, type: moment.plan.type) }
    return row.flatMap { moment.order.position(of: $0) }
  }

  private func moment() async -> ListCore.Moment {
    if let pin = pinned.withLock(\.self) { return pin }
    return await core.moment
  }

  // MARK: Pinning

  package var isPinned: Bool { pinned.withLock { $0 != nil } }

  /// Keeps the list as it is now, until ``follow()``.
  ///
  /// Waits for the whole order: what is not read yet could not be kept.
  package func pin() async {
    await core.catchUp(to: 0)
    let moment = await core.moment
    pinned.withLock { $0 = $0 ?? moment.pinned }
  }

  /// Shows what arrived, and goes on with every commit.
  package func follow() async {
    let was = pinned.withLock { pin in
      defer { pin = nil }
      return pin
    }
    guard was != nil else { return }
    broadcast.send(.reset(await core.moment.state))
  }

  private func pass(_ update: ListCore.CoreUpdate) {
    let arrived = pinned.withLock { pin -> ListState? in
      guard pin != nil else { return nil }
      pin = pin?.arriving(update.records)
      return pin?.state
    }
    if let arrived {
      if update.records > 0 { broadcast.send(.arrived(arrived)) }
    } else {
      broadcast.send(update.update)
    }
  }
}

extension ListCore.Moment {
  fileprivate var pinned: Self {
    var state = state
    state.isPinned = true
    state.arrived = 0
    return Self(plan: plan, order: order, state: state, number: number)
  }

  fileprivate func arriving(_ records: Int) -> Self {
    var state = state
    state.arrived += records
    return Self(plan: plan, order: order, state: state, number: number)
  }
}

extension Library {
  /// A live list; its first rows are there when this returns, the whole order follows.
  ///
  /// - Throws: ``StoreError/unknownType(_:)``.
  package func list(_ query: ListQuery) async throws -> RecordList {
    let core = try lists.core(of: query, library: self)
    try await core.begin()
    if query.filter == nil, query.search.isEmpty { lists.keep(core) }
    return RecordList(core, library: self)
  }
}

/// The lists that somebody observes, by their query.
final class SharedLists: Sendable {
  private struct Entry {
    weak var core: ListCore?
  }

  private let entries = Mutex<[ListQuery: Entry]>([:])
  /// The list without a filter that was opened last: the order that filtered ones are taken from
  /// while a person types.
  private let kept = Mutex<ListCore?>(nil)

  func keep(_ core: ListCore) { kept.withLock { $0 = core } }

  /// The whole order without a filter, if it is at hand.
  func base(of plan: ListPlan) async -> ListCore.Moment? {
    let core = kept.withLock(\.self)
    guard let core, core.query.type == plan.type.id, core.query.sections == plan.query.sections,
      let moment = await core.wholeMoment, moment.plan.terms == plan.baseTerms
    else { return nil }
    return moment
  }

  /// The library is closing.
  func end() { kept.withLock { $0 = nil } }

  func core(of query: ListQuery, library: Library) throws -> ListCore {
    try entries.withLock { entries in
      entries = entries.filter { $0.value.core != nil }
      if let core = entries[query]?.core { return core }
      let core = try ListCore(query, library: library)
      entries[query] = Entry(core: core)
      return core
    }
  }
}

extension Reading {
  func id(of row: Int64, type: RecordType) throws -> RecordID? {
    let found =
      try Row.fetchOne(
        db.cachedStatement(sql: "SELECT _id FROM \(TypeSchema(type).table) WHERE _row = ?"),
        arguments: [row])
      ?? Row.fetchOne(
        db.cachedStatement(sql: "SELECT id FROM _trash WHERE type = ? AND row = ?"),
        arguments: [type.id.name, row])
    return found.flatMap { ColumnCodec.recordID($0[0]) }
  }

  /// A row as it was after a transaction, whatever came since; nothing if it was purged since.
  func listRow(_ row: Int64, plan: ListPlan, asOf number: Int64) throws -> ListRow? {
    guard let id = try id(of: row, type: plan.type) else { return nil }
    let later = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT min(seq) FROM _change WHERE id = ? AND number > ?"),
      arguments: [ColumnCodec.stored(id), number])
    guard let later else { return try listRow(row, plan: plan) }
    guard let record = try record(plan.type, id) else { return nil }
    var values = record.shown
    let reference = RecordReference(type: plan.type.id, id: id)
    for step in try past(of: reference, from: later).reversed() {
      for (field, change) in step.change.fields { values[field] = change.before }
    }
    return try listRow(
      id, title: plan.type.titleText(of: values), values: values,
      isPending: record.pending != nil, hasConflict: hasConflict(id), plan: plan)
  }
}
