// Saved views: kept under a name, gone to, dropped. UI actor.

internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

extension BrowserScreen {
  /// Keeps the list as it is arranged now, under a name.
  func askForView(_ pane: ListPane) {
    let prompt = Prompt(
      stage: stage, title: words.saveViewTitle, explanation: words.saveViewExplained,
      text: pane.view ?? ""
    ) { [weak self, weak pane] name in
      guard let self, let pane else { return }
      guard pane.save(as: name) else { return desk.say(words.tooManyViews, .warning) }
      types.refresh()
      if let shown { types.select(shown) }
      desk.say(words.viewSaved(name), .success)
      stage.invalidate()
    }
    prompt.check = { [words] name in
      if name.allSatisfy(\.isWhitespace) { return words.nameNeeded }
      return name.count > SavedViews.nameLengthMax ? words.nameTooLong : nil
    }
    stage.push(prompt)
  }

  func whyNoViews() -> String? { desk.lists.views.isEmpty ? words.noViews : nil }

  /// Goes to one of all views.
  func pickView() {
    let views = desk.lists.views.filter { desk.type($0.type)?.hidden == false }
    let items = views.enumerated().map { index, view in
      PickerItem(
        id: String(index), title: view.name, detail: desk.type(view.type)?.displayName ?? "")
    }
    stage.push(
      Picker(stage: stage, title: words.viewsTitle, items: items) { [weak self] item in
        guard let self, let index = item.flatMap({ Int($0.id) }) else { return }
        let entry = TypesPane.Entry.view(views[index].type, name: views[index].name)
        show(entry)
        types.refresh()
        types.select(entry)
        move(to: .list)
      })
  }

  var dropViewCommand: Command {
    command("views.drop", unless: { $0.selectedView == nil ? $0.words.noView : nil }) {
      $0.dropView()
    }
  }

  private var selectedView: SavedView? {
    guard case .view(let type, let name) = types.selected else { return nil }
    return desk.lists.view(name, of: type)
  }

  /// Drops the view under the cursor; its records stay, and so does its list until one leaves it.
  private func dropView() {
    guard let view = selectedView else { return }
    stage.ask(
      words.dropViewQuestion(view.name), words.dropViewExplained,
      buttons: [
        .init(words.drop, key: "d", isDangerous: true), .init(words.cancel, key: "c"),
      ], focused: 1
    ) { [weak self] answer in
      guard answer == 0, let self else { return }
      desk.changeLists { $0.drop(view.name, of: view.type) }
      types.select(.type(view.type))
      types.refresh()
      show(.type(view.type))
      stage.invalidate()
    }
  }
}
