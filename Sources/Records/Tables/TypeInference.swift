// A record type out of a table nobody has described: names out of its header, types out of its values.
// It looks at every row, because one `n/a` in the last makes a column text.

/// What an import makes of a table's columns.
package struct InferredType: Hashable, Sendable {
  package let type: RecordType
  /// Per column its field; nothing for a column that the import does not take over (`_id`).
  package let columns: [FieldID?]
  /// The column that holds record ids, as an export writes them.
  package let identityColumn: Int?
}

/// Gathers evidence row by row.
package struct TypeInference: Sendable {
  /// What an export calls the column of record ids.
  package static let identityHeader = "_id"

  private var headers: [String]
  private var evidence: [ColumnEvidence]
  private var columnOf: [String: Int] = [:]

  /// - Parameter header: The first row of a table; empty for JSON, which names its fields itself.
  package init(header: [String] = []) {
    headers = header
    evidence = Array(repeating: ColumnEvidence(), count: header.count)
    for (index, name) in header.enumerated() where columnOf[name] == nil {
      columnOf[name] = index
    }
  }

  /// The columns so far.
  package var names: [String] { headers }

  package mutating func add(_ row: borrowing TableRow) {
    guard row.problem == nil else { return }
    row.bytes.withUnsafeBufferPointer { bytes in
      for column in 0..<min(row.count, evidence.count) {
        evidence[column].add(UnsafeBufferPointer(rebasing: bytes[row.range(at: column)]))
      }
    }
  }

  package mutating func add(_ members: [JSON.Member]) {
    for member in members {
      let column: Int
      if let known = columnOf[member.name] {
        column = known
      } else {
        guard headers.count < TableRow.fieldsMax else { continue }
        column = headers.count
        columnOf[member.name] = column
        headers.append(member.name)
        evidence.append(ColumnEvidence())
      }
      evidence[column].add(member.value)
    }
  }

  /// The type that fits all rows seen.
  ///
  /// - Parameter key: A header or a name that is the natural key.
  package func type(id: TypeID, name: String? = nil, key: String? = nil) -> InferredType {
    var names = FieldNaming()
    var fields: [Field] = []
    var columns: [FieldID?] = []
    for (index, header) in headers.enumerated() {
      if header == Self.identityHeader {
        columns.append(nil)
        continue
      }
      let field = names.field(header: header, column: index + 1, type: evidence[index].type)
      fields.append(field)
      columns.append(field.id)
    }
    var type = RecordType(id: id, name: name, fields: fields)
    type.title = titleField(of: type)
    for (field, evidence) in zip(columns, evidence) {
      guard let index = type.fields.firstIndex(where: { $0.id == field }) else { continue }
      let isTitle = type.fields[index].id == type.title
      type.fields[index].search =
        type.fields[index].type.isText && (isTitle || evidence.isWorthSearching)
    }
    let short = fields.filter { $0.type != .longText }.map(\.id)
    type.list = Array(
      ([type.title].compactMap(\.self) + short.filter { $0 != type.title }).prefix(7))
    if let key {
      let column = headers.firstIndex(of: key).flatMap { columns[$0] }
      type.key = column ?? type.field(named: key)?.id
    }
    return InferredType(
      type: type, columns: columns,
      identityColumn: headers.firstIndex(of: Self.identityHeader))
  }

  /// The field that a record is called by: one that says so, or the first text.
  private func titleField(of type: RecordType) -> FieldID? {
    let wanted = ["name", "title", "label", "subject"]
    let named = type.fields.first { field in
      field.type == .text && wanted.contains(field.name.lowercased())
    }
    let text = type.fields.first { $0.type == .text }
    return (named ?? text ?? type.fields.first)?.id
  }
}

extension ColumnEvidence {
  /// The type that holds every cell.
  var type: FieldType {
    if jsonKinds.isEmpty {
      if isEmpty { return .text }
      if shapes.contains(.boolean) { return .boolean }
      if shapes.contains(.integer) { return .integer }
      if shapes.contains(.number) { return .number }
      if shapes.contains(.decimal) { return .decimal }
      return textual
    }
    switch jsonKinds {
    case [.integer]: return .integer
    case [.number], [.integer, .number]: return shapes.contains(.number) ? .number : .decimal
    case [.boolean]: return .boolean
    case [.tags]: return .tags
    case [.location]: return .location
    case [.string]: return textual
    default: return isLong || jsonKinds.contains(.other) ? .longText : .text
    }
  }

  private var textual: FieldType {
    if shapes.contains(.date) { return .date }
    if shapes.contains(.dateTime), hasTime { return .dateTime }
    return isLong ? .longText : .text
  }

  mutating func add(_ json: JSON) {
    switch json {
    case .null: break
    case .string(let text):
      if text.isEmpty { return }
      jsonKinds.insert(.string)
      add(text)
    case .integer(let number):
      jsonKinds.insert(.integer)
      add(String(number))
    case .number, .numeral:
      jsonKinds.insert(.number)
      add(json.text)
    case .boolean: jsonKinds.insert(.boolean)
    case .array(let elements):
      let isTags = elements.allSatisfy { if case .string = $0 { true } else { false } }
      jsonKinds.insert(isTags ? .tags : .other)
    case .object(let members):
      jsonKinds.insert(Set(members.map(\.name)) == ["lat", "lon"] ? .location : .other)
    }
  }

  private mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add($0) }
  }
}

/// Turns headers into names by the rule, each once.
package struct FieldNaming: Sendable {
  private var taken: Set<String> = []

  package init() {}

  package mutating func field(header: String, column: Int, type: FieldType) -> Field {
    let name = unique(Self.name(of: header) ?? "column_\(column)")
    var field = Field(id: FieldID(trusted: name), type: type)
    let label = String(trimmed(header[...]))
    if label != name, !label.isEmpty { field.label = label }
    return field
  }

  /// A name by ``NameRule`` that is closest to a header; nothing if it has no Latin letter.
  package static func name(of header: String) -> String? {
    var name = ""
    for byte in header.utf8 {
      let isLetter = (65...90).contains(byte) || (97...122).contains(byte)
      if isLetter || (48...57).contains(byte) {
        name.unicodeScalars.append(Unicode.Scalar(byte))
      } else if !name.isEmpty, name.last != "_" {
        name.append("_")
      }
    }
    while name.last == "_" { name.removeLast() }
    guard name.contains(where: \.isLetter) else { return nil }
    if name.first?.isNumber == true { name = "n_" + name }
    return String(name.prefix(NameRule.lengthMax))
  }

  private mutating func unique(_ name: String) -> String {
    if taken.insert(name.lowercased()).inserted { return name }
    var number = 2
    while true {
      let suffix = "_\(number)"
      let candidate = name.prefix(NameRule.lengthMax - suffix.utf8.count) + suffix
      if taken.insert(candidate.lowercased()).inserted { return String(candidate) }
      number += 1
    }
  }
}
