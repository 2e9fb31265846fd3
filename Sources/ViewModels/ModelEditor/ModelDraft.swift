// A detached copy of the model that a person changes: types and fields keep their permanent ids
// through renames, what is dropped is hidden, and a field with a new type is a new field that takes
// the old one's name (DESIGN.md 2). A value that knows no library.

internal import Records

/// The model as it is being edited, with undo and redo.
struct ModelDraft: Sendable, Hashable {
  let original: Model
  private(set) var model: Model
  private var done: [Model] = []
  private var undone: [Model] = []

  init(_ model: Model) {
    original = model
    self.model = model
  }

  var diff: ModelDiff { ModelDiff(from: original, to: model) }
  var isDirty: Bool { model != original }
  var canUndo: Bool { !done.isEmpty }
  var canRedo: Bool { !undone.isEmpty }

  /// Changes the copy, as one undo step.
  mutating func change(_ body: (inout Model) -> Void) {
    var next = model
    body(&next)
    guard next != model else { return }
    done.append(model)
    undone = []
    model = next
  }

  mutating func changeType(_ id: TypeID, _ body: (inout RecordType) -> Void) {
    change { model in
      guard let index = model.types.firstIndex(where: { $0.id == id }) else { return }
      body(&model.types[index])
    }
  }

  mutating func changeField(_ id: FieldID, of type: TypeID, _ body: (inout Field) -> Void) {
    changeType(type) { type in
      guard let index = type.fields.firstIndex(where: { $0.id == id }) else { return }
      body(&type.fields[index])
    }
  }

  mutating func undo() {
    guard let before = done.popLast() else { return }
    undone.append(model)
    model = before
  }

  mutating func redo() {
    guard let after = undone.popLast() else { return }
    done.append(model)
    model = after
  }

  // MARK: Types

  /// Makes a type with one field, its title; nothing for a name that can't be one.
  mutating func addType(named name: String) -> TypeID? {
    let taken = Set(model.types.map { $0.id.name.lowercased() })
    guard NameRule.allows(name), let id = Self.free(name, taken).map(TypeID.init(trusted:)) else {
      return nil
    }
    var title = Field(id: FieldID(trusted: "name"), type: .text)
    title.search = true
    var type = RecordType(id: id, name: name, fields: [title])
    type.list = [title.id]
    change { $0.types.append(type) }
    return id
  }

  mutating func moveType(_ id: TypeID, by places: Int) {
    change { model in
      let visible = model.types.indices.filter { !model.types[$0].hidden }
      guard let from = visible.firstIndex(where: { model.types[$0].id == id }) else { return }
      let to = visible[max(0, min(from + places, visible.count - 1))]
      model.types.insert(model.types.remove(at: visible[from]), at: to)
    }
  }

  /// Hides a type; one that was made just now is taken away.
  mutating func dropType(_ id: TypeID) {
    let isNew = original.type(id) == nil
    change { model in
      if isNew {
        model.types.removeAll { $0.id == id }
      } else if let index = model.types.firstIndex(where: { $0.id == id }) {
        model.types[index].hidden = true
      }
    }
  }

  // MARK: Fields

  /// Adds a field below the others; nothing for a name that can't be one.
  mutating func addField(named name: String, _ kind: FieldType, to type: TypeID) -> FieldID? {
    guard let definition = model.type(type) else { return nil }
    let taken = Set(definition.fields.map { $0.id.name.lowercased() })
    guard NameRule.allows(name), let id = Self.free(name, taken).map(FieldID.init(trusted:)) else {
      return nil
    }
    let field = Field(id: id, name: name, type: kind)
    changeType(type) { type in
      type.fields.append(field)
      if type.list.count < 6 { type.list.append(id) }
      if type.title == nil { type.title = id }
    }
    return id
  }

