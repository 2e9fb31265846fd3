// The one door: every write of records is one transaction of the log. It is begun unsealed, so that
// the triggers let its statements pass, and sealed with what it did before it commits.
// Runs on the writer's queue, under the writer lock. Nothing is written when `body` throws.

internal import GRDB
internal import Records
internal import Synchronization

/// Where a transaction came from; the raw value is its word in history.
package enum Origin: String, Sendable, Hashable, CaseIterable {
  case edit
  case importFile = "import"
  case sync, undo, migration, repair

  /// Whether `undo` without a number takes transactions of this origin back (DESIGN.md 3).
  var isUndoneByDefault: Bool { self == .edit || self == .importFile || self == .migration }
}

/// What a transaction is begun with.
struct TransactionHead: Sendable {
  var origin: Origin
  var note: String?
  var undoes: Int64?
}

/// What a transaction answered, for a caller who was cancelled meanwhile.
private final class Kept<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}

extension Library {
  /// Runs `body` as one transaction of the log.
  ///
  /// A task that is cancelled while another process writes waits no longer.
  ///
  /// - Returns: Its answer, and the transaction's number; no number where it wrote nothing.
  func transaction<T: Sendable>(
    _ head: TransactionHead, _ body: @escaping @Sendable (WriteDoor) throws -> T
  ) async throws -> (value: T, number: Int64?) {
    let database = database
    let kept = Kept<(value: T, number: Int64?)>()
    let result: (value: T, number: Int64?)
    do {
      result = try await untilCancelled { isCancelled in
        try await translatingErrors {
          try await database.writeWithoutTransaction { db in
            let result = try self.perform(head, db, unless: isCancelled, body)
            kept.value.withLock { $0 = result }
            return result
          }
        }
      }
    } catch is CancellationError {
      // Cancelled while it was committed, or after: what is on disk is done, and is told so.
      guard let done = kept.value.withLock({ $0 }) else { throw CancellationError() }
      result = done
    }
    if result.number != nil { checkpointIfDue() }
    return result
  }

  private func perform<T>(
    _ head: TransactionHead, _ db: Database, unless isCancelled: () -> Bool,
    _ body: (WriteDoor) throws -> T
  ) throws -> (value: T, number: Int64?) {
    let purpose = head.origin == .edit ? "a save" : "an \(head.origin.rawValue)"
    return try lock.hold(for: purpose, unless: isCancelled) {
      var answer: (value: T, number: Int64?)?
      var commit: Commit?
      var written: Current?
      try db.inTransaction(.immediate) {
        let door = try WriteDoor(db, library: self, head: head)
        let value = try body(door)
        guard door.isDirty else {
          answer = (value, nil)
          return .rollback
        }
        commit = try door.seal()
        answer = (value, door.number)
        written = door.state
        return .commit
      }
      // The model is read without the database, so it has to be the new one before anybody hears.
      if let written { update { $0 = written } }
      guard let answer else {
        throw StoreError.damaged("a transaction that ended without an answer")
      }
      if let commit { publish(commit, db) }
      return answer
    }
  }
}

/// An open transaction: the only thing that writes records.
///
/// Lives in one closure on the writer's queue.
final class WriteDoor {
  let db: Database
  let library: Library
  let head: TransactionHead
  let number: Int64
  let at: Int64
  private(set) var state: Library.Current
  private var clock: HybridClock
  private var touched: [RecordReference: ChangeKind] = [:]
  private var touchedTypes: Set<TypeID> = []
  private var records = 0
  private var counts: [TypeID: Counts] = [:]
  private var isModelChanged = false
  private var isRepair = false
  /// Looks at a transaction over many records while it runs.
  var watch: WriteWatch?
  /// What the search tables have yet to learn; written by ``seal()`` at the latest.
  var searches = SearchQueue()

  /// More changes than this are told to lists by type, not one by one.
  static let touchedMax = 10_000

  private struct Counts {
    var living: Int64
    var next: Int64
  }

  init(_ db: Database, library: Library, head: TransactionHead) throws {
    self.db = db
    self.library = library
    self.head = head
    state = try library.refreshed(db)
    let last = try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT number, time FROM _transaction ORDER BY number DESC LIMIT 1"))
    number = (last?[0] ?? 0) + 1
    clock = HybridClock(last: HybridTime(rawValue: last.map { UInt64(bitPattern: $0[1]) } ?? 0))
    at = library.surroundings.milliseconds()
    _ = clock.tick(milliseconds: at)
    try execute(
      """
      INSERT INTO _transaction (number, at, time, device, author, origin, sealed, undoes, note,
        records) VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, 0)
      """,
      [
        number, at, Int64(bitPattern: clock.last.rawValue), Int64(bitPattern: device.rawValue),
        library.surroundings.person, head.origin.rawValue, head.undoes, head.note,
      ])
  }

  var model: Model { state.model }
  var device: DeviceID { state.device }
  var reading: Reading { Reading(db, model: state.model) }

  /// Whether anything was written that is worth a transaction.
  var isDirty: Bool { records > 0 || isModelChanged || isRepair }

  /// Runs one write statement.
  ///
  /// The only way in which this target writes rows of records.
  func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
    try library.surroundings.faults?.tick()
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// The stamp of this transaction, above all that a record has seen (invariant J1).
  func stamp(above vector: VersionVector) -> Stamp {
    if !vector.entries.allSatisfy({ $0.time < clock.last }) {
      _ = clock.tick(milliseconds: at, above: vector)
    }
    return Stamp(time: clock.last, device: device)
  }

