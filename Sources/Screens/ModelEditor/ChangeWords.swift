// The steps of a migration in words. Pure.

package import Records
package import Wording

/// Says what a change of the model is, in the names that people know.
package struct ChangeWords {
  package enum Naming: Sendable {
    /// As commands and files name types and fields.
    case asWritten
    /// As screens do: by their labels.
    case asShown
  }

  private let words: Words
  private let old: Model
  private let new: Model
  private let naming: Naming

  package init(words: Words, old: Model, new: Model, naming: Naming) {
    self.words = words
    self.old = old
    self.new = new
    self.naming = naming
  }

  package func sentence(for change: ModelChange) -> String {
    let forecast = words.forecast
    switch change {
    case .addType(let id): return forecast.addType(type(id))
    case .dropType(let id): return forecast.dropType(type(id))
    case .reviveType(let id): return forecast.reviveType(type(id))
    case .renameType(_, let from, let to): return forecast.renameType(from, to: to)
    case .rearrangeType(let id): return forecast.rearrange(type(id))
    case .changeKey(let id, let from, let to):
      return forecast.changeKey(
        of: type(id), from: from.map { field($0, of: id) }, to: to.map { field($0, of: id) })
    case .addField(let id, let name): return forecast.addField(field(name, of: id), to: type(id))
    case .dropField(let id, let name):
      return forecast.dropField(field(name, of: id), of: type(id))
    case .reviveField(let id, let name):
      return forecast.reviveField(field(name, of: id), of: type(id))
    case .renameField(let id, _, let from, let to):
      return forecast.renameField(from, to: to, of: type(id))
    case .replaceField(let id, let source, let target):
      return forecast.replaceField(
        field(target, of: id), of: type(id), by: kind(target, of: id), from: kind(source, of: id))
    case .changeChoices(let id, let name, let removed):
      return forecast.changeChoices(field(name, of: id), of: type(id), removed: removed)
    case .changeConstraints(let id, let name):
      return forecast.changeConstraints(field(name, of: id), of: type(id))
    case .changeIndex(let id, let name):
      return forecast.changeIndex(field(name, of: id), of: type(id))
    case .changeSearch(let id, let name):
      return forecast.changeSearch(field(name, of: id), of: type(id))
    case .changeMerge(let id, let name, let from, let to):
      return forecast.changeMerge(
        field(name, of: id), of: type(id), from: from.rawValue, to: to.rawValue)
    case .relabelField(let id, let name):
      return forecast.relabel(field(name, of: id), of: type(id))
    }
  }

  /// What a type is called.
  func type(_ id: TypeID) -> String {
    let type = new.type(id) ?? old.type(id)
    return (naming == .asShown ? type?.displayName : type?.name) ?? id.name
  }

  /// What a field is called.
  func field(_ id: FieldID, of type: TypeID) -> String {
    let field = definition(id, of: type)
    return (naming == .asShown ? field?.title : field?.name) ?? id.name
  }

  private func kind(_ id: FieldID, of type: TypeID) -> String {
    definition(id, of: type)?.type.word ?? id.name
  }

  private func definition(_ id: FieldID, of type: TypeID) -> Field? {
    new.type(type)?.field(id) ?? old.type(type)?.field(id)
  }
}
