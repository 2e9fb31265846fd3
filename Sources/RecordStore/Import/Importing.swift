// The rows of one import, one after the other inside its transaction: which record each is, what is
// wrong with it, and whether it is new, changed or the same. On the writer's queue.

internal import GRDB
internal import Records

/// One import at work.
struct Importing {
  private let plan: ImportPlan
  private let door: WriteDoor
  private let type: RecordType
  private var cells: CellReader
  private var bulk: BulkInsertion
  private(set) var report: ImportReport
  /// Fields that a value of a row can break: those with constraints.
  private let constrained: [(field: Field, constraints: Constraints)]
  private let unique: [Field]
  private let defaults: [FieldID: Value]
  /// Nothing of the type is or was here: an id can't be taken.
  private let isVirgin: Bool
  private var columnOf: [String: Int] = [:]

  init(_ plan: ImportPlan, _ door: WriteDoor, time: LocalTime) throws {
    self.plan = plan
    self.door = door
    type = plan.type
    cells = CellReader(plan, door, time: time)
    bulk = try BulkInsertion(plan.type, door)
    report = ImportReport(type: plan.type.id)
    report.isNewType = plan.isNewType
    constrained = plan.type.visibleFields.compactMap { field in
      let isFree = !field.required && field.min == nil && field.max == nil && field.pattern == nil
      return isFree ? nil : (field, Constraints(field))
    }
    unique = plan.type.visibleFields.filter { $0.unique && $0.id != plan.key?.id }
    let mapped = Set(plan.fields.compactMap { $0?.id })
    defaults = Dictionary(
      uniqueKeysWithValues: plan.type.visibleFields.compactMap { field in
        field.defaultValue.isEmpty || mapped.contains(field.id)
          ? nil : (field.id, field.defaultValue)
      })
    isVirgin = try plan.identityColumn == nil && door.reading.isVirgin(plan.type)
    for (index, column) in plan.columns.enumerated() { columnOf[column] = index }
  }

  /// Takes one row, or refuses it with a reason.
  mutating func take(_ row: SourceRow) throws {
    let line = row.line
    do throws(RefusedRow.Problem) {
      try takeWhole(row)
    } catch {
      guard let reason = error.reason else { throw error.error ?? CancellationError() }
      report.refuse(RefusedRow(line: line, reason: reason))
    }
  }

  func finish() throws { try bulk.finish() }

  private mutating func takeWhole(_ row: SourceRow) throws(RefusedRow.Problem) {
    let (values, identity) = try read(row)
    do {
      let record = try self.record(identity, values)
      if let previous = record.previous, !previous.isDeleted {
        try update(previous, values)
      } else {
        try add(record.id, values, previous: record.previous)
      }
    } catch let refusal as RefusedRow.Problem {
      throw refusal
    } catch {
      throw RefusedRow.Problem(error: error)
    }
  }

  // MARK: Reading

  private mutating func read(
    _ row: SourceRow
  ) throws(RefusedRow.Problem) -> (values: [FieldID: Value], identity: RecordID?) {
    switch row {
    case .cells(let cells): try read(cells)
    case .members(let json): try read(json)
    }
  }

  private mutating func read(
    _ row: TableRow
  ) throws(RefusedRow.Problem) -> (values: [FieldID: Value], identity: RecordID?) {
    if let problem = row.problem { throw RefusedRow.Problem(.row(problem)) }
    let overflow = row.overflow(beyond: plan.columns.count)
    if overflow > 0 { throw RefusedRow.Problem(.tooManyFields(overflow)) }
    var values: [FieldID: Value] = [:]
    values.reserveCapacity(plan.fields.count)
    for (column, field) in plan.fields.enumerated() {
      guard let field else { continue }
      values[field.id] = try cells.value(row, at: column, field: field)
    }
    let identity = try plan.identityColumn.flatMap { column throws(RefusedRow.Problem) in
      try Self.identity(row.text(at: column))
    }
    return (values, identity)
  }

  private mutating func read(
    _ row: JSONRow
  ) throws(RefusedRow.Problem) -> (values: [FieldID: Value], identity: RecordID?) {
    let members: [JSON.Member]
    switch row.result {
    case .success(let found): members = found
    case .failure(let problem): throw RefusedRow.Problem(.row(problem))
    }
    var values: [FieldID: Value] = [:]
    var identity: RecordID?
    for member in members {
      guard let column = columnOf[member.name] else {
        throw RefusedRow.Problem(.unknownField(member.name))
      }
      if column == plan.identityColumn, case .string(let text) = member.value {
        identity = try Self.identity(text)
      } else if let field = plan.fields[column] {
        values[field.id] = try cells.value(member.value, of: field, column: member.name)
      }
    }
    return (values, identity)
  }

