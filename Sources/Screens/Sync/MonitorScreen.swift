// The sync monitor: the three phases live, throughput, the failure and its remedy, the log, and what
// waits and why. UI actor.

internal import RecordStore
internal import Records
internal import Sync
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// Sync, looked at closely.
@UI
final class MonitorScreen: DeskLayer {
  /// Rows that stay for the list however low the screen is, its heading included.
  private static let listRowsMin = 4

  let desk: Desk
  let model: MonitorViewModel
  let log: ListView
  let waiting: ListView
  private let logRows = ListRows()
  private let waitingRows = ListRows()
  private(set) var showsWaiting = false
  private var following: Following?
  private var work: Task<Void, Never>?

  init(desk: Desk) {
    self.desk = desk
    model = MonitorViewModel(sync: desk.sync)
    let words = desk.words
    log = ListView(
      columns: [
        TerminalKit.ListColumn("time", words.when, width: .fixed(14, priority: 3)),
        TerminalKit.ListColumn("phase", words.phase, width: .fixed(10, priority: 5)),
        TerminalKit.ListColumn(
          "what", words.what, width: Share(minimum: 16, weight: 3, priority: 4)),
        TerminalKit.ListColumn(
          "trigger", words.trigger, width: Share(minimum: 8, maximum: 16, weight: 1, priority: 1)),
        TerminalKit.ListColumn(
          "took", words.took, alignment: .trailing, width: .fixed(8, priority: 2)),
      ], source: logRows)
    waiting = ListView(
      columns: [
        TerminalKit.ListColumn("state", words.state, width: .fixed(12, priority: 5)),
        TerminalKit.ListColumn(
          "title", words.record, width: Share(minimum: 12, weight: 2, priority: 4)),
        TerminalKit.ListColumn(
          "type", words.type, width: Share(minimum: 6, maximum: 14, weight: 1, priority: 1)),
        TerminalKit.ListColumn(
          "why", words.why, width: Share(minimum: 16, weight: 3, priority: 3)),
      ], source: waitingRows)
    log.onSelect = { [unowned self] in self.model.moveEventCursor(to: $0) }
    log.onOpen = { [unowned self] _ in openDetails() }
    waiting.onSelect = { [unowned self] in self.model.moveWaitingCursor(to: $0) }
    waiting.onOpen = { [unowned self] _ in openDetails() }
    following = desk.stage.follow { [model, sync = desk.sync] in
      _ = model.state
      _ = sync.state
    }
    work = Task { @UI [model] in await model.start() }
  }

  isolated deinit {
    model.stop()
    work?.cancel()
  }

  var title: String { words.syncTitle }
  private var sync: SyncViewModel { desk.sync }
  var texts: MonitorTexts { MonitorTexts(words: words, values: desk.values) }
  private var list: ListView { showsWaiting ? waiting : log }

  var statusLine: StyledText {
    if let failure = model.state.failure {
      return StyledText(words.sentence(for: failure, in: desk.model), Style(.error))
    }
    return StyledText(words.role(sync.state.role), .dim)
  }

  // MARK: Intentions

  private func whyNotSetUp() -> String? {
    sync.state.status.isSetUp ? nil : words.syncNotSetUp
  }

  private func openDetails() {
    if showsWaiting {
      guard let record = model.state.selectedWaiting else { return }
      guard let reference = record.reference else { return desk.say(words.heldExplained) }
      if case .conflicting = record.reason { return desk.openConflicts(of: reference) }
      desk.openRecord(reference)
    } else if let event = model.state.selectedEvent {
      stage.push(EventScreen(desk: desk, event: event, affected: affected(by: event)))
    }
  }

  /// The records that were set aside for the reason for which the event failed, or in its time.
  private func affected(by event: SyncEvent) -> [WaitingRecord] {
    model.state.waiting.filter { record in
      guard case .parked(let reason, _, let at) = record.reason else { return false }
      let span = event.startedAt...max(event.startedAt, event.endedAt ?? .max)
      return reason == event.error || span.contains(at)
    }
  }

  private var isNothingSetAside: Bool {
    let backlog = sync.state.status.backlog
    return backlog.parked + backlog.contentsMissing == 0
  }

  private func whyNothing() -> String? {
    (showsWaiting ? model.state.waiting.isEmpty : model.state.events.isEmpty)
      ? words.nothingHere : nil
  }

  private func askOff() {
    let unsent = sync.state.status.backlog.pending
    stage.ask(
      words.turnOffQuestion, words.turnOffExplained(unsent),
      buttons: [
        .init(words.turnOff, key: "t", isDangerous: true), .init(words.cancel, key: "c"),
      ], focused: 1, tone: unsent > 0 ? .warning : .plain
    ) { [sync] answer in
      if answer == 0 { Task { @UI in await sync.turnOff() } }
    }
  }

