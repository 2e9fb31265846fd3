// The steps of a migration in words.

internal import Records
internal import Wording

/// Says what a change of the model is, in the names that people know.
struct ChangeWords {
  let old: Model
  let new: Model

  func sentence(_ change: ModelChange) -> String {
    let words = Words.system.forecast
    switch change {
    case .addType(let type): return words.addType(name(type))
    case .dropType(let type): return words.dropType(name(type))
    case .reviveType(let type): return words.reviveType(name(type))
    case .renameType(_, let from, let to): return words.renameType(from, to: to)
    case .rearrangeType(let type): return words.rearrange(name(type))
    case .changeKey(let type, let from, let to):
      return words.changeKey(
        of: name(type), from: from.map { name($0, type) }, to: to.map { name($0, type) })
    case .addField(let type, let field): return words.addField(name(field, type), to: name(type))
    case .dropField(let type, let field): return words.dropField(name(field, type), of: name(type))
    case .reviveField(let type, let field):
      return words.reviveField(name(field, type), of: name(type))
    case .renameField(let type, _, let from, let to):
      return words.renameField(from, to: to, of: name(type))
    case .replaceField(let type, let source, let target):
      return words.replaceField(
        name(target, type), of: name(type), by: word(target, type), from: word(source, type))
    case .changeChoices(let type, let field, let removed):
      return words.changeChoices(name(field, type), of: name(type), removed: removed)
    case .changeConstraints(let type, let field):
      return words.changeConstraints(name(field, type), of: name(type))
    case .changeIndex(let type, let field):
      return words.changeIndex(name(field, type), of: name(type))
    case .changeSearch(let type, let field):
      return words.changeSearch(name(field, type), of: name(type))
    case .changeMerge(let type, let field, let from, let to):
      return words.changeMerge(
        name(field, type), of: name(type), from: from.rawValue, to: to.rawValue)
    case .relabelField(let type, let field):
      return words.relabel(name(field, type), of: name(type))
    }
  }

  private func name(_ type: TypeID) -> String {
    (new.type(type) ?? old.type(type))?.name ?? type.name
  }

  private func name(_ field: FieldID, _ type: TypeID) -> String {
    self.field(field, type)?.name ?? field.name
  }

  private func word(_ field: FieldID, _ type: TypeID) -> String {
    self.field(field, type)?.type.word ?? "unknown"
  }

  private func field(_ field: FieldID, _ type: TypeID) -> Field? {
    new.type(type)?.field(field) ?? old.type(type)?.field(field)
  }
}
