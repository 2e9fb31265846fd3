// Sync on every screen: the right end of the status line, what came of asking, and the ways to the
// monitor. Glyphs and words say all; colour only repeats it. UI actor.

package import RecordStore
internal import Sync
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

extension Desk {
  /// Below this the status line keeps to glyph, word and counts.
  private static let roomyColumns = 60

  /// The state of saving and syncing, always in sight.
  var pulse: StyledText {
    var text = StyledText()
    if library.library.isReadOnly { text.append(words.readOnly + "  ", Style(.warning)) }
    switch library.state.activity {
    case .idle where underWay.title == nil: break
    case .idle, .writing: text.append(labourText + " ", Style(.dim))
    case .waiting(let other): text.append(words.waiting(behind: other) + " ", Style(.warning))
    }
    return text
      + SyncPulse(words: words, isRoomy: stage.driver.size.columns >= Self.roomyColumns)
      .text(of: sync.state, conflicts: library.state.conflictCount)
  }

  func noticeSync() {
    guard sync.state.notice != nil || sync.planToDecide != toldPlan else { return }
    Task { @UI [weak self] in
      self?.tellSync()
      self?.tellPlan()
    }
  }

  /// Says what came of asking sync for something, once.
  private func tellSync() {
    guard let notice = sync.state.notice else { return }
    sync.dismissNotice()
    let (sentence, tone) = words.sentence(for: notice, in: model)
    say(sentence, tone)
  }

  // MARK: The demo

  /// Says what a newcomer sees first.
  package func welcome() { say(words.demoWelcome) }

  /// The record that the person looks at or edits.
  package var lookedAt: RecordReference? {
    for layer in stage.layers.reversed() {
      switch layer {
      case let screen as BrowserScreen: return screen.lookedAt
      case let screen as RecordScreen: return screen.pane.model.state.reference
      default: continue
      }
    }
    return nil
  }

  // MARK: Asking

  func whyNoSync() -> String? {
    switch sync.obstacleToSync {
    case .notSetUp, .noServices: words.syncNotSetUp
    case .paused: words.syncPaused
    case nil: nil
    }
  }

  func syncNow() { Task { @UI [sync] in await sync.syncNow() } }

  func openMonitor() {
    guard !(stage.top is MonitorScreen) else { return }
    stage.push(MonitorScreen(desk: self))
  }
}

/// The state of sync on a few columns.
struct SyncPulse {
  let words: Words
  let isRoomy: Bool

  func text(of state: SyncState, conflicts: Int) -> StyledText {
    let status = state.status
    var text = StyledText()
    let disputed = max(conflicts, status.backlog.conflicts)
    guard status.isSetUp else {
      if disputed > 0 { text.append("!\(disputed) ", Style(.warning)) }
      text.append(words.notSyncing, Style(.dim))
      return text
    }
    let role = SyncLook.role(of: status.summary)
    text.append("\(status.summary.glyph) \(word(of: status))", Style(role))
    if let running = status.running, isRoomy {
      text.append(" " + progress(of: running, state), Style(role))
    }
    if let minutes = state.ageMinutes, isRoomy { text.append(" " + words.age(minutes), .dim) }
    if status.backlog.pending > 0 { text.append(" ↑\(status.backlog.pending)", Style(.accent)) }
    if state.parkedCount > 0 { text.append(" ▪\(state.parkedCount)", Style(.warning)) }
    if disputed > 0 { text.append(" !\(disputed)", Style(.warning)) }
    return text
  }

  private func word(of status: SyncStatus) -> String {
    guard status.summary == .inProgress, let running = status.running else {
      return SyncWords.summary(status.summary.rawValue, in: words)
    }
    return SyncWords.phase(running.phase.rawValue, in: words)
  }

  /// What is done of the phase that runs.
  private func progress(of running: SyncEvent, _ state: SyncState) -> String {
    if let progress = state.progress { return "\(min(99, Int(progress * 100))) %" }
    let moved = running.counts.received + running.counts.acknowledged
    return moved == 0 ? "" : "\(moved)"
  }
}

/// How states of sync look, beside their words.
enum SyncLook {
  static func role(of summary: SyncSummary) -> Role {
    switch summary {
    case .succeeded: .success
    case .noNetwork, .accountNotAvailable, .error: .error
    case .paused, .stalled, .notSyncing, .unknown: .warning
    case .inProgress, .pending: .accent
    case .notStarted: .dim
    }
  }

  /// The outcome of an event as one column.
  static func glyph(of outcome: SyncOutcome) -> (String, Role) {
    switch outcome {
    case .running: ("⇅", .accent)
    case .succeeded: ("✓", .success)
    case .failed: ("✗", .error)
    case .interrupted: ("‖", .dim)
    }
  }
}
