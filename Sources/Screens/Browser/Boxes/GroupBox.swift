// Choosing what a list is grouped by. UI actor.

internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

extension Desk {
  /// The fields whose values can head a section, searched as one types.
  func openGroupMenu(_ pane: ListPane) {
    let now = pane.model.arrangement.sections
    let fields = pane.model.state.type.visibleFields.filter(\.type.canHeadSections)
    let items = fields.map { field in
      PickerItem(
        id: field.id.name, title: field.title + (now == field.id ? " ✓" : ""),
        detail: field.type.word)
    }
    let none = PickerItem(id: "", title: words.noGroups)
    stage.push(
      Picker(stage: stage, title: words.groupBy, items: [none] + items, selected: now?.name) {
        guard let item = $0 else { return }
        pane.model.section(by: item.id.isEmpty ? nil : FieldID(trusted: item.id))
      })
  }
}

extension FieldType {
  /// Whether many records can share a value that is short enough for a heading.
  fileprivate var canHeadSections: Bool {
    switch self {
    case .text, .url, .email, .choice, .integer, .counter, .number, .decimal, .boolean, .date,
      .reference:
      true
    case .longText, .dateTime, .tags, .location, .references, .attachment: false
    }
  }
}
