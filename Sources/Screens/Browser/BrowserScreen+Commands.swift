// What can be done in the browser: moving between the panes, and what each pane offers. UI actor.

internal import RecordStore
internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

extension BrowserScreen {
  var commands: [Command] {
    if takesLetters { return typingCommands }
    return switch focus {
    case .types:
      types.list.commands.filter { $0.id != "list.open" } + [openCommand, dropViewCommand]
        + listCommandsFromTypes + anywhere
    case .list:
      (listPane?.list.commands.filter { $0.id != "list.open" } ?? []) + listCommands + anywhere
    case .record: (recordPane?.commands ?? []) + [leftCommand] + anywhere
    }
  }

  private var leftCommand: Command {
    command("browser.left") { screen in
      if let left = screen.focus.left { screen.move(to: left) }
    }
  }

  /// While a search or a filter is typed; the pane itself takes the keys, these are for the bar.
  private var typingCommands: [Command] {
    let moving = listPane?.list.commands.filter { $0.id != "list.open" } ?? []
    return moving + [
      command("typing.keep") { _ = $0.listPane?.handle(.key(.enter)) },
      command("typing.drop") { _ = $0.listPane?.handle(.key(.escape)) },
    ]
  }

  private var openCommand: Command {
    command("browser.right") { screen in
      if let entry = screen.types.selected { screen.open(entry) }
    }
  }

  /// What works in every pane.
  private var anywhere: [Command] {
    [
      command("browser.next") { $0.moveOn(by: 1) },
      command("browser.previous") { $0.moveOn(by: -1) },
      command("browser.zoom") { screen in
        screen.isZoomed.toggle()
        screen.stage.invalidate()
      },
      command("records.views", unless: { $0.whyNoViews() }) { $0.pickView() },
      command("browser.out") { $0.goOut() },
    ]
  }

  /// To the next pane that has something in it, round and round.
  private func moveOn(by step: Int) {
    let panes = Pane.allCases
    var index = focus.rawValue
    repeat {
      index = (index + step + panes.count) % panes.count
    } while !canFocus(panes[index])
    move(to: panes[index])
  }

  /// Esc: out by one level, never out of the program.
  private func goOut() {
    if focus == .list, let listPane {
      if listPane.model.state.marks != .none { return listPane.model.clearMarks() }
      if listPane.widen() { return }
    }
    if isZoomed {
      isZoomed = false
      stage.invalidate()
    } else if let left = focus.left {
      move(to: left)
    }
  }

  // MARK: The list

  private static func whyEmpty(_ screen: BrowserScreen) -> String? {
    screen.listPane?.model.targetCount == 0 ? screen.words.nothingHere : nil
  }

  private func listCommand(
    _ id: String, unless whyNot: @escaping @UI @Sendable (BrowserScreen) -> String? = { _ in nil },
    _ run: @escaping @UI @Sendable (BrowserScreen, ListPane) -> Void
  ) -> Command {
    command(id, unless: whyNot) { screen in
      if let pane = screen.listPane { run(screen, pane) }
    }
  }

