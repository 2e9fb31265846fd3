// The form of a record, of several, or of a record with its related ones. It shows the view model's
// state and gives it what is typed; it decides nothing. UI actor.

internal import RecordStore
internal import Records
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

/// A form over the screen it was opened from.
@UI
final class EditorScreen: DeskLayer {
  /// Lines longer than this are hard to read.
  private static let columnsMax = 110

  let desk: Desk
  let model: EditorViewModel
  let form = Form()
  private(set) var inputs: [FieldInput] = []
  private var shownForm: FormID?
  private var following: Following?
  private var work: Task<Void, Never>?
  private var seen: EditorState?
  private var tabAreas: [(area: Rect, form: FormID)] = []
  /// What is asked already, so that it is asked once.
  private var asked: Question?
  /// Told how the form ended, with the main record.
  private let onClose: @UI (RecordReference, Closing) -> Void

  private enum Question: Equatable { case discard, gone, conflict, bulk }

  init(
    desk: Desk, model: EditorViewModel, at field: FieldID?,
    onClose: @escaping @UI (RecordReference, Closing) -> Void
  ) {
    self.desk = desk
    self.model = model
    self.onClose = onClose
    form.onLeave = { [unowned self] row in leave(row) }
    form.onFinish = { [unowned self] in save() }
    showForm(.main)
    if let field, model.state.main.field(field) != nil { form.focus(field.name) }
    following = desk.stage.follow { [unowned self] in noticed() }
    work = Task { @UI [model] in await model.start() }
  }

  isolated deinit {
    model.stop()
    work?.cancel()
  }

  // MARK: What is shown

  var title: String {
    let state = model.state
    let type = state.type.displayName
    let name: String
    switch state.mode {
    case .new: name = words.newRecord(type)
    case .bulk(let count): name = words.editing(count, type)
    case .edit:
      let text = state.type.title.flatMap { state.main.field($0)?.text } ?? ""
      name = words.editing(text.isEmpty ? type : text)
    }
    return state.isDirty ? name + " *" : name
  }

  var takesLetters: Bool { true }

  var currentForm: EditorForm {
    shownForm.flatMap { model.state.form($0) } ?? model.state.main
  }

  /// Shows the inputs of one of the forms.
  func showForm(_ id: FormID) {
    let state = model.state.form(id) ?? model.state.main
    shownForm = state.id
    let make = FieldInputs(desk: desk, model: model) { [unowned self] place, typed in
      choose(place, typed)
    }
    inputs = state.fields.map { field in
      FieldInput(field, place: FieldPlace(form: state.id, field: field.id), make: make)
    }
    form.replace(inputs.map(\.row))
    desk.stage.invalidate()
  }

  /// Takes over the state; what needs an answer is asked beside, once.
  private func noticed() {
    let state = model.state
    guard state != seen else { return }
    seen = state
    Task { @UI [weak self] in self?.follow(state) }
  }

  private func follow(_ state: EditorState) {
    if case .closed(let closing) = state.phase { return finish(closing) }
    let id = shownForm ?? .main
    let shown = state.form(id) ?? state.main
    // The model may have changed underneath: other fields, other choices.
    if shown.id != id || shown.fields.map(\.field) != inputs.map(\.field) { showForm(shown.id) }
    for input in inputs { if let field = state.field(input.place) { input.update(field) } }
    askIfNeeded(state)
    desk.stage.invalidate()
  }

  private func finish(_ closing: Closing) {
    guard following != nil else { return }
    following = nil
    let reference = RecordReference(type: model.state.type.id, id: model.state.record)
    stage.close(self)
    switch closing {
    case .saved(_, let merged, let records):
      let names = merged.compactMap { model.state.type.field($0)?.title }
      desk.say(words.saved(records.count, merged: names), .success)
    case .unchanged: desk.say(words.nothingChanged)
    case .discarded: break
    }
    onClose(reference, closing)
  }

  // MARK: Questions

  private func askIfNeeded(_ state: EditorState) {
    var question: Question?
    if state.asksToDiscard {
      question = .discard
    } else if case .gone = state.refusal {
      question = .gone
    } else if case .conflict = state.refusal {
      question = .conflict
    } else if case .bulk = state.refusal {
      question = .bulk
    }
    guard question != asked else { return }
    asked = question
    switch question {
    case .discard: askToDiscard()
    case .gone: askWhatWithGone(state)
    case .conflict: stage.push(SaveConflictScreen(desk: desk, model: model))
    case .bulk: askWhatWithBulk(state)
    case nil: break
    }
  }

  private func askToDiscard() {
    askToDiscard { [weak self] decision in
      guard let self else { return }
      asked = nil
      model.keepEditing()
      switch decision {
      case .save: save()
      case .discard: model.discard()
      case .keepEditing: break
      }
    }
  }

  private func askWhatWithGone(_ state: EditorState) {
    guard case .gone(_, let inTrash) = state.refusal else { return }
    stage.ask(
      words.goneQuestion, inTrash ? words.trashedExplained : words.purgedExplained,
      buttons: [
        .init(inTrash ? words.restoreAndSave : words.saveAsNew, key: "s"),
        .init(words.keepEditing, key: "k"),
      ]
    ) { [weak self] answer in
      guard let self, answer == 0 else { return }
      Task { @UI [model] in
        if inTrash { await model.restoreAndSave() } else { await model.saveAsNew() }
      }
    }
  }

