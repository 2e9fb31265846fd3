// The inbox of conflicts: every record whose writers disagree, with what about, whose sides and since
// when. UI actor.

internal import RecordStore
internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// The records in conflict, to be opened and settled one by one or several at once.
@UI
final class ConflictListScreen: DeskLayer {
  let desk: Desk
  private let model: ConflictsViewModel
  private let list: ListView
  private let rows = ListRows()
  private var following: Following?
  private var work: Task<Void, Never>?

  init(desk: Desk) {
    self.desk = desk
    model = ConflictsViewModel(library: desk.library.library)
    let words = desk.words
    list = ListView(
      columns: [
        TerminalKit.ListColumn(
          "title", words.record, width: Share(minimum: 12, weight: 3, priority: 5)),
        TerminalKit.ListColumn(
          "about", words.about, width: Share(minimum: 15, weight: 2, priority: 4)),
        TerminalKit.ListColumn(
          "devices", words.between, width: Share(minimum: 26, maximum: 40, weight: 1, priority: 2)),
        TerminalKit.ListColumn("time", words.newest, width: .fixed(16, priority: 3)),
        TerminalKit.ListColumn(
          "type", words.type, width: Share(minimum: 6, maximum: 16, weight: 1, priority: 1)),
      ], source: rows)
    list.onSelect = { [unowned self] in self.model.moveCursor(to: $0) }
    list.onOpen = { [unowned self] _ in open() }
    following = desk.stage.follow { [unowned self] in noticed() }
    work = Task { @UI [model] in await model.start() }
  }

  isolated deinit {
    model.stop()
    work?.cancel()
  }

  var title: String { words.conflicts }
  var isReady: Bool { model.state.isLoaded }
  var offersUndo: Bool { true }
  var statusLine: StyledText {
    let state = model.state
    var text = StyledText(words.records(state.records.count), .dim)
    if !state.marks.isEmpty {
      text.append("  " + words.marked(state.marks.count), Style(.accent))
    }
    return text
  }

  private func noticed() {
    _ = model.state
    guard model.state.notice != nil else { return }
    Task { @UI [weak self] in self?.tell() }
  }

  private func tell() {
    guard let notice = model.state.notice else { return }
    model.dismissNotice()
    switch notice {
    case .settled(let count, _): desk.say(words.settledRecords(count), .success)
    case .failed(let failure): desk.say(failure)
    }
  }

  private func open() {
    if let record = model.state.selected { desk.openConflicts(of: record.reference) }
  }

  /// One record is settled at once, for undo has it back; several after a question.
  private func takeShown() {
    let count = model.state.targets.count
    guard count > 1 else {
      Task { @UI [model] in await model.takeShown() }
      return
    }
    stage.ask(
      words.settleQuestion(count), words.settleExplained,
      buttons: [.init(words.settle, key: "s"), .init(words.cancel, key: "c")], focused: 1
    ) { [model] answer in
      if answer == 0 { Task { @UI in await model.takeShown() } }
    }
  }

  var commands: [Command] {
    let whyNone: @UI @Sendable (ConflictListScreen) -> String? = {
      $0.model.state.records.isEmpty ? $0.words.noConflictsAtAll : nil
    }
    return list.commands.filter { $0.id != "list.open" } + [
      command("conflicts.open", unless: whyNone) { $0.open() },
      command("conflicts.takeShown", unless: whyNone) { $0.takeShown() },
      command("conflicts.mark", unless: whyNone) { screen in
        screen.model.toggleMark()
        screen.model.moveCursor(to: screen.model.state.cursor + 1)
      },
      command("conflicts.markAll", unless: whyNone) { $0.model.toggleAllMarks() },
      command("conflicts.record", unless: whyNone) { screen in
        if let record = screen.model.state.selected { screen.desk.openRecord(record.reference) }
      },
      backCommand,
    ]
  }

  func handle(_ event: InputEvent) -> Bool { list.handle(event) }

  func draw(in area: Rect, on grid: inout Grid) {
    let state = model.state
    rows.rows = state.records.map { row(of: $0, isMarked: state.marks.contains($0.id)) }
    list.emptyText = state.isLoaded ? words.noConflictsAtAll : words.loading
    if list.selected != state.cursor { list.place(state.cursor) }
    list.draw(in: area, on: &grid, isFocused: true)
  }

  private func row(of record: ConflictedRecord, isMarked: Bool) -> TerminalKit.ListRow {
    let type = desk.type(record.reference.type)
    let about = record.conflicts.map { conflict in
      conflict.field.flatMap { type?.field($0)?.title } ?? words.deleteOrKeep
    }
    return TerminalKit.ListRow(
      [
        ListCell(record.title.isEmpty ? words.untitled : record.title),
        ListCell(about.joined(separator: ", "), .warning),
        ListCell(record.devices.map { desk.name(of: $0) }.joined(separator: ", "), .dim),
        ListCell(desk.values.time(record.newest), .dim),
        ListCell(type?.displayName ?? record.reference.type.name, .dim),
      ], badge: ListCell(isMarked ? "*" : "!", isMarked ? .accent : .warning), isMarked: isMarked)
  }
}

extension Desk {
  func openConflictList() {
    guard !(stage.top is ConflictListScreen) else { return }
    stage.push(ConflictListScreen(desk: self))
  }

  /// What a person calls a device: this one, or the other's own name and the beginning of its id,
  /// which no other device can take.
  func name(of device: DeviceID) -> String {
    if device == library.library.device { return words.thisDevice }
    let id = String(device.description.prefix(6))
    return sync.state.deviceNames[device].map { words.device($0, id: id) } ?? words.device(id)
  }
}