  private static func identity(_ text: String) throws(RefusedRow.Problem) -> RecordID? {
    if text.isEmpty { return nil }
    guard let id = RecordID(text) else { throw RefusedRow.Problem(.identity(text)) }
    return id
  }

  // MARK: Finding

  /// The record that a row is about: by its id, or by its key, or a new one.
  private func record(
    _ identity: RecordID?, _ values: [FieldID: Value]
  ) throws -> (id: RecordID, previous: StoredRecord?) {
    if let identity {
      if let record = try door.reading.record(type, identity) { return (identity, record) }
      if try door.isTaken(identity) { throw RefusedRow.Problem(.takenIdentity(identity)) }
      return (identity, nil)
    }
    let fresh = door.library.surroundings.newRecordID()
    guard let key = plan.key, let value = values[key.id], !value.isEmpty else {
      return (fresh, nil)
    }
    if let holder = try door.holder(of: value, in: key, type: type, except: nil) {
      return (holder, try door.reading.record(type, holder))
    }
    guard key.id == type.key else { return (fresh, nil) }
    if isVirgin { return (NaturalKey.id(type: type.id, key: value) ?? fresh, nil) }
    guard let id = try door.identity(key: value, type: type) else { return (fresh, nil) }
    return (id, try door.reading.record(type, id))
  }

  // MARK: Writing

  private mutating func add(
    _ id: RecordID, _ values: [FieldID: Value], previous: StoredRecord?
  ) throws {
    let values = values.merging(defaults) { own, _ in own }
    for (field, constraints) in constrained {
      if let reason = constraints.problem(with: values[field.id] ?? .empty) {
        throw refusal(field, id, reason)
      }
    }
    try checkUnique(values, of: id)
    if previous == nil, bulk.fits(values) {
      try bulk.add(id, values)
    } else {
      try door.write(values.filter { !$0.value.isEmpty }, to: type, id: id, previous: previous)
    }
    report.added += 1
  }

  private mutating func update(_ previous: StoredRecord, _ values: [FieldID: Value]) throws {
    let changed = values.filter { $0.value != previous.shown[$0.key] ?? .empty }
    guard !changed.isEmpty else {
      report.unchanged += 1
      return
    }
    for (field, constraints) in constrained {
      guard let value = changed[field.id] else { continue }
      if let reason = constraints.problem(with: value) { throw refusal(field, previous.id, reason) }
    }
    try checkUnique(changed, of: previous.id)
    try door.write(changed, to: type, id: previous.id, previous: previous)
    report.updated += 1
  }

  private func checkUnique(_ values: [FieldID: Value], of id: RecordID) throws {
    for field in unique {
      guard let value = values[field.id], !value.isEmpty else { continue }
      if let holder = try door.holder(of: value, in: field, type: type, except: id) {
        throw refusal(field, id, .notUnique(holder))
      }
    }
  }

  private func refusal(
    _ field: Field, _ id: RecordID, _ reason: FieldProblem.Reason
  ) -> RefusedRow.Problem {
    RefusedRow.Problem(
      .problem(FieldProblem(type: type.id, record: id, field: field.id, reason: reason)))
  }
}

extension Reading {
  /// Whether no record of the type ever was here.
  fileprivate func isVirgin(_ type: RecordType) throws -> Bool {
    let next = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT next FROM _count WHERE type = ?"), arguments: [type.id.name])
    return next == 1
  }
}

extension WriteDoor {
  /// Whether an id belongs to a record of any type, or to one that was purged.
  fileprivate func isTaken(_ id: RecordID) throws -> Bool {
    let stored = ColumnCodec.stored(id)
    for table in ["_trash", "_purged"] {
      let found = try Row.fetchOne(
        db.cachedStatement(sql: "SELECT 1 FROM \(table) WHERE id = ?"), arguments: [stored])
      if found != nil { return true }
    }
    for type in model.types {
      let found = try Row.fetchOne(
        db.cachedStatement(sql: "SELECT 1 FROM \(TypeSchema(type).table) WHERE _id = ?"),
        arguments: [stored])
      if found != nil { return true }
    }
    return false
  }
}
