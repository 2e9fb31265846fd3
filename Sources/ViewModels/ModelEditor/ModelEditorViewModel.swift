// The model editor: types and fields are changed on a detached copy; before anything happens the
// store forecasts what a migration would do, and the person says yes. UI actor.

internal import Observation
package import RecordStore
package import Records
package import UILoop

/// What a person can do with the model of a library.
@UI @Observable
package final class ModelEditorViewModel {
  package private(set) var state: ModelEditorState

  @ObservationIgnored package let library: Library
  @ObservationIgnored private var draft: ModelDraft
  @ObservationIgnored private var subscription: Subscription?

  package init(library: Library) {
    self.library = library
    draft = ModelDraft(library.model)
    state = ModelEditorState(model: library.model)
  }

  /// Begins to notice when the model changes elsewhere.
  package func start() {
    subscription = Subscription(library.commits()) { [weak self] commit in
      guard let self, commit.modelChanged, isEditing else { return }
      state.isOvertaken = library.model != draft.original
    }
  }

  package func stop() { subscription = nil }

  private var isEditing: Bool { if case .closed = state.phase { false } else { true } }

  private func change(_ body: (inout ModelDraft) -> Void) {
    switch state.phase {
    case .editing, .confirming: break
    case .forecasting, .applying, .closed: return
    }
    body(&draft)
    state.phase = .editing
    show()
  }

  private func show() {
    var next = state
    next.model = draft.model
    next.changes = draft.diff.changes
    next.problems = ModelProblem.all(in: draft.model)
    next.isDirty = draft.isDirty
    next.canUndo = draft.canUndo
    next.canRedo = draft.canRedo
    next.asksToDiscard = false
    next.failure = nil
    state = next
  }

  // MARK: Types

  /// Makes a type with one field for its title; nothing for a name that can't be one.
  @discardableResult
  package func addType(named name: String) -> TypeID? {
    var made: TypeID?
    change { made = $0.addType(named: name) }
    return made
  }

  /// Gives a type another name; its permanent id stays.
  package func renameType(_ type: TypeID, to name: String) {
    change { $0.changeType(type) { $0.name = name } }
  }

  package func labelType(_ type: TypeID, _ label: String) {
    change { $0.changeType(type) { $0.label = label.isEmpty ? nil : label } }
  }

  package func moveType(_ type: TypeID, by places: Int) {
    change { $0.moveType(type, by: places) }
  }

  /// Hides a type and its records; both stay in the file.
  package func dropType(_ type: TypeID) { change { $0.dropType(type) } }

  package func reviveType(_ type: TypeID) {
    change { $0.changeType(type) { $0.hidden = false } }
  }

  /// The field that records are called by.
  package func setTitle(_ field: FieldID, of type: TypeID) {
    change { $0.changeType(type) { $0.title = field } }
  }

  package func setSort(_ sort: [SortKey], of type: TypeID) {
    change { $0.changeType(type) { $0.sort = sort } }
  }

  package func setList(_ fields: [FieldID], of type: TypeID) {
    change { $0.changeType(type) { $0.list = fields } }
  }

  // MARK: Fields

  /// Adds a field; nothing for a name that can't be one.
  @discardableResult
  package func addField(named name: String, _ kind: FieldType, to type: TypeID) -> FieldID? {
    var made: FieldID?
    change { made = $0.addField(named: name, kind, to: type) }
    return made
  }

  /// Gives a field another name; its permanent id, its column and its values stay.
  package func renameField(_ field: FieldID, of type: TypeID, to name: String) {
    change { $0.changeField(field, of: type) { $0.name = name } }
  }

  package func labelField(_ field: FieldID, of type: TypeID, _ label: String) {
    change { $0.changeField(field, of: type) { $0.label = label.isEmpty ? nil : label } }
  }

  package func moveField(_ field: FieldID, of type: TypeID, by places: Int) {
    change { $0.moveField(field, of: type, by: places) }
  }

  /// Hides a field; its values stay in the file.
  package func dropField(_ field: FieldID, of type: TypeID) {
    change { $0.dropField(field, of: type) }
  }

  package func reviveField(_ field: FieldID, of type: TypeID) {
    change { $0.reviveField(field, of: type) }
  }

  /// Gives a field another type: a new field, filled from the old one.
  @discardableResult
  package func retype(_ field: FieldID, of type: TypeID, to kind: FieldType) -> FieldID? {
    var made: FieldID?
    change { made = $0.retype(field, of: type, to: kind) }
    return made
  }

  /// Changes what is asked of a field's values: required, bounds, pattern, unique, default, index,
  /// search, merge, on delete.
  package func changeRules(
    _ field: FieldID, of type: TypeID, _ body: (inout Field) -> Void
  ) {
    change { draft in
      draft.changeField(field, of: type) { field in
        let (name, kind, hidden) = (field.name, field.type, field.hidden)
        body(&field)
        field.name = name
        field.type = kind
        field.hidden = hidden
      }
    }
  }

  package func undo() { change { $0.undo() } }
  package func redo() { change { $0.redo() } }

  // MARK: Applying

  /// Asks the store what a migration would do; then the person is asked.
  package func forecast() async {
    guard state.phase == .editing, state.isDirty, state.problems.isEmpty else { return }
    state.phase = .forecasting
    do {
      state.phase = .confirming(try await library.forecast(draft.model))
      state.failure = nil
    } catch {
      state.phase = .editing
      state.failure = Failure(error)
    }
  }

  /// Goes back to the form from the forecast.
  package func reconsider() {
    if case .confirming = state.phase { state.phase = .editing }
  }

  /// Migrates the library: a backup, then one transaction.
  ///
  /// - Parameter losing: Whether values that the forecast names may go; without it the store refuses
  ///   and nothing happens.
  @discardableResult
  package func apply(losing: Bool = false) async -> Bool {
    guard case .confirming(let forecast) = state.phase else { return false }
    state.phase = .applying
    do {
      let result = try await library.apply(draft.model, losing: losing)
      state.failure = nil
      close(result)
      return true
    } catch {
      state.phase = .confirming(forecast)
      state.failure = Failure(error)
      return false
    }
  }

  /// Leaves; asks when something would be dropped.
  package func cancel() {
    guard isEditing, state.phase != .applying else { return }
    if state.isDirty { state.asksToDiscard = true } else { close(nil) }
  }

  package func keepEditing() { state.asksToDiscard = false }

  /// Drops the copy.
  package func discard() {
    guard isEditing, state.phase != .applying else { return }
    close(nil)
  }

  private func close(_ result: MigrationResult?) {
    state.asksToDiscard = false
    state.phase = .closed(result)
    subscription = nil
  }
}

