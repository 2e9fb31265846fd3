// A save met what others saved meanwhile in the same fields: base, mine and theirs next to each
// other, one choice a field. Nothing was written yet. UI actor.

internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// Chooses for each contested field of a form, then saves.
@UI
final class SaveConflictScreen: DeskLayer {
  let desk: Desk
  private let model: EditorViewModel
  private let view = CompareView()
  private var places: [FieldPlace] = []
  private var following: Following?

  init(desk: Desk, model: EditorViewModel) {
    self.desk = desk
    self.model = model
    view.onChoose = { [unowned self] row, side in choose(row, side) }
    following = desk.stage.follow { [model] in _ = model.state }
    refresh()
    view.begin()
  }

  var title: String { words.saveConflictTitle }
  var statusLine: StyledText {
    let left = drifts.count { $0.drift.choice == nil }
    return StyledText(
      left == 0 ? words.allChosen : words.choicesLeft(left),
      Style(left == 0 ? .success : .warning))
  }

  private var drifts: [(place: FieldPlace, drift: Drift, field: EditorField)] {
    model.state.forms.flatMap { form in
      form.fields.compactMap { field in
        guard let drift = field.drift, drift.isContested || drift.choice != nil else { return nil }
        return (FieldPlace(form: form.id, field: field.id), drift, field)
      }
    }
  }

  private func refresh() {
    let found = drifts
    places = found.map(\.place)
    view.rows = found.map { _, drift, field in
      let titles = field.titles
      let who = drift.by.map { words.by($0.author, $0.deviceName, desk.values.time($0.at)) } ?? ""
      return CompareRow(
        title: field.field.title,
        sides: [
          .init(
            label: words.before, text: desk.values.text(drift.base, titles: titles),
            canBeChosen: false),
          .init(
            label: words.mine,
            text: drift.mine.map { desk.values.text($0, titles: titles) } ?? field.text),
          .init(
            label: words.theirs + (who.isEmpty ? "" : " · " + who),
            text: desk.values.text(drift.theirs, titles: titles)),
        ],
        chosen: drift.choice.map { $0 == .mine ? 1 : 2 })
    }
  }

  private func choose(_ row: Int, _ side: Int) {
    guard places.indices.contains(row) else { return }
    let place = places[row]
    if side == 1 {
      model.keepMine(place.field, in: place.form)
    } else {
      model.takeTheirs(place.field, in: place.form)
    }
    refresh()
    if row + 1 < places.count { view.move(1) }
  }

  private func chooseAll(_ side: Int) {
    for row in places.indices { choose(row, side) }
  }

  var commands: [Command] {
    [
      command("compare.down") { $0.view.move(1) },
      command("compare.up") { $0.view.move(-1) },
      command("compare.left") { $0.view.moveSide(-1) },
      command("compare.right") { $0.view.moveSide(1) },
      command("compare.choose") { $0.view.choose() },
      command("compare.mine") { $0.view.choose(1) },
      command("compare.theirs") { $0.view.choose(2) },
      command("compare.allMine") { $0.chooseAll(1) },
      command("compare.allTheirs") { $0.chooseAll(2) },
      command(
        "compare.save",
        unless: { screen in
          let left = screen.drifts.count { $0.drift.choice == nil }
          return left == 0 ? nil : screen.words.choicesLeft(left)
        }
      ) { $0.save() },
      backCommand,
    ]
  }

  private func save() {
    stage.close(self)
    Task { @UI [model] in await model.save() }
  }

  func handle(_ event: InputEvent) -> Bool { view.handle(event) }

  func draw(in area: Rect, on grid: inout Grid) {
    var area = area
    refresh()
    for line in Wrapping.lines(of: words.saveConflictExplained, columns: max(1, area.columns - 2)) {
      grid.put(line, in: area.takeRows(1).inset(columns: 1), .dim)
    }
    view.draw(in: area, on: &grid, isFocused: true)
  }
}
