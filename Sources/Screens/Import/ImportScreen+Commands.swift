// What can be settled before an import, and what can be done with it. UI actor.

internal import RecordStore
internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

extension ImportScreen {
  var commands: [Command] {
    (isReading ? viewer.commands : list.commands.filter { $0.id != "list.open" }) + [
      command("import.run", unless: { $0.whyNot() }) { screen in
        Task { @UI in await screen.model.run() }
      },
      command("import.try", unless: { $0.whyNot() }) { screen in
        Task { @UI in await screen.model.tryOut() }
      },
      command("import.field", unless: { $0.whyNot() }) { $0.chooseField() },
      command("import.type", unless: { $0.whyNot() }) { $0.askForType() },
      command("import.key", unless: { $0.whyNot() }) { $0.chooseKey() },
      command("import.encoding", unless: { $0.whyNot() }) { $0.chooseEncoding() },
      command("import.separator", unless: { $0.whyNot() }) { $0.chooseSeparator() },
      command(
        "import.leaveOut",
        unless: { $0.model.state.unmapped.isEmpty ? $0.words.allMapped : nil }
      ) { $0.model.leaveOutUnmapped() },
      command("import.undo", unless: { $0.isDone ? nil : $0.words.notImported }) { screen in
        screen.desk.labour(screen.words.undoing(nil)) { tell in
          if let failure = await screen.model.undo(progress: tell) { screen.desk.say(failure) }
        }
      },
      command("import.cancel") { $0.leave() },
    ]
  }

  private var isDone: Bool { if case .done = model.state.phase { true } else { false } }

  private func whyNot() -> String? {
    switch model.state.phase {
    case .mapping: nil
    case .reading: words.readingFile
    case .trying, .importing: words.importRuns
    case .done, .cancelled: words.importDone
    }
  }

  private func leave() {
    guard case .done(let report) = model.state.phase else { return model.cancel() }
    stage.close(self)
    desk.browser?.go(to: report.type)
  }

  func chooseField() {
    let columns = model.state.columns
    guard let index = list.selected, columns.indices.contains(index) else { return }
    let column = columns[index].name
    let fields = model.state.preview?.type.visibleFields ?? []
    let items =
      [PickerItem(id: "", title: words.leaveOut)]
      + fields.map { PickerItem(id: $0.name, title: $0.title, detail: $0.type.word) }
    stage.push(
      Picker(stage: stage, title: column, items: items) { [model] item in
        if let item { model.map(column, to: item.id) }
      })
  }

  private func askForType() {
    let types = desk.model.visibleTypes.map(\.name)
    let prompt = Prompt(
      stage: stage, title: words.type, explanation: words.importTypeExplained,
      text: model.state.typeName
    ) { [model] name in model.setType(name) }
    prompt.completions = { typed in types.filter { $0.hasPrefix(typed) } }
    prompt.check = { [words] name in
      NameRule.allows(name) || types.contains(name) ? nil : words.badName
    }
    stage.push(prompt)
  }

  private func chooseKey() {
    let fields = model.state.preview?.type.visibleFields ?? []
    let items =
      [PickerItem(id: "", title: words.noKey)]
      + fields.map { PickerItem(id: $0.name, title: $0.title, detail: $0.type.word) }
    stage.push(
      Picker(stage: stage, title: words.keyTitle, items: items, selected: model.state.key) {
        [model] item in
        if let item { model.setKey(item.id.isEmpty ? nil : item.id) }
      })
  }

  private func chooseEncoding() {
    let items =
      [PickerItem(id: "", title: words.toldFromFile)]
      + TextEncoding.allCases.map { PickerItem(id: $0.rawValue, title: words.name(of: $0)) }
    stage.push(
      Picker(stage: stage, title: words.encoding, items: items) { [model] item in
        if let item { model.setEncoding(TextEncoding(rawValue: item.id)) }
      })
  }

  private func chooseSeparator() {
    let items =
      [PickerItem(id: "", title: words.toldFromFile)]
      + CSVReader.delimiters.map {
        PickerItem(id: String($0), title: words.name(ofDelimiter: $0))
      }
    stage.push(
      Picker(stage: stage, title: words.separator, items: items) { [model] item in
        if let item { model.setFormat(UInt8(item.id).map { TableFormat.csv(delimiter: $0) }) }
      })
  }
}