  mutating func moveField(_ id: FieldID, of type: TypeID, by places: Int) {
    changeType(type) { type in
      let visible = type.fields.indices.filter { !type.fields[$0].hidden }
      guard let from = visible.firstIndex(where: { type.fields[$0].id == id }) else { return }
      let to = visible[max(0, min(from + places, visible.count - 1))]
      type.fields.insert(type.fields.remove(at: visible[from]), at: to)
    }
  }

  /// Hides a field; one that was added just now is taken away.
  mutating func dropField(_ id: FieldID, of type: TypeID) {
    let isNew = original.type(type)?.field(id) == nil
    changeType(type) { type in
      if isNew {
        type.fields.removeAll { $0.id == id }
      } else if let index = type.fields.firstIndex(where: { $0.id == id }) {
        type.fields[index].hidden = true
      }
      type.forget(id)
    }
  }

  /// Shows a dropped field again, below the others.
  mutating func reviveField(_ id: FieldID, of type: TypeID) {
    changeType(type) { type in
      guard let index = type.fields.firstIndex(where: { $0.id == id }) else { return }
      var field = type.fields.remove(at: index)
      field.hidden = false
      type.fields.append(field)
    }
  }

  /// Gives a field another type.
  ///
  /// A field that is in the library already is replaced by a new one under its name, which the
  /// migration fills from the old one. Choices of a choice field just change.
  ///
  /// - Returns: The field that now has the type.
  mutating func retype(_ id: FieldID, of type: TypeID, to kind: FieldType) -> FieldID? {
    guard let definition = model.type(type), let old = definition.field(id) else { return nil }
    let isNew = original.type(type)?.field(id) == nil
    if case .choice = old.type, case .choice = kind {
      changeField(id, of: type) { $0.type = kind }
      return id
    }
    guard !isNew else { return replace(old, of: type, by: old.retyped(kind, id: id)) }
    let taken = Set(definition.fields.map { $0.id.name.lowercased() })
    guard let fresh = Self.free(old.name, taken).map(FieldID.init(trusted:)) else { return nil }
    return replace(old, of: type, by: old.retyped(kind, id: fresh))
  }

  private mutating func replace(_ old: Field, of type: TypeID, by new: Field) -> FieldID {
    changeType(type) { type in
      guard let index = type.fields.firstIndex(where: { $0.id == old.id }) else { return }
      type.fields[index] = new
      if new.id != old.id {
        var hidden = old
        hidden.hidden = true
        type.fields.append(hidden)
        type.rename(old.id, to: new.id)
      }
    }
    return new.id
  }

  /// A name that nobody had yet: the wanted one, or it with a number behind.
  private static func free(_ name: String, _ taken: Set<String>) -> String? {
    // SQL does not tell names apart by case.
    if !taken.contains(name.lowercased()) { return name }
    return (2...10_000).lazy.map { number in
      let suffix = "_\(number)"
      return String(name.prefix(NameRule.lengthMax - suffix.utf8.count)) + suffix
    }.first { !taken.contains($0.lowercased()) }
  }
}

extension RecordType {
  /// Takes a field out of everything that names it.
  fileprivate mutating func forget(_ field: FieldID) {
    list.removeAll { $0 == field }
    sort.removeAll { $0.field == field }
    if key == field { key = nil }
    if title == field {
      title = (visibleFields.first { $0.type.isText } ?? visibleFields.first)?.id
    }
  }

  fileprivate mutating func rename(_ old: FieldID, to new: FieldID) {
    list = list.map { $0 == old ? new : $0 }
    sort = sort.map { $0.field == old ? SortKey(field: new, descending: $0.descending) : $0 }
    if title == old { title = new }
    if key == old { key = nil }
  }
}

extension Field {
  /// The field with another type: what is said of its values goes, what is said of the field stays.
  fileprivate func retyped(_ kind: FieldType, id: FieldID) -> Field {
    var field = Field(id: id, name: name, type: kind)
    field.label = label
    field.required = required
    field.index = index && kind.isIndexable
    field.search = search && kind.isSearchable
    return field
  }
}
