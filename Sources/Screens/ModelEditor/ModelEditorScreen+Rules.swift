// What is asked of a field's values, and what the field is for its type: a menu of the rules that have
// a meaning for the field. UI actor.

internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

extension ModelEditorScreen {
  func openRules() {
    guard let type, let field else { return }
    let entries =
      flags(of: field, in: type) + roles(of: field, in: type)
      + [FieldRule.defaultValue, .min, .max, .pattern, .merge, .onDelete]
      .filter { $0.fits(field.type) }.map { typed($0, of: field, in: type) }
    stage.push(Menu(stage: stage, title: field.title, entries: entries))
  }

  private func entry(
    _ key: String, _ title: String, _ isOn: Bool, _ toggle: @escaping @UI @Sendable () -> Void
  ) -> Command {
    Command("rule." + key, (isOn ? "[x] " : "[ ] ") + title, keys: [key], run: toggle)
  }

  /// Rules that hold or do not.
  private func flags(of field: Field, in type: RecordType) -> [Command] {
    let model = model
    func flag(
      _ rule: FieldRule, _ key: String, _ title: String,
      _ path: any WritableKeyPath<Field, Bool> & Sendable
    ) -> Command? {
      // What stands there without a meaning can still be taken away.
      guard rule.fits(field.type) || field[keyPath: path] else { return nil }
      return entry(key, title, field[keyPath: path]) {
        model.changeRules(field.id, of: type.id) { $0[keyPath: path].toggle() }
      }
    }
    return [
      flag(.required, "r", words.required, \.required),
      flag(.unique, "u", words.unique, \.unique),
      flag(.search, "s", words.searched, \.search),
      flag(.index, "i", words.indexed, \.index),
    ].compactMap(\.self)
  }

  /// What the field is for its type.
  private func roles(of field: Field, in type: RecordType) -> [Command] {
    let model = model
    return [
      entry("t", words.titleOfRecords, type.title == field.id) {
        model.setTitle(field.id, of: type.id)
      },
      entry("c", words.columnOfList, type.list.contains(field.id)) {
        var list = type.list
        if let index = list.firstIndex(of: field.id) {
          list.remove(at: index)
        } else {
          list.append(field.id)
        }
        model.setList(list, of: type.id)
      },
      entry("o", words.sortsTheList, type.sort.contains { $0.field == field.id }) {
        // Up, down, not at all.
        switch type.sort.first(where: { $0.field == field.id }) {
        case nil: model.setSort([SortKey(field: field.id)], of: type.id)
        case let key? where !key.descending:
          model.setSort([SortKey(field: field.id, descending: true)], of: type.id)
        default: model.setSort([], of: type.id)
        }
      },
    ]
  }

  // MARK: Rules that are typed or chosen

  private func typed(_ rule: FieldRule, of field: Field, in type: RecordType) -> Command {
    let text = field.text(of: rule)
    let title = words.rule(rule) + (text.isEmpty ? " …" : ": " + words.shortened(text))
    return Command("rule." + rule.key, title, keys: [rule.key]) { [weak self] in
      switch rule {
      case .merge:
        let policies = MergePolicy.allCases.filter { $0.fits(field.type) }
        self?.choose(rule, policies.map(\.rawValue), of: field, in: type)
      case .onDelete: self?.choose(rule, DeleteRule.allCases.map(\.rawValue), of: field, in: type)
      default: self?.ask(rule, of: field, in: type)
      }
    }
  }

  private func choose(
    _ rule: FieldRule, _ choices: [String], of field: Field, in type: RecordType
  ) {
    let items = choices.map { PickerItem(id: $0, title: $0, detail: words.about(rule: $0)) }
    stage.push(
      Picker(stage: stage, title: words.rule(rule), items: items, selected: field.text(of: rule)) {
        [weak self] item in
        if let item { self?.set(rule, to: item.id, of: field, in: type) }
      })
  }

  private func ask(_ rule: FieldRule, of field: Field, in type: RecordType) {
    let prompt = Prompt(
      stage: stage, title: words.rule(rule), explanation: words.explained(rule, for: field.type),
      text: field.text(of: rule)
    ) { [weak self] text in self?.set(rule, to: text, of: field, in: type) }
    prompt.check = { [words] text in
      do throws(RuleMistake) {
        _ = try field.setting(rule, to: text)
        return nil
      } catch {
        return words.sentence(for: error)
      }
    }
    stage.push(prompt)
  }

  private func set(_ rule: FieldRule, to text: String, of field: Field, in type: RecordType) {
    model.changeRules(field.id, of: type.id) { field in
      // The prompt let nothing else through.
      if let changed = try? field.setting(rule, to: text) { field = changed }
    }
  }
}

extension FieldRule {
  /// The key in the menu.
  fileprivate var key: String {
    switch self {
    case .required: "r"
    case .unique: "u"
    case .search: "s"
    case .index: "i"
    case .defaultValue: "d"
    case .min: "n"
    case .max: "x"
    case .pattern: "p"
    case .merge: "m"
    case .onDelete: "e"
    }
  }
}
