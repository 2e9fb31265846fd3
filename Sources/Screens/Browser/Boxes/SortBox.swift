// Choosing what a list is sorted by. UI actor.

internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

extension Desk {
  /// The fields, searched as one types; the one that sorts already turns its direction round.
  func openSortMenu(_ pane: ListPane) {
    let state = pane.model.state
    let own = PickerItem(id: "", title: words.ownOrder, detail: words.ownOrderHelp)
    let items = state.type.visibleFields.map { field in
      let key = state.sort.first { $0.field == field.id }
      let mark = key.map { $0.descending ? " ↓" : " ↑" } ?? ""
      return PickerItem(id: field.id.name, title: field.title + mark, detail: field.type.word)
    }
    stage.push(
      Picker(
        stage: stage, title: words.sortBy, items: items + [own],
        selected: state.sort.first?.field.name
      ) { item in
        guard let item else { return }
        guard item.id.isEmpty else { return pane.model.sort(by: FieldID(trusted: item.id)) }
        // The view model's own way: up, down, none.
        for _ in 0..<2 {
          if let key = pane.model.arrangement.sort.first { pane.model.sort(by: key.field) }
        }
      })
  }
}
