// Reads all that is shown of one record. Runs wherever its caller waits; it changes nothing.

internal import RecordStore
internal import Records

/// One look at a record and at what it is connected with.
struct RecordReading {
  /// The most back references shown.
  static let backReferencesMax = 200

  let library: Library
  let reference: RecordReference
  let time: LocalTime

  /// What is shown, and every record that it names.
  struct Answer {
    var state: RecordViewState
    var named: Set<RecordReference>
  }

  /// Nothing if the record is purged, or its type not in the model.
  func read() async throws -> Answer? {
    guard let type = library.model.type(reference.type),
      let snapshot = try await library.snapshot(reference.type, reference.id)
    else { return nil }
    let conflicts = snapshot.state.conflicts(in: type)
    let found = try await library.referrers(of: reference, limit: Self.backReferencesMax + 1)
    let referrers = Array(found.prefix(Self.backReferencesMax))
    let own = type.visibleFields.flatMap { references(snapshot.value(of: $0.id), in: $0) }
    let disputed = conflicts.flatMap { references($0, in: type) }
    let named = own + disputed + referrers
    let titles = try await library.titles(named)
    var state = RecordViewState(reference: reference, type: type)
    state.phase = snapshot.isDeleted ? .inTrash : .present
    state.title = type.title.flatMap { field in
      let text = ValueText.show(snapshot.value(of: field), in: time)
      return text.isEmpty ? nil : text
    }
    state.isPending = snapshot.isPending
    state.created = snapshot.created
    state.modified = snapshot.modified
    state.fields = type.visibleFields.map { field in
      entry(field, snapshot.value(of: field.id), conflicts, titles)
    }
    state.conflicts = conflicts.map { conflict in
      let sides = Set(references(conflict, in: type))
      return ConflictEntry(
        field: conflict.field.flatMap { type.field($0) }, conflict: conflict,
        titles: titles.filter { sides.contains($0.key) })
    }
    state.hasMoreBackReferences = found.count > referrers.count
    state.backReferences = groups(referrers, titles)
    return Answer(state: state, named: Set(named + [reference]))
  }

  private func entry(
    _ field: Field, _ value: Value, _ conflicts: [Conflict], _ titles: [RecordReference: String]
  ) -> FieldEntry {
    FieldEntry(
      field: field, value: value,
      references: references(value, in: field).map {
        ResolvedReference(reference: $0, title: titles[$0])
      },
      problem: Constraints(field).problem(with: value),
      isConflicted: conflicts.contains { $0.field == field.id },
      isContentMissing: isContentMissing(value))
  }

  private func isContentMissing(_ value: Value) -> Bool {
    if case .attachment(let file) = value { !library.hasContent(file.hash) } else { false }
  }

  private func references(_ value: Value, in field: Field) -> [RecordReference] {
    guard let target = field.type.target else { return [] }
    return value.targets.map { RecordReference(type: target, id: $0) }
  }

  private func references(_ conflict: Conflict, in type: RecordType) -> [RecordReference] {
    guard let field = conflict.field.flatMap({ type.field($0) }) else { return [] }
    return conflict.sides.flatMap { side -> [RecordReference] in
      guard case .value(let value) = side.value else { return [] }
      return references(value, in: field)
    }
  }

  private func groups(
    _ referrers: [RecordReference], _ titles: [RecordReference: String]
  ) -> [BackReferenceGroup] {
    library.model.visibleTypes.compactMap { type in
      let records = referrers.filter { $0.type == type.id }.map {
        ResolvedReference(reference: $0, title: titles[$0])
      }
      return records.isEmpty ? nil : BackReferenceGroup(type: type, records: records)
    }
  }
}
