// A model into YAML: the order and the spelling that a person would choose, one field a line.

internal import Records

enum ModelWriter {
  static func text(of model: Model) -> String {
    var lines = ["skyros: \(ModelFile.version)", "types:\(model.types.isEmpty ? " {}" : "")"]
    var keys = Keys(taken: model.visibleTypes.map(\.name))
    var typeKeys: [TypeID: String] = [:]
    for type in model.types {
      typeKeys[type.id] = type.hidden ? keys.key(type.name, id: type.id.name) : type.name
    }
    for type in model.types { lines += self.lines(of: type, typeKeys) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(
    of type: RecordType, _ typeKeys: [TypeID: String]
  ) -> [String] {
    let key = typeKeys[type.id] ?? type.name
    var lines = ["  \(key):"]
    func add(_ key: String, _ value: String) { lines.append("    \(key): \(value)") }
    if type.id.name != key { add("id", type.id.name) }
    if type.name != key { add("name", type.name) }
    if let label = type.label { add("label", scalar(label)) }
    if type.hidden { add("hidden", "true") }
    let keys = fieldKeys(of: type)
    let names = keys.filter { id, _ in type.field(id)?.hidden == false }
    if let title = type.title.flatMap({ names[$0] }) { add("title", title) }
    add("list", flow(type.list.compactMap { names[$0] }))
    if !type.sort.isEmpty {
      let sort = type.sort.compactMap { key in
        names[key.field].map { key.descending ? "-\($0)" : $0 }
      }
      add("sort", sort.count == 1 ? sort.joined() : flow(sort))
    }
    if let key = type.key.flatMap({ names[$0] }) { add("key", key) }
    lines.append("    fields:\(type.fields.isEmpty ? " {}" : "")")
    let width = type.fields.map { (keys[$0.id] ?? "").utf8.count }.max() ?? 0
    for field in type.fields {
      let name = keys[field.id] ?? field.id.name
      let space = String(repeating: " ", count: min(width, 24) - min(name.utf8.count, 24))
      lines.append("      \(name): \(space){\(members(of: field, under: name, typeKeys))}")
    }
    return lines
  }

  private static func members(of field: Field, under key: String, _ typeKeys: [TypeID: String])
    -> String
  {
    var parts = ["type: \(field.type.word)"]
    func add(_ key: String, _ value: String) { parts.append("\(key): \(value)") }
    if field.id.name != key { add("id", field.id.name) }
    if field.name != key { add("name", field.name) }
    if case .choice(let choices) = field.type { add("of", flow(choices.map(scalar))) }
    if let target = field.type.target {
      add("to", typeKeys[target] ?? target.name)
      if field.onDelete != .nullify { add("onDelete", field.onDelete.rawValue) }
    }
    if let label = field.label { add("label", scalar(label)) }
    if field.required { add("required", "true") }
    switch field.defaultValue {
    case .empty: break
    case .tags(let tags): add("default", flow(tags.tags.map(scalar)))
    default: add("default", scalar(ValueText.flat(field.defaultValue)))
    }
    if let min = field.min { add("min", scalar(ValueText.flat(min))) }
    if let max = field.max { add("max", scalar(ValueText.flat(max))) }
    if let pattern = field.pattern { add("pattern", scalar(pattern)) }
    if field.unique { add("unique", "true") }
    if field.index { add("index", "true") }
    if field.search { add("search", "true") }
    if field.merge != .standard(for: field.type) { add("merge", field.merge.rawValue) }
    if field.hidden { add("hidden", "true") }
    return parts.joined(separator: ", ")
  }

  private static func flow(_ parts: [String]) -> String {
    "[" + parts.joined(separator: ", ") + "]"
  }
}

/// Keys of a mapping, which may not be equal: a hidden thing may have the name of a visible one.
private struct Keys {
  private var taken: Set<String>

  init(taken: [String]) { self.taken = Set(taken.map { $0.lowercased() }) }

  mutating func key(_ name: String, id: String) -> String {
    for candidate in [name, id] where taken.insert(candidate.lowercased()).inserted {
      return candidate
    }
    for number in 1... where taken.insert("hidden_\(number)").inserted {
      return "hidden_\(number)"
    }
    return name
  }
}

extension ModelWriter {
  private static func fieldKeys(of type: RecordType) -> [FieldID: String] {
    var keys = Keys(taken: type.visibleFields.map(\.name))
    var result: [FieldID: String] = [:]
    for field in type.fields {
      result[field.id] = field.hidden ? keys.key(field.name, id: field.id.name) : field.name
    }
    return result
  }
}

// MARK: - Scalars

extension ModelWriter {
  /// A text as YAML reads it back: plain where nothing else could be meant, else in double quotes.
  static func scalar(_ text: String) -> String {
    isPlain(text) ? text : "\"" + text.unicodeScalars.map(escaped).joined() + "\""
  }

  private static func isPlain(_ text: String) -> Bool {
    let words: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
    guard let first = text.utf8.first, !words.contains(text.lowercased()) else { return false }
    let starts =
      (48...57).contains(first) || (65...90).contains(first)
      || (97...122).contains(first) || (first == 45 && text.utf8.count > 1)
    return starts
      && text.utf8.dropFirst().allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
          || [45, 46, 95].contains($0)
      }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\n": return "\\n"
    case "\t": return "\\t"
    case "\r": return "\\r"
    default: break
    }
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    default: return String(scalar)
    }
  }
}
