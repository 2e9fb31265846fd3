// The conflicts of a record: every side with its device and time, next to each other. Taking one is
// an ordinary save that settles it everywhere. UI actor.

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

  init(desk: Desk, model: RecordViewModel) {
    self.desk = desk
    self.model = model
    view.onChoose = { [unowned self] row, side in take(row, side) }
    following = desk.stage.follow { [model] in _ = model.state }
    refresh()
    view.begin()
  }

  var title: String { words.conflicts }
  var statusLine: StyledText {
    StyledText(words.conflictCount(model.state.conflicts.count), Style(.warning))
  }

  private func refresh() {
    view.rows = model.state.conflicts.map { entry in
      let titles = Dictionary(
        entry.titles.map { ($0.key.id, $0.value) }, uniquingKeysWith: { first, _ in first })
      var sides = entry.conflict.sides.map { side in
        CompareRow.Side(
          label: words.stamp(
            device: side.stamp.device.description,
            at: desk.values.time(Timestamp(milliseconds: side.stamp.time.milliseconds))),
          text: text(of: side.value, titles: titles))
      }
      if let base = entry.conflict.base {
        sides.append(
          .init(
            label: words.before, text: desk.values.text(base, titles: titles), canBeChosen: false))
      }
      return CompareRow(title: entry.field?.title ?? words.deleteOrKeep, sides: sides, chosen: 0)
    }
  }

  private func text(of value: ConflictValue, titles: [RecordID: String]) -> String {
    switch value {
    case .value(let value): desk.values.text(value, titles: titles)
    case .delete: words.deletedSide
    case .keep: words.keptSide
    }
  }

  private func take(_ row: Int, _ side: Int) {
    Task { @UI [weak self, model, desk] in
      await model.resolve(row, taking: side)
      if let failure = model.state.failure { return desk.say(failure) }
      desk.say(desk.words.settled, .success)
      guard let self else { return }
      refresh()
      if model.state.conflicts.isEmpty { stage.close(self) }
    }
  }

  var commands: [Command] {
    [
      command("compare.down") { $0.view.move(1) },
      command("compare.up") { $0.view.move(-1) },
      command("compare.left") { $0.view.moveSide(-1) },
      command("compare.right") { $0.view.moveSide(1) },
      command("compare.take") { $0.view.choose() },
      backCommand,
    ]
  }

  func handle(_ event: InputEvent) -> Bool { view.handle(event) }

  func draw(in area: Rect, on grid: inout Grid) {
    var area = area
    refresh()
    for line in Wrapping.lines(of: words.conflictExplained, columns: max(1, area.columns - 2)) {
      grid.put(line, in: area.takeRows(1).inset(columns: 1), .dim)
    }
    view.draw(in: area, on: &grid, isFocused: true)
  }
}
