// Saving: one call of the store, and what comes of each answer. A form closes only when it is on
// disk; every other answer leaves it open with its text whole (STYLE 19).

internal import RecordStore
internal import Records
internal import UILoop

extension EditorViewModel {
  /// Saves everything in the editor in one transaction.
  ///
  /// Typing goes on meanwhile: what was typed after the save began keeps the form open.
  ///
  /// - Returns: Whether the form is closed; if not, `state.refusal` says why.
  @discardableResult
  package func save() async -> Bool {
    guard state.phase == .editing else { return false }
    for index in sheets.indices { sheets[index].reportAll() }
    state.asksToDiscard = false
    state.refusal = localRefusal()
    if case .gone = state.refusal {
      // In the trash a moment ago, purged by now, or restored: what is refused is how it is.
      await look()
      guard state.phase == .editing else { return false }
      state.refusal = localRefusal()
    }
    refresh()
    guard state.refusal == nil else {
      focusRefused()
      return false
    }
    let saved = sheets
    let drafts = savedDrafts()
    guard !drafts.isEmpty else {
      close(.unchanged)
      return true
    }
    state.phase = .saving
    do {
      let result = try await library.commit(drafts)
      if isEditing { await take(result, of: saved, drafts) }
    } catch {
      if isEditing { await refuse(error) }
    }
    return !isEditing
  }

  /// What can be said without asking the store.
  private func localRefusal() -> Refusal? {
    let blocking = sheets.flatMap { sheet in
      sheet.blockingFields(reading).map { FieldPlace(form: sheet.id, field: $0) }
    }
    if !blocking.isEmpty {
      let unread = blocking.filter { place in
        sheets.contains { $0.id == place.form && $0.draft.unreadFields.contains(place.field) }
      }
      return unread.isEmpty ? .invalid(blocking) : .unread(unread)
    }
    for sheet in sheets {
      if sheet.latest == .gone { return .gone(sheet.id, inTrash: false) }
      if sheet.latest == .inTrash { return .gone(sheet.id, inTrash: true) }
    }
    let undecided = undecidedPlaces
    return undecided.isEmpty ? nil : .conflict(undecided)
  }

  private var undecidedPlaces: [FieldPlace] {
    sheets.flatMap { sheet in
      sheet.undecided.map { FieldPlace(form: sheet.id, field: $0) }
    }
  }

  /// Moves to the first field that a save was refused for.
  private func focusRefused() {
    switch state.refusal {
    case .unread(let places), .invalid(let places), .conflict(let places):
      if let first = places.first { state.focus = first }
    default: break
    }
  }

  private func savedDrafts() -> [Draft] {
    guard !bulk.isEmpty else { return [composed { $0.settledDraft() }] }
    return BulkEdit.drafts(
      of: sheets[0].draft, for: bulk, newID: library.surroundings.newDraftID)
  }

  // MARK: Answers

  private func take(_ result: CommitResult, of saved: [Sheet], _ drafts: [Draft]) async {
    switch result.outcome {
    case .applied: await finish(result, merged: [], of: saved)
    case .merged(let fields): await finish(result, merged: fields, of: saved)
    case .unchanged: await finish(result, merged: nil, of: saved)
    case .conflict, .gone:
      state.phase = .editing
      guard bulk.isEmpty else {
        state.refusal = bulkRefusal(result, drafts)
        return
      }
      await look(alsoAt: Set(result.outcomes.keys))
      state.refusal = localRefusal() ?? .conflict(conflictPlaces(result))
      focusRefused()
    }
  }

  private func conflictPlaces(_ result: CommitResult) -> [FieldPlace] {
    sheets.flatMap { sheet -> [FieldPlace] in
      guard case .conflict(let conflicts) = result.outcomes[sheet.draft.id] else { return [] }
      return conflicts.map { FieldPlace(form: sheet.id, field: $0.field) }
    }
  }

  private func bulkRefusal(_ result: CommitResult, _ drafts: [Draft]) -> Refusal {
    var conflicts: [RecordID] = []
    var gone: [RecordID] = []
    for draft in drafts {
      switch result.outcomes[draft.id] {
      case .conflict: conflicts.append(draft.record)
      case .gone: gone.append(draft.record)
      default: break
      }
    }
    return .bulk(conflicts: conflicts, gone: gone)
  }