  private var listCommands: [Command] {
    [
      listCommand("records.open", unless: Self.whyEmpty) { screen, _ in screen.move(to: .record) },
      leftCommand,
      listCommand("records.edit", unless: Self.whyEmpty) { screen, pane in screen.edit(pane) },
      listCommand("records.add") { screen, pane in screen.add(pane) },
      listCommand("records.search") { _, pane in pane.begin(.search) },
      listCommand("records.filter") { _, pane in pane.begin(.filter) },
      listCommand("records.sort") { screen, pane in screen.desk.openSortMenu(pane) },
      listCommand("records.delete", unless: Self.whyEmpty) { screen, pane in screen.delete(pane) },
      listCommand("records.mark", unless: Self.whyEmpty) { _, pane in
        pane.model.toggleMark()
        pane.model.moveCursor(by: 1)
      },
      listCommand("records.markRange", unless: Self.whyEmpty) { _, pane in
        Task { @UI in await pane.model.markRange(to: pane.model.state.cursor) }
      },
      listCommand("records.markAll", unless: Self.whyEmpty) { _, pane in pane.model.markAll() },
      listCommand("records.invert", unless: Self.whyEmpty) { _, pane in pane.model.invertMarks() },
      listCommand("records.copy", unless: Self.whyEmpty) { screen, pane in screen.copy(pane) },
      listCommand("records.group") { screen, pane in screen.desk.openGroupMenu(pane) },
      listCommand("records.saveView") { screen, pane in screen.askForView(pane) },
      listCommand("records.columnsRight") { _, pane in pane.scrollColumns(by: 1) },
      listCommand("records.columnsLeft") { _, pane in pane.scrollColumns(by: -1) },
      listCommand("records.columns") { screen, pane in screen.desk.openColumns(pane) },
      listCommand("records.refresh") { _, pane in Task { @UI in await pane.model.follow() } },
      listCommand("records.follow") { screen, pane in screen.togglePin(pane) },
      listCommand("records.history", unless: Self.whyEmpty) { screen, pane in
        if let id = pane.model.state.cursorID {
          screen.desk.openHistory(of: RecordReference(type: pane.model.state.type.id, id: id))
        }
      },
      listCommand("desk.why", unless: Self.whyEmpty) { screen, pane in
        if let id = pane.model.state.cursorID {
          screen.desk.tellWhy(RecordReference(type: pane.model.state.type.id, id: id))
        }
      },
      listCommand("records.export") { screen, pane in screen.desk.askExport(pane) },
    ]
  }

  /// What one wants of a type's list as soon as one sees its name: it goes there first.
  private var listCommandsFromTypes: [Command] {
    let ids = ["records.add", "records.search", "records.filter", "records.sort", "records.group"]
    return listCommands.filter { ids.contains($0.id) }.map { command in
      var command = command
      command.run = { [weak self, run = command.run] in
        self?.move(to: .list)
        run()
      }
      return command
    }
  }

  private func edit(_ pane: ListPane) {
    Task { @UI [desk] in
      if let editor = await pane.model.editTargets() { desk.openEditor(editor, at: nil) }
    }
  }

  private func add(_ pane: ListPane) {
    guard let editor = desk.library.newEditor(pane.model.state.type.id) else { return }
    desk.openEditor(editor, at: nil) { [weak pane] reference in
      Task { @UI in await pane?.model.reveal(reference.id) }
    }
  }

  /// One record goes at once, for it can be had back by `u`; several after a question.
  private func delete(_ pane: ListPane) {
    let count = pane.model.targetCount
    let delete: @UI () -> Void = { [desk] in
      desk.labour(desk.words.deleting(count)) { await pane.model.deleteTargets(progress: $0) }
    }
    guard count > 1 else { return delete() }
    stage.ask(
      words.deleteQuestion(count), words.deleteExplained,
      buttons: [
        .init(words.delete, key: "d", isDangerous: true), .init(words.cancel, key: "c"),
      ], focused: 1
    ) { answer in
      if answer == 0 { delete() }
    }
  }

  /// The rows of the targets as lines of tab-separated cells: what a spreadsheet takes.
  private func copy(_ pane: ListPane) {
    let state = pane.model.state
    guard state.marks != .none else {
      guard let row = state.rows[state.cursor] else { return }
      desk.copy(row.title, row.title)
      return
    }
    Task { @UI [desk] in
      let rows = await pane.model.targetRows()
      let lines = rows.map { row in
        row.values.map { desk.values.line($0, titles: row.referenceTitles) }
          .joined(separator: "\t")
      }
      guard !lines.isEmpty else { return }
      desk.copy(lines.joined(separator: "\n"), words.records(lines.count))
    }
  }

  private func togglePin(_ pane: ListPane) {
    let isPinned = pane.model.state.isPinned
    Task { @UI [desk] in
      if isPinned { await pane.model.follow() } else { await pane.model.pin() }
      desk.say(isPinned ? desk.words.following : desk.words.nowPinned)
    }
  }
}
