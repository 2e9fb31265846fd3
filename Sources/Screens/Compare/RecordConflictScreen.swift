// The conflicts of a record: base, mine and theirs next to each other, with device and time. Taking a
// side, or a value of one's own, is an ordinary save that settles it everywhere. UI actor.

internal import RecordStore
internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// Settles the conflicts of one record.
@UI
final class RecordConflictScreen: DeskLayer {
  let desk: Desk
  private let model: RecordViewModel
  private let view = CompareView()
  private var following: Following?
  /// Whether this screen began to follow the record, and so ends it.
  private let owns: Bool
  /// A form that was opened from here was saved: with the last conflict this screen goes too.
  private var isSaved = false

  init(desk: Desk, model: RecordViewModel, owns: Bool) {
    self.desk = desk
    self.model = model
    self.owns = owns
    view.onChoose = { [unowned self] row, side in take(row, side) }
    following = desk.stage.follow { [unowned self] in noticed() }
    refresh()
    view.begin()
  }

  isolated deinit { if owns { model.stop() } }

  var offersUndo: Bool { true }
  var title: String { words.conflictOf(model.state.title ?? words.untitled) }
  var statusLine: StyledText {
    StyledText(words.conflictCount(model.state.conflicts.count), Style(.warning))
  }

  private func refresh() { view.rows = model.state.conflicts.map { row(of: $0) } }

  /// The base first, which is no choice; then the sides, the shown one first.
  private func row(of entry: ConflictEntry) -> CompareRow {
    let titles = Dictionary(
      entry.titles.map { ($0.key.id, $0.value) }, uniquingKeysWith: { first, _ in first })
    let base = entry.conflict.base.map { desk.values.text($0, titles: titles) }
    var sides: [CompareRow.Side] = []
    if let base {
      sides.append(.init(label: words.before, text: base, canBeChosen: false))
    }
    sides += entry.conflict.sides.map { side in
      let isMine = side.stamp.device == desk.library.library.device
      let time = desk.values.time(Timestamp(milliseconds: side.stamp.time.milliseconds))
      return CompareRow.Side(
        label: (isMine ? words.mine : words.theirs) + ": "
          + words.stamp(desk.name(of: side.stamp.device), at: time),
        text: text(of: side.value, titles: titles))
    }
    return CompareRow(
      title: entry.field?.title ?? words.deleteOrKeep, sides: sides,
      chosen: base == nil ? 0 : 1, reference: base == nil ? nil : 0)
  }

  private func text(of value: ConflictValue, titles: [RecordID: String]) -> String {
    switch value {
    case .value(let value): desk.values.text(value, titles: titles)
    case .delete: words.deletedSide
    case .keep: words.keptSide
    }
  }

  // MARK: Settling

  private func take(_ row: Int, _ side: Int) {
    guard model.state.conflicts.indices.contains(row) else { return }
    let offset = model.state.conflicts[row].conflict.base == nil ? 0 : 1
    Task { @UI [weak self, model] in
      await model.resolve(row, taking: side - offset)
      self?.tellSettled()
    }
  }

  private func takeAllShown() {
    Task { @UI [weak self, model] in
      await model.resolveAllShown()
      self?.tellSettled()
    }
  }

  private func tellSettled() {
    if let failure = model.state.failure { return desk.say(failure) }
    desk.say(words.settled, .success)
    refresh()
    if model.state.conflicts.isEmpty { stage.close(self) }
  }

  /// A value of one's own, in the form: a save that has seen all sides settles them.
  private func edit() {
    guard
      let field = model.state.conflicts.indices.contains(view.row)
        ? model.state.conflicts[view.row].field : nil
    else { return }
    Task { @UI [weak self, desk, model] in
      guard let editor = await model.edit() else {
        return desk.say(desk.words.recordGone, .warning)
      }
      desk.openEditor(editor, at: field.id) { [weak self] _ in
        self?.isSaved = true
        self?.noticed()
      }
    }
  }

  /// What was saved in the form shows here when the store tells of it.
  private func noticed() {
    guard model.state.conflicts.isEmpty, isSaved else { return }
    Task { @UI [weak self] in
      if let self { stage.close(self) }
    }
  }

  private func whyNoOwnValue() -> String? {
    let conflicts = model.state.conflicts
    guard conflicts.indices.contains(view.row) else { return words.noConflicts }
    return conflicts[view.row].field == nil ? words.takeASide : nil
  }

  var commands: [Command] {
    [
      command("compare.down") { $0.view.move(1) },
      command("compare.up") { $0.view.move(-1) },
      command("compare.left") { $0.view.moveSide(-1) },
      command("compare.right") { $0.view.moveSide(1) },
      command("compare.take") { $0.view.choose() },
      command("compare.edit", unless: { $0.whyNoOwnValue() }) { $0.edit() },
      command("compare.takeAll") { $0.takeAllShown() },
      backCommand,
    ]
  }

  func handle(_ event: InputEvent) -> Bool { view.handle(event) }

  func draw(in area: Rect, on grid: inout Grid) {
    var area = area
    refresh()
    guard !view.rows.isEmpty else {
      grid.put(words.noConflicts, in: area.inset(columns: 1).line(0), .dim)
      grid.cursor = area.origin
      return
    }
    if area.rows >= 10 {
      let lines = Wrapping.lines(of: words.conflictExplained, columns: max(1, area.columns - 2))
      for line in lines { grid.put(line, in: area.takeRows(1).inset(columns: 1), .dim) }
    }
    view.draw(in: area, on: &grid, isFocused: true)
  }
}
