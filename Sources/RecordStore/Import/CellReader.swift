// Cells into values: what the domain's readers do, and what needs the library besides (references by
// title) or the file's own form (attachments as JSON in a CSV cell).

internal import GRDB
internal import Glibc
internal import Records

/// Reads the cells of one import's rows.
struct CellReader {
  /// Titles are looked up once each, up to this many.
  private static let titlesMax = 100_000

  private let door: WriteDoor
  private let columns: [String]
  private let fields: [Field?]
  private let readers: [ValueBytesReader?]
  private let time: LocalTime
  private var titles: [TitleKey: [RecordID]] = [:]

  private struct TitleKey: Hashable {
    let type: TypeID
    let title: String
  }

  init(_ plan: ImportPlan, _ door: WriteDoor, time: LocalTime) {
    self.door = door
    self.time = time
    columns = plan.columns
    fields = plan.fields
    readers = plan.fields.map { $0.map { ValueBytesReader($0.type, in: time) } }
  }

  /// The cell's value.
  mutating func value(
    _ row: borrowing TableRow, at column: Int, field: Field
  ) throws(RefusedRow.Problem) -> Value {
    guard let reader = readers[column] else { return .empty }
    do {
      let (value, hasZero) = try row.withBytes(at: column) { bytes throws(ValueMistake) in
        (try reader.read(bytes), Self.hasZero(bytes))
      }
      guard hasZero, case .text = value else { return value }
    } catch {
      return try repaired(row.text(at: column), mistake: error, field, columns[column])
    }
    throw RefusedRow.Problem(.zeroCharacter(column: columns[column]))
  }

  private static func hasZero(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
  }

  /// The member's value.
  mutating func value(
    _ json: JSON, of field: Field, column: String
  ) throws(RefusedRow.Problem) -> Value {
    let value: Value
    do {
      value = try ValueJSON.read(json, as: field.type, in: time)
    } catch {
      guard case .string(let text) = json else {
        // A list or an object in a text field: kept whole, as the JSON that it is.
        if field.type == .text || field.type == .longText { return .text(json.text) }
        guard case .array(let elements) = json, field.type.target != nil else {
          throw RefusedRow.Problem(.value(column: column, text: json.text, error))
        }
        var ids: [RecordID] = []
        for case .string(let text) in elements {
          ids += [try id(ReferenceText(text), of: field, column)]
        }
        return .references(sorted: ids)
      }
      return try repaired(text, mistake: error, field, column)
    }
    return try checked(value, column)
  }

  /// SQLite's texts end at a zero: refusing it is better than losing what stands behind it.
  private func checked(_ value: Value, _ column: String) throws(RefusedRow.Problem) -> Value {
    guard case .text(let text) = value, text.utf8.contains(0) else { return value }
    throw RefusedRow.Problem(.zeroCharacter(column: column))
  }

  /// What the plain reader does not take: titles of records, and attachments of an export.
  private mutating func repaired(
    _ text: String, mistake: ValueMistake, _ field: Field, _ column: String
  ) throws(RefusedRow.Problem) -> Value {
    switch field.type {
    case .reference:
      return .reference(try id(ReferenceText(text), of: field, column))
    case .references:
      var ids: [RecordID] = []
      for part in ValueText.list(text) {
        ids.append(try id(ReferenceText(part), of: field, column))
      }
      return .references(sorted: ids)
    case .attachment where text.hasPrefix("{"):
      if let json = try? JSON.read(Array(text.utf8)),
        let value = try? ValueJSON.read(json, as: .attachment, in: time)
      {
        return value
      }
    default: break
    }
    throw RefusedRow.Problem(.value(column: column, text: text, mistake))
  }

  private mutating func id(
    _ reference: ReferenceText, of field: Field, _ column: String
  ) throws(RefusedRow.Problem) -> RecordID {
    guard case .title(let title) = reference, let target = field.type.target else {
      if case .id(let id) = reference { return id }
      throw RefusedRow.Problem(.noReference(column: column, title: ""))
    }
    let key = TitleKey(type: target, title: title)
    let found: [RecordID]
    if let known = titles[key] {
      found = known
    } else {
      do {
        found = try door.reading.titled(title, of: target, limit: 2)
      } catch {
        throw RefusedRow.Problem(error: error)
      }
      if titles.count < Self.titlesMax { titles[key] = found }
    }
    guard let id = found.first else {
      throw RefusedRow.Problem(.noReference(column: column, title: title))
    }
    guard found.count == 1 else {
      throw RefusedRow.Problem(.severalReferences(column: column, title: title))
    }
    return id
  }
}

extension RefusedRow {
  /// Why one row is refused, or an error that ends the whole import.
  struct Problem: Error {
    let reason: Reason?
    let error: (any Error)?

    init(_ reason: Reason) {
      self.reason = reason
      error = nil
    }

    init(error: any Error) {
      reason = nil
      self.error = error
    }
  }
}

extension Reading {
  /// Living records whose title is exactly this.
  func titled(_ title: String, of type: TypeID, limit: Int) throws -> [RecordID] {
    guard let type = model.type(type), let field = type.title.flatMap(type.field),
      TypeSchema.hasColumn(field)
    else { return [] }
    let column = TypeSchema.quoted(field.id.name)
    let statement = try db.cachedStatement(
      sql: """
        SELECT _id FROM \(TypeSchema(type).table)
        WHERE \(SortTerm(field).expression) = ?1 AND \(column) = ?1 LIMIT ?2
        """)
    return try Row.fetchAll(statement, arguments: [title, limit])
      .compactMap { ColumnCodec.recordID($0[0]) }
  }
}
