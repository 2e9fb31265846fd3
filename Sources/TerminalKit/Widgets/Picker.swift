// Choosing one of many, narrowed by typing. UI actor.

package import UILoop

/// Something that can be picked.
package struct PickerItem: Equatable, Sendable {
  package var id: String
  package var title: String
  /// More about it, dim.
  package var detail: String

  package init(id: String, title: String, detail: String = "") {
    self.id = id
    self.title = title
    self.detail = detail
  }
}

/// A box with a field and the items that match what is typed.
@UI
package final class Picker: Layer {
  package let title: String
  package var isOverlay: Bool { true }
  package var takesLetters: Bool { true }
  /// Called when what is typed changes, for a picker whose items are searched elsewhere: set
  /// ``items`` when they are there.
  ///
  /// Without it the picker searches in its items by itself.
  package var search: (@UI (String) -> Void)?
  package var items: [PickerItem] { didSet { narrow() } }
  private var found: [PickerItem] = []
  private let allowsNone: Bool
  private let picked: @UI (PickerItem?) -> Void
  private unowned let stage: Stage
  private let field: TextField
  private let rows = ListRows()
  private let list: ListView

  /// A picker that calls `picked` with an item (nil for "none"); not at all when it is left by Esc.
  package init(
    stage: Stage, title: String, items: [PickerItem], selected: String? = nil,
    allowsNone: Bool = false, picked: @escaping @UI (PickerItem?) -> Void
  ) {
    self.stage = stage
    self.title = title
    self.items = items
    self.allowsNone = allowsNone
    self.picked = picked
    field = TextField(placeholder: stage.phrases.search)
    list = ListView(
      columns: [
        ListColumn("title", "", width: Share(minimum: 10, weight: 2, priority: 1)),
        ListColumn("detail", "", width: Share(minimum: 8, weight: 1)),
      ], source: rows, showsHeader: false)
    list.emptyText = stage.phrases.nothingFound
    field.onChange = { [unowned self] in typed() }
    list.onOpen = { [unowned self] in pick($0) }
    narrow()
    if let index = found.firstIndex(where: { $0.id == selected }) { list.place(offset + index) }
  }

  /// The first row is "none" where that can be picked and nothing is searched.
  private var offset: Int { allowsNone && field.buffer.isEmpty ? 1 : 0 }

  package var query: String { field.text }

  private func typed() {
    if let search {
      search(field.text)
    } else {
      narrow()
    }
  }

  private func narrow() {
    found =
      search == nil ? Fuzzy.sorted(items, by: field.text) { $0.title + " " + $0.detail } : items
    var shown = found.map { ListRow([ListCell($0.title), ListCell($0.detail, .dim)]) }
    if offset == 1 { shown.insert(ListRow([ListCell(stage.phrases.noValue, .dim)]), at: 0) }
    rows.rows = shown
    list.highlighted = search == nil ? "" : field.text
    list.place(offset == 1 && !found.isEmpty ? 1 : 0)
    stage.invalidate()
  }

  private func pick(_ index: Int) {
    let item = index < offset ? nil : found[index - offset]
    stage.close(self)
    picked(item)
  }

  package var commands: [Command] { TypeAhead.commands(of: list) }

  package func handle(_ event: InputEvent) -> Bool {
    if case .key(.escape) = event {
      stage.close(self)
      return true
    }
    return field.handle(event) || list.handle(event)
  }

  package func draw(in area: Rect, on grid: inout Grid) {
    let rowsWanted = min(16, max(6, items.count + offset)) + 3
    let box = area.centred(columns: min(70, area.columns), rows: min(rowsWanted, area.rows))
    grid.fill(box, .text)
    var inner = grid.frame(box, title: title, Style(.activeBorder))
    let line = inner.takeRows(1)
    list.draw(in: inner, on: &grid, isFocused: true)
    field.draw(in: line, on: &grid, isFocused: true)
  }
}

/// The list commands that work while a field above the list takes the letters.
enum TypeAhead {
  private static let ids: Set<String> = [
    "list.down", "list.up", "list.pageDown", "list.pageUp", "list.open",
  ]

  @UI static func commands(of list: ListView) -> [Command] {
    list.commands.filter { ids.contains($0.id) }
  }
}
