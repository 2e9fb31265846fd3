// The left pane: the record types, and the places that are not lists of records. UI actor.

internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// Types with their counts, each with its saved views; below them conflicts, history and trash.
@UI
final class TypesPane {
  /// What a row stands for.
  enum Entry: Equatable {
    case type(TypeID)
    case view(TypeID, name: String)
    case heading
    case conflicts, history, trash
  }

  private let desk: Desk
  let list: ListView
  private let rows = ListRows()
  private(set) var entries: [Entry] = []
  var onSelect: @UI (Entry) -> Void = { _ in }
  var onOpen: @UI (Entry) -> Void = { _ in }

  init(desk: Desk) {
    self.desk = desk
    list = ListView(
      columns: [
        TerminalKit.ListColumn("name", "", width: Share(minimum: 6, weight: 1, priority: 1)),
        TerminalKit.ListColumn(
          "count", "", alignment: .trailing, width: Share(minimum: 3, maximum: 9, weight: 0)),
      ], source: rows, showsHeader: false)
    list.onSelect = { [unowned self] index in
      wanted = nil
      onSelect(entries[index])
    }
    list.onOpen = { [unowned self] index in onOpen(entries[index]) }
    refresh()
  }

  /// What will be selected once it is there: a type that is just being made.
  private var wanted: Entry?

  var selected: Entry? { list.selected.map { entries[$0] } }

  func select(_ entry: Entry) {
    if let index = entries.firstIndex(of: entry) {
      list.place(index)
      wanted = nil
    } else {
      wanted = entry
    }
  }

  /// Takes over what the library says now.
  func refresh() {
    let before = selected
    let state = desk.library.state
    let words = desk.words
    var made: [(Entry, TerminalKit.ListRow)] = []
    for entry in state.types {
      let count = entry.count.map(String.init) ?? ""
      made.append(
        (
          .type(entry.type.id),
          TerminalKit.ListRow([ListCell(entry.type.displayName), ListCell(count, .dim)])
        ))
      for view in desk.lists.views(of: entry.type.id) {
        made.append(
          (
            .view(view.type, name: view.name),
            TerminalKit.ListRow([ListCell("· " + view.name, .accent), ListCell("")])
          ))
      }
    }
    made.append((.heading, .section("")))
    if state.conflictCount > 0 {
      made.append((.conflicts, row(words.conflicts, state.conflictCount, .warning)))
    }
    made.append((.history, row(words.history, nil, .text)))
    made.append((.trash, row(words.trash, state.trashCount, .text)))
    entries = made.map(\.0)
    rows.rows = made.map(\.1)
    let widest = rows.rows.compactMap { $0.cells.last?.text.count }.max() ?? 3
    list.columns[1].width = .fixed(max(1, widest))
    if let entry = wanted ?? before { select(entry) }
  }

  private func row(_ title: String, _ count: Int?, _ role: Role) -> TerminalKit.ListRow {
    let number = count.flatMap { $0 > 0 ? String($0) : nil } ?? ""
    return TerminalKit.ListRow([ListCell(title, role), ListCell(number, .dim)])
  }

  func draw(in area: Rect, on grid: inout Grid, isFocused: Bool) {
    refresh()
    list.draw(in: area, on: &grid, isFocused: isFocused)
  }
}
