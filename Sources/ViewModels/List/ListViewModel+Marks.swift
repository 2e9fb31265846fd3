// Marks, and what is done with the marked records: each in one transaction, so that one undo takes
// it back.

package import RecordStore
package import Records
internal import UILoop

extension ListViewModel {
  /// The most records in one form: more are edited by an import.
  package static let editMax = 10_000

  /// The most rows that are copied: more than any terminal takes.
  package static let copyMax = 20_000
  private static let copyPageSize = 1000

  /// Marks the record under the cursor, or takes its mark away.
  package func toggleMark() {
    guard let id = state.cursorID else { return }
    state.marks.toggle(id)
    markAnchor = state.cursor
  }

  /// Marks everything between the last toggled row and this one.
  package func markRange(to position: Int) async {
    guard let list, state.count > 0 else { return }
    let end = max(0, min(position, state.count - 1))
    let start = max(0, min(markAnchor ?? state.cursor, state.count - 1))
    do {
      let ids = try await list.ids(min(start, end)..<max(start, end) + 1)
      state.marks.insert(ids)
      markAnchor = end
    } catch {
      state.notice = .failed(Failure(error))
    }
  }

  /// Marks all that the query finds.
  package func markAll() { state.marks = .allBut([]) }

  package func invertMarks() { state.marks.invert() }

  package func clearMarks() {
    state.marks = .none
    markAnchor = nil
  }

  package func isMarked(_ id: RecordID) -> Bool { state.marks.contains(id) }

  // MARK: What is done with them

  /// How many records an intention would take: the marked ones, or the one under the cursor.
  package var targetCount: Int {
    state.marks == .none ? (state.cursorID == nil ? 0 : 1) : state.markedCount
  }

  /// The marked records in the order of the list, or the one under the cursor.
  package func targets() async throws -> [RecordID] {
    guard state.marks != .none else { return state.cursorID.map { [$0] } ?? [] }
    guard let list else { return [] }
    let marks = state.marks
    // All that the query finds, not only what is known of it so far.
    _ = await list.caughtUp()
    let listed = try await list.ids(0..<Int.max).filter { marks.contains($0) }
    guard case .some(let ids) = marks, listed.count < ids.count else { return listed }
    // Marked, and then the query changed: they stay marked.
    return listed + ids.subtracting(listed).sorted()
  }

  /// The rows of the targets in the order of the list, up to ``copyMax``: also those that were
  /// never on the screen.
  package func targetRows() async -> [RecordStore.ListRow] {
    guard state.marks != .none else { return state.rows[state.cursor].map { [$0] } ?? [] }
    guard let list else { return [] }
    let marks = state.marks
    var rows: [RecordStore.ListRow] = []
    do {
      _ = await list.caughtUp()
      var start = 0
      while rows.count < Self.copyMax {
        let page = try await list.rows(start..<start + Self.copyPageSize)
        if page.rows.isEmpty { break }
        rows += page.rows.compactMap(\.self).filter { marks.contains($0.id) }
        start += page.rows.count
      }
    } catch {
      state.notice = .failed(Failure(error))
    }
    return Array(rows.prefix(Self.copyMax))
  }

  /// Moves the targets to the trash; all of them, or none if the task is cancelled.
  package func deleteTargets(progress: @escaping WriteTelling = { _ in }) async {
    do {
      let ids = try await targets()
      guard !ids.isEmpty else { return }
      let result = try await library.delete(state.type.id, ids, progress: progress)
      state.notice = .deleted(count: result.records.count, transaction: result.transaction)
      clearMarks()
    } catch {
      state.notice = .failed(Failure(error))
    }
  }

  /// A form for the targets: the record's own, or one for all of them.
  package func editTargets() async -> EditorViewModel? {
    do {
      let ids = try await targets()
      guard ids.count <= Self.editMax else {
        state.notice = .tooMany(count: ids.count, max: Self.editMax)
        return nil
      }
      let found = try await library.snapshots(state.type.id, ids)
      let records = ids.compactMap { found[$0] }.filter { !$0.isDeleted }
      guard records.count != 1 else {
        let draft = Draft(id: library.surroundings.newDraftID(), editing: records[0])
        return EditorViewModel(library: library, draft: draft, time: time)
      }
      return EditorViewModel(library: library, bulk: records, time: time)
    } catch {
      state.notice = .failed(Failure(error))
      return nil
    }
  }

  /// Writes the marked records into a new file; the whole list where nothing is marked.
  ///
  /// An import takes the file back.
  package func export(to path: String, format: ExportFormat) async {
    let selection: ExportSelection =
      switch state.marks {
      case .none: .all
      case .some(let ids): .only(ids)
      case .allBut(let ids): .allBut(ids)
      }
    do {
      let count = try await library.exportTable(query, selection, to: path, format: format)
      state.notice = .exported(count: count, path: path)
    } catch {
      state.notice = .failed(Failure(error))
    }
  }

  package func dismissNotice() { state.notice = nil }
}