  /// On disk: closes, unless more was typed meanwhile.
  private func finish(_ result: CommitResult, merged: [FieldID]?, of saved: [Sheet]) async {
    let isSame =
      sheets.count == saved.count && zip(sheets, saved).allSatisfy { $0.draft == $1.draft }
    guard isSame || !bulk.isEmpty else {
      state.phase = .editing
      return await restartOnSaved(result, saved)
    }
    guard let merged else { return close(.unchanged) }
    close(.saved(transaction: result.transaction, merged: merged, records: savedRecords(result)))
  }

  private func savedRecords(_ result: CommitResult) -> [RecordReference] {
    guard bulk.isEmpty else { return bulk.map { RecordReference(type: $0.type, id: $0.id) } }
    return sheets.map { sheet in
      let id = result.records[sheet.draft.id] ?? sheet.draft.record
      return RecordReference(type: sheet.type.id, id: id)
    }
  }

  /// Goes on editing on top of what was just saved, with what was typed since: what others changed
  /// in fields that nobody typed into since stands.
  private func restartOnSaved(_ result: CommitResult, _ saved: [Sheet]) async {
    do {
      for index in sheets.indices {
        let sheet = sheets[index]
        let id = result.records[sheet.draft.id] ?? sheet.draft.record
        guard let snapshot = try await library.snapshot(sheet.type.id, id) else { continue }
        let typed = sheets[index].draft
        let before = saved.first { $0.id == sheet.id }?.draft
        var draft = Draft(id: library.surroundings.newDraftID(), editing: snapshot)
        for field in sheet.type.fields {
          let input = typed.input(of: field.id)
          if input != before?.input(of: field.id) { draft.set(input, of: field.id) }
        }
        sheets[index].restart(with: draft)
      }
      state.mode = .edit
      refresh()
      keepAnew()
    } catch {
      state.failure = Failure(error)
    }
  }

  private func refuse(_ error: any Error) async {
    state.phase = .editing
    guard case StoreError.invalid(let problems) = error else {
      state.refusal = .failed(Failure(error))
      return refresh()
    }
    var places: [FieldPlace] = []
    for problem in problems {
      // A bulk edit has one form for all its records.
      let index = sheets.firstIndex { !bulk.isEmpty || $0.draft.record == problem.record }
      guard let index, sheets[index].field(problem.field) != nil else { continue }
      sheets[index].reject(problem)
      let place = FieldPlace(form: sheets[index].id, field: problem.field)
      if !places.contains(place) { places.append(place) }
    }
    state.refusal = places.isEmpty ? .failed(Failure(error)) : .invalid(places)
    refresh()
    focusRefused()
  }

  // MARK: After a refusal

  /// Reads the records of a bulk edit anew and drops those that are gone: the next save overwrites
  /// what others changed meanwhile, knowingly.
  package func refreshBulk() async {
    guard isEditing, let type = bulk.first?.type else { return }
    do {
      let found = try await library.snapshots(type, bulk.map(\.id))
      let living = bulk.compactMap { found[$0.id] }.filter { !$0.isDeleted }
      guard isEditing else { return }
      guard !living.isEmpty else {
        state.refusal = .bulk(conflicts: [], gone: bulk.map(\.id))
        return
      }
      bulk = living
      sheets[0].draft.bulk = living.map(\.id)
      state.mode = .bulk(count: living.count)
      state.refusal = nil
      keepAnew()
    } catch {
      state.refusal = .failed(Failure(error))
    }
  }

  /// Saves what stands in the form as a new record, for a record that was deleted meanwhile.
  @discardableResult
  package func saveAsNew() async -> Bool {
    guard isEditing, bulk.isEmpty else { return false }
    change {
      let old = sheets[0].draft
      let surroundings = library.surroundings
      var bare = sheets[0].type
      for index in bare.fields.indices { bare.fields[index].defaultValue = .empty }
      var draft = Draft(
        id: surroundings.newDraftID(), new: surroundings.newRecordID(), of: bare)
      for field in bare.fields { draft.set(old.input(of: field.id), of: field.id) }
      sheets[0].restart(with: draft)
      state.mode = .new
      state.refusal = nil
    }
    return await save()
  }

  /// Takes the record out of the trash, then saves the form into it.
  @discardableResult
  package func restoreAndSave() async -> Bool {
    guard isEditing, bulk.isEmpty else { return false }
    do {
      for sheet in sheets where sheet.latest == .inTrash {
        _ = try await library.restore(sheet.type.id, [sheet.draft.record])
      }
      state.refusal = nil
      await look()
    } catch {
      state.refusal = .failed(Failure(error))
      return false
    }
    return await save()
  }
}
