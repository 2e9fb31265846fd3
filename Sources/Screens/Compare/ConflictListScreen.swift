// All records whose writers disagree. UI actor.

internal import RecordStore
internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// The records in conflict, to be opened and settled one by one.
@UI
final class ConflictListScreen: DeskLayer {
  let desk: Desk
  private let list: ListView
  private let rows = ListRows()
  private var records: [(reference: RecordReference, title: String)] = []
  private var isLoaded = false
  private var following: Following?

  init(desk: Desk) {
    self.desk = desk
    list = ListView(
      columns: [
        TerminalKit.ListColumn(
          "title", desk.words.record, width: Share(minimum: 12, weight: 3, priority: 2)),
        TerminalKit.ListColumn(
          "type", desk.words.type, width: Share(minimum: 6, maximum: 16, weight: 1)),
      ], source: rows)
    list.onOpen = { [unowned self] in open($0) }
    following = desk.stage.follow { [unowned self] in
      _ = self.desk.library.state.conflictCount
      Task { @UI [weak self] in await self?.read() }
    }
  }

  var title: String { words.conflicts }

  private func read() async {
    do {
      let library = desk.library.library
      let found = try await library.conflictedRecords(limit: LibraryViewModel.conflictsMax)
      let titles = try await library.titles(found)
      records = found.map { ($0, titles[$0] ?? words.untitled) }
      isLoaded = true
      rows.rows = records.map { record in
        let type = desk.type(record.reference.type)?.displayName ?? record.reference.type.name
        return TerminalKit.ListRow(
          [ListCell(record.title), ListCell(type, .dim)], badge: ListCell("!", .warning))
      }
      stage.invalidate()
    } catch {
      desk.say(Failure(error))
    }
  }

  private func open(_ index: Int) {
    guard records.indices.contains(index) else { return }
    let model = desk.library.record(records[index].reference)
    Task { @UI [desk] in
      await model.start()
      desk.openConflicts(of: model)
    }
  }

  var commands: [Command] {
    list.commands.filter { $0.id != "list.open" } + [
      command("conflicts.open", unless: { $0.records.isEmpty ? $0.words.noConflictsAtAll : nil }) {
        screen in
        if let index = screen.list.selected { screen.open(index) }
      },
      backCommand,
    ]
  }

  func handle(_ event: InputEvent) -> Bool { list.handle(event) }

  func draw(in area: Rect, on grid: inout Grid) {
    list.emptyText = isLoaded ? words.noConflictsAtAll : words.loading
    list.draw(in: area, on: &grid, isFocused: true)
  }
}

extension Desk {
  func openConflictList() { stage.push(ConflictListScreen(desk: self)) }
}
