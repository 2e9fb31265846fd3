// Which columns a list has, in which order and how wide: changed while one looks at the list. UI actor.

internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// The fields of a type, the shown ones first.
@UI
final class ColumnsBox: DeskLayer {
  let desk: Desk
  private let model: ListViewModel
  private let list: ListView
  private let rows = ListRows()
  private let widthNow: @UI (FieldID) -> Int
  private var fields: [Field] = []

  init(desk: Desk, pane: ListPane) {
    self.desk = desk
    model = pane.model
    widthNow = { [weak pane] in pane?.columnsShown(of: $0) ?? 10 }
    list = ListView(
      columns: [
        TerminalKit.ListColumn("shown", "", width: .fixed(3, priority: 2)),
        TerminalKit.ListColumn("name", "", width: Share(minimum: 8, weight: 1, priority: 1)),
        TerminalKit.ListColumn("width", "", alignment: .trailing, width: .fixed(5)),
      ], source: rows, showsHeader: false)
    list.onOpen = { [unowned self] in toggle($0) }
    refresh()
  }

  var title: String { words.columnsTitle }
  var isOverlay: Bool { true }

  private func refresh() {
    let state = model.state
    let shown = state.columns.map(\.field)
    fields =
      shown
      + state.type.visibleFields.filter { field in
        !shown.contains { $0.id == field.id }
      }
    rows.rows = fields.map { field in
      let column = state.columns.first { $0.field.id == field.id }
      return TerminalKit.ListRow([
        ListCell(column == nil ? "[ ]" : "[x]", column == nil ? .dim : .accent),
        ListCell(field.title, column == nil ? .dim : .text),
        ListCell(column?.width.map(String.init) ?? "", .dim),
      ])
    }
  }

  private func toggle(_ index: Int) {
    guard fields.indices.contains(index) else { return }
    let field = fields[index].id
    model.toggleColumn(field)
    follow(field)
  }

  /// The cursor stays on its field while rows change places.
  private func follow(_ field: FieldID) {
    refresh()
    if let index = fields.firstIndex(where: { $0.id == field }) { list.place(index) }
  }

  private func withSelected(_ body: (Field) -> Void) {
    guard let index = list.selected, fields.indices.contains(index) else { return }
    let field = fields[index]
    body(field)
    follow(field.id)
  }

  private static func whyHidden(_ box: ColumnsBox) -> String? {
    guard let index = box.list.selected, box.fields.indices.contains(index) else {
      return box.words.nothingHere
    }
    let isShown = box.model.state.columns.contains { $0.field.id == box.fields[index].id }
    return isShown ? nil : box.words.columnNotShown
  }

  var commands: [Command] {
    list.commands + [
      command("columns.toggle") { box in
        if let index = box.list.selected { box.toggle(index) }
      },
      command("columns.up", unless: Self.whyHidden) { box in
        box.withSelected { box.model.moveColumn($0.id, by: -1) }
      },
      command("columns.down", unless: Self.whyHidden) { box in
        box.withSelected { box.model.moveColumn($0.id, by: 1) }
      },
      command("columns.narrower", unless: Self.whyHidden) { box in
        box.withSelected { box.model.resizeColumn($0.id, by: -2, from: box.widthNow($0.id)) }
      },
      command("columns.wider", unless: Self.whyHidden) { box in
        box.withSelected { box.model.resizeColumn($0.id, by: 2, from: box.widthNow($0.id)) }
      },
      command("columns.reset") { box in
        box.model.resetColumns()
        box.refresh()
      },
      backCommand,
    ]
  }

  func handle(_ event: InputEvent) -> Bool { list.handle(event) }

  func draw(in area: Rect, on grid: inout Grid) {
    refresh()
    // On the right: the list whose columns change is seen beside it.
    let columns = min(36, area.columns)
    let rows = min(area.rows, fields.count + 2)
    let box = Rect(
      column: area.endColumn - columns, row: area.row, columns: columns, rows: rows)
    grid.fill(box, .text)
    let inner = grid.frame(box, title: title, Style(.activeBorder))
    list.draw(in: inner, on: &grid, isFocused: true)
  }
}

extension Desk {
  func openColumns(_ pane: ListPane) { stage.push(ColumnsBox(desk: self, pane: pane)) }
}
