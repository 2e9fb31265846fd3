// Declarations into a model: permanent ids are given here, and names become ids.
//
// The library's model decides what is known: a type or field keeps its id through renames, what the
// file no longer names is hidden, and a field whose type changed becomes a new field.

internal import Records

struct ModelResolver {
  private let current: Model?
  var mistakes: [ModelMistake] = []

  init(current: Model?) { self.current = current }

  mutating func model(_ declared: [DeclaredType]) -> Model {
    var taken = Set((current?.types ?? []).map { $0.id.name.lowercased() })
    refuseTwins(declared.filter { !$0.hidden }.map(\.name))
    var pairs: [(declared: DeclaredType, old: RecordType?, id: TypeID)] = []
    var used: Set<TypeID> = []
    for type in declared {
      let old = known(type, used: used)
      let id =
        old?.id ?? freshID(type.id ?? type.was ?? type.name, &taken).map(TypeID.init(trusted:))
      guard let id, used.insert(id).inserted else {
        note(type.name, .duplicate(type.name.text))
        continue
      }
      pairs.append((type, old, id))
    }
    let targets = Dictionary(
      pairs.map { ($0.declared.handle, $0.id) }, uniquingKeysWith: { first, _ in first })
    var types = pairs.map { type($0.declared, old: $0.old, id: $0.id, targets: targets) }
    for old in current?.types ?? [] where !used.contains(old.id) {
      var hidden = old
      hidden.hidden = true
      types.append(hidden)
    }
    return Model(types: types)
  }

  /// The type of the library that a declaration is about.
  private mutating func known(_ type: DeclaredType, used: Set<TypeID>) -> RecordType? {
    guard let current else { return nil }
    if let id = type.id { return current.types.first { $0.id.name == id.text } }
    let free = current.types.filter { !used.contains($0.id) }
    if let same = free.first(where: { !$0.hidden && $0.name == type.name.text }) { return same }
    if let was = type.was {
      if let old = free.first(where: { !$0.hidden && $0.name == was.text }) { return old }
      note(was, .wasUnknown(was.text))
      return nil
    }
    return free.first { $0.hidden && $0.name == type.name.text }
  }

  private mutating func type(
    _ declared: DeclaredType, old: RecordType?, id: TypeID, targets: [String: TypeID]
  ) -> RecordType {
    var type = RecordType(id: id, name: declared.name.text)
    type.label = declared.label
    type.hidden = declared.hidden
    type.fields = fields(declared, old: old, targets: targets)
    let visible = type.visibleFields
    let titled = declared.title.flatMap { self.field($0, in: type)?.id }
    type.title = titled ?? (visible.first { $0.type.isText } ?? visible.first)?.id
    let listed = declared.list?.compactMap { self.field($0, in: type)?.id }
    type.list = listed ?? visible.prefix(6).map(\.id)
    type.sort = declared.sort.compactMap { key in
      self.field(key.field, in: type).map { SortKey(field: $0.id, descending: key.descending) }
    }
    if let key = declared.key, let field = self.field(key, in: type) {
      type.key = field.id
      if !field.type.isKey { note(key, .doesNotFit(key: "key", type: field.type.word)) }
    }
    return type
  }

  private mutating func field(_ name: Located, in type: RecordType) -> Field? {
    if let field = type.visibleFields.first(where: { $0.name == name.text }) { return field }
    note(name, .unknownField(name.text))
    return nil
  }
}

// MARK: - Fields

