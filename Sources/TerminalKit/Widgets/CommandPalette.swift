// Finding a command by a few letters of its name, and running it. UI actor.

package import UILoop

/// The command palette: a field, and the commands that match, with their keys.
@UI
package final class CommandPalette: Layer {
  private unowned let stage: Stage
  private let field: TextField
  private let all: [Command]
  private var found: [Command]
  private let rows = ListRows()
  private let list: ListView

  package init(stage: Stage) {
    self.stage = stage
    all = stage.availableCommands.filter { !$0.isPlumbing && $0.id != "stage.palette" }
    found = all
    field = TextField(placeholder: stage.phrases.search)
    list = ListView(
      columns: [
        ListColumn("title", "", width: Share(minimum: 10, weight: 1, priority: 2)),
        ListColumn("help", "", width: Share(minimum: 12, weight: 3)),
        ListColumn("key", "", alignment: .trailing, width: .fixed(9, priority: 1)),
      ], source: rows, showsHeader: false)
    list.emptyText = stage.phrases.nothingFound
    field.onChange = { [unowned self] in search() }
    list.onOpen = { [unowned self] in run($0) }
    search()
  }

  package var title: String { stage.phrases.commands }
  package var isOverlay: Bool { true }
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

  private func search() {
    found = Fuzzy.sorted(all, by: field.text) { $0.title + " " + $0.id }
    rows.rows = found.map { command in
      let reason = command.whyNot()
      return ListRow([
        ListCell(command.title, reason == nil ? .text : .dim),
        ListCell(reason ?? command.help, .dim),
        ListCell(stage.keyMap.label(of: command), .key),
      ])
    }
    list.place(0)
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
    let box = area.centred(columns: min(90, area.columns - 2), rows: min(20, area.rows))
    grid.fill(box, Style(.text, on: .page))
    var inner = grid.frame(box, title: title, Style(.activeBorder))
    let line = inner.takeRows(1)
    list.draw(in: inner, on: &grid, isFocused: true)
    field.draw(in: line, on: &grid, isFocused: true)
  }
}
