// The demo's second device: a library of its own in the same process, on tasks of its own. It is with
// the service for a while and away for a while, edits now and then, also the record that the person
// looks at, and while it is away the very field that the person has just saved.

internal import RecordStore
internal import Records
internal import Sync
internal import ViewModels

actor SecondDevice {
  /// It comes to the service after the person has seen the first export.
  private static let arrivalSeconds = 4
  private static let restSeconds = 6
  /// Edits while it is with the service, then one while it is away.
  private static let editsInReach = 2

  private let library: Library
  private let sync: BackgroundSync
  /// The record that the person looks at.
  private let looksAt: @Sendable () async -> RecordReference?
  /// What the person saved last, until it was answered.
  private var saved: (record: RecordReference, fields: [FieldID])?
  private var random: SystemRandomNumberGenerator

  init(
    library: Library, services: any SyncServices,
    looksAt: @escaping @Sendable () async -> RecordReference?
  ) {
    self.library = library
    self.looksAt = looksAt
    sync = BackgroundSync(
      library: library, services: services,
      surroundings: .system(milliseconds: library.surroundings.milliseconds))
    random = SystemRandomNumberGenerator()
  }

  /// Works until the task is cancelled, then lets go of everything.
  func run(beside person: Library) async {
    let listening = Task { await self.listen(to: person) }
    do {
      try await work()
    } catch {
      // Cancelled, or its own library failed: the demo goes on without it.
    }
    listening.cancel()
    await sync.stop()
    _ = try? await library.close()
  }

  private func work() async throws {
    try await Task.sleep(for: .seconds(Self.arrivalSeconds))
    await sync.start()
    while true {
      for _ in 0..<Self.editsInReach {
        try await Task.sleep(for: .seconds(Self.restSeconds))
        try await editSomething()
      }
      try await library.pauseSync(true)
      try await Task.sleep(for: .seconds(Self.restSeconds))
      try await contradict()
      try await library.pauseSync(false)
    }
  }

  /// Hears of what the person saves.
  private func listen(to person: Library) async {
    for await commit in person.commits() where commit.origin == .edit && commit.isOwn {
      guard let changes = try? await person.changes(of: commit.number, offset: 0, limit: 1),
        let change = changes.first, change.kind == .update
      else { continue }
      saved = (change.record, Array(change.fields.keys))
    }
  }

  // MARK: Editing

  /// Some record now, and now the one that the person looks at.
  private func editSomething() async throws {
    let looked = Bool.random(using: &random) ? await looksAt() : nil
    guard let record = try await known(looked, orAny: true) else { return }
    let field = ["visited", "visits", "rating", "tags", "notes"].randomElement(using: &random)
    try await change(record, [FieldID(trusted: field ?? "visits")])
  }

  /// While away: the field that the person has just saved, or of the record that is looked at.
  private func contradict() async throws {
    if let saved, try await known(saved.record, orAny: false) != nil {
      self.saved = nil
      return try await change(saved.record, saved.fields)
    }
    guard let record = try await known(await looksAt(), orAny: true) else { return }
    try await change(record, [FieldID(trusted: "rating")])
  }

  /// The record, where it has arrived here; else any one.
  private func known(
    _ record: RecordReference?, orAny: Bool
  ) async throws -> RecordReference? {
    if let record, let snapshot = try await library.snapshot(record.type, record.id),
      !snapshot.isDeleted
    {
      return record
    }
    return orAny ? try await anyRecord() : nil
  }

  private func anyRecord() async throws -> RecordReference? {
    guard let type = library.model.types.first else { return nil }
    let query = ListQuery(type: type.id)
    let count = try await library.count(query)
    guard count > 0 else { return nil }
    let row = try await library.page(
      query, offset: Int.random(in: 0..<count, using: &random), limit: 1
    ).first
    return row.map { RecordReference(type: type.id, id: $0.id) }
  }

  private func change(_ record: RecordReference, _ fields: [FieldID]) async throws {
    guard let snapshot = try await library.snapshot(record.type, record.id),
      let type = library.model.type(record.type)
    else { return }
    var draft = Draft(id: library.surroundings.newDraftID(), editing: snapshot)
    for field in fields.compactMap({ type.field($0) }) {
      draft.set(other(snapshot.value(of: field.id), of: field), of: field.id)
    }
    _ = try await library.commit(draft)
  }

  /// A value that somebody could mean, and that is not the one there.
  private func other(_ value: Value, of field: Field) -> Value {
    switch (field.type, value) {
    case (.boolean, .boolean(let flag)): return .boolean(!flag)
    case (.boolean, _): return .boolean(true)
    case (.choice(let choices), _):
      let others = choices.filter { value != .text($0) }
      return others.randomElement(using: &random).map { .text($0) } ?? value
    case (.counter, .integer(let number)), (.integer, .integer(let number)):
      return .integer(number + 1)
    case (.counter, _), (.integer, _): return .integer(1)
    case (.tags, .tags(let tags)): return .tags(tags.union(TagSet(["seen"])))
    case (.tags, _): return .tags(TagSet(["seen"]))
    case (.longText, .text(let text)): return .text(text + "\nFrom the second device.")
    case (.longText, _): return .text("From the second device.")
    case (.text, .text(let text)): return .text(text + " (2)")
    default: return value
    }
  }
}
