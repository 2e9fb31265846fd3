// Choosing the record, or the records, that a field points to: searched as one types. UI actor.

internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// A box with a field and the records that fit.
@UI
final class ReferencePicker: DeskLayer {
  let desk: Desk
  private let editor: EditorViewModel
  private let place: FieldPlace
  private let model: PickerViewModel
  private let field: TextField
  private let list: ListView
  private let rows = ListRows()
  private var following: Following?

  init(
    desk: Desk, editor: EditorViewModel, place: FieldPlace, model: PickerViewModel, typed: String
  ) {
    self.desk = desk
    self.editor = editor
    self.place = place
    self.model = model
    field = TextField(typed, placeholder: desk.words.searchHint)
    list = ListView(
      columns: [
        TerminalKit.ListColumn("mark", "", width: .fixed(3, priority: 1)),
        TerminalKit.ListColumn("title", "", width: Share(minimum: 8, weight: 1, priority: 2)),
      ], source: rows, showsHeader: false)
    list.onSelect = { [unowned self] in self.model.moveCursor(to: $0) }
    list.onOpen = { [unowned self] _ in pick() }
    field.onChange = { [unowned self] in self.model.search(self.field.text) }
    following = desk.stage.follow { [model] in _ = model.state }
    Task { @UI [model] in
      await model.start()
      if !typed.isEmpty { model.search(typed) }
    }
  }

  var title: String { model.state.field.title }
  var isOverlay: Bool { true }
  var takesLetters: Bool { true }

  private func refresh() {
    let state = model.state
    rows.rows = state.choices.map { choice in
      var mark = ""
      if state.isMultiple, case .reference(let id) = choice.value {
        mark = state.picked.contains(id) ? "[x]" : "[ ]"
      }
      return TerminalKit.ListRow([
        ListCell(mark, .accent),
        ListCell(choice.title ?? words.noReference, choice.title == nil ? .dim : .text),
      ])
    }
    list.columns[0].width = .fixed(state.isMultiple ? 3 : 0, priority: 1)
    list.highlighted = state.query
    if list.selected != state.cursor { list.place(state.cursor) }
    list.emptyText =
      state.failure.map { words.sentence(for: $0, in: desk.model) }
      ?? (state.isSearching ? words.searching : words.noRecordFits)
  }

  /// Takes the record under the cursor; where several can be picked, all that are marked.
  private func pick() {
    if model.state.isMultiple {
      editor.set(.references(sorted: model.state.picked), of: place.field, in: place.form)
      stage.close(self)
    } else if let choice = model.state.selected {
      editor.set(choice.value, of: place.field, in: place.form)
      stage.close(self)
    }
  }

  var commands: [Command] {
    let walking: Set<String> = ["list.down", "list.up", "list.pageDown", "list.pageUp"]
    return list.commands.filter { walking.contains($0.id) } + [
      command("picker.pick") { $0.pick() },
      command(
        "picker.mark", unless: { $0.model.state.isMultiple ? nil : $0.words.onlyOneReference }
      ) { $0.model.togglePicked() },
      backCommand,
    ]
  }

  func handle(_ event: InputEvent) -> Bool {
    if case .key(let key) = event, key == .tab { return false }
    return field.handle(event) || list.handle(event)
  }

  func draw(in area: Rect, on grid: inout Grid) {
    refresh()
    let count = model.state.choices.count
    let box = area.centred(
      columns: min(64, area.columns), rows: min(max(8, count + 3), 18, area.rows))
    grid.fill(box, .text)
    var inner = grid.frame(box, title: title, Style(.activeBorder))
    let line = inner.takeRows(1)
    if model.state.hasMore {
      grid.put(words.typeForMore, in: inner.takeRows(-1), .dim)
    }
    list.draw(in: inner, on: &grid, isFocused: true)
    field.draw(in: line, on: &grid, isFocused: true)
  }
}
