// One field's declaration: `{type: text, required: true}`, or the type's word alone.

internal import Records
internal import Yams

extension ModelReader {
  private static let keys = [
    "type", "of", "to", "label", "required", "default", "min", "max", "pattern", "unique",
    "index", "search", "merge", "onDelete", "was", "id", "name", "hidden",
  ]

  mutating func field(_ name: Located, _ node: Node) -> DeclaredField? {
    let path = name.place.path
    if node.scalar != nil, !isNull(node) {
      guard let word = text(node, path), let type = type(word, [:], path) else { return nil }
      let field = Field(id: FieldID(trusted: name.text), type: type)
      if type.target != nil { note(node, path, .missingKey("to")) }
      return DeclaredField(name: name, field: field)
    }
    let keys = members(node, path, known: Self.keys)
    guard let typeNode = keys["type"] else {
      if node.mapping != nil { note(name, .missingKey("type")) }
      return nil
    }
    guard let word = text(typeNode, path + ["type"]), let type = type(word, keys, path) else {
      return nil
    }
    var declared = DeclaredField(
      name: name, field: Field(id: FieldID(trusted: name.text), type: type))
    if let name = keys["name"].flatMap({ identifier($0, path + ["name"]) }) {
      declared.name = name
    }
    declared.id = keys["id"].flatMap { identifier($0, path + ["id"]) }
    declared.was = keys["was"].flatMap { identifier($0, path + ["was"]) }
    if let to = keys["to"] {
      declared.target = text(to, path + ["to"])
      if type.target == nil { note(to, path, .doesNotFit(key: "to", type: type.word)) }
    } else if type.target != nil {
      note(name, .missingKey("to"))
    }
    settings(of: &declared.field, keys, path)
    constraints(of: &declared.field, keys, path)
    return declared
  }

  private mutating func type(
    _ word: Located, _ keys: [String: Node], _ path: [String]
  ) -> FieldType? {
    let unresolved = TypeID(trusted: "")
    if word.text != "choice", let of = keys["of"] {
      note(of, path, .doesNotFit(key: "of", type: word.text))
    }
    switch word.text {
    case "text": return .text
    case "longText": return .longText
    case "url": return .url
    case "email": return .email
    case "integer": return .integer
    case "counter": return .counter
    case "number": return .number
    case "decimal": return .decimal
    case "boolean": return .boolean
    case "date": return .date
    case "dateTime": return .dateTime
    case "tags": return .tags
    case "location": return .location
    case "attachment": return .attachment
    case "reference": return .reference(to: unresolved)
    case "references": return .references(to: unresolved)
    case "choice": return choice(keys["of"], word, path)
    default:
      note(word, .unknownWord(word.text, known: FieldType.words))
      return nil
    }
  }

  private mutating func choice(_ of: Node?, _ word: Located, _ path: [String]) -> FieldType? {
    guard let of else {
      note(word, .missingKey("of"))
      return .choice([])
    }
    var choices: [String] = []
    for choice in texts(of, path + ["of"]) {
      if choice.text.isEmpty {
        note(choice, .expected(.text))
      } else if choices.contains(choice.text) {
        note(choice, .duplicate(choice.text))
      } else {
        choices.append(choice.text)
      }
    }
    if choices.isEmpty { note(of, path + ["of"], .expected(.list)) }
    return .choice(choices)
  }

  private mutating func settings(
    of field: inout Field, _ keys: [String: Node], _ path: [String]
  ) {
    field.label = keys["label"].flatMap { text($0, path + ["label"]) }?.text
    field.hidden = flag("hidden", keys, path)
    field.required = flag("required", keys, path)
    field.unique = flag("unique", keys, path)
    field.index = flag("index", keys, path)
    field.search = flag("search", keys, path)
    let type = field.type
    if field.search, !type.isSearchable { misfit("search", keys, type, path) }
    if field.unique, !type.isIndexable { misfit("unique", keys, type, path) }
    if field.index, !type.isIndexable { misfit("index", keys, type, path) }
    if let merge: MergePolicy = word("merge", keys, path) {
      if merge.fits(type) { field.merge = merge } else { misfit("merge", keys, type, path) }
    }
    if let rule: DeleteRule = word("onDelete", keys, path) {
      field.onDelete = rule
      if type.target == nil { misfit("onDelete", keys, type, path) }
    }
  }

  private mutating func constraints(
    of field: inout Field, _ keys: [String: Node], _ path: [String]
  ) {
    let type = field.type
    if let node = keys["default"], !isNull(node) {
      if type.target != nil || type == .attachment {
        misfit("default", keys, type, path)
      } else {
        field.defaultValue = value(node, as: type, path + ["default"]) ?? .empty
      }
    }
    if let bound = type.boundType {
      field.min = keys["min"].flatMap { value($0, as: bound, path + ["min"]) }
      field.max = keys["max"].flatMap { value($0, as: bound, path + ["max"]) }
      if let min = field.min, let max = field.max, ValueOrder.precedes(max, min) {
        note(keys["max"], path + ["max"], .emptyRange)
      }
    } else {
      if keys["min"] != nil { misfit("min", keys, type, path) }
      if keys["max"] != nil { misfit("max", keys, type, path) }
    }
    if let node = keys["pattern"], let pattern = text(node, path + ["pattern"]) {
      if !type.isText { misfit("pattern", keys, type, path) }
      if !takesAnyPattern, Pattern(pattern.text) == nil {
        note(pattern, .badPattern(pattern.text))
      }
      field.pattern = pattern.text
    }
  }
}

// MARK: - Parts

extension ModelReader {
  private mutating func flag(_ key: String, _ keys: [String: Node], _ path: [String]) -> Bool {
    keys[key].flatMap { boolean($0, path + [key]) } ?? false
  }

  private mutating func misfit(
    _ key: String, _ keys: [String: Node], _ type: FieldType, _ path: [String]
  ) {
    note(keys[key], path + [key], .doesNotFit(key: key, type: type.word))
  }

  private mutating func word<Word: RawRepresentable & CaseIterable>(
    _ key: String, _ keys: [String: Node], _ path: [String]
  ) -> Word? where Word.RawValue == String {
    guard let node = keys[key], let located = text(node, path + [key]) else { return nil }
    if let word = Word(rawValue: located.text) { return word }
    note(located, .unknownWord(located.text, known: Word.allCases.map(\.rawValue)))
    return nil
  }

  /// A value, or the list that tags are.
  private mutating func value(_ node: Node, as type: FieldType, _ path: [String]) -> Value? {
    if type == .tags, node.sequence != nil {
      return .tags(nonEmpty: TagSet(texts(node, path).map(\.text)))
    }
    guard let located = text(node, path) else { return nil }
    // A default is the same on every day and in every time zone.
    guard let today = CalendarDate(dayNumber: 0), RelativeDay(text: located.text) == nil else {
      note(located, .badValue(located.text, type == .dateTime ? .dateTime : .date))
      return nil
    }
    do {
      return try ValueText.read(located.text, as: type, in: .utc(today: today))
    } catch {
      note(located, .badValue(located.text, error))
      return nil
    }
  }
}
