// What a read sees: one connection, in one transaction, with the model that its caller knew.
// Never leaves the closure that it was made for.

internal import FoundationEssentials
internal import GRDB
internal import Records

/// Reads records inside one read or write transaction.
struct Reading {
  let db: Database
  let model: Model

  init(_ db: Database, model: Model) {
    self.db = db
    self.model = model
  }

  func type(_ id: TypeID) throws -> RecordType {
    guard let type = model.type(id) else { throw StoreError.unknownType(id) }
    return type
  }

  /// A record, living or in the trash; nothing if it was purged or never was.
  func record(_ type: RecordType, _ id: RecordID) throws -> StoredRecord? {
    try living(type, where: "_id = ?", [ColumnCodec.stored(id)]) ?? trashed(type, id)
  }

  /// A living record.
  func living(
    _ type: RecordType, where condition: String, _ arguments: StatementArguments
  ) throws -> StoredRecord? {
    let statement = try db.cachedStatement(sql: selection(of: type, where: condition))
    guard let row = try Row.fetchOne(statement, arguments: arguments) else { return nil }
    return try stored(row, type: type, columns: TypeSchema(type).columns)
  }

  /// The living records of some row numbers, in their order.
  ///
  /// - Parameter condition: What else they have to meet; no words of a person.
  func living(
    _ type: RecordType, rows: ClosedRange<Int64>, and condition: String = "1"
  ) throws -> [StoredRecord] {
    let statement = try db.cachedStatement(
      sql: selection(of: type, where: "_row BETWEEN ? AND ? AND \(condition) ORDER BY _row"))
    let columns = TypeSchema(type).columns
    return try Row.fetchAll(statement, arguments: [rows.lowerBound, rows.upperBound])
      .map { try stored($0, type: type, columns: columns) }
  }

  private func selection(of type: RecordType, where condition: String) -> String {
    let schema = TypeSchema(type)
    let names = schema.columnNames.joined(separator: ", ")
    return "SELECT \(names) FROM \(schema.table) WHERE \(condition)"
  }

  /// Reads a row of the columns that ``living(_:where:_:)`` asks for.
  func stored(_ row: Row, type: RecordType, columns: [Field]) throws -> StoredRecord {
    guard let id = ColumnCodec.recordID(row[1]) else { throw StoreError.damaged("a record id") }
    var shown: [FieldID: Value] = [:]
    for (index, field) in columns.enumerated() {
      let value = ColumnCodec.value(row[7 + index], of: field.type)
      if !value.isEmpty { shown[field.id] = value }
    }
    if columns.count < type.fields.count { try addLinks(of: id, type: type, to: &shown) }
    let newest = Stamp(
      time: HybridTime(rawValue: UInt64(bitPattern: row[3])),
      device: DeviceID(rawValue: UInt64(bitPattern: row[4])))
    let codec = StateCodec.Row(type: type, shown: shown, newest: newest)
    let state: RecordState
    do {
      state = try StateCodec.compact(reading: Blob.bytes(row[6]), row: codec)
    } catch {
      throw StoreError.damaged("the state of \(type.id) \(id)")
    }
    return StoredRecord(
      type: type, id: id, row: row[0], created: row[2], newest: newest, pending: row[5],
      isDeleted: false, shown: shown, state: state)
  }

  func addLinks(
    of id: RecordID, type: RecordType, to shown: inout [FieldID: Value]
  ) throws {
    let statement = try db.cachedStatement(
      sql: "SELECT field, target FROM _link WHERE source = ?")
    var targets: [FieldID: [RecordID]] = [:]
    for row in try Row.fetchAll(statement, arguments: [ColumnCodec.stored(id)]) {
      guard let target = ColumnCodec.recordID(row[1]) else { continue }
      targets[FieldID(trusted: row[0]), default: []].append(target)
    }
    for (field, ids) in targets where type.field(field) != nil {
      shown[field] = .references(sorted: ids)
    }
  }

  /// A record in the trash.
  func trashed(_ type: RecordType, _ id: RecordID) throws -> StoredRecord? {
    let statement = try db.cachedStatement(
      sql: "SELECT row, created, pending, state FROM _trash WHERE id = ? AND type = ?")
    guard
      let row = try Row.fetchOne(
        statement, arguments: [ColumnCodec.stored(id), type.id.name.databaseValue])
    else { return nil }
    let state: RecordState
    do {
      state = try StateCodec.whole(reading: Blob.bytes(row[3]) ?? [])
    } catch {
      throw StoreError.damaged("the state of \(type.id) \(id)")
    }
    return StoredRecord(
      type: type, id: id, row: row[0], created: row[1], newest: state.newest ?? .zero,
      pending: row[2], isDeleted: true, shown: state.shownValues(in: type), state: state)
  }

  /// What a record is called: its title field, or else its id.
  func title(of record: StoredRecord) -> String {
    record.type.titleText(of: record.shown) ?? record.id.description
  }
}

/// A record as the file has it.
struct StoredRecord {
  let type: RecordType
  let id: RecordID
  /// Its `_row`: never given to another record of its type.
  let row: Int64
  let created: Int64
  let newest: Stamp
  let pending: Int64?
  let isDeleted: Bool
  let shown: [FieldID: Value]
  let state: RecordState

  var snapshot: Snapshot {
    Snapshot(
      type: type.id, id: id, fields: shown, state: state, created: Timestamp(milliseconds: created),
      modified: Timestamp(milliseconds: newest.time.milliseconds), isDeleted: isDeleted,
      isPending: pending != nil)
  }

  var reference: RecordReference { RecordReference(type: type.id, id: id) }
}

extension Stamp {
  static let zero = Stamp(time: .zero, device: DeviceID(rawValue: 0))
}

extension RecordState {
  /// The settled values of a record that is not in its table.
  func shownValues(in type: RecordType) -> [FieldID: Value] {
    var result: [FieldID: Value] = [:]
    for field in type.fields {
      let value = settledValue(of: field)
      if !value.isEmpty { result[field.id] = value }
    }
    return result
  }
}

extension RecordType {
  /// The text of the title field, if there is one and it holds something.
  func titleText(of shown: [FieldID: Value]) -> String? {
    guard let title, let value = shown[title] else { return nil }
    return value.plainText
  }
}

extension Value {
  /// The value as one would write it: what titles and the search table hold.
  var plainText: String? {
    switch self {
    case .empty: nil
    case .text(let text): text
    case .integer(let number): String(number)
    case .number(let number): NumberText.text(number)
    case .decimal(let decimal): decimal.text
    case .boolean(let flag): flag ? "true" : "false"
    case .date(let date): date.text
    case .dateTime(let time): String(time.milliseconds)
    case .tags(let tags): tags.tags.joined(separator: ", ")
    case .location(let location): location.text
    case .reference(let id): id.description
    case .references(let ids): ids.map(\.description).joined(separator: ", ")
    case .attachment(let attachment): attachment.name
    }
  }
}
