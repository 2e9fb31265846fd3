// Deleted records: to be looked at, restored, or purged after a question. UI actor.

internal import RecordStore
internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// The trash of a library.
@UI
final class TrashScreen: DeskLayer {
  let desk: Desk
  let offersUndo = true
  private let model: TrashViewModel
  private let list: ListView
  private let rows = ListRows()
  private var following: Following?
  private var work: Task<Void, Never>?
  private var isAsking = false

  init(desk: Desk) {
    self.desk = desk
    model = desk.library.trash()
    list = ListView(
      columns: [
        TerminalKit.ListColumn(
          "title", desk.words.record, width: Share(minimum: 12, weight: 3, priority: 3)),
        TerminalKit.ListColumn(
          "type", desk.words.type, width: Share(minimum: 6, maximum: 16, weight: 1, priority: 1)),
        TerminalKit.ListColumn("time", desk.words.deletedAt, width: .fixed(16, priority: 2)),
      ], source: rows)
    list.onSelect = { [unowned self] in self.model.moveCursor(to: $0) }
    list.onOpen = { [unowned self] _ in look() }
    following = desk.stage.follow { [unowned self] in noticed() }
    work = Task { @UI [model] in await model.start() }
  }

  isolated deinit {
    model.stop()
    work?.cancel()
  }

  var title: String { words.trash }
  var isReady: Bool { model.state.isLoaded }
  var statusLine: StyledText {
    var text = StyledText(words.records(model.state.count), .dim)
    let marks = model.state.marks.count
    if marks > 0 { text.append("  " + words.marked(marks), Style(.accent)) }
    return text
  }

  private func noticed() {
    let state = model.state
    guard state.notice != nil || (state.asksToPurge != nil && !isAsking) else { return }
    Task { @UI [weak self] in self?.tell() }
  }

  private func tell() {
    if let notice = model.state.notice {
      model.dismissNotice()
      switch notice {
      case .restored(let count, _): desk.say(words.restored(count), .success)
      case .purged(let count): desk.say(words.purged(count), .success)
      case .failed(let failure): desk.say(failure)
      }
    }
    guard let count = model.state.asksToPurge, !isAsking else { return }
    isAsking = true
    stage.ask(
      words.purgeQuestion(count), words.purgeExplained,
      buttons: [
        .init(words.purge, key: "p", isDangerous: true), .init(words.cancel, key: "c"),
      ], focused: 1, tone: .warning
    ) { [weak self] answer in
      guard let self else { return }
      isAsking = false
      if answer == 0 {
        desk.labour(words.purging(count)) { [model] tell in
          await model.purgeTargets(progress: tell)
        }
      } else {
        model.keepTargets()
      }
    }
  }

  private func look() {
    if let entry = model.state.selected { desk.openRecord(entry.record) }
  }

  private func whyNone() -> String? { model.state.targets.isEmpty ? words.trashEmpty : nil }

  var commands: [Command] {
    list.commands.filter { $0.id != "list.open" } + [
      command("trash.restore", unless: { $0.whyNone() }) { screen in
        let count = screen.model.state.targets.count
        screen.desk.labour(screen.words.restoring(count)) { [model = screen.model] tell in
          await model.restoreTargets(progress: tell)
        }
      },
      command("trash.purge", unless: { $0.whyNone() }) { $0.model.askToPurge() },
      command("trash.mark", unless: { $0.whyNone() }) { screen in
        screen.model.toggleMark()
        screen.model.moveCursor(by: 1)
      },
      command("trash.open", unless: { $0.whyNone() }) { $0.look() },
      backCommand,
    ]
  }

  func handle(_ event: InputEvent) -> Bool { list.handle(event) }

  func draw(in area: Rect, on grid: inout Grid) {
    let state = model.state
    rows.rows = state.entries.map { entry in
      let isMarked = state.marks.contains(entry.record)
      let type = desk.type(entry.record.type)?.displayName ?? entry.record.type.name
      return TerminalKit.ListRow(
        [
          ListCell(entry.title.isEmpty ? words.untitled : entry.title), ListCell(type, .dim),
          ListCell(desk.values.time(entry.deleted), .dim),
        ], isMarked: isMarked)
    }
    list.emptyText = state.isLoaded ? words.trashEmpty : words.loading
    if list.selected != state.cursor { list.place(state.cursor) }
    list.draw(in: area, on: &grid, isFocused: true)
  }
}

extension Desk {
  func openTrash() { stage.push(TrashScreen(desk: self)) }
}
