// What can be done to types and fields. UI actor.

internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

extension ModelEditorScreen {
  var commands: [Command] {
    let list = isInFields ? fields : types
    return list.commands.filter { $0.id != "list.open" } + [
      command("model.add") { $0.add() },
      command("model.rename", unless: { $0.whyNothing() }) { $0.rename() },
      command("model.label", unless: { $0.whyNothing() }) { $0.label() },
      command("model.retype", unless: { $0.whyNoField() }) { $0.retype() },
      command("model.rules", unless: { $0.whyNoField() }) { $0.openRules() },
      command("model.up", unless: { $0.whyNothing() }) { $0.move(-1) },
      command("model.down", unless: { $0.whyNothing() }) { $0.move(1) },
      command("model.drop", unless: { $0.whyNothing() }) { $0.dropOrRevive() },
      command("model.next") { $0.focus(fields: true) },
      command("model.previous") { $0.focus(fields: false) },
      command("model.undo", unless: { $0.model.state.canUndo ? nil : $0.words.nothingToUndo }) {
        $0.model.undo()
      },
      command("model.redo", unless: { $0.model.state.canRedo ? nil : $0.words.nothingToRedo }) {
        $0.model.redo()
      },
      command("model.apply", unless: { $0.whyNotApply() }) { screen in
        Task { @UI in await screen.model.forecast() }
      },
      command("model.cancel") { $0.model.cancel() },
    ]
  }

  private func whyNothing() -> String? {
    (isInFields ? field == nil : type == nil) ? words.nothingHere : nil
  }

  private func whyNoField() -> String? { isInFields && field != nil ? nil : words.chooseField }

  private func whyNotApply() -> String? {
    let state = model.state
    if let problem = state.problems.first { return words.sentence(for: problem, in: state.model) }
    return state.isDirty ? nil : words.nothingToApply
  }

  // MARK: Adding

  private func ask(
    _ title: String, _ explanation: String, text: String = "",
    isName: Bool = true, entered: @escaping @UI (String) -> Void
  ) {
    let prompt = Prompt(
      stage: stage, title: title, explanation: explanation, text: text, entered: entered)
    if isName {
      prompt.check = { [words] name in NameRule.allows(name) ? nil : words.badName }
    }
    stage.push(prompt)
  }

  func add() {
    if isInFields, let type {
      ask(words.newField, words.nameExplained) { [weak self] name in
        self?.askForType { kind in
          guard let self else { return }
          if let id = self.model.addField(named: name, kind, to: type.id) { self.select(id) }
        }
      }
    } else {
      ask(words.newType, words.nameExplained) { [weak self] name in
        guard let self, let id = model.addType(named: name) else { return }
        select(id)
        focus(fields: true)
      }
    }
  }

  /// A field type, with its choices or its target where it has any.
  private func askForType(
    choices: [String] = [], _ chosen: @escaping @UI (FieldType) -> Void
  ) {
    let items = FieldType.words.map { PickerItem(id: $0, title: $0, detail: words.about(type: $0)) }
    stage.push(
      Picker(stage: stage, title: words.fieldTypeTitle, items: items) { [weak self] item in
        guard let self, let word = item?.id else { return }
        switch word {
        case "choice": askForChoices(choices) { chosen(.choice($0)) }
        case "reference": askForTarget { chosen(.reference(to: $0)) }
        case "references": askForTarget { chosen(.references(to: $0)) }
        default: if let simple = Self.simpleType(word) { chosen(simple) }
        }
      })
  }

  private static func simpleType(_ word: String) -> FieldType? {
    let simple: [FieldType] = [
      .text, .longText, .url, .email, .integer, .counter, .number, .decimal, .boolean, .date,
      .dateTime, .tags, .location, .attachment,
    ]
    return simple.first { $0.word == word }
  }

  private func askForChoices(_ now: [String], _ chosen: @escaping @UI ([String]) -> Void) {
    let prompt = Prompt(
      stage: stage, title: words.choicesTitle, explanation: words.choicesExplained,
      text: now.joined(separator: ", ")
    ) { text in chosen(Self.choices(in: text)) }
    prompt.check = { [words] text in Self.choices(in: text).isEmpty ? words.choicesNeeded : nil }
    stage.push(prompt)
  }

  private static func choices(in text: String) -> [String] {
    var found: [String] = []
    for part in text.split(separator: ",") {
      let choice = String(
        part.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace)
          .reversed())
      if !choice.isEmpty, !found.contains(choice) { found.append(choice) }
    }
    return found
  }

  private func askForTarget(_ chosen: @escaping @UI (TypeID) -> Void) {
    let types = model.state.model.visibleTypes
    let items = types.map { PickerItem(id: $0.id.name, title: $0.displayName) }
    stage.push(
      Picker(stage: stage, title: words.targetTitle, items: items) { item in
        if let type = types.first(where: { $0.id.name == item?.id }) { chosen(type.id) }
      })
  }

  // MARK: Changing

  func rename() {
    guard let type else { return }
    if isInFields, let field {
      ask(words.rename, words.nameExplained, text: field.name) { [model] name in
        model.renameField(field.id, of: type.id, to: name)
      }
    } else if !isInFields {
      ask(words.rename, words.nameExplained, text: type.name) { [model] name in
        model.renameType(type.id, to: name)
      }
    }
  }

  private func label() {
    guard let type else { return }
    if isInFields, let field {
      ask(words.label, words.labelExplained, text: field.label ?? "", isName: false) {
        [model] label in model.labelField(field.id, of: type.id, label)
      }
    } else if !isInFields {
      ask(words.label, words.labelExplained, text: type.label ?? "", isName: false) {
        [model] label in model.labelType(type.id, label)
      }
    }
  }

  private func retype() {
    guard let type, let field else { return }
    let choices = if case .choice(let choices) = field.type { choices } else { [String]() }
    askForType(choices: choices) { [weak self] kind in
      guard let self else { return }
      if let id = model.retype(field.id, of: type.id, to: kind) { select(id) }
    }
  }

  private func move(_ places: Int) {
    guard let type else { return }
    if isInFields, let field {
      model.moveField(field.id, of: type.id, by: places)
      select(field.id)
    } else if !isInFields {
      model.moveType(type.id, by: places)
      select(type.id)
    }
  }

  private func dropOrRevive() {
    guard let type else { return }
    if isInFields, let field {
      if field.hidden {
        model.reviveField(field.id, of: type.id)
      } else {
        model.dropField(field.id, of: type.id)
      }
    } else if !isInFields {
      if type.hidden { model.reviveType(type.id) } else { model.dropType(type.id) }
    }
  }
}
