// A draft: the detached copy that a person edits. It touches nothing until it is committed, and
// nothing that happens in the store changes it. A Sendable value; where it is kept is the
// owner's business (the editor's view model, and the store's journal for the day of a crash).

/// What stands in one input of a form.
package enum DraftInput: Sendable, Hashable {
  case value(Value)
  /// Text that does not read as a value yet. It is kept as it was typed, and can't be committed.
  case unread(String)
}

extension DraftInput {
  /// What a text takes in memory; everything else is small.
  fileprivate var textBytes: Int {
    switch self {
    case .value(.text(let text)), .unread(let text): text.utf8.count
    case .value: 0
    }
  }
}

/// The id of a draft: what a commit records as consumed, so that a journal never offers it again.
package struct DraftID: Sendable, Hashable {
  package let id: RecordID

  package init(_ id: RecordID) { self.id = id }
}

/// One record being edited.
package struct Draft: Sendable, Hashable, Identifiable {
  /// The most steps that undo remembers; the oldest are let go first.
  package static let undoStepsMax = 500
  /// The most bytes of text that they hold together: each keeps the whole of its field.
  package static let undoBytesMax = 32 << 20

  package let id: DraftID
  package let type: TypeID
  package let record: RecordID
  /// The record as it was when editing began; nothing for a new record.
  package private(set) var base: Snapshot?
  /// Drafts of related records that are saved in the same transaction (an order's lines).
  package var related: [Draft] = []

  /// The records of a bulk edit: this draft stands in for all of them, and is never committed
  /// itself.
  ///
  /// Empty for a draft of one record.
  package var bulk: [RecordID] = []

  private var inputs: [FieldID: DraftInput] = [:]
  private var undoSteps: [Step] = []
  private var redoSteps: [Step] = []

  private struct Step: Sendable, Hashable {
    let field: FieldID
    let input: DraftInput?
    let group: Int?
  }

  /// Starts editing a record.
  package init(id: DraftID, editing base: Snapshot) {
    self.id = id
    type = base.type
    record = base.id
    self.base = base
  }

  /// Starts a new record with the defaults of its type.
  package init(id: DraftID, new record: RecordID, of type: RecordType) {
    self.id = id
    self.type = type.id
    self.record = record
    for field in type.visibleFields where !field.defaultValue.isEmpty {
      inputs[field.id] = .value(field.defaultValue)
    }
  }

  /// Gives back a journaled draft, with its inputs and without its undo steps.
  init(
    id: DraftID, type: TypeID, record: RecordID, base: Snapshot?, inputs: [FieldID: DraftInput]
  ) {
    self.id = id
    self.type = type
    self.record = record
    self.base = base
    self.inputs = inputs
    isRecovered = true
  }

  package var isNew: Bool { base == nil }

  /// Whether the journal gave it back after a session that did not end it.
  package private(set) var isRecovered = false

  /// All inputs, ascending by field.
  var typedInputs: [(FieldID, DraftInput)] {
    inputs.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  // MARK: Reading

  /// What the form shows in a field.
  package func input(of field: FieldID) -> DraftInput {
    inputs[field] ?? .value(base?.value(of: field) ?? .empty)
  }

  /// The field's value; nothing while its text does not read as one.
  package func value(of field: FieldID) -> Value? {
    if case .value(let value) = input(of: field) { value } else { nil }
  }

  /// The fields that differ from the base, ascending.
  package var changedFields: [FieldID] {
    inputs.filter { $0.value != .value(base?.value(of: $0.key) ?? .empty) }.keys.sorted()
  }

  /// What a commit writes.
  package var changes: [FieldID: Value] {
    var result: [FieldID: Value] = [:]
    for field in changedFields { if let value = value(of: field) { result[field] = value } }
    return result
  }

  /// The fields whose text does not read as a value, ascending.
  package var unreadFields: [FieldID] {
    inputs.filter { if case .unread = $0.value { true } else { false } }.keys.sorted()
  }

  /// Whether cancelling would drop anything that a person typed.
  package var isDirty: Bool { hasOwnChanges || related.contains(where: \.isDirty) }

  private var hasOwnChanges: Bool {
    // A new record's defaults were typed by nobody.
    isNew ? isRecovered || !undoSteps.isEmpty : !changedFields.isEmpty
  }

  // MARK: Editing

  /// Writes an input, as one undo step.
  ///
  /// - Parameter group: Successive edits of one field and one group undo together (a word typed).
  package mutating func set(_ input: DraftInput, of field: FieldID, group: Int? = nil) {
    guard input != self.input(of: field) else { return }
    let joins = group != nil && undoSteps.last?.group == group && undoSteps.last?.field == field
    if !joins { undoSteps.append(Step(field: field, input: inputs[field], group: group)) }
    if undoSteps.count > Self.undoStepsMax { undoSteps.removeFirst() }
    if !joins { forgetLargeSteps() }
    redoSteps = []
    inputs[field] = input
  }

  private mutating func forgetLargeSteps() {
    var bytes = undoSteps.reduce(0) { $0 + ($1.input?.textBytes ?? 0) }
    // The last one stays, however long.
    while bytes > Self.undoBytesMax, undoSteps.count > 1 {
      bytes -= undoSteps.removeFirst().input?.textBytes ?? 0
    }
  }

  package mutating func set(_ value: Value, of field: FieldID) { set(.value(value), of: field) }

  /// Puts a field back to what the record says.
  package mutating func revert(_ field: FieldID) {
    set(.value(base?.value(of: field) ?? .empty), of: field)
  }

  package var canUndo: Bool { !undoSteps.isEmpty }
  package var canRedo: Bool { !redoSteps.isEmpty }

  /// Takes the last step back; answers which field it was in.
  @discardableResult
  package mutating func undo() -> FieldID? { step(from: \.undoSteps, to: \.redoSteps) }

  /// Makes the last undone step again; answers which field it was in.
  @discardableResult
  package mutating func redo() -> FieldID? { step(from: \.redoSteps, to: \.undoSteps) }

  private mutating func step(
    from source: WritableKeyPath<Draft, [Step]>, to target: WritableKeyPath<Draft, [Step]>
  ) -> FieldID? {
    guard let step = self[keyPath: source].popLast() else { return nil }
    self[keyPath: target].append(Step(field: step.field, input: inputs[step.field], group: nil))
    inputs[step.field] = step.input
    return step.field
  }

  // MARK: When the record moved underneath

  /// Takes over a newer snapshot as the base: the typed inputs stay as they are, the fields that
  /// nobody touched show what is new.
  ///
  /// What the person keeps now overwrites knowingly.
  package mutating func rebase(onto newer: Snapshot) {
    guard newer.id == record, newer.type == type else { return }
    let typed = changedFields
    inputs = inputs.filter { typed.contains($0.key) }
    base = newer
  }
}