extension ModelProblem {
  /// Everything that keeps a model from being applied.
  static func all(in model: Model) -> [ModelProblem] {
    let types = model.visibleTypes
    return types.flatMap { type in
      names(of: type, among: types) + fields(of: type, in: model)
    }
  }

  private static func names(of type: RecordType, among types: [RecordType]) -> [ModelProblem] {
    let problem = { ModelProblem(type: type.id, field: nil, reason: $0) }
    if !NameRule.allows(type.name) { return [problem(.badName(type.name))] }
    let twins = types.filter { $0.name.lowercased() == type.name.lowercased() }
    var result = twins.count > 1 ? [problem(.nameTaken(type.name))] : []
    if type.visibleFields.isEmpty { result.append(problem(.noFields)) }
    return result
  }

  private static func fields(of type: RecordType, in model: Model) -> [ModelProblem] {
    let fields = type.visibleFields
    return fields.compactMap { field in
      let problem = { ModelProblem(type: type.id, field: field.id, reason: $0) }
      if !NameRule.allows(field.name) { return problem(.badName(field.name)) }
      if fields.count(where: { $0.name.lowercased() == field.name.lowercased() }) > 1 {
        return problem(.nameTaken(field.name))
      }
      if case .choice(let words) = field.type, words.isEmpty { return problem(.noChoices) }
      if let target = field.type.target, model.type(target)?.hidden != false {
        return problem(.lostTarget(target))
      }
      return nil
    }
  }
}
