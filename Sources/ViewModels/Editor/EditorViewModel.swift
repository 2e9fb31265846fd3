// The editor of a record, of several in bulk, or of a record with its related ones: the heart of
// what a person does. It edits detached drafts; the store sees them at save, and in the journal.
//
// UI actor. It knows no terminal and holds no sentence. Typing is answered at once; whatever needs
// the store runs beside it and comes back as a change of ``EditorViewModel/state``.

internal import Observation
package import RecordStore
package import Records
package import UILoop

/// What a person can do in a form.
@UI @Observable
package final class EditorViewModel {
  package internal(set) var state: EditorState

  @ObservationIgnored package let library: Library
  @ObservationIgnored var sheets: [Sheet]
  /// The records of a bulk edit, as they were when it began.
  @ObservationIgnored var bulk: [Snapshot]
  @ObservationIgnored let time: TimeSource
  @ObservationIgnored let errands = Errands()
  @ObservationIgnored var titles: [RecordReference: String] = [:]
  @ObservationIgnored var titlesAsked: Set<RecordReference> = []
  @ObservationIgnored var knownTags: [TagSource: [String]] = [:]
  @ObservationIgnored var watching = Newest()
  /// Drafts that a save was refused for: the record of a new one may be there by now.
  @ObservationIgnored var refusedDrafts: Set<DraftID> = []
  @ObservationIgnored private var groups = TypingGroups()
  @ObservationIgnored private var keeper: DraftKeeper?
  @ObservationIgnored private var subscriptions: [Subscription] = []

  /// Edits a draft: a new one, or one that the journal gave back, related drafts included.
  ///
  /// Nothing if the model no longer has its type.
  package convenience init?(library: Library, draft: Draft, time: @escaping TimeSource) {
    self.init(library: library, draft: draft, bulk: [], time: time)
  }

  /// Edits several records of one type in one form; nothing where there is none.
  ///
  /// - Parameter recovered: The stand-in that the journal gave back: what was typed into it is typed
  ///   anew, on top of what the records say now.
  package convenience init?(
    library: Library, bulk records: [Snapshot], recovered: Draft? = nil,
    time: @escaping TimeSource
  ) {
    guard let first = records.first, let type = library.model.type(first.type),
      let standIn = BulkEdit.standIn(for: records, of: type)
    else { return nil }
    var draft = Draft(
      id: recovered?.id ?? library.surroundings.newDraftID(), editing: standIn)
    draft.bulk = records.map(\.id)
    let shared = records.count > 1 ? BulkEdit.shared(type) : type
    for field in recovered?.changedFields ?? [] where shared.field(field) != nil {
      if let input = recovered?.input(of: field) { draft.set(input, of: field) }
    }
    self.init(library: library, draft: draft, bulk: records, time: time)
    if recovered != nil { state.isRecovered = true }
  }

  private init?(
    library: Library, draft: Draft, bulk: [Snapshot], time: @escaping TimeSource
  ) {
    guard let type = library.model.type(draft.type) else { return nil }
    var main = draft
    main.related = []
    sheets = [Sheet(id: .main, type: type, draft: main, isForSeveral: bulk.count > 1)]
    for related in draft.related {
      guard let type = library.model.type(related.type) else { return nil }
      sheets.append(Sheet(id: .related(related.id), type: type, draft: related))
    }
    self.library = library
    self.bulk = bulk
    self.time = time
    let mode: EditorMode =
      bulk.isEmpty ? (draft.isNew ? .new : .edit) : .bulk(count: bulk.count)
    state = EditorState(mode: mode, isRecovered: draft.isRecovered)
    refresh()
  }

  /// Begins to watch what happens to the record, and looks at once: a recovered draft may be old.
  package func start() async {
    let recovered = state.isRecovered ? draft.id : nil
    keeper = DraftKeeper(library: library, errands: errands, recovered: recovered) {
      [weak self] failure in
      if self?.state.journalFailure != failure { self?.state.journalFailure = failure }
    }
    subscriptions = [
      Subscription(library.commits()) { [weak self] in self?.noticed($0) },
      Subscription(library.activity) { [weak self] in self?.noticed($0) },
    ]
    // Taken up again: from now on the draft is this session's. Or typed into before this ran: a key
    // can be quicker, and nothing else would journal it before the next one.
    if state.isRecovered || draft.isDirty { keeper?.keep(draft) }
    await look()
  }

  /// Stops watching; what was typed stays in the journal until it is saved or discarded.
  package func stop() { subscriptions = [] }

  /// Returns when nothing is under way: for tests.
  package func idle() async { await errands.idle() }

  /// The draft that a crash would give back, and a save would write.
  package var draft: Draft { composed { $0.draft } }

  /// How texts read today.
  var reading: InputText { InputText(time: time()) }

  var isEditing: Bool { if case .closed = state.phase { false } else { true } }

  func composed(_ part: (Sheet) -> Draft) -> Draft {
    var draft = part(sheets[0])
    draft.related = sheets.dropFirst().map(part)
    return draft
  }

  // MARK: Changing

  /// Changes the sheets, and shows and journals what came of it.
  func change(_ body: () -> Void) {
    guard isEditing else { return }
    let before = sheets
    body()
    guard sheets != before || state.forms.isEmpty else { return refresh() }
    if let refusal = state.refusal, !stands(refusal) { state.refusal = nil }
    state.asksToDiscard = false
    refresh()
    keeper?.keep(draft)
    readTitles()
  }

  func index(of form: FormID) -> Int? { sheets.firstIndex { $0.id == form } }

  /// Whether what a save was refused for still stands in the form.
  private func stands(_ refusal: Refusal) -> Bool {
    let reading = reading
    return switch refusal {
    case .unread, .invalid: sheets.contains { !$0.blockingFields(reading).isEmpty }
    case .conflict: sheets.contains { !$0.undecided.isEmpty }
    case .gone, .bulk, .failed: true
    }
  }

  func refresh() {
    let reading = reading
    var next = state
    next.forms = sheets.map { $0.form(titles: titles, reading) }
    next.isDirty = sheets.contains { $0.draft.isDirty }
    next.canUndo = sheets.contains { $0.draft.canUndo }
    next.canRedo = sheets.contains { $0.draft.canRedo }
    if next != state { state = next }
  }

  func endKeeping() {
    keeper?.end()
    subscriptions = []
  }

  func keepAnew() { keeper?.keep(draft) }

  // MARK: Typing

  /// The text of an input is now this.
  ///
  /// Called with each keystroke; words undo as one.
  package func type(_ text: String, in field: FieldID, of form: FormID = .main) {
    guard let index = index(of: form), let definition = sheets[index].field(field) else { return }
    let reading = reading
    let old = sheets[index].text(of: definition, reading)
    guard text != old else { return }
    change {
      let place = FieldPlace(form: form, field: field)
      let group = groups.group(of: place, from: old, to: text)
      sheets[index].type(text, in: definition, group: group, reading)
      state.focus = place
    }
  }

  /// Puts a value into a field, as one undo step: a picker's answer, a check mark, a pasted date.
  package func set(_ value: Value, of field: FieldID, in form: FormID = .main) {
    groups.end()
    change {
      guard let index = index(of: form), sheets[index].field(field) != nil else { return }
      sheets[index].set(value, of: field)
    }
  }

  package func clear(_ field: FieldID, in form: FormID = .main) { set(.empty, of: field, in: form) }

  /// Puts a field back to what the record says.
  package func revert(_ field: FieldID, in form: FormID = .main) {
    groups.end()
    change { index(of: form).map { sheets[$0].revert(field) } }
  }

  /// Moves to another input, or to none.
  ///
  /// The problem of the one that is left is shown from now on.
  package func focus(_ field: FieldID?, in form: FormID = .main) {
    let place = field.map { FieldPlace(form: form, field: $0) }
    guard place != state.focus, isEditing else { return }
    groups.end()
    if let left = state.focus, let index = index(of: left.form) { sheets[index].leave(left.field) }
    state.focus = place
    refresh()
  }

  /// Takes the last step back; the focus goes to where it was.
  package func undo() {
    step({ $0.draft.canUndo }, { $0.undo() })
  }

  /// Makes the last undone step again.
  package func redo() {
    step({ $0.draft.canRedo }, { $0.redo() })
  }

  /// Steps in the focused form, or in the last one that can.
  private func step(_ can: (Sheet) -> Bool, _ body: (inout Sheet) -> FieldID?) {
    groups.end()
    change {
      let focused = state.focus.flatMap { index(of: $0.form) }.flatMap {
        can(sheets[$0]) ? $0 : nil
      }
      guard let index = focused ?? sheets.lastIndex(where: can) else { return }
      guard let field = body(&sheets[index]) else { return }
      state.focus = FieldPlace(form: sheets[index].id, field: field)
    }
  }

  // MARK: What changed underneath

  /// Puts what others saved into a field, in place of what was typed.
  package func takeTheirs(_ field: FieldID, in form: FormID = .main) {
    groups.end()
    change { index(of: form).map { sheets[$0].takeTheirs(field) } }
  }

  /// Keeps what stands in the form: a save overwrites what others saved, knowingly.
  package func keepMine(_ field: FieldID, in form: FormID = .main) {
    change { index(of: form).map { sheets[$0].keepMine(field) } }
  }

  // MARK: Leaving

  /// Leaves the form: at once when nothing would be dropped, or else the person is asked.
  package func cancel() {
    guard isEditing else { return }
    if state.isDirty { state.asksToDiscard = true } else { close(.discarded) }
  }

  /// Drops the draft.
  ///
  /// Records, history and pending state are as they were.
  package func discard() {
    guard isEditing else { return }
    close(.discarded)
  }

  /// The answer to the question of ``cancel()``: go on.
  package func keepEditing() { state.asksToDiscard = false }

  func close(_ closing: Closing) {
    state.asksToDiscard = false
    state.refusal = nil
    state.phase = .closed(closing)
    endKeeping()
  }
}
