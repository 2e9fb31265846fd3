// Keeps an open draft in the journal as it is typed, so that a crash gives it back. UI actor; the
// writing itself runs in the store, and no keystroke ever waits for it.

internal import Records
internal import RecordStore
internal import UILoop

/// Journals the newest draft, one write after the other; drafts in between are skipped.
@UI
final class DraftKeeper {
  private let library: Library
  private let errands: Errands
  private var waiting: Draft?
  private var isWriting = false
  private var isEnded = false
  /// What the journal holds of this editor: a draft that goes on under another id leaves one behind.
  private var journaled: Set<DraftID>
  private let report: (Failure?) -> Void

  /// - Parameters:
  ///   - recovered: The draft that the journal gave back, if the editor began with one.
  ///   - report: Told why a draft is not kept; nothing when it is again.
  init(
    library: Library, errands: Errands, recovered: DraftID?,
    report: @escaping @UI (Failure?) -> Void
  ) {
    self.library = library
    self.errands = errands
    self.report = report
    journaled = recovered.map { [$0] } ?? []
  }

  /// Journals the draft as soon as the write before is done.
  func keep(_ draft: Draft) {
    guard !isEnded else { return }
    waiting = draft
    guard !isWriting else { return }
    isWriting = true
    errands.run { [self] in
      while let next = waiting {
        waiting = nil
        await write(next)
      }
      isWriting = false
      if isEnded { await forget() }
    }
  }

  /// The draft is saved or dropped: nothing more is written, and the journal forgets it.
  func end() {
    isEnded = true
    waiting = nil
    guard !isWriting else { return }
    errands.run { [self] in await forget() }
  }

  private func write(_ draft: Draft) async {
    do {
      if draft.isDirty {
        try await library.journal(draft)
        journaled.insert(draft.id)
        try await forget(journaled.subtracting([draft.id]))
      } else {
        try await forget(journaled)
      }
      report(nil)
    } catch {
      report(Failure(error))
    }
  }

  private func forget() async {
    do {
      try await forget(journaled)
    } catch {
      // The journal offers it once more: too much is better than too little.
      report(Failure(error))
    }
  }

  private func forget(_ drafts: Set<DraftID>) async throws {
    for draft in drafts {
      try await library.discardDraft(draft)
      journaled.remove(draft)
    }
  }
}
