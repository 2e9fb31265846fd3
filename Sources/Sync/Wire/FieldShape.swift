// One field's definition as a JSON object: what a register of its type holds. Members that this
// Skyros does not know are kept as they are when it writes the field anew. Pure.

internal import CloudKitWire
internal import Records

enum FieldShape {
  /// The members that this Skyros writes; those without a value are left out.
  private static let members: Set<String> = [
    "type", "of", "to", "name", "label", "merge", "required", "default", "min", "max", "pattern",
    "unique", "index", "search", "onDelete", "hidden",
  ]

  static func text(of field: Field) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("type", field.type.word)
      if case .choice(let choices) = field.type { writer.member("of", choices) }
      writer.member("to", field.type.target?.name)
      writer.member("name", field.name)
      writer.member("label", field.label)
      writer.member("merge", field.merge.rawValue)
      if field.required { writer.member("required", true) }
      writer.member("default", bytes(of: field.defaultValue))
      writer.member("min", field.min.flatMap(bytes))
      writer.member("max", field.max.flatMap(bytes))
      writer.member("pattern", field.pattern)
      if field.unique { writer.member("unique", true) }
      if field.index { writer.member("index", true) }
      if field.search { writer.member("search", true) }
      if field.type.target != nil { writer.member("onDelete", field.onDelete.rawValue) }
      if field.hidden { writer.member("hidden", true) }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// A new definition with what only the old one says.
  static func keeping(what old: String, lacksIn new: String) -> String {
    guard case .object(let before)? = json(old), case .object(let after)? = json(new) else {
      return new
    }
    let unknown = before.filter { !members.contains($0.name) }
    guard !unknown.isEmpty else { return new }
    return String(decoding: JSONValue.object(after + unknown).body(), as: UTF8.self)
  }

  /// The field that a definition stands for; nothing where only a newer Skyros can read it.
  ///
  /// - Parameter own: The field as it is here. It keeps its type: values are stored by it, and a
  ///   field that gets another one is another field (DESIGN.md 2).
  static func field(_ id: FieldID, _ text: String, over own: Field?) -> Field? {
    guard let json = json(text), let word = json["type"]?.string,
      let declared = type(word, json)
    else { return nil }
    var type = declared
    if let own, !own.type.isStored(like: declared) { type = own.type }
    let merge = json["merge"]?.string.flatMap { MergePolicy(rawValue: $0) }
    var field = Field(
      id: id, name: json["name"]?.string.flatMap { NameRule.allows($0) ? $0 : nil }, type: type,
      merge: merge.flatMap { $0.fits(type) ? $0 : nil })
    field.label = json["label"]?.string
    field.required = json["required"]?.truth ?? false
    field.defaultValue = value(json["default"]) ?? .empty
    field.min = value(json["min"])
    field.max = value(json["max"])
    field.pattern = json["pattern"]?.string
    field.unique = json["unique"]?.truth ?? false
    field.index = json["index"]?.truth ?? false
    field.search = json["search"]?.truth ?? false
    field.onDelete = json["onDelete"]?.string.flatMap { DeleteRule(rawValue: $0) } ?? .nullify
    field.hidden = json["hidden"]?.truth ?? false
    return field
  }

  private static func type(_ word: String, _ json: JSONValue) -> Records.FieldType? {
    let target = json["to"]?.string.flatMap { TypeID($0) }
    switch word {
    case "choice": return .choice((json["of"]?.array ?? []).compactMap(\.string))
    case "reference": return target.map { .reference(to: $0) }
    case "references": return target.map { .references(to: $0) }
    default: return plain[word]
    }
  }

  private static let plain: [String: Records.FieldType] = {
    let types: [Records.FieldType] = [
      .text, .longText, .url, .email, .integer, .counter, .number, .decimal, .boolean, .date,
      .dateTime, .tags, .location, .attachment,
    ]
    return Dictionary(uniqueKeysWithValues: types.map { ($0.word, $0) })
  }()

  // MARK: Values

  /// A value in the form of the log, as hexadecimal digits: exact for every type.
  private static func bytes(of value: Value) -> String? {
    guard !value.isEmpty else { return nil }
    var writer = ByteWriter()
    writer.value(value)
    return Hex.encode(writer.bytes)
  }

  private static func value(_ json: JSONValue?) -> Value? {
    guard let bytes = json?.string.flatMap({ Hex.decode($0) }) else { return nil }
    do throws(ByteError) {
      var reader = ByteReader(bytes)
      return try reader.value()
    } catch {
      return nil
    }
  }

  private static func json(_ text: String) -> JSONValue? {
    do throws(MalformedMessage) {
      var reader = JSONReader(Array(text.utf8))
      return try reader.readValue()
    } catch {
      return nil
    }
  }
}

extension Records.FieldType {
  /// Whether values of both types are kept alike, so that one may take the place of the other.
  fileprivate func isStored(like other: Records.FieldType) -> Bool {
    switch (self, other) {
    case (.choice, .choice): true
    default: self == other
    }
  }
}