extension ModelResolver {
  private mutating func fields(
    _ declared: DeclaredType, old: RecordType?, targets: [String: TypeID]
  ) -> [Field] {
    refuseTwins(declared.fields.filter { !$0.field.hidden }.map(\.name))
    let held = old?.fields ?? []
    var taken = Set(held.map { $0.id.name.lowercased() })
    // Explicit ids come first: nobody else may get one of them.
    for field in declared.fields { if let id = field.id { taken.insert(id.text.lowercased()) } }
    var used: Set<FieldID> = []
    var replaced: [FieldID: String] = [:]
    var result: [Field] = []
    for item in declared.fields {
      var wanted = item.field
      if let target = item.target { wanted.type = aim(wanted.type, at: target, targets) }
      let known = self.known(item, in: held, used: used, hasCurrent: old != nil)
      var id: FieldID?
      if let known, known.type.isSameKind(as: wanted.type) {
        id = known.id
      } else if item.id != nil, known == nil {
        id = item.id.map { FieldID(trusted: $0.text) }
      } else {
        id = freshID(known == nil ? item.was ?? item.name : item.name, &taken)
          .map(FieldID.init(trusted:))
        if let known { replaced[known.id] = item.name.text }
      }
      guard let id, used.insert(id).inserted else {
        note(item.name, .duplicate(item.name.text))
        continue
      }
      result.append(wanted.identified(id, name: item.name.text))
    }
    for field in held where !used.contains(field.id) {
      var hidden = field
      hidden.hidden = true
      // By its name, the new field finds the old one that it is filled from.
      if let name = replaced[field.id] { hidden.name = name }
      result.append(hidden)
    }
    return result
  }

  private mutating func known(
    _ item: DeclaredField, in held: [Field], used: Set<FieldID>, hasCurrent: Bool
  ) -> Field? {
    guard hasCurrent else { return nil }
    if let id = item.id { return held.first { $0.id.name == id.text } }
    let free = held.filter { !used.contains($0.id) }
    if let same = free.first(where: { !$0.hidden && $0.name == item.name.text }) { return same }
    if let was = item.was {
      if let old = free.first(where: { !$0.hidden && $0.name == was.text }) { return old }
      note(was, .wasUnknown(was.text))
      return nil
    }
    return free.first {
      $0.hidden && $0.name == item.name.text && $0.type.isSameKind(as: item.field.type)
    }
  }

  private mutating func aim(
    _ type: FieldType, at target: Located, _ targets: [String: TypeID]
  ) -> FieldType {
    guard let id = targets[target.text] else {
      note(target, .unknownType(target.text))
      return type
    }
    switch type {
    case .reference: return .reference(to: id)
    case .references: return .references(to: id)
    default: return type
    }
  }
}

// MARK: - Names

extension ModelResolver {
  private mutating func note(_ located: Located, _ kind: ModelMistake.Kind) {
    mistakes.append(located.place.mistake(kind))
  }

  /// A name nobody has had yet: the wanted one, or it with a number behind.
  private func freshID(_ wanted: Located, _ taken: inout Set<String>) -> String? {
    let name = wanted.text
    if taken.insert(name.lowercased()).inserted { return name }
    for number in 2...10_000 {
      let suffix = "_\(number)"
      let candidate = name.prefix(NameRule.lengthMax - suffix.utf8.count) + suffix
      if taken.insert(candidate.lowercased()).inserted { return String(candidate) }
    }
    return nil
  }

  /// SQL does not tell names apart by case.
  private mutating func refuseTwins(_ names: [Located]) {
    var seen: [String: String] = [:]
    for name in names {
      if let twin = seen.updateValue(name.text, forKey: name.text.lowercased()) {
        note(name, .sameName(name.text, as: twin))
      }
    }
  }
}

extension Field {
  fileprivate func identified(_ id: FieldID, name: String) -> Field {
    var result = Field(id: id, name: name, type: type, merge: merge)
    result.label = label
    result.required = required
    result.defaultValue = defaultValue
    result.min = min
    result.max = max
    result.pattern = pattern
    result.unique = unique
    result.index = index
    result.search = search
    result.onDelete = onDelete
    result.hidden = hidden
    return result
  }
}

extension FieldType {
  /// Whether values of the one are values of the other as they stand.
  func isSameKind(as other: FieldType) -> Bool {
    switch (self, other) {
    case (.choice, .choice): true
    default: self == other
    }
  }

  /// Whether the field can be a natural key: one column with one canonical text.
  var isKey: Bool {
    switch self {
    case .text, .url, .email, .choice, .integer, .decimal, .date: true
    default: false
    }
  }
}
