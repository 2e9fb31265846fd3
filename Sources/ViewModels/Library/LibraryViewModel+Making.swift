// The view models of a library's screens are made here, so that no screen holds a store.

package import RecordStore
package import Records

extension LibraryViewModel {
  package func list(_ type: TypeID, layout: ListLayout = ListLayout()) -> ListViewModel? {
    ListViewModel(library: library, type: type, layout: layout, time: time)
  }

  package func record(_ reference: RecordReference) -> RecordViewModel {
    RecordViewModel(
      library: library, reference: reference, time: time, known: ahead.answer(for: reference))
  }

  /// Has records read that a person may come to next: ``record(_:)`` shows them at once then.
  package func readAhead(_ references: [RecordReference], from shown: RecordReference) {
    errands.run { [ahead] in await ahead.read(references, keeping: shown) }
  }

  /// A form for a new record of a type.
  package func newEditor(_ type: TypeID) -> EditorViewModel? {
    guard let definition = state.model.type(type) else { return nil }
    let surroundings = library.surroundings
    let draft = Draft(
      id: surroundings.newDraftID(), new: surroundings.newRecordID(), of: definition)
    return EditorViewModel(library: library, draft: draft, time: time)
  }

  /// A form for a record; nothing, and a notice, if it is not there any more.
  package func editor(_ reference: RecordReference) async -> EditorViewModel? {
    do {
      let snapshot = try await library.snapshot(reference.type, reference.id)
      guard let snapshot, !snapshot.isDeleted else {
        state.notice = .gone(reference)
        return nil
      }
      let draft = Draft(id: library.surroundings.newDraftID(), editing: snapshot)
      return EditorViewModel(library: library, draft: draft, time: time)
    } catch {
      state.notice = .failed(Failure(error))
      return nil
    }
  }

  /// Opens a draft that was left behind; it is not offered again in this session.
  ///
  /// Nothing if its type, or each of its records, is gone.
  package func recoveredEditor(_ id: DraftID) async -> EditorViewModel? {
    guard let draft = state.recovered.first(where: { $0.id == id })?.draft,
      let editor = await editor(resuming: draft)
    else { return nil }
    state.recovered.removeAll { $0.id == id }
    return editor
  }

  private func editor(resuming draft: Draft) async -> EditorViewModel? {
    guard !draft.bulk.isEmpty else {
      return EditorViewModel(library: library, draft: draft, time: time)
    }
    do {
      let found = try await library.snapshots(draft.type, draft.bulk)
      let living = draft.bulk.compactMap { found[$0] }.filter { !$0.isDeleted }
      return EditorViewModel(library: library, bulk: living, recovered: draft, time: time)
    } catch {
      state.notice = .failed(Failure(error))
      return nil
    }
  }
}

extension LibraryViewModel {
  /// The library's history, or one record's.
  package func history(of record: RecordReference? = nil) -> HistoryViewModel {
    HistoryViewModel(library: library, record: record)
  }

  package func trash() -> TrashViewModel { TrashViewModel(library: library) }

  /// The import of a file.
  ///
  /// - Parameters:
  ///   - typeName: Nothing: a type that fits is proposed.
  ///   - standingOn: The type that is proposed before others.
  package func importer(
    _ path: String, into typeName: String? = nil, standingOn: TypeID? = nil
  ) -> ImportViewModel {
    ImportViewModel(
      library: library, path: path, typeName: typeName, standingOn: standingOn, time: time)
  }
}
