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
  /// What the row at hand says.
  private var row: RowValues
  /// Per column, the place of its field among the type's.
  private let places: [Int?]
  /// Fields that a value of a row can break: those with constraints.
  private let constrained: [(place: Int, constraints: Constraints)]
  private let unique: [Int]
  private let keyPlace: Int?
  /// What fields get that the file has no column for.
  private let defaults: [(place: Int, value: Value)]
  /// Nothing of the type is or was here: an id can't be taken.
  private let isVirgin: Bool
  private var columnOf: [String: Int] = [:]

  init(_ plan: ImportPlan, _ source: TableSource, _ door: WriteDoor, time: LocalTime) throws {
    self.plan = plan
    self.door = door
    type = plan.type
    cells = CellReader(plan, door, time: time)
    bulk = try BulkInsertion(plan.type, door)
    report = ImportReport(
      type: plan.type.id, encoding: source.encoding, format: source.format)
    report.isNewType = plan.isNewType
    let fields = plan.type.fields
    row = RowValues(count: fields.count)
    places = plan.fields.map { field in fields.firstIndex { $0.id == field?.id } }
    keyPlace = fields.firstIndex { $0.id == plan.key?.id }
    let visible = fields.indices.filter { !fields[$0].hidden }
    constrained = visible.compactMap { place in
      let field = fields[place]
      let isFree = !field.required && field.min == nil && field.max == nil && field.pattern == nil
      return isFree ? nil : (place, Constraints(field))
    }
    unique = visible.filter { fields[$0].unique && fields[$0].id != plan.key?.id }
    let mapped = Set(places.compactMap(\.self))
    defaults = visible.compactMap { place in
      let value = fields[place].defaultValue
      return value.isEmpty || mapped.contains(place) ? nil : (place, value)
    }
    isVirgin = try plan.identityColumn == nil && door.reading.isVirgin(plan.type)
    for (index, column) in plan.columns.enumerated() { columnOf[column] = index }
  }

  /// Takes one row, or refuses it with a reason.
  mutating func take(_ row: SourceRow) throws {
    do throws(RefusedRow.Problem) {
      try takeWhole(row)
    } catch {
      guard let reason = error.reason else { throw error.error ?? CancellationError() }
      report.refuse(RefusedRow(line: row.line, element: row.element, reason: reason))
    }
  }

  mutating func finish() throws { try bulk.finish() }

  private mutating func takeWhole(_ source: SourceRow) throws(RefusedRow.Problem) {
    row.clear()
    let identity =
      switch source {
      case .cells(let cells): try read(cells)
      case .members(let json): try read(json)
      }
    do {
      let record = try self.record(identity)
      if let previous = record.previous, !previous.isDeleted {
        try update(previous)
      } else {
        try add(record.id, previous: record.previous)
      }
    } catch let refusal as RefusedRow.Problem {
      throw refusal
    } catch StoreError.invalid(let problems) where !problems.isEmpty {
      throw RefusedRow.Problem(.problem(problems[0]))
    } catch {
      throw RefusedRow.Problem(error: error)
    }
  }

  // MARK: Reading

  /// Reads the row's values; answers its id, if it names one.
  private mutating func read(_ source: TableRow) throws(RefusedRow.Problem) -> RecordID? {
    if let problem = source.problem { throw RefusedRow.Problem(.row(problem)) }
    let overflow = source.overflow(beyond: plan.columns.count)
    if overflow > 0 { throw RefusedRow.Problem(.tooManyFields(overflow)) }
    for (column, place) in places.enumerated() {
      guard let place else { continue }
      row.set(try cells.value(source, at: column, field: type.fields[place]), at: place)
    }
    return try plan.identityColumn.flatMap { column throws(RefusedRow.Problem) in
      try Self.identity(source.text(at: column))
    }
  }

  private mutating func read(_ source: JSONRow) throws(RefusedRow.Problem) -> RecordID? {
    let members: [JSON.Member]
    switch source.result {
    case .success(let found): members = found
    case .failure(let problem): throw RefusedRow.Problem(.row(problem))
    }
    var identity: RecordID?
    for member in members {
      guard let column = columnOf[member.name] else {
        throw RefusedRow.Problem(.unknownField(member.name))
      }
      if column == plan.identityColumn, case .string(let text) = member.value {
        identity = try Self.identity(text)
      } else if let place = places[column] {
        row.set(
          try cells.value(member.value, of: type.fields[place], column: member.name), at: place)
      }
    }
    return identity
  }

  private static func identity(_ text: String) throws(RefusedRow.Problem) -> RecordID? {
    if text.isEmpty { return nil }
    guard let id = RecordID(text) else { throw RefusedRow.Problem(.identity(text)) }
    return id
  }

  // MARK: Finding

  /// The record that the row is about: by its id, or by its key, or a new one.
  private func record(_ identity: RecordID?) throws -> (id: RecordID, previous: StoredRecord?) {
    if let identity {
      if let record = try door.reading.record(type, identity) { return (identity, record) }
      if try door.isTaken(identity) { throw RefusedRow.Problem(.takenIdentity(identity)) }
      return (identity, nil)
    }
    let fresh = door.library.surroundings.newRecordID()
    guard let key = plan.key, let keyPlace, !row.values[keyPlace].isEmpty else {
      return (fresh, nil)
    }
    let value = row.values[keyPlace]
    if let holder = try door.holder(of: value, in: key, type: type, except: nil) {
      return (holder, try door.reading.record(type, holder))
    }
    guard key.id == type.key else { return (fresh, nil) }
    if isVirgin { return (NaturalKey.id(type: type.id, key: value) ?? fresh, nil) }
    guard let id = try door.identity(key: value, type: type) else { return (fresh, nil) }
    return (id, try door.reading.record(type, id))
  }

  // MARK: Writing

  private mutating func add(_ id: RecordID, previous: StoredRecord?) throws {
    for (place, value) in defaults { row.set(value, at: place) }
    for (place, constraints) in constrained {
      if let reason = constraints.problem(with: row.values[place]) {
        throw refusal(type.fields[place], id, reason)
      }
    }
    for place in unique { try checkUnique(row.values[place], of: type.fields[place], id) }
    // A row of nothing has to be written by itself: no value of it says when.
    if previous == nil, bulk.fits(row.values), row.values.contains(where: { !$0.isEmpty }) {
      try bulk.add(id, row.values)
    } else {
      let values = row.given(of: type).filter { !$0.value.isEmpty }
      try door.write(values, to: type, id: id, previous: previous)
    }
    report.added += 1
  }

  private mutating func update(_ previous: StoredRecord) throws {
    let changed = row.given(of: type).filter { $0.value != previous.shown[$0.key] ?? .empty }
    guard !changed.isEmpty else {
      report.unchanged += 1
      return
    }
    for (place, constraints) in constrained {
      let field = type.fields[place]
      guard let value = changed[field.id] else { continue }
      if let reason = constraints.problem(with: value) { throw refusal(field, previous.id, reason) }
    }
    for place in unique {
      let field = type.fields[place]
      if let value = changed[field.id] { try checkUnique(value, of: field, previous.id) }
    }
    try door.write(changed, to: type, id: previous.id, previous: previous)
    report.updated += 1
  }

  private func checkUnique(_ value: Value, of field: Field, _ id: RecordID) throws {
    guard !value.isEmpty else { return }
    if let holder = try door.holder(of: value, in: field, type: type, except: id) {
      throw refusal(field, id, .notUnique(holder))
    }
  }

  private func refusal(
    _ field: Field, _ id: RecordID, _ reason: FieldProblem.Reason
  ) -> RefusedRow.Problem {
    RefusedRow.Problem(
      .problem(FieldProblem(type: type.id, record: id, field: field.id, reason: reason)))
  }
}

/// The values of one row by the places of its type's fields, in storage that the next row uses again.
private struct RowValues {
  private(set) var values: [Value]
  /// The places that the row says something of, be it nothing.
  private var isGiven: [Bool]

  init(count: Int) {
    values = Array(repeating: .empty, count: count)
    isGiven = Array(repeating: false, count: count)
  }

  mutating func clear() {
    for place in values.indices {
      values[place] = .empty
      isGiven[place] = false
    }
  }

  mutating func set(_ value: Value, at place: Int) {
    values[place] = value
    isGiven[place] = true
  }

  /// What the row says, by field.
  func given(of type: RecordType) -> [FieldID: Value] {
    var result: [FieldID: Value] = [:]
    for place in values.indices where isGiven[place] {
      result[type.fields[place].id] = values[place]
    }
    return result
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
