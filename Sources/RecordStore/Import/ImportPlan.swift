// Which column goes into which field, decided before the first row is written. Pure but for the
// look at the file that a new type needs.

internal import ModelFile
internal import Records

/// The columns of a table and the type that they go into.
struct ImportPlan {
  /// What the file calls its columns; for JSON all names that occur.
  let columns: [String]
  let type: RecordType
  /// The library has no type of that name, or has dropped it.
  let isNewType: Bool
  /// Per column; nothing for one that is left out.
  let fields: [Field?]
  /// The column of record ids.
  let identityColumn: Int?
  /// The field by which a row finds its record.
  let key: Field?

  /// Looks through the table for its columns, and for the types of their values where the
  /// library has no type of that name.
  init(
    _ request: ImportRequest, source: TableSource, model: Model,
    look: (Int64, Int) throws -> Void = { _, _ in }
  ) throws {
    let seen = model.type(named: request.type)
    let known = seen ?? Self.type(likeNamed: request.type, in: model)
    let (columns, inference, broken) = try Self.examine(source, whole: known == nil, look)
    guard !columns.isEmpty else { throw Self.reason(for: broken, request, source) }
    self.columns = columns
    for column in request.map.keys.sorted() where !columns.contains(column) {
      throw ImportError.unknownColumn(column, known: columns)
    }
    isNewType = known.flatMap { model.type($0.id) }?.hidden ?? true
    var type: RecordType
    if let known {
      type = known
      (fields, identityColumn) = try Self.fields(of: known, for: columns, map: request.map)
    } else {
      guard let id = TypeID(request.type) else { throw ImportError.typeName(request.type) }
      let taken = columns.count { $0 != TypeInference.identityHeader && request.map[$0] != "" }
      guard taken <= ModelFile.fieldsMax else {
        throw ImportError.tooManyColumns(taken, max: ModelFile.fieldsMax)
      }
      let inferred = inference.type(id: id, name: nil, key: nil)
      (type, fields) = try Self.renamed(inferred, columns: columns, map: request.map)
      identityColumn = inferred.identityColumn
    }
    key = try Self.key(request.key, in: &type, columns: columns, fields: fields, isNew: isNewType)
    self.type = type
  }

  private static func examine(
    _ source: TableSource, whole: Bool, _ look: (Int64, Int) throws -> Void
  ) throws -> (columns: [String], inference: TypeInference, broken: [RefusedRow]) {
    var inference = TypeInference()
    var broken: [RefusedRow] = []
    var header: [String]?
    var rows = 0
    do {
      try source.forEachRow { row, bytes in
        switch row {
        case .cells(let cells):
          guard header != nil else {
            header = uniqueHeader(cells.texts)
            inference = TypeInference(header: header ?? [])
            if !whole { throw EnoughSeen() }
            return
          }
          inference.add(cells)
        case .members(let json):
          switch json.result {
          case .success(let members): inference.add(members)
          case .failure(let problem):
            if inference.names.isEmpty, broken.count < ImportReport.refusedMax {
              broken.append(
                RefusedRow(line: json.line, element: json.element, reason: .row(problem)))
            }
          }
        }
        rows += 1
        if rows % 1000 == 0 { try look(bytes, rows) }
      }
    } catch is EnoughSeen {
      // The header of a CSV file is all that an existing type needs.
    }
    return (header ?? inference.names, inference, broken)
  }

  /// Why a table without columns is none: its rows, or that there are none.
  private static func reason(
    for broken: [RefusedRow], _ request: ImportRequest, _ source: TableSource
  ) -> ImportError {
    guard !broken.isEmpty else { return .empty }
    guard let id = TypeID(request.type) else { return .typeName(request.type) }
    var report = ImportReport(type: id, encoding: source.encoding, format: source.format)
    for row in broken { report.refuse(row) }
    return .tookNone(report)
  }

  private struct EnoughSeen: Error {}

  /// A file may call two columns the same, or one nothing at all.
  private static func uniqueHeader(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.enumerated().map { index, text in
      let name = text.isEmpty ? "column_\(index + 1)" : text
      if seen.insert(name).inserted { return name }
      var number = 2
      while !seen.insert("\(name)_\(number)").inserted { number += 1 }
      return "\(name)_\(number)"
    }
  }

  /// `city` goes into the type `City`: SQLite would take their tables for one.
  ///
  /// A type that was dropped kept its table, and comes back.
  private static func type(likeNamed name: String, in model: Model) -> RecordType? {
    let same = model.types.filter { $0.id.name.lowercased() == name.lowercased() }
    var type = same.first { !$0.hidden } ?? same.first
    type?.hidden = false
    return type
  }

  // MARK: Columns

  private static func fields(
    of type: RecordType, for columns: [String], map: [String: String]
  ) throws -> (fields: [Field?], identity: Int?) {
    var unmapped: [String] = []
    let fields = try columns.map { column -> Field? in
      if let name = map[column] {
        if name.isEmpty { return nil }
        guard let field = type.field(named: name) else {
          throw ImportError.unknownField(name, known: type.visibleFields.map(\.name))
        }
        return field
      }
      if column == TypeInference.identityHeader { return nil }
      let field =
        type.field(named: column) ?? FieldNaming.name(of: column).flatMap { type.field(named: $0) }
      if field == nil { unmapped.append(column) }
      return field
    }
    guard unmapped.isEmpty else { throw ImportError.unmapped(unmapped, type: type.name) }
    return (fields, columns.firstIndex(of: TypeInference.identityHeader))
  }

  /// A new type with the names that `map` gives its columns.
  private static func renamed(
    _ inferred: InferredType, columns: [String], map: [String: String]
  ) throws -> (type: RecordType, fields: [Field?]) {
    var type = inferred.type
    var fields: [Field?] = inferred.columns.map { $0.flatMap { type.field($0) } }
    for (index, column) in columns.enumerated() {
      guard let name = map[column], let old = fields[index] else { continue }
      type.fields.removeAll { $0.id == old.id && name.isEmpty }
      if name.isEmpty {
        fields[index] = nil
        type.list.removeAll { $0 == old.id }
        if type.title == old.id { type.title = type.fields.first?.id }
        continue
      }
      guard let id = FieldID(name), type.field(id) == nil || id == old.id else {
        throw ImportError.unknownField(name, known: type.fields.map(\.name))
      }
      var field = Field(id: id, type: old.type)
      field.search = old.search
      field.label = column == name ? nil : column
      type.fields = type.fields.map { $0.id == old.id ? field : $0 }
      type.list = type.list.map { $0 == old.id ? id : $0 }
      if type.title == old.id { type.title = id }
      fields[index] = field
    }
    return (type, fields)
  }

  /// The key: the one asked for, by the name of a field or of a column, or else the type's own.
  private static func key(
    _ name: String?, in type: inout RecordType, columns: [String], fields: [Field?], isNew: Bool
  ) throws -> Field? {
    guard let name else {
      return type.key.flatMap { key in
        fields.contains { $0?.id == key } ? type.field(key) : nil
      }
    }
    let column = columns.firstIndex(of: name).flatMap { fields[$0] }
    guard let field = type.field(named: name) ?? column else {
      throw ImportError.unknownField(name, known: type.visibleFields.map(\.name))
    }
    switch field.type {
    case .tags, .references, .attachment, .location, .longText:
      throw ImportError.unusableKey(field.name)
    default: break
    }
    if isNew { type.key = field.id }
    return field
  }
}
