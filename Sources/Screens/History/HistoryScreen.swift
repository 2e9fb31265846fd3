// Transactions, newest first: of the library, or of one record. The one under the cursor is shown in
// full beside the list, or below it. UI actor.

internal import RecordStore
internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// The history of a library or a record.
@UI
final class HistoryScreen: DeskLayer {
  let desk: Desk
  private let model: HistoryViewModel
  private let list: ListView
  private let rows = ListRows()
  private let viewer = TextViewer()
  /// The detail has the focus: it can be scrolled.
  private var isReading = false
  private var shownDetail: Detail?
  private var following: Following?
  private var work: Task<Void, Never>?

  /// What the detail was made of; made again only when one of these is another.
  private struct Detail: Equatable {
    var entry: TransactionEntry
    var changes: [RecordChange]?
  }

  init(desk: Desk, model: HistoryViewModel) {
    self.desk = desk
    self.model = model
    list = ListView(
      columns: [
        TerminalKit.ListColumn("number", "#", alignment: .trailing, width: .fixed(5)),
        TerminalKit.ListColumn("time", desk.words.when, width: .fixed(16, priority: 3)),
        TerminalKit.ListColumn(
          "what", desk.words.what, width: Share(minimum: 14, weight: 3, priority: 4)),
        TerminalKit.ListColumn(
          "who", desk.words.who, width: Share(minimum: 8, maximum: 18, weight: 1, priority: 1)),
        TerminalKit.ListColumn(
          "origin", desk.words.origin, width: .fixed(9, priority: 2)),
      ], source: rows)
    list.onSelect = { [unowned self] in self.model.moveCursor(to: $0) }
    list.onOpen = { [unowned self] _ in expand() }
    following = desk.stage.follow { [unowned self] in noticed() }
    work = Task { @UI [model] in await model.start() }
  }

  isolated deinit {
    model.stop()
    work?.cancel()
  }

  var title: String { words.history }
  var isReady: Bool { model.state.isLoaded }

  private var texts: HistoryTexts {
    HistoryTexts(values: desk.values, words: words, model: desk.model)
  }

  private func noticed() {
    guard model.state.notice != nil else { return }
    Task { @UI [weak self] in self?.tell() }
  }

  private func tell() {
    guard let notice = model.state.notice else { return }
    model.dismissNotice()
    switch notice {
    case .undone(let result): desk.tell(result)
    case .failed(let failure): desk.say(failure)
    }
  }

  // MARK: Intentions

  private func expand() {
    guard let entry = model.state.selected else { return }
    isReading = true
    stage.invalidate()
    guard entry.recordCount > entry.changes.count, model.state.changes[entry.number] == nil else {
      return
    }
    Task { @UI [model] in await model.toggleChanges(of: entry.number) }
  }

  /// Undoing one record's change is done at once; a big one is asked for.
  private func undo() {
    guard let entry = model.state.selected else { return }
    let undo: @UI () -> Void = { [desk, model] in
      desk.labour(desk.words.undoing(entry.recordCount)) { tell in
        await model.undo(entry.number, progress: tell)
      }
    }
    guard entry.recordCount > 1 else { return undo() }
    stage.ask(
      words.undoQuestion(entry.number), words.undoExplained(entry.recordCount),
      buttons: [.init(words.undo, key: "u"), .init(words.cancel, key: "c")]
    ) { answer in
      if answer == 0 { undo() }
    }
  }

  private func whyNoUndo() -> String? {
    guard let entry = model.state.selected else { return words.nothingHere }
    return entry.undoneBy.map { words.undoneAlready(by: $0) }
  }

  private func openRecord() {
    guard let entry = model.state.selected else { return }
    let links = entry.changes.map { ($0.record, texts.title(of: $0)) }
    if links.count == 1 {
      desk.openRecord(links[0].0)
    } else {
      desk.pickLink(words.openWhich, links)
    }
  }

  var commands: [Command] {
    let moving = isReading ? viewer.commands : list.commands.filter { $0.id != "list.open" }
    return moving + [
      command(
        "history.expand", unless: { $0.model.state.selected == nil ? $0.words.nothingHere : nil }
      ) {
        $0.expand()
      },
      command("history.undo", unless: { $0.whyNoUndo() }) { $0.undo() },
      command(
        "history.open", unless: { $0.model.state.selected == nil ? $0.words.nothingHere : nil }
      ) {
        $0.openRecord()
      },
      command(
        "history.copy", unless: { $0.model.state.selected == nil ? $0.words.nothingHere : nil }
      ) {
        screen in
        if let entry = screen.model.state.selected {
          let lines = screen.texts.lines(
            of: entry, changes: screen.model.state.changes[entry.number])
          screen.desk.copy(
            lines.map(\.text).joined(separator: "\n"), screen.words.transaction(entry.number))
        }
      },
      command("history.out") { $0.goOut() },
    ]
  }

  private func goOut() {
    if isReading {
      isReading = false
      stage.invalidate()
    } else {
      stage.close(self)
    }
  }

  func handle(_ event: InputEvent) -> Bool {
    isReading ? viewer.handle(event) || list.handle(event) : list.handle(event)
  }

  // MARK: Drawing

  func draw(in area: Rect, on grid: inout Grid) {
    let state = model.state
    rows.rows = state.entries.map { texts.row(of: $0) }
    list.emptyText = state.isLoaded ? words.noHistory : words.loading
    if list.selected != state.cursor { list.place(state.cursor) }
    refreshDetail()
    var rest = area
    if area.columns >= PaneFrame.wide {
      let side = rest.takeColumns(-(area.columns / 2))
      grid.verticalLine(rest.takeColumns(-1))
      list.draw(in: rest, on: &grid, isFocused: !isReading)
      viewer.draw(in: side.inset(columns: 1), on: &grid, isFocused: isReading)
    } else if area.rows >= 14 {
      let below = rest.takeRows(-(isReading ? area.rows * 2 / 3 : area.rows / 2))
      grid.horizontalLine(rest.takeRows(-1))
      list.draw(in: rest, on: &grid, isFocused: !isReading)
      viewer.draw(in: below.inset(columns: 1), on: &grid, isFocused: isReading)
    } else if isReading {
      viewer.draw(in: rest.inset(columns: 1), on: &grid, isFocused: true)
    } else {
      list.draw(in: rest, on: &grid, isFocused: true)
    }
  }

  private func refreshDetail() {
    guard let entry = model.state.selected else {
      shownDetail = nil
      viewer.lines = []
      return
    }
    let detail = Detail(entry: entry, changes: model.state.changes[entry.number])
    guard detail != shownDetail else { return }
    if detail.entry.number != shownDetail?.entry.number { viewer.scrollToStart() }
    shownDetail = detail
    viewer.lines = texts.lines(of: entry, changes: detail.changes)
  }
}

extension Desk {
  func openHistory(of record: RecordReference? = nil) {
    stage.push(HistoryScreen(desk: self, model: library.history(of: record)))
  }
}
