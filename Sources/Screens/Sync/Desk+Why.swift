// "Why is this record not synced?": one sentence, and the remedy as a button. UI actor.

internal import RecordStore
internal import Sync
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

extension Desk {
  /// Says where a record stands with sync, and offers what helps.
  func tellWhy(_ reference: RecordReference) {
    Task { @UI in
      do {
        let reason = try await sync.reason(for: reference)
        show(reason, of: reference)
      } catch {
        say(Failure(error))
      }
    }
  }

  private func show(_ reason: RecordSyncReason, of reference: RecordReference) {
    let text = words.sentence(for: reason, values)
    guard let remedy = reason.remedy else {
      stage.tell(words.whyTitle, text)
      return
    }
    stage.ask(
      words.whyTitle, text,
      buttons: [
        .init(words.button(for: remedy), key: words.key(for: remedy)),
        .init(words.closeButton, key: "c"),
      ]
    ) { [weak self] answer in
      guard answer == 0, let self else { return }
      if remedy == .settle { openConflicts(of: reference) } else { perform(remedy) }
    }
  }

  /// Does what helps.
  func perform(_ remedy: SyncRemedy) {
    switch remedy {
    case .syncNow: syncNow()
    case .retry: Task { @UI [sync] in await sync.retryParked() }
    case .resume: Task { @UI [sync] in await sync.togglePause() }
    case .signIn, .setUp: openSyncSetup()
    case .settle: openConflictList()
    case .decide: openPlan()
    }
  }

  func openConflicts(of reference: RecordReference) {
    let model = library.record(reference)
    Task { @UI in
      await model.start()
      openConflicts(of: model, owns: true)
    }
  }
}
