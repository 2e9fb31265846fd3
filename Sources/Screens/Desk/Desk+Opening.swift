// How one gets from screen to screen. UI actor.

internal import RecordStore
internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

extension Desk {
  /// Opens a form.
  ///
  /// - Parameters:
  ///   - field: Where typing begins.
  ///   - saved: Told of the record when it was saved.
  func openEditor(
    _ editor: EditorViewModel, at field: FieldID?,
    saved: @escaping @UI (RecordReference) -> Void = { _ in }
  ) {
    if let refusal = whyReadOnly { return say(refusal, .warning) }
    let screen = EditorScreen(desk: self, model: editor, at: field) { reference, closing in
      if case .saved = closing { saved(reference) }
    }
    stage.push(screen)
  }

  func openRecord(_ reference: RecordReference) {
    stage.push(RecordScreen(desk: self, reference: reference))
  }

  /// - Parameter owns: Whether nobody else follows the record.
  func openConflicts(of model: RecordViewModel, owns: Bool = false) {
    stage.push(RecordConflictScreen(desk: self, model: model, owns: owns))
  }

  /// Lets a person choose among several records to go to.
  func pickLink(_ title: String, _ links: [(reference: RecordReference, title: String)]) {
    let items = links.enumerated().map { PickerItem(id: String($0), title: $1.title) }
    stage.push(
      Picker(stage: stage, title: title, items: items) { [weak self] item in
        if let item, let index = Int(item.id) { self?.openRecord(links[index].reference) }
      })
  }

  // MARK: Drafts

  /// Offers what an earlier session left unsaved.
  func openDrafts() {
    guard !library.state.recovered.isEmpty else { return say(words.noDrafts) }
    stage.push(DraftsScreen(desk: self))
  }
}

extension Desk {
  /// Tells of drafts that an earlier session left, at the start.
  package func offerDrafts() {
    let count = library.state.recovered.count
    guard count > 0 else { return }
    openDrafts()
  }
}
