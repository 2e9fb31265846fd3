// Choosing what a list is grouped by. UI actor.

internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

extension Desk {
  /// A menu of the fields whose values can head a section.
  func openGroupMenu(_ pane: ListPane) {
    let state = pane.model.state
    let now = pane.model.arrangement.sections
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    let fields = state.type.visibleFields.filter(\.type.canHeadSections)
    var entries = fields.enumerated().map { index, field in
      Command(
        "group." + field.id.name, field.title + (now == field.id ? " ✓" : ""), help: "",
        keys: index < letters.count ? [String(letters[index])] : []
      ) { pane.model.section(by: field.id) }
    }
    entries.append(
      Command("group.none", words.noGroups, help: "", keys: ["0"]) { pane.model.section(by: nil) })
    stage.push(Menu(stage: stage, title: words.groupBy, entries: entries))
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
