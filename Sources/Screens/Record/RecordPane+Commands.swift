// What can be done with a record that is being read. UI actor.

internal import RecordStore
internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

extension RecordPane {
  private func command(
    _ id: String, unless whyNot: @escaping @UI @Sendable (RecordPane) -> String? = { _ in nil },
    _ run: @escaping @UI @Sendable (RecordPane) -> Void
  ) -> Command {
    desk.command(
      id, whyNot: { [weak self] in self.flatMap { whyNot($0) } },
      run: { [weak self] in if let self { run(self) } })
  }

  private func whyNotEditable() -> String? {
    switch model.state.phase {
    case .present: desk.whyReadOnly
    case .inTrash: desk.words.recordInTrash
    case .gone: desk.words.recordGone
    case .loading: desk.words.loading
    case .failed(let failure): desk.words.sentence(for: failure, in: desk.model)
    }
  }

  /// The commands of the pane when it has the focus.
  var commands: [Command] {
    [
      command("record.down") { $0.step(1) },
      command("record.up") { $0.step(-1) },
      command("record.pageDown") { $0.page(1) },
      command("record.pageUp") { $0.page(-1) },
      command("record.first") { $0.move(to: 0) },
      command("record.last") { $0.move(to: $0.items.count - 1) },
      command("record.edit", unless: { $0.whyNotEditable() }) { $0.edit() },
      command("record.open") { $0.openSelected() },
      command("record.copy", unless: { $0.item == nil ? $0.desk.words.nothingHere : nil }) {
        $0.copyField()
      },
      command("record.copyAll") { $0.copyAll() },
      command("record.inspect", unless: { $0.item == nil ? $0.desk.words.nothingHere : nil }) {
        pane in
        if let item = pane.item {
          pane.desk.stage.push(
            InspectScreen(desk: pane.desk, label: item.label, text: pane.inspected))
        }
      },
      command(
        "record.saveAttachment",
        unless: { $0.attachment == nil ? $0.desk.words.noAttachment : nil }
      ) { $0.askWhereToSave() },
      command("record.history") { $0.desk.openHistory(of: $0.model.state.reference) },
      command(
        "record.conflicts",
        unless: { $0.model.state.conflicts.isEmpty ? $0.desk.words.noConflicts : nil }
      ) { $0.desk.openConflicts(of: $0.model) },
      command("desk.why") { $0.desk.tellWhy($0.model.state.reference) },
      command("record.delete", unless: { $0.whyNotEditable() }) { $0.delete() },
      command(
        "record.restore",
        unless: { $0.model.state.phase == .inTrash ? nil : $0.desk.words.notInTrash }
      ) { pane in Task { @UI in await pane.model.restore() } },
    ]
  }

  /// The attachment under the cursor.
  private var attachment: Attachment? {
    guard case .attachment(let file) = selectedField.flatMap(model.state.field)?.value else {
      return nil
    }
    return file
  }

  /// The text under the cursor as it is stored.
  private var inspected: String {
    if case .text(let text) = selectedField.flatMap(model.state.field)?.value { return text }
    return item?.text ?? ""
  }

  private func askWhereToSave() {
    guard let attachment else { return }
    let name = attachment.name.split(separator: "/").last.map(String.init) ?? ""
    let prompt = Prompt(
      stage: desk.stage, title: desk.words.saveFileTitle,
      explanation: desk.words.saveFileExplained(attachment.name), text: name
    ) { [desk, model] path in
      Task { @UI in
        let path = FilePaths.absolute(path)
        await model.save(attachment, to: path)
        if let failure = model.state.failure {
          desk.say(failure)
        } else {
          desk.say(desk.words.fileSaved(path), .success)
        }
      }
    }
    prompt.completions = { FilePaths.completions(of: $0) }
    prompt.check = { [words = desk.words] path in
      if path.isEmpty { return words.pathNeeded }
      return FilePaths.exists(path) ? words.pathTaken : nil
    }
    desk.stage.push(prompt)
  }

  /// Enter: goes to the record under the cursor, or edits the field under it.
  private func openSelected() {
    guard let item else { return }
    switch item.links.count {
    case 0:
      if let reason = whyNotEditable() { desk.say(reason, .warning) } else { edit() }
    case 1: desk.openRecord(item.links[0])
    default:
      let state = model.state
      let titles = state.fields.flatMap(\.references).reduce(into: [:]) { titles, found in
        titles[found.reference] = found.title
      }
      desk.pickLink(item.label, item.links.map { ($0, titles[$0] ?? desk.words.goneRecord) })
    }
  }

  func edit() {
    let field = selectedField
    Task { @UI [desk, model] in
      guard let editor = await model.edit() else {
        return desk.say(desk.words.recordGone, .warning)
      }
      desk.openEditor(editor, at: field)
    }
  }

  private func delete() {
    Task { @UI [desk, model] in
      let title = self.title
      await model.delete()
      if let failure = model.state.failure {
        desk.say(failure)
      } else {
        desk.say(desk.words.deleted(titled: title), .success)
      }
    }
  }

  private func copyField() {
    guard let item else { return }
    desk.copy(item.text, item.label.isEmpty ? item.text : item.label)
  }

  private func copyAll() {
    let lines = items.compactMap { item -> String? in
      if case .field = item.kind { "\(item.label): \(item.text)" } else { nil }
    }
    desk.copy(lines.joined(separator: "\n"), title)
  }
}
