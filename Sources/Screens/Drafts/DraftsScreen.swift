// Edits that an earlier session left unsaved: opened again, or dropped after a question. UI actor.

internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// The recovered drafts of a library.
@UI
final class DraftsScreen: DeskLayer {
  let desk: Desk
  private let list: ListView
  private let rows = ListRows()
  private var following: Following?

  init(desk: Desk) {
    self.desk = desk
    list = ListView(
      columns: [
        TerminalKit.ListColumn(
          "title", desk.words.record, width: Share(minimum: 10, weight: 2, priority: 2)),
        TerminalKit.ListColumn(
          "type", desk.words.type, width: Share(minimum: 6, maximum: 16, weight: 1, priority: 1)),
        TerminalKit.ListColumn(
          "fields", desk.words.changedFields, width: Share(minimum: 10, weight: 2)),
      ], source: rows)
    list.onOpen = { [unowned self] in open($0) }
    following = desk.stage.follow { [library = desk.library] in _ = library.state.recovered }
  }

  var title: String { words.recoveredDrafts }

  private var drafts: [RecoveredDraft] { desk.library.state.recovered }

  private func refresh() {
    rows.rows = drafts.map { entry in
      let type = desk.type(entry.type)
      let names = entry.changed.map { type?.field($0)?.title ?? $0.name }
      let bulk = entry.draft.bulk.count
      let title = bulk > 0 ? words.records(bulk) : entry.title ?? words.untitled
      return TerminalKit.ListRow([
        ListCell(entry.isNew ? words.newTitled(title) : title),
        ListCell(type?.displayName ?? entry.type.name, .dim),
        ListCell(names.joined(separator: ", ")),
      ])
    }
  }

  private func open(_ index: Int) {
    guard drafts.indices.contains(index) else { return }
    let draft = drafts[index].id
    Task { @UI [weak self, desk, words] in
      guard let editor = await desk.library.recoveredEditor(draft) else {
        return desk.say(words.draftTypeGone, .warning)
      }
      if let self { stage.close(self) }
      desk.openEditor(editor, at: nil)
    }
  }

  private func askToDrop() {
    guard let index = list.selected, drafts.indices.contains(index) else { return }
    let draft = drafts[index]
    stage.ask(
      words.dropDraftQuestion, words.dropDraftExplained,
      buttons: [
        .init(words.discard, key: "d", isDangerous: true), .init(words.cancel, key: "c"),
      ], focused: 1
    ) { [weak self] answer in
      guard answer == 0 else { return }
      Task { @UI in
        await self?.desk.library.discardRecovered(draft.id)
        self?.desk.tellNotice()
        if let self, self.drafts.isEmpty { self.stage.close(self) }
      }
    }
  }

  private func whyNone() -> String? { drafts.isEmpty ? words.noDrafts : nil }

  var commands: [Command] {
    list.commands + [
      command("drafts.open", unless: { $0.whyNone() }) { screen in
        if let index = screen.list.selected { screen.open(index) }
      },
      command("drafts.drop", unless: { $0.whyNone() }) { $0.askToDrop() },
      backCommand,
    ]
  }

  func handle(_ event: InputEvent) -> Bool { list.handle(event) }

  func draw(in area: Rect, on grid: inout Grid) {
    var area = area
    refresh()
    for line in Wrapping.lines(of: words.draftsExplained, columns: max(1, area.columns - 2)) {
      grid.put(line, in: area.takeRows(1).inset(columns: 1), .dim)
    }
    list.draw(in: area, on: &grid, isFocused: true)
  }
}
