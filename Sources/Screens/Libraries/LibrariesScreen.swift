// Other libraries: those that were open before, one at a path, a new one from a template. UI actor.

internal import RecordStore
internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// Chooses the library to work with.
@UI
final class LibrariesScreen: DeskLayer {
  let desk: Desk
  private let model: LibrarySwitcher
  private let list: ListView
  private let rows = ListRows()
  private var following: Following?

  init(desk: Desk, model: LibrarySwitcher) {
    self.desk = desk
    self.model = model
    list = ListView(
      columns: [
        TerminalKit.ListColumn(
          "name", desk.words.library, width: Share(minimum: 10, maximum: 30, weight: 1, priority: 1)
        ),
        TerminalKit.ListColumn("path", desk.words.path, width: Share(minimum: 12, weight: 2)),
      ], source: rows)
    list.onOpen = { [unowned self] in open($0) }
    list.emptyText = desk.words.noLibraries
    following = desk.stage.follow { [model] in _ = model.state }
  }

  var title: String { words.libraries }
  var statusLine: StyledText {
    let state = model.state
    if let path = state.opening { return StyledText(words.opening(path), .dim) }
    if let failure = state.failure {
      return StyledText(words.sentence(for: failure, in: desk.model), .error)
    }
    return StyledText()
  }

  private func open(_ index: Int) {
    let known = model.state.known
    guard known.indices.contains(index) else { return }
    guard known[index].path != model.state.current else {
      stage.close(self)
      return
    }
    openPath(known[index].path)
  }

  private func openPath(_ path: String) {
    Task { @UI [model, desk] in
      guard let library = await model.open(path) else { return }
      desk.replaceLibrary(library)
    }
  }

  private func askForPath() {
    let prompt = Prompt(
      stage: stage, title: words.openLibrary, explanation: words.openLibraryExplained
    ) { [weak self] path in
      self?.openPath(FilePaths.absolute(path))
    }
    prompt.completions = { typed in FilePaths.completions(of: typed).filter { $0.hasSuffix("/") } }
    prompt.check = { [words] path in FilePaths.isFolder(path) ? nil : words.noSuchFolder }
    stage.push(prompt)
  }

  /// A new library: its path, then the template.
  private func askForNew() {
    let prompt = Prompt(
      stage: stage, title: words.newLibrary, explanation: words.newLibraryExplained
    ) { [weak self] path in
      self?.askForTemplate(FilePaths.absolute(path))
    }
    prompt.completions = { typed in FilePaths.completions(of: typed).filter { $0.hasSuffix("/") } }
    prompt.check = { [words] path in
      if path.isEmpty { return words.pathNeeded }
      return FilePaths.exists(path) ? words.pathTaken : nil
    }
    stage.push(prompt)
  }

  private func askForTemplate(_ path: String) {
    let templates = model.templates
    let items = templates.map { template in
      PickerItem(
        id: template.name, title: template.name,
        detail: template.model.visibleTypes.map(\.displayName).joined(separator: ", "))
    }
    stage.push(
      Picker(stage: stage, title: words.startFrom, items: items) { [weak self] item in
        guard let self, let template = templates.first(where: { $0.name == item?.id }) else {
          return
        }
        Task { @UI [model, desk] in
          guard let library = await model.create(at: path, from: template) else { return }
          desk.replaceLibrary(library)
        }
      })
  }

  var commands: [Command] {
    list.commands.filter { $0.id != "list.open" } + [
      command(
        "libraries.open",
        unless: { $0.model.state.known.isEmpty ? $0.words.noLibraries : nil }
      ) { screen in
        if let index = screen.list.selected { screen.open(index) }
      },
      command("libraries.path") { $0.askForPath() },
      command("libraries.new") { $0.askForNew() },
      command(
        "libraries.forget",
        unless: { $0.model.state.known.isEmpty ? $0.words.noLibraries : nil }
      ) { screen in
        let known = screen.model.state.known
        if let index = screen.list.selected, known.indices.contains(index) {
          screen.model.forget(known[index].path)
        }
      },
      backCommand,
    ]
  }

  func handle(_ event: InputEvent) -> Bool { list.handle(event) }

  func draw(in area: Rect, on grid: inout Grid) {
    let state = model.state
    rows.rows = state.known.map { library in
      let isOpen = library.path == state.current
      return TerminalKit.ListRow(
        [ListCell(library.name), ListCell(library.path, .dim)],
        badge: isOpen ? ListCell("●", .success) : nil)
    }
    list.draw(in: area, on: &grid, isFocused: true)
  }
}

extension Desk {
  func openLibraries() {
    guard let switcher else { return say(words.noSwitching, .warning) }
    stage.push(LibrariesScreen(desk: self, model: switcher))
  }
}