  // MARK: What was done

  /// Writes a change into the log.
  ///
  /// - Parameter sides: Where writers disagreed and do not any more.
  func log(
    _ kind: ChangeKind, _ record: RecordReference, before: [FieldID: Value] = [:],
    sides: [RegisterKey: Register] = [:]
  ) throws {
    try execute(
      "INSERT INTO _change (number, type, id, kind, before) VALUES (?, ?, ?, ?, ?)",
      [
        number, record.type.name, ColumnCodec.stored(record.id), kind.rawValue,
        Blob.stored(BeforeCodec.bytes(before, sides: sides)),
      ])
    note(kind, record)
  }

  /// Counts a change for the lists, without a row in the log.
  func note(_ kind: ChangeKind, _ record: RecordReference) {
    records += 1
    touchedTypes.insert(record.type)
    if touched.count < Self.touchedMax { touched[record] = kind }
  }

  /// Counts records that a range of the log stands for.
  func note(inserted count: Int, of type: TypeID) {
    records += count
    touchedTypes.insert(type)
  }

  /// Keeps a transaction that changed no record: a repair of what can be made anew.
  func repaired() { isRepair = true }

  func modelChanged(to model: Model, version: Int) {
    state.model = model
    state.modelVersion = version
    isModelChanged = true
  }

  // MARK: Counts and row numbers

  func count(_ type: TypeID, living delta: Int64) throws {
    var counts = try self.counts(of: type)
    counts.living += delta
    self.counts[type] = counts
  }

  /// How many living records a type has.
  func living(of type: TypeID) throws -> Int64 { try counts(of: type).living }

  /// A `_row` that no record of the type ever had.
  func nextRow(of type: TypeID) throws -> Int64 {
    var counts = try self.counts(of: type)
    defer {
      counts.next += 1
      self.counts[type] = counts
    }
    // Lists hold row numbers in 32 bits.
    guard counts.next < Int64(UInt32.max) else { throw StoreError.damaged("too many records") }
    return counts.next
  }

  /// Takes all numbers of a type up to one, which a bulk change gave out by itself.
  func takeRows(of type: TypeID, upTo last: Int64) throws {
    var counts = try self.counts(of: type)
    counts.next = last
    self.counts[type] = counts
    _ = try nextRow(of: type)
  }

  private func counts(of type: TypeID) throws -> Counts {
    if let known = counts[type] { return known }
    let row = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT living, next FROM _count WHERE type = ?"),
      arguments: [type.name])
    guard let row else { throw StoreError.unknownType(type) }
    return Counts(living: row[0], next: row[1])
  }

  // MARK: The end

  /// Writes what is owed and closes the transaction's row.
  func seal() throws -> Commit {
    try writeSearches()
    for (type, counts) in counts {
      try execute(
        "UPDATE _count SET living = ?, next = ? WHERE type = ?",
        [counts.living, counts.next, type.name])
    }
    try execute(
      "UPDATE _transaction SET sealed = 1, time = ?, records = ? WHERE number = ?",
      [Int64(bitPattern: clock.last.rawValue), records, number])
    // The commit itself can fail too.
    try library.surroundings.faults?.tick()
    let isWhole = touched.count == records || touched.count < Self.touchedMax
    return Commit(
      number: number, origin: head.origin, isOwn: true,
      changes: isWhole && touchedTypes == Set(touched.keys.map(\.type))
        ? .some(touched) : .many(touchedTypes),
      modelChanged: isModelChanged)
  }
}

/// What happened to a record in a transaction; the raw value is its word in the log.
package enum ChangeKind: String, Sendable, Hashable {
  case insert, update, delete, restore, purge
}

/// The fields of a change with their values before, as bytes in the log.
enum BeforeCodec {
  /// Nothing for a change that touched no field: an insertion has nothing before it.
  static func bytes(_ before: [FieldID: Value], sides: [RegisterKey: Register] = [:]) -> [UInt8]? {
    guard !before.isEmpty || !sides.isEmpty else { return nil }
    var writer = ByteWriter()
    writer.varint(UInt64(before.count))
    for (field, value) in before.sorted(by: { $0.key < $1.key }) {
      writer.text(field.name)
      writer.value(value)
    }
    // Behind the fields, where readers of the fields never look.
    if !sides.isEmpty { writer.raw(StateCodec.whole(RecordState(registers: sides))) }
    return writer.bytes
  }

  static func fields(_ bytes: [UInt8]?) throws -> [FieldID: Value] {
    guard let bytes else { return [:] }
    do {
      var reader = ByteReader(bytes)
      return try fields(&reader)
    } catch {
      throw StoreError.damaged("a change in the log")
    }
  }

  /// What a change settled.
  static func sides(_ bytes: [UInt8]?) throws -> [RegisterKey: Register] {
    guard let bytes else { return [:] }
    do {
      var reader = ByteReader(bytes)
      _ = try fields(&reader)
      guard !reader.isAtEnd else { return [:] }
      return try StateCodec.whole(reading: try reader.raw(count: reader.remaining)).registers
    } catch {
      throw StoreError.damaged("a change in the log")
    }
  }

  private static func fields(_ reader: inout ByteReader) throws(ByteError) -> [FieldID: Value] {
    var result: [FieldID: Value] = [:]
    for _ in 0..<(try reader.count()) {
      let field = FieldID(trusted: try reader.text())
      result[field] = try reader.value()
    }
    return result
  }
}