  private func askWhatWithBulk(_ state: EditorState) {
    guard case .bulk(let conflicts, let gone) = state.refusal else { return }
    stage.ask(
      words.bulkQuestion(changed: conflicts.count, gone: gone.count), words.bulkExplained,
      buttons: [
        .init(words.saveOverThem, key: "s", isDangerous: true), .init(words.keepEditing, key: "k"),
      ]
    ) { [weak self] answer in
      guard let self, answer == 0 else { return }
      Task { @UI [weak self, model] in
        await model.refreshBulk()
        self?.save()
      }
    }
  }

  // MARK: Intentions

  private func leave(_ row: FormField) {
    guard let input = inputs.first(where: { $0.row === row }) else { return }
    // The model reports a field when the focus leaves it.
    model.focus(input.place.field, in: input.place.form)
    model.focus(nil)
  }

  func save() {
    form.finishTyping()
    asked = nil
    Task { @UI [weak self, model] in
      let isClosed = await model.save()
      if !isClosed { self?.focusRefused() }
    }
  }

  /// Goes to the first input that stands in the way.
  private func focusRefused() {
    guard let place = model.state.focus else { return }
    if place.form != shownForm { showForm(place.form) }
    form.focus(place.field.name)
    if case .failed(let failure) = model.state.refusal { desk.say(failure) }
  }

  /// Undo goes to where it was: also in another form.
  func step(_ body: (EditorViewModel) -> Void) {
    body(model)
    guard let place = model.state.focus else { return }
    if place.form != shownForm { showForm(place.form) }
    form.focus(place.field.name)
  }

  func showNextForm() {
    let ids = model.state.forms.map(\.id)
    guard let index = ids.firstIndex(of: currentForm.id) else { return }
    form.finishTyping()
    showForm(ids[(index + 1) % ids.count])
  }

  // MARK: Events

  func handle(_ event: InputEvent) -> Bool {
    if case .key(let key) = event {
      // Undo goes through all fields, not through one.
      if key == "C-_" || key == "A-u" {
        step { $0.undo() }
        return true
      }
      if key == "A-r" {
        step { $0.redo() }
        return true
      }
      if key == "C-e", focusedInput?.textArea != nil { return false }
    }
    if case .mouse(let mouse) = event, mouse.kind == .press,
      let tab = tabAreas.first(where: { $0.area.contains(mouse.point) })
    {
      form.finishTyping()
      showForm(tab.form)
      return true
    }
    return form.handle(event)
  }

  var focusedInput: FieldInput? {
    form.focused.flatMap { row in inputs.first { $0.row === row } }
  }

  // MARK: Drawing

  func draw(in area: Rect, on grid: inout Grid) {
    var area = area
    if area.columns > Self.columnsMax { area = area.takeColumns(Self.columnsMax) }
    drawTabs(&area, on: &grid)
    for (text, role) in EditorRemarks(words: words, model: desk.model).lines(of: model.state) {
      for line in Wrapping.lines(of: text, columns: max(1, area.columns - 2)).prefix(2) {
        guard area.rows > 3 else { break }
        grid.put(line, in: area.takeRows(1).inset(columns: 1), Style(role))
      }
    }
    form.draw(in: area, on: &grid, isFocused: true)
  }

  private func drawTabs(_ area: inout Rect, on grid: inout Grid) {
    tabAreas = []
    let forms = model.state.forms
    guard forms.count > 1 else { return }
    var line = area.takeRows(1)
    for form in forms {
      let name = form.type.displayName + (form.isNew ? " +" : "") + (form.isDirty ? "*" : "")
      let width = TextWidth.columns(name) + 2
      let tab = line.takeColumns(width)
      let isShown = form.id == currentForm.id
      grid.put(" \(name) ", in: tab, Style(.text, on: isShown ? .selection : .bar))
      tabAreas.append((tab, form.id))
      _ = line.takeColumns(1)
    }
  }
}

/// What stands above the fields.
struct EditorRemarks {
  let words: Words
  let model: Model

  func lines(of state: EditorState) -> [(String, Role)] {
    var lines: [(String, Role)] = []
    if case .bulk(let count) = state.mode { lines.append((words.bulkExplained(count), .dim)) }
    if state.isRecovered { lines.append((words.recoveredExplained, .accent)) }
    switch state.underneath {
    case .changed(let drifts): lines.append((words.changedUnderneath(drifts.count), .warning))
    case .inTrash: lines.append((words.trashedUnderneath, .warning))
    case .gone: lines.append((words.goneUnderneath, .warning))
    case nil: break
    }
    switch state.phase {
    case .saving: lines.append((words.writing, .dim))
    case .waiting(let other): lines.append((words.waiting(behind: other), .warning))
    case .editing, .closed: break
    }
    if let refusal = state.refusal, let text = words.sentence(for: refusal, in: model) {
      lines.append((text, .error))
    }
    if let failure = state.failure {
      lines.append((words.sentence(for: failure, in: model), .error))
    }
    if let failure = state.journalFailure {
      lines.append((words.notJournaled(words.sentence(for: failure, in: model)), .warning))
    }
    return lines
  }
}
