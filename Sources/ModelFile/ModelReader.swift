// Nodes into declarations. Every mistake is noted with its place, and reading goes on behind it.

internal import Records
internal import Yams

struct ModelReader {
  var mistakes: [ModelMistake] = []
  /// Whether a pattern that can't be read is kept, and no mistake.
  var takesAnyPattern = false

  mutating func model(_ root: Node) -> [DeclaredType] {
    let keys = members(root, [], known: ["skyros", "types"])
    if let version = keys["skyros"] {
      let text = self.text(version, ["skyros"])?.text
      if let text, text != String(ModelFile.version) { note(version, ["skyros"], .version(text)) }
    } else {
      note(root, [], .missingKey("skyros"))
    }
    guard let types = keys["types"] else {
      note(root, [], .missingKey("types"))
      return []
    }
    let declared = named(types, ["types"], max: ModelFile.typesMax)
    return declared.map { type($0, $1) }
  }

  private mutating func type(_ name: Located, _ node: Node) -> DeclaredType {
    let path = name.place.path
    var type = DeclaredType(handle: name.text, name: name)
    if name.text.lowercased().hasPrefix("sqlite_") { note(name, .badName(name.text)) }
    let keys = members(
      node, path,
      known: ["id", "name", "was", "label", "title", "list", "sort", "key", "hidden", "fields"])
    if let name = keys["name"].flatMap({ identifier($0, path + ["name"]) }) { type.name = name }
    type.id = keys["id"].flatMap { identifier($0, path + ["id"]) }
    type.was = keys["was"].flatMap { identifier($0, path + ["was"]) }
    type.label = keys["label"].flatMap { text($0, path + ["label"]) }?.text
    type.hidden = keys["hidden"].flatMap { boolean($0, path + ["hidden"]) } ?? false
    type.title = keys["title"].flatMap { text($0, path + ["title"]) }
    type.key = keys["key"].flatMap { text($0, path + ["key"]) }
    type.list = keys["list"].map { texts($0, path + ["list"]) }
    for key in keys["sort"].map({ texts($0, path + ["sort"]) }) ?? [] {
      let descending = key.text.hasPrefix("-")
      let name = descending ? String(key.text.dropFirst()) : key.text
      type.sort.append((Located(text: name, place: key.place), descending))
    }
    if let fields = keys["fields"] {
      type.fields = named(fields, path + ["fields"], max: ModelFile.fieldsMax)
        .compactMap { field($0, $1) }
    }
    return type
  }
}

// MARK: - Shapes

extension ModelReader {
  mutating func note(_ node: Node?, _ path: [String], _ kind: ModelMistake.Kind) {
    mistakes.append(Place(node?.mark, path).mistake(kind))
  }

  mutating func note(_ located: Located, _ kind: ModelMistake.Kind) {
    mistakes.append(located.place.mistake(kind))
  }

  /// The members of a mapping with fixed keys.
  mutating func members(_ node: Node, _ path: [String], known: [String]) -> [String: Node] {
    guard let mapping = node.mapping else {
      note(node, path, .expected(.mapping))
      return [:]
    }
    var result: [String: Node] = [:]
    for (key, value) in mapping {
      guard let name = key.scalar?.string, known.contains(name) else {
        note(key, path, .unknownKey(key.scalar?.string ?? "", known: known))
        continue
      }
      result[name] = value
    }
    return result
  }

  /// The members of a mapping whose keys are names of the person's own.
  mutating func named(_ node: Node, _ path: [String], max: Int) -> [(Located, Node)] {
    if isNull(node) { return [] }
    guard let mapping = node.mapping else {
      note(node, path, .expected(.mapping))
      return []
    }
    if mapping.count > max {
      note(node, path, .tooMany(max: max))
      return []
    }
    var result: [(Located, Node)] = []
    for (key, value) in mapping {
      guard let name = key.scalar?.string, NameRule.allows(name) else {
        note(key, path, .badName(key.scalar?.string ?? ""))
        continue
      }
      result.append((Located(text: name, place: Place(key.mark, path + [name])), value))
    }
    return result
  }

  mutating func text(_ node: Node, _ path: [String]) -> Located? {
    guard let scalar = node.scalar, !isNull(node) else {
      note(node, path, .expected(.text))
      return nil
    }
    return Located(text: scalar.string, place: Place(node.mark, path))
  }

  /// A name by ``NameRule``.
  mutating func identifier(_ node: Node, _ path: [String]) -> Located? {
    guard let located = text(node, path) else { return nil }
    guard NameRule.allows(located.text) else {
      note(located, .badName(located.text))
      return nil
    }
    return located
  }

  /// A list of texts; a single text is a list of one.
  mutating func texts(_ node: Node, _ path: [String]) -> [Located] {
    guard let sequence = node.sequence else {
      if node.scalar != nil { return text(node, path).map { [$0] } ?? [] }
      note(node, path, .expected(.list))
      return []
    }
    if sequence.count > ModelFile.choicesMax {
      note(node, path, .tooMany(max: ModelFile.choicesMax))
      return []
    }
    return sequence.compactMap { text($0, path) }
  }

  mutating func boolean(_ node: Node, _ path: [String]) -> Bool? {
    switch node.scalar?.string {
    case "true": return true
    case "false": return false
    default:
      note(node, path, .expected(.boolean))
      return nil
    }
  }

  func isNull(_ node: Node) -> Bool {
    guard let scalar = node.scalar, scalar.style == .plain || scalar.style == .any else {
      return false
    }
    return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
  }
}
