// What can be done in a form besides typing. UI actor.

internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

extension EditorScreen {
  var commands: [Command] {
    form.commands + [
      command("editor.save") { $0.save() },
      command("editor.cancel") { $0.model.cancel() },
      command(
        "editor.undo", unless: { $0.model.state.canUndo ? nil : $0.words.nothingToUndo }
      ) { screen in screen.step { $0.undo() } },
      command(
        "editor.redo", unless: { $0.model.state.canRedo ? nil : $0.words.nothingToRedo }
      ) { screen in screen.step { $0.redo() } },
      command(
        "editor.external", unless: { $0.focusedInput?.textArea == nil ? $0.words.notLongText : nil }
      ) { $0.editExternally() },
      command("editor.revert", unless: { $0.focusedInput == nil ? $0.words.nothingHere : nil }) {
        screen in
        if let place = screen.focusedInput?.place {
          screen.model.revert(place.field, in: place.form)
        }
      },
      command("editor.clear", unless: { $0.focusedInput == nil ? $0.words.nothingHere : nil }) {
        screen in
        if let place = screen.focusedInput?.place {
          screen.model.clear(place.field, in: place.form)
        }
      },
      command("editor.takeTheirs", unless: { $0.whyNoDrift() }) { screen in
        if let place = screen.focusedInput?.place {
          screen.model.takeTheirs(place.field, in: place.form)
        }
      },
      command("editor.keepMine", unless: { $0.whyNoDrift() }) { screen in
        if let place = screen.focusedInput?.place {
          screen.model.keepMine(place.field, in: place.form)
        }
      },
      command(
        "editor.addRelated",
        unless: { $0.model.relatedTypes.isEmpty ? $0.words.noRelatedTypes : nil }
      ) { $0.addRelated() },
      command(
        "editor.nextForm",
        unless: { $0.model.state.forms.count < 2 ? $0.words.onlyOneForm : nil }
      ) { $0.showNextForm() },
    ]
  }

  private func whyNoDrift() -> String? {
    guard let place = focusedInput?.place, model.state.field(place)?.drift != nil else {
      return words.notChangedUnderneath
    }
    return nil
  }

  private func editExternally() {
    guard let input = focusedInput, let area = input.textArea else { return }
    Task { @UI [desk] in
      let result = await desk.stage.editOutside(
        area.text, editor: desk.editor.program, folder: desk.editor.folder)
      switch result {
      case .changed(let text): area.enter(text)
      case .unchanged: desk.say(desk.words.nothingChanged)
      case .noEditor(let name): desk.say(desk.words.noEditor(name), .error)
      case .failed(let status, let path): desk.say(desk.words.editorFailed(status, path), .error)
      case .unreadable(let path): desk.say(desk.words.unreadableEditorFile(path), .error)
      case .noFile: desk.say(desk.words.noEditorFile(desk.editor.folder), .error)
      }
      desk.stage.invalidate()
    }
  }

  /// A record that refers to this one, in the same save: an order's line.
  private func addRelated() {
    let related = model.relatedTypes
    if related.count == 1, let only = related.first { return add(only) }
    let items = related.enumerated().map { index, entry in
      PickerItem(
        id: String(index), title: entry.type.displayName, detail: entry.field.title)
    }
    stage.push(
      Picker(stage: stage, title: words.addRelated, items: items) { [weak self] item in
        if let item, let index = Int(item.id) { self?.add(related[index]) }
      })
  }

  private func add(_ related: RelatedType) {
    form.finishTyping()
    if let id = model.addRelated(related) { showForm(id) }
  }

  // MARK: Choosing

  /// Opens the chooser of a reference or an attachment.
  func choose(_ place: FieldPlace, _ typed: String) {
    guard let field = model.state.field(place) else { return }
    switch field.field.type {
    case .reference, .references:
      guard let picker = model.picker(for: place.field, in: place.form) else { return }
      stage.push(
        ReferencePicker(desk: desk, editor: model, place: place, model: picker, typed: typed))
    case .attachment: askForFile(place, typed)
    default: break
    }
  }

  private func askForFile(_ place: FieldPlace, _ typed: String) {
    let prompt = Prompt(
      stage: stage, title: words.attachTitle, explanation: words.attachExplained, text: typed
    ) { [model] path in
      Task { @UI in await model.attach(FilePaths.expanded(path), to: place.field, in: place.form) }
    }
    prompt.completions = { FilePaths.completions(of: $0) }
    prompt.check = { [words] path in
      if FilePaths.isFile(path) { return nil }
      return FilePaths.isFolder(path) ? words.folderGoOn : words.noSuchFile
    }
    stage.push(prompt)
  }
}
