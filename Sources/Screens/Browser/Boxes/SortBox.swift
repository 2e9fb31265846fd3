// Choosing what a list is sorted by. UI actor.

internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

extension Desk {
  /// A menu of the fields; the one that sorts already turns its direction round.
  func openSortMenu(_ pane: ListPane) {
    let state = pane.model.state
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    var entries = state.type.visibleFields.enumerated().map { index, field in
      let key = state.sort.first { $0.field == field.id }
      let mark = key.map { $0.descending ? " ↓" : " ↑" } ?? ""
      return Command(
        "sort." + field.id.name, field.title + mark, help: "",
        keys: index < letters.count ? [String(letters[index])] : []
      ) { pane.model.sort(by: field.id) }
    }
    entries.append(
      Command("sort.own", words.ownOrder, help: words.ownOrderHelp, keys: ["0"]) {
        // The view model's own way: up, down, none.
        for _ in 0..<2 {
          if let key = pane.model.arrangement.sort.first { pane.model.sort(by: key.field) }
        }
      })
    stage.push(Menu(stage: stage, title: words.sortBy, entries: entries))
  }
}
