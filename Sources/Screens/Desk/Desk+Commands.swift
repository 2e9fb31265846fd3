// What works on every screen. UI actor.

internal import RecordStore
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

extension Desk {
  /// The desk's commands; a screen over the browser keeps only what makes sense from anywhere.
  var commands: [Command] {
    let stopping = canStop ? [own("desk.stop") { $0.stopLabour() }] : []
    guard let top = stage.top as? any DeskLayer else { return stopping }
    guard top.offersDesk else { return stopping + (top.offersUndo ? undoing : []) }
    return stopping + undoing + [
      own("desk.history") { $0.openHistory() },
      own("desk.trash") { $0.openTrash() },
      own("desk.conflicts") { $0.openConflictList() },
      own("desk.sync") { $0.openMonitor() },
      own("desk.syncNow", unless: { $0.whyNoSync() }) { $0.syncNow() },
      own(
        "desk.drafts", unless: { $0.library.state.recovered.isEmpty ? $0.words.noDrafts : nil }
      ) { $0.openDrafts() },
      own("desk.import") { $0.openImport() },
      own("desk.model") { $0.openModelEditor() },
      own("desk.libraries") { $0.openLibraries() },
      own("desk.appearance") { $0.openAppearance() },
      own("desk.quit") { $0.askToQuit() },
    ]
  }

  private var undoing: [Command] {
    [
      own("desk.undo") { $0.undo() },
      own("desk.redo", unless: { $0.redoable.isEmpty ? $0.words.nothingToRedo : nil }) {
        $0.redo()
      },
    ]
  }

  private func own(
    _ id: String, unless whyNot: @escaping @UI @Sendable (Desk) -> String? = { _ in nil },
    _ run: @escaping @UI @Sendable (Desk) -> Void
  ) -> Command {
    command(
      id, whyNot: { [weak self] in self.flatMap { whyNot($0) } },
      run: { [weak self] in if let self { run(self) } })
  }

  // MARK: Undo, redo

  func undo() {
    labour(words.undoing(nil)) { [self] tell in
      await library.undo(progress: tell)
      tellNotice()
    }
  }

  func redo() {
    guard let number = redoable.popLast() else { return }
    labour(words.redoing) { [self] tell in
      do {
        let result = try await library.library.undo(number, progress: tell)
        say(words.redone(result.transaction), .success)
      } catch {
        let failure = Failure(error)
        if failure == .stopped { redoable.append(number) }
        say(failure)
      }
    }
  }

  /// Says what came of the last intention, once.
  func tellNotice() {
    guard let notice = library.state.notice else { return }
    library.dismissNotice()
    switch notice {
    case .undone(let result): tell(result)
    case .failed(let failure): say(failure)
    case .gone: say(words.recordGone, .warning)
    }
  }

  /// Says what was taken back, and remembers it for redo.
  func tell(_ undo: UndoResult) {
    redoable.append(undo.transaction)
    Task { @UI in
      // Where its entry can't be read, the transaction's number has to do.
      let entry = try? await library.library.transaction(undo.undone)
      let texts = HistoryTexts(values: values, words: words, model: model)
      let what = entry.map { texts.summary(of: $0) } ?? words.transaction(undo.undone)
      say(words.undone(words.shortened(what), skipped: undo.skipped.count), .success)
    }
  }

  // MARK: Leaving

  /// Editors that are open lie on the browser and ask for themselves; here nothing can be lost.
  func askToQuit() { quit() }
}

extension MonitorScreen {
  /// A conflict that was opened from here is settled, and one comes back here.
  var offersUndo: Bool { true }
}
