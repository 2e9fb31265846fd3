// Keeping open drafts safe, as the rest of the program sees it.

internal import GRDB
package import Records

extension Library {
  /// Keeps a draft for the day of a crash; a later version of it replaces this one.
  ///
  /// Never waits for the library's writer.
  package func journal(_ draft: Draft) async throws {
    try await translatingErrors {
      try await drafts.keep(draft, at: surroundings.milliseconds())
    }
  }

  /// Forgets a draft that was saved or dropped.
  package func discardDraft(_ id: DraftID) async throws {
    try await translatingErrors { try await drafts.discard(id) }
  }

  /// The drafts that sessions left behind which ended without saving or dropping them, the last
  /// typed first.
  ///
  /// Drafts of processes that still run are theirs. A draft that was committed just before its
  /// session ended is forgotten here.
  package func journaledDrafts() async throws -> [Draft] {
    try await translatingErrors {
      let found = try await drafts.leftBehind()
      guard !found.isEmpty else { return [] }
      let consumed = try await read { reading in
        try found.map(\.id).filter { id in
          try Bool.fetchOne(
            reading.db, sql: "SELECT EXISTS (SELECT 1 FROM _consumed WHERE draft = ?)",
            arguments: [ColumnCodec.stored(id.id)]) ?? false
        }
      }
      for id in consumed { try await drafts.discard(id) }
      return found.filter { !consumed.contains($0.id) }
    }
  }
}
