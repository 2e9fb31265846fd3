// What can be done here, with which keys: made from the live tables, searchable, executable.
// UI actor.

package import UILoop

/// The help of the screen that was on top when it was opened.
@UI
package final class HelpPage: Layer {
  private unowned let stage: Stage
  private let about: String
  private let all: [Command]
  private var found: [Command]
  private let rows = ListRows()
  private let list: ListView
  private let field: TextField

  package init(stage: Stage) {
    self.stage = stage
    about = stage.top?.title ?? ""
    all = Self.ordered(
      stage.availableCommands.filter { $0.id != "stage.help" }, titles: stage.phrases.titles)
    found = all
    field = TextField(placeholder: stage.phrases.search)
    list = ListView(
      columns: [
        ListColumn("key", "", width: Share(minimum: 8, maximum: 18, weight: 1, priority: 2)),
        ListColumn("title", "", width: Share(minimum: 10, maximum: 24, weight: 2, priority: 1)),
        ListColumn("help", "", width: Share(minimum: 10, weight: 6)),
      ], source: rows, showsHeader: false)
    list.emptyText = stage.phrases.nothingFound
    field.onChange = { [unowned self] in search() }
    list.onOpen = { [unowned self] in run($0) }
    search()
  }

  package var title: String { stage.phrases.help }
  package var takesLetters: Bool { true }
  package var commands: [Command] {
    let typing: Set<String> = ["list.down", "list.up", "list.pageDown", "list.pageUp", "list.open"]
    return list.commands.filter { typing.contains($0.id) }
  }

  /// The selected command's sentence whole: the list's column may be too narrow for it.
  package var statusLine: StyledText {
    guard let index = list.selected, found.indices.contains(index) else { return StyledText() }
    return StyledText(found[index].whyNot() ?? found[index].help, .dim)
  }

  /// What one comes for first, moving about last.
  private static func ordered(_ commands: [Command], titles: [String: String]) -> [Command] {
    let named = commands.map { command in
      var command = command
      command.title = titles[command.id] ?? command.title
      return command
    }
    return named.filter { !$0.isPlumbing } + named.filter(\.isPlumbing)
  }

  private func search() {
    found = Fuzzy.sorted(all, by: field.text) { command in
      keys(of: command) + " " + command.title + " " + command.help
    }
    rows.rows = found.map { command in
      let reason = command.whyNot()
      let help = reason.map { command.help.isEmpty ? $0 : command.help + " (" + $0 + ")" }
      return ListRow([
        ListCell(keys(of: command), .key), ListCell(command.title, reason == nil ? .text : .dim),
        ListCell(help ?? command.help, .dim),
      ])
    }
    list.place(0)
  }

  private func keys(of command: Command) -> String {
    stage.keyMap.sequences(of: command).map { sequence in
      sequence.map(\.description).joined(separator: " ")
    }.joined(separator: ", ")
  }

  private func run(_ index: Int) {
    guard found.indices.contains(index) else { return }
    stage.close(self)
    stage.perform(found[index])
  }

  package func handle(_ event: InputEvent) -> Bool {
    if case .key(.escape) = event {
      stage.close(self)
      return true
    }
    return field.handle(event) || list.handle(event)
  }

  package func draw(in area: Rect, on grid: inout Grid) {
    var area = area
    var line = area.takeRows(1)
    grid.put(about, in: line.takeColumns(-min(30, line.columns / 3)), .title, align: .trailing)
    list.draw(in: area, on: &grid, isFocused: true)
    field.draw(in: line.inset(columns: 1), on: &grid, isFocused: true)
  }
}
