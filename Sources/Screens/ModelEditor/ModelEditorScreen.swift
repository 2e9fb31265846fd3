// The record types and their fields, edited on a detached copy of the model. Nothing changes in the
// library before the forecast was seen and agreed to. UI actor.

internal import RecordStore
internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// Edits the model of a library.
@UI
final class ModelEditorScreen: DeskLayer {
  let desk: Desk
  let model: ModelEditorViewModel
  let types: ListView
  let fields: ListView
  private let typeRows = ListRows()
  private let fieldRows = ListRows()
  private(set) var isInFields: Bool
  private var following: Following?
  private var asked: Question?

  private enum Question: Equatable { case discard, forecast }

  init(desk: Desk, model: ModelEditorViewModel, type: TypeID?) {
    self.desk = desk
    self.model = model
    isInFields = type != nil
    types = ListView(
      columns: [
        TerminalKit.ListColumn("name", desk.words.type, width: Share(minimum: 8, weight: 1))
      ],
      source: typeRows)
    fields = ListView(
      columns: [
        TerminalKit.ListColumn(
          "name", desk.words.field, width: Share(minimum: 10, maximum: 24, weight: 2, priority: 3)),
        TerminalKit.ListColumn(
          "type", desk.words.fieldTypeTitle, width: Share(minimum: 10, weight: 2, priority: 2)),
        TerminalKit.ListColumn(
          "rules", desk.words.rules, width: Share(minimum: 10, weight: 2, priority: 1)),
      ], source: fieldRows)
    fields.emptyText = desk.words.noFieldsYet
    types.onOpen = { [unowned self] _ in focus(fields: true) }
    fields.onOpen = { [unowned self] _ in rename() }
    refresh()
    if let index = allTypes.firstIndex(where: { $0.id == type }) { types.place(index) }
    following = desk.stage.follow { [unowned self] in noticed() }
    model.start()
  }

  isolated deinit { model.stop() }

  var title: String { words.modelTitle + (model.state.isDirty ? " *" : "") }

  var statusLine: StyledText {
    let state = model.state
    switch state.phase {
    case .forecasting: return StyledText(words.forecasting, .dim)
    case .applying: return StyledText(words.applying, .dim)
    case .editing, .confirming, .closed: break
    }
    if let problem = state.problems.first {
      return StyledText(words.sentence(for: problem, in: state.model), Style(.error))
    }
    if let failure = state.failure {
      return StyledText(words.sentence(for: failure, in: desk.model), Style(.error))
    }
    if state.isOvertaken { return StyledText(words.overtaken, Style(.warning)) }
    return StyledText(words.modelChanges(state.changes.count), .dim)
  }

  // MARK: What is selected

  var allTypes: [RecordType] { model.state.model.types }
  var type: RecordType? {
    types.selected.flatMap { allTypes.indices.contains($0) ? allTypes[$0] : nil }
  }
  var field: Field? {
    guard let type, let index = fields.selected, type.fields.indices.contains(index) else {
      return nil
    }
    return type.fields[index]
  }

  func focus(fields isInFields: Bool) {
    self.isInFields = isInFields
    stage.invalidate()
  }

  func select(_ id: TypeID) {
    if let index = allTypes.firstIndex(where: { $0.id == id }) { types.place(index) }
  }

  func select(_ id: FieldID) {
    refresh()
    if let index = type?.fields.firstIndex(where: { $0.id == id }) { fields.place(index) }
  }

  // MARK: Following

  private func noticed() {
    let state = model.state
    Task { @UI [weak self] in self?.follow(state) }
  }

  private func follow(_ state: ModelEditorState) {
    if case .closed(let applied) = state.phase {
      guard following != nil else { return }
      following = nil
      stage.close(self)
      if applied != nil { desk.say(words.modelApplied, .success) }
      return
    }
    var question: Question?
    if state.asksToDiscard { question = .discard }
    if case .confirming = state.phase { question = .forecast }
    guard question != asked else { return }
    asked = question
    switch question {
    case .discard: askToDiscard()
    case .forecast: askToApply()
    case nil: break
    }
  }

  private func askToDiscard() {
    stage.ask(
      words.discardQuestion, words.modelDiscardExplained,
      buttons: [
        .init(words.discard, key: "d", isDangerous: true), .init(words.keepEditing, key: "k"),
      ], focused: 1
    ) { [weak self] answer in
      self?.asked = nil
      if answer == 0 { self?.model.discard() } else { self?.model.keepEditing() }
    }
  }

  private func askToApply() {
    guard case .confirming(let forecast) = model.state.phase else { return }
    let isLosing = !forecast.losses.isEmpty
    let text = ForecastWords(words: words, old: desk.model, new: model.state.model)
      .text(of: forecast)
    stage.ask(
      words.applyTitle, text,
      buttons: [
        .init(isLosing ? words.applyLosing : words.apply, key: "a", isDangerous: isLosing),
        .init(words.cancel, key: "c"),
      ], focused: isLosing ? 1 : 0, tone: isLosing ? .warning : .plain
    ) { [weak self, desk] answer in
      guard let self else { return }
      asked = nil
      guard answer == 0 else { return model.reconsider() }
      Task { @UI [model] in
        let isDone = await model.apply(losing: isLosing)
        if !isDone, let failure = model.state.failure {
          model.reconsider()
          desk.say(failure)
        }
      }
    }
  }

  // MARK: Drawing

  private func refresh() {
    let state = model.state
    typeRows.rows = state.model.types.map { type in
      let isBad = state.problems.contains { $0.type == type.id }
      return TerminalKit.ListRow(
        [ListCell(type.displayName + (type.hidden ? " ✗" : ""), type.hidden ? .dim : .text)],
        badge: isBad ? ListCell("!", .error) : nil)
    }
    guard let type else { return fieldRows.rows = [] }
    fieldRows.rows = type.fields.map { field in
      let isBad = state.problems.contains { $0.type == type.id && $0.field == field.id }
      let role: Role = field.hidden ? .dim : .text
      return TerminalKit.ListRow(
        [
          ListCell(field.title, role), ListCell(words.fieldType(field.type, in: state.model), role),
          ListCell(words.rules(of: field, in: type), .dim),
        ], badge: isBad ? ListCell("!", .error) : nil)
    }
  }

  func handle(_ event: InputEvent) -> Bool {
    if types.handle(event) {
      focus(fields: false)
      return true
    }
    if fields.handle(event) {
      focus(fields: true)
      return true
    }
    return false
  }

  func draw(in area: Rect, on grid: inout Grid) {
    refresh()
    guard area.columns >= PaneFrame.middling else {
      if isInFields {
        fields.draw(in: area, on: &grid, isFocused: true)
      } else {
        types.draw(in: area, on: &grid, isFocused: true)
      }
      return
    }
    var rest = area
    let left = rest.takeColumns(min(28, area.columns / 3))
    grid.verticalLine(rest.takeColumns(1))
    types.draw(in: left, on: &grid, isFocused: !isInFields)
    let cursor = grid.cursor
    fields.draw(in: rest, on: &grid, isFocused: isInFields)
    if !isInFields { grid.cursor = cursor }
  }
}

extension Desk {
  func openModelEditor() {
    let shown = (stage.top as? BrowserScreen)?.listPane?.model.state.type.id
    let model = ModelEditorViewModel(library: library.library)
    stage.push(ModelEditorScreen(desk: self, model: model, type: shown))
  }
}
