// The steps of a migration in words.

internal import Records

/// Says what a change of the model is, in the names that people know.
struct ChangeWords {
  let old: Model
  let new: Model

  func sentence(_ change: ModelChange) -> String {
    switch change {
    case .addType(let type): "new type \(name(type))"
    case .dropType(let type): "type \(name(type)) is dropped (its records stay in the file)"
    case .reviveType(let type): "type \(name(type)) comes back"
    case .renameType(_, let from, let to): "type \(from) is called \(to)"
    case .rearrangeType(let type): "\(name(type)): label, title, list, sort or order of the fields"
    case .changeKey(let type, let from, let to):
      "\(name(type)): the key is \(to.map { name($0, type) } ?? "none") instead of "
        + "\(from.map { name($0, type) } ?? "none")"
    case .addField(let type, let field): "\(name(type)): new field \(name(field, type))"
    case .dropField(let type, let field):
      "\(name(type)): field \(name(field, type)) is dropped (its values stay in the file)"
    case .reviveField(let type, let field):
      "\(name(type)): field \(name(field, type)) comes back"
    case .renameField(let type, _, let from, let to): "\(name(type)): \(from) is called \(to)"
    case .replaceField(let type, let source, let target):
      "\(name(type)): \(name(target, type)) becomes \(word(target, type)), filled from its "
        + "\(word(source, type)) values"
    case .changeChoices(let type, let field, let removed):
      "\(name(type)): the choices of \(name(field, type))"
        + (removed.isEmpty ? "" : ", without \(list(removed))")
    case .changeConstraints(let type, let field):
      "\(name(type)): what \(name(field, type)) may hold, from the next save on"
    case .changeIndex(let type, let field): "\(name(type)): the index of \(name(field, type))"
    case .changeSearch(let type, let field):
      "\(name(type)): whether search finds \(name(field, type))"
    case .changeMerge(let type, let field, let from, let to):
      "\(name(type)): \(name(field, type)) settles by \(to.rawValue) instead of \(from.rawValue)"
    case .relabelField(let type, let field): "\(name(type)): the label of \(name(field, type))"
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
