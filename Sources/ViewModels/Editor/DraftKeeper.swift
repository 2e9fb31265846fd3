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
  private var journaled: DraftID?
  private let report: (Failure?) -> Void

  /// - Parameter report: Told why a draft is not kept; nothing when it is again.
  init(library: Library, errands: Errands, report: @escaping @UI (Failure?) -> Void) {
    self.library = library
    self.errands = errands
    self.report = report
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
        journaled = draft.id
      } else if let journaled {
        try await library.discardDraft(journaled)
        self.journaled = nil
      }
      report(nil)
    } catch {
      report(Failure(error))
    }
  }

  private func forget() async {
    guard let journaled else { return }
    do {
      try await library.discardDraft(journaled)
      self.journaled = nil
    } catch {
      // The journal offers it once more: too much is better than too little.
      report(Failure(error))
    }
  }
}
