// A few commands to choose from, in a box. UI actor.

package import UILoop

/// A menu of commands: arrows and Enter, or the command's own letter.
@UI
package final class Menu: Layer {
  package let title: String
  package var isOverlay: Bool { true }
  private unowned let stage: Stage
  private let entries: [Command]
  private let list: ListView
  /// Columns of the longest entry with all around it.
  private let widest: Int

  package init(stage: Stage, title: String, entries: [Command]) {
    self.stage = stage
    self.title = title
    self.entries = entries
    let rows = entries.map { command in
      let reason = command.whyNot()
      return ListRow([
        ListCell(stage.keyMap.label(of: command), .key),
        ListCell(command.title, reason == nil ? .text : .dim),
        ListCell(reason ?? command.help, .dim),
      ])
    }
    let keyColumns = entries.map { TextWidth.columns(stage.keyMap.label(of: $0)) }.max() ?? 0
    let titleColumns = entries.map { TextWidth.columns($0.title) }.max() ?? 0
    let helpColumns = rows.map { TextWidth.columns($0.cells[2].text) }.max() ?? 0
    // Frame, badge, and two gaps.
    widest = keyColumns + titleColumns + helpColumns + 8
    list = ListView(
      columns: [
        ListColumn("key", "", width: .fixed(max(1, keyColumns), priority: 1)),
        ListColumn("title", "", width: .fixed(max(1, titleColumns), priority: 2)),
        ListColumn("help", "", width: Share(minimum: min(10, helpColumns), weight: 3)),
      ], source: ListRows(rows), showsHeader: false)
    list.onOpen = { [unowned self] in run($0) }
  }

  private func run(_ index: Int) {
    guard entries.indices.contains(index) else { return }
    stage.close(self)
    stage.perform(entries[index])
  }

  package var commands: [Command] { list.commands }

  package func handle(_ event: InputEvent) -> Bool {
    if case .key(let key) = event {
      if key == .escape {
        stage.close(self)
        return true
      }
      let hit = entries.firstIndex { stage.keyMap.sequences(of: $0).contains([key]) }
      if let hit {
        run(hit)
        return true
      }
    }
    return list.handle(event)
  }

  package func draw(in area: Rect, on grid: inout Grid) {
    let box = area.centred(
      columns: min(max(30, widest), area.columns), rows: min(entries.count + 2, area.rows))
    grid.fill(box, .text)
    let inner = grid.frame(box, title: title, Style(.activeBorder))
    list.draw(in: inner, on: &grid, isFocused: true)
  }
}