  private func askExport() {
    let prompt = Prompt(
      stage: stage, title: words.exportLog, explanation: words.exportLogExplained,
      text: "skyros-sync.txt"
    ) { [model] path in
      Task { @UI in await model.export(to: FilePaths.absolute(path)) }
    }
    prompt.check = { [words] path in
      path.isEmpty ? words.pathNeeded : FilePaths.exists(path) ? words.pathTaken : nil
    }
    prompt.completions = { FilePaths.completions(of: $0) }
    stage.push(prompt)
  }

  var commands: [Command] {
    let needsSetUp: @UI @Sendable (MonitorScreen) -> String? = { $0.whyNotSetUp() }
    return list.commands.filter { $0.id != "list.open" } + [
      command("sync.now", unless: { $0.desk.whyNoSync() }) { $0.desk.syncNow() },
      command("sync.pause", unless: needsSetUp) { screen in
        Task { @UI [sync = screen.sync] in await sync.togglePause() }
      },
      command(
        "sync.retry",
        unless: { $0.isNothingSetAside ? $0.words.nothingSetAside : nil }
      ) { screen in Task { @UI [sync = screen.sync] in await sync.retryParked() } },
      command("sync.decide", unless: { $0.desk.whyNoPlan() }) { $0.desk.openPlan() },
      command("sync.other") { screen in
        screen.showsWaiting.toggle()
        screen.stage.invalidate()
      },
      command("sync.details", unless: { $0.whyNothing() }) { $0.openDetails() },
      command("sync.failed") { $0.model.toggleFailed() },
      command("sync.phase") { $0.model.stepPhase() },
      command("sync.conflicts") { $0.desk.openConflictList() },
      command(
        "sync.setUp", unless: { $0.sync.services == nil ? $0.words.noServicesHere : nil }
      ) { $0.desk.openSyncSetup() },
      command("sync.off", unless: needsSetUp) { $0.askOff() },
      command("sync.export", unless: { $0.model.state.events.isEmpty ? $0.words.nothingHere : nil })
      { $0.askExport() },
      command(
        "desk.why",
        unless: { $0.model.state.selectedWaiting?.reference == nil ? $0.words.nothingHere : nil }
      ) { screen in
        if let reference = screen.model.state.selectedWaiting?.reference {
          screen.desk.tellWhy(reference)
        }
      },
      backCommand,
    ]
  }

  func handle(_ event: InputEvent) -> Bool { list.handle(event) }

  // MARK: Drawing

  func draw(in area: Rect, on grid: inout Grid) {
    var rest = area
    let state = model.state
    for line in shownHead(rows: area.rows - Self.listRowsMin, columns: area.columns) {
      grid.put(line, in: rest.takeRows(1).inset(columns: 1))
    }
    drawTabs(in: rest.takeRows(1), on: &grid)
    logRows.rows = state.events.map { texts.row(of: $0) }
    waitingRows.rows = state.waiting.map { texts.row(of: $0) }
    log.emptyText = state.isLoaded ? words.noEvents : words.loading
    waiting.emptyText = state.isLoaded ? words.nothingWaits : words.loading
    let cursor = showsWaiting ? state.waitingCursor : state.eventCursor
    if list.selected != cursor { list.place(cursor) }
    list.draw(in: rest, on: &grid, isFocused: true)
  }

  /// The lines above the list: the less worth go first where there is no room.
  private func shownHead(rows: Int, columns: Int) -> [StyledText] {
    var left = max(1, rows)
    let head = MonitorHead(
      state: sync.state, newest: model.state.newest, rates: model.state.rates, texts: texts,
      columns: columns - 3
    ).lines
    let kept = Set(
      head.enumerated().sorted { ($0.element.worth, -$0.offset) > ($1.element.worth, -$1.offset) }
        .prefix { _ in
          left -= 1
          return left >= 0
        }.map(\.offset))
    return head.enumerated().filter { kept.contains($0.offset) }.map(\.element.text)
  }

  private func drawTabs(in area: Rect, on grid: inout Grid) {
    let state = model.state
    var line = StyledText()
    func tab(_ title: String, isShown: Bool) {
      line.append(
        isShown ? "[\(title)]" : " \(title) ", Style(isShown ? .heading : .dim))
      line.append(" ")
    }
    tab(words.logTab, isShown: !showsWaiting)
    let more = state.hasMoreWaiting ? "+" : ""
    tab(words.waitingTab + " \(state.waiting.count)\(more)", isShown: showsWaiting)
    if !showsWaiting, state.filter != EventFilter() {
      line.append(" " + words.filtered(state.filter), Style(.accent))
    }
    grid.put(line, in: area)
  }
}
