// One record of an editor: its draft, the texts as they stand in the inputs, and what is known of
// the record in the store. A value that knows no library: EditorViewModel feeds it.

internal import Records
internal import RecordStore

/// The inputs of one record, and what became of the record meanwhile.
struct Sheet: Sendable, Hashable {
  /// What the store said of the record since the draft began.
  enum Latest: Sendable, Hashable {
    case unmoved
    case moved(Snapshot)
    case inTrash
    case gone
  }

  /// A value that only the store could refuse (it is taken), and why.
  struct Rejection: Sendable, Hashable {
    let input: DraftInput
    let reason: FieldProblem.Reason
  }

  let id: FormID
  private(set) var type: RecordType
  var draft: Draft
  /// Texts as they were typed, of inputs that were not left yet.
  private(set) var texts: [FieldID: String] = [:]
  /// The fields whose problems are shown.
  private(set) var reported: Set<FieldID> = []
  private var rejections: [FieldID: Rejection] = [:]
  var latest = Latest.unmoved
  var authors: [FieldID: ChangeAuthor] = [:]
  var choices: [FieldID: Choice] = [:]

  /// Whether the sheet stands for several records.
  private let isForSeveral: Bool

  init(id: FormID, type: RecordType, draft: Draft, isForSeveral: Bool = false) {
    self.id = id
    self.type = isForSeveral ? BulkEdit.shared(type) : type
    self.draft = draft
    self.isForSeveral = isForSeveral
    // What a recovered draft left unread is said at once.
    reported = Set(draft.unreadFields)
  }

  /// Goes on with the type as the model has it now.
  ///
  /// What was typed into a field that got another type moves to the field that took its place.
  mutating func adopt(_ newer: RecordType, _ reading: InputText) {
    let newer = isForSeveral ? BulkEdit.shared(newer) : newer
    guard newer != type, newer.id == type.id else { return }
    let typed = draft.changedFields.compactMap { id in type.field(id) }
    for field in typed where newer.visibleFields.allSatisfy({ $0.id != field.id }) {
      let heir = newer.visibleFields.first { heir in
        heir.name == field.name && type.field(heir.id) == nil
      }
      guard let heir else { continue }
      let text = text(of: field, reading)
      texts[field.id] = nil
      draft.revert(field.id)
      draft.set(reading.input(text, in: heir), of: heir.id)
    }
    type = newer
    rejections = [:]
  }

  func field(_ id: FieldID) -> Field? { type.visibleFields.first { $0.id == id } }

  // MARK: Typing

  /// What the input of a field shows.
  func text(of field: Field, _ reading: InputText) -> String {
    if let text = texts[field.id] { return text }
    switch draft.input(of: field.id) {
    case .unread(let text): return text
    case .value(BulkEdit.mixed): return ""
    case .value(let value): return reading.text(of: value)
    }
  }

  mutating func type(_ text: String, in field: Field, group: Int, _ reading: InputText) {
    texts[field.id] = text
    draft.set(reading.input(text, in: field), of: field.id, group: group)
    if choices[field.id] == .theirs { choices[field.id] = nil }
  }

  mutating func set(_ value: Value, of field: FieldID) {
    texts[field] = nil
    draft.set(value, of: field)
    if choices[field] == .theirs { choices[field] = nil }
  }

  mutating func revert(_ field: FieldID) {
    texts[field] = nil
    draft.revert(field)
    choices[field] = nil
  }

  /// The input was left: its text becomes the value's own, and its problem is shown.
  mutating func leave(_ field: FieldID) {
    texts[field] = nil
    reported.insert(field)
  }

  mutating func reportAll() {
    texts = [:]
    reported = Set(type.visibleFields.map(\.id))
  }

  /// Shows what the store refused; it stands until the input changes.
  mutating func reject(_ problem: FieldProblem) {
    reported.insert(problem.field)
    rejections[problem.field] = Rejection(
      input: draft.input(of: problem.field), reason: problem.reason)
  }

  mutating func undo() -> FieldID? { stepped(draft.undo()) }
  mutating func redo() -> FieldID? { stepped(draft.redo()) }

  private mutating func stepped(_ field: FieldID?) -> FieldID? {
    guard let field else { return nil }
    texts[field] = nil
    if choices[field] == .theirs { choices[field] = nil }
    return field
  }

  // MARK: Problems

  /// What is wrong with an input, whether it is shown or not.
  func problem(in field: Field, _ reading: InputText) -> InputProblem? {
    let input = draft.input(of: field.id)
    let value: Value
    switch input {
    case .unread(let text): return .unreadable(reading.mistake(in: text, of: field))
    case .value(BulkEdit.mixed): return nil
    case .value(let read): value = read
    }
    if let rejection = rejections[field.id], rejection.input == input {
      return .refused(rejection.reason)
    }
    return Constraints(field).problem(with: value).map { .refused($0) }
  }

  /// The fields that a commit would be refused for.
  ///
  /// What another device saved is never stuck: of a record that is there only what changed counts.
  func blockingFields(_ reading: InputText) -> [FieldID] {
    let changed = Set(draft.changedFields)
    return type.visibleFields.filter { field in
      (draft.isNew || changed.contains(field.id)) && problem(in: field, reading) != nil
    }.map(\.id)
  }

  // MARK: What the form shows

  func form(titles: [RecordReference: String], _ reading: InputText) -> EditorForm {
    let drifts = drifts()
    let changed = Set(draft.changedFields)
    return EditorForm(
      id: id, type: type, record: draft.record, isNew: draft.isNew, isDirty: draft.isDirty,
      fields: type.visibleFields.map { field in
        EditorField(
          field: field, input: draft.input(of: field.id), text: text(of: field, reading),
          base: Self.told(draft.base?.value(of: field.id)), isChanged: changed.contains(field.id),
          isMixed: draft.input(of: field.id) == .value(BulkEdit.mixed),
          problem: reported.contains(field.id) ? problem(in: field, reading) : nil,
          references: references(in: field).map {
            ResolvedReference(reference: $0, title: titles[$0])
          },
          drift: drifts.first { $0.field == field.id })
      },
      underneath: underneath(drifts))
  }

  /// What the record says, for showing: the records of a bulk edit say different things.
  private static func told(_ value: Value?) -> Value {
    value == BulkEdit.mixed ? .empty : value ?? .empty
  }

  /// The records that a field's input points to.
  func references(in field: Field) -> [RecordReference] {
    guard let target = field.type.target, let value = draft.value(of: field.id) else { return [] }
    return value.targets.map { RecordReference(type: target, id: $0) }
  }

  /// All records that the form names.
  var allReferences: [RecordReference] { type.visibleFields.flatMap { references(in: $0) } }

  private func underneath(_ drifts: [Drift]) -> Underneath? {
    switch latest {
    case .unmoved: nil
    case .moved: drifts.isEmpty ? nil : .changed(drifts)
    case .inTrash: .inTrash
    case .gone: .gone
    }
  }
}
