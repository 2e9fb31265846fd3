// What changes from one model to the next: what a migration does, and what its forecast tells.

/// One step from a model to its successor.
package enum ModelChange: Hashable, Sendable {
  case addType(TypeID)
  /// Hidden from now on; its records stay in the file.
  case dropType(TypeID)
  /// Hidden before, in sight again.
  case reviveType(TypeID)
  case renameType(TypeID, from: String, to: String)
  /// Label, title, list, sort or the order of the fields: nothing that a record would notice.
  case rearrangeType(TypeID)
  case changeKey(TypeID, from: FieldID?, to: FieldID?)
  case addField(TypeID, FieldID)
  /// Hidden from now on; its values stay in the file.
  case dropField(TypeID, FieldID)
  case reviveField(TypeID, FieldID)
  case renameField(TypeID, FieldID, from: String, to: String)
  /// A field with a new type: a new field, filled from the old one, which is hidden.
  case replaceField(TypeID, old: FieldID, new: FieldID)
  /// The choices of a choice field.
  case changeChoices(TypeID, FieldID, removed: [String])
  /// required, min, max, pattern, unique, default, onDelete: checked from the next save on.
  case changeConstraints(TypeID, FieldID)
  case changeIndex(TypeID, FieldID)
  case changeSearch(TypeID, FieldID)
  case changeMerge(TypeID, FieldID, from: MergePolicy, to: MergePolicy)
  case relabelField(TypeID, FieldID)

  /// Whether people lose sight of values: what a migration refuses unless it is told to.
  package var isDrop: Bool {
    switch self {
    case .dropType, .dropField: true
    default: false
    }
  }
}

/// All steps between two models, in the order in which a migration takes them.
package struct ModelDiff: Hashable, Sendable {
  package let changes: [ModelChange]

  package init(from old: Model, to new: Model) {
    var changes: [ModelChange] = []
    for type in new.types {
      if let before = old.type(type.id) {
        changes += Self.changes(from: before, to: type)
      } else {
        changes.append(.addType(type.id))
      }
    }
    for type in old.types where new.type(type.id) == nil && !type.hidden {
      changes.append(.dropType(type.id))
    }
    self.changes = changes
  }

  package var isEmpty: Bool { changes.isEmpty }
  package var drops: [ModelChange] { changes.filter(\.isDrop) }

  private static func changes(from old: RecordType, to new: RecordType) -> [ModelChange] {
    let id = new.id
    var result: [ModelChange] = []
    if old.hidden != new.hidden { result.append(new.hidden ? .dropType(id) : .reviveType(id)) }
    if old.name != new.name { result.append(.renameType(id, from: old.name, to: new.name)) }
    let replaced = replacements(from: old, to: new)
    for field in new.fields {
      if let before = old.field(field.id) {
        if replaced.values.contains(field.id) { continue }
        result += changes(of: id, from: before, to: field)
      } else if let source = replaced[field.id] {
        result.append(.replaceField(id, old: source, new: field.id))
      } else {
        result.append(.addField(id, field.id))
      }
    }
    for field in old.fields where new.field(field.id) == nil && !field.hidden {
      result.append(.dropField(id, field.id))
    }
    if old.key != new.key { result.append(.changeKey(id, from: old.key, to: new.key)) }
    let isRearranged =
      old.label != new.label || old.title != new.title || old.list != new.list
      || old.sort != new.sort || order(old, common: new) != order(new, common: old)
    if isRearranged { result.append(.rearrangeType(id)) }
    return result
  }

  /// Per new field the visible one that it takes the place of: the one now hidden under its name.
  private static func replacements(
    from old: RecordType, to new: RecordType
  ) -> [FieldID: FieldID] {
    var result: [FieldID: FieldID] = [:]
    for field in new.visibleFields where old.field(field.id) == nil {
      let source = new.fields.first {
        $0.hidden && $0.name == field.name && old.field($0.id)?.hidden == false
      }
      if let source { result[field.id] = source.id }
    }
    return result
  }

  private static func order(_ type: RecordType, common other: RecordType) -> [FieldID] {
    type.visibleFields.map(\.id).filter { other.field($0)?.hidden == false }
  }

  private static func changes(
    of type: TypeID, from old: Field, to new: Field
  ) -> [ModelChange] {
    let id = new.id
    var result: [ModelChange] = []
    if old.hidden != new.hidden {
      result.append(new.hidden ? .dropField(type, id) : .reviveField(type, id))
    }
    if old.name != new.name {
      result.append(.renameField(type, id, from: old.name, to: new.name))
    }
    if case .choice(let before) = old.type, case .choice(let after) = new.type, before != after {
      let removed = before.filter { !after.contains($0) }
      result.append(.changeChoices(type, id, removed: removed))
    }
    if old.constraints != new.constraints { result.append(.changeConstraints(type, id)) }
    if old.index != new.index || old.unique != new.unique {
      result.append(.changeIndex(type, id))
    }
    if old.search != new.search { result.append(.changeSearch(type, id)) }
    if old.merge != new.merge {
      result.append(.changeMerge(type, id, from: old.merge, to: new.merge))
    }
    if old.label != new.label { result.append(.relabelField(type, id)) }
    return result
  }
}

/// What a save is checked against.
private struct FieldConstraints: Hashable {
  let required: Bool
  let unique: Bool
  let values: [Value?]
  let pattern: String?
  let onDelete: DeleteRule
}

extension Field {
  fileprivate var constraints: FieldConstraints {
    FieldConstraints(
      required: required, unique: unique, values: [defaultValue, min, max], pattern: pattern,
      onDelete: onDelete)
  }
}
