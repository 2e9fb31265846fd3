// Watching the store while a form is open: what others change in its records, who writes, and what
// the records are called that its fields point to. Nothing here touches what was typed.

internal import RecordStore
internal import Records
internal import UILoop

extension EditorViewModel {
  func noticed(_ activity: WriterActivity) {
    switch (state.phase, activity) {
    case (.saving, .waiting(let other)): state.phase = .waiting(behind: other)
    case (.waiting, .writing), (.waiting, .idle): state.phase = .saving
    case (.waiting, .waiting(let other)): state.phase = .waiting(behind: other)
    default: break
    }
  }

  func noticed(_ commit: Commit) {
    if commit.modelChanged { takeModel() }
    guard isEditing, bulk.isEmpty, sheets.contains(where: { commit.touches($0.reference) }) else {
      return
    }
    // Our own save looks by itself.
    guard state.phase == .editing else { return }
    errands.run { [weak self] in await self?.look() }
  }

  /// The form shows the fields that the model has now; what was typed stays.
  private func takeModel() {
    change {
      let reading = reading
      for index in sheets.indices {
        guard let newer = library.model.type(sheets[index].type.id) else { continue }
        sheets[index].adopt(newer, reading)
      }
    }
  }

  /// Reads the records as they are now; an older answer never replaces a newer one.
  ///
  /// - Parameter refused: New drafts whose record turned out to be there.
  func look(alsoAt refused: Set<DraftID> = []) async {
    guard bulk.isEmpty else { return await readTitlesNow() }
    // Also for those who look later: the newest answer is the one that counts.
    refusedDrafts.formUnion(refused)
    let ticket = watching.ticket()
    var found: [FormID: (Snapshot?, [FieldID: ChangeAuthor])] = [:]
    do {
      for sheet in sheets
      where !sheet.draft.isNew || refusedDrafts.contains(sheet.draft.id) {
        let snapshot = try await library.snapshot(sheet.type.id, sheet.draft.record)
        var authors: [FieldID: ChangeAuthor] = [:]
        if let snapshot, snapshot.fields != sheet.draft.base?.fields {
          authors = ChangeAuthor.newest(in: try await library.history(of: sheet.reference))
        }
        found[sheet.id] = (snapshot, authors)
      }
    } catch {
      state.failure = Failure(error)
    }
    guard isEditing, watching.take(ticket) else { return }
    for index in sheets.indices {
      guard let (snapshot, authors) = found[sheets[index].id] else { continue }
      sheets[index].observe(snapshot, authors: authors)
    }
    refresh()
    await readTitlesNow()
  }

  /// Reads the titles of referred records that nobody has asked for yet.
  func readTitles() {
    guard !unknownReferences.isEmpty else { return }
    errands.run { [weak self] in await self?.readTitlesNow() }
  }

  private var unknownReferences: [RecordReference] {
    sheets.flatMap(\.allReferences).filter { !titlesAsked.contains($0) }
  }

  private func readTitlesNow() async {
    let references = unknownReferences
    guard !references.isEmpty else { return }
    titlesAsked.formUnion(references)
    do {
      titles.merge(try await library.titles(references)) { $1 }
    } catch {
      state.failure = Failure(error)
    }
    refresh()
  }
}

extension Sheet {
  var reference: RecordReference { RecordReference(type: type.id, id: draft.record) }

  /// Goes on with another draft: of the record that was saved, or of a new one.
  mutating func restart(with draft: Draft) {
    self = Sheet(id: id, type: type, draft: draft)
  }
}

extension ChangeAuthor {
  /// Who changed each field last.
  static func newest(in history: [TransactionEntry]) -> [FieldID: ChangeAuthor] {
    var result: [FieldID: ChangeAuthor] = [:]
    for entry in history.sorted(by: { $0.number > $1.number }) {
      for field in entry.changes.flatMap(\.fields.keys) where result[field] == nil {
        result[field] = ChangeAuthor(entry)
      }
    }
    return result
  }
}

extension Commit {
  /// Whether it may have changed the record.
  func touches(_ reference: RecordReference) -> Bool {
    switch changes {
    case .some(let records): records[reference] != nil
    case .many(let types): types.contains(reference.type)
    }
  }
}
