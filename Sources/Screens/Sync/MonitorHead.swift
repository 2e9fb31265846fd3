// The lines over the monitor's list: the summary, the failure with its remedy, the phases, throughput,
// the service. Each with what it is worth where not all fit. Pure.

internal import RecordStore
internal import Sync
internal import TerminalKit
internal import ViewModels
internal import Wording

struct MonitorHead {
  struct Line {
    /// The higher ones stay on a low screen.
    var worth: Int
    var text: StyledText
  }

  private static let sparklineColumns = 40
  /// Of a failure's sentences.
  private static let failureLinesMax = 4

  let state: SyncState
  let newest: [SyncPhase: SyncEvent]
  let rates: [RateSample]
  let texts: MonitorTexts
  let columns: Int

  private var words: Words { texts.words }
  private var status: SyncStatus { state.status }

  var lines: [Line] {
    guard status.isSetUp else {
      return Wrapping.lines(of: words.setUpExplained, columns: max(1, columns)).enumerated().map {
        Line(worth: 9 - $0.offset, text: StyledText($0.element, .text))
      }
    }
    var lines = [Line(worth: 10, text: summary)]
    lines += failure
    for phase in SyncPhase.allCases {
      let isRunning = newest[phase]?.outcome == .running && status.running != nil
      lines.append(
        Line(
          worth: isRunning ? 8 : 6,
          text: texts.line(of: phase, shown(phase), progress: isRunning ? state.progress : nil)))
    }
    lines.append(Line(worth: 4, text: rate))
    lines.append(Line(worth: 3, text: service))
    return lines
  }

  /// What a process that is no more left running does not run.
  private func shown(_ phase: SyncPhase) -> SyncEvent? {
    guard var event = newest[phase] else { return nil }
    if event.outcome == .running, status.running == nil { event.outcome = .interrupted }
    return event
  }

  private var summary: StyledText {
    var text = StyledText(
      "\(status.summary.glyph) \(SyncWords.summary(status.summary.rawValue, in: words))",
      Style(SyncLook.role(of: status.summary), on: .page, .bold))
    text.append("  " + words.health(status.health), Style(healthRole))
    if status.lastImport != nil, status.running == nil {
      let isInStep = status.summary == .succeeded
      text.append("  " + words.freshness(state.ageMinutes, isInStep: isInStep), .dim)
    }
    for (count, word) in [
      (state.waiting, words.toSend), (status.isModelPending ? 1 : 0, words.modelToSend),
      (status.backlog.parked, words.setAside),
      (status.backlog.held, words.heldBack), (status.backlog.conflicts, words.inConflict),
      (status.backlog.contents, words.filesToCome),
      (status.backlog.contentsMissing, words.filesMissing),
    ] where count > 0 {
      text.append("  \(texts.grouped(count)) \(word)", Style(.accent))
    }
    return text
  }

  private var healthRole: Role {
    switch status.health {
    case .ok: .success
    case .degraded: .warning
    case .broken: .error
    }
  }

  /// What failed, why, and the key that helps.
  private var failure: [Line] {
    guard let event = status.failure, let cause = event.error else { return [] }
    let said = SyncWords.cause(cause, in: words)
    let phase = SyncWords.phase(event.phase.rawValue, in: words)
    var text =
      "✗ " + words.failedAt(phase, texts.clock(event.endedAt ?? event.startedAt)) + " "
      + said.sentence
    text += " " + words.press(SyncRemedy(cause: cause))
    return Wrapping.lines(of: text, columns: max(1, columns)).prefix(Self.failureLinesMax)
      .enumerated().map {
        Line(worth: 9 - $0.offset, text: StyledText($0.element, Style(.error)))
      }
  }

  private var rate: StyledText {
    var text = StyledText(TextWidth.pad(words.rate, to: 8), Style(.label))
    guard let last = rates.last else { return text + StyledText(words.noRate, .dim) }
    let values = rates.map(\.recordsPerSecond)
    let room = min(Self.sparklineColumns, values.count)
    text.append("[" + Sparkline.text(values, columns: room) + "] ", Style(.accent))
    text.append(words.perSecond(texts.grouped(Int(last.recordsPerSecond))))
    if let most = values.max() {
      text.append("  " + words.most(texts.grouped(Int(most))), .dim)
    }
    return text
  }

  private var service: StyledText {
    guard let settings = status.settings else { return StyledText() }
    var text = StyledText(TextWidth.pad(words.service, to: 8), Style(.label))
    text.append("\(settings.service)  \(words.zone) \(settings.zone)", .dim)
    return text
  }
}
