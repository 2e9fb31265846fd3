// The monitor's rows and lines: events, phases, what waits. Pure, but for the local zone.

internal import RecordStore
internal import Records
internal import Sync
internal import TerminalKit
internal import ViewModels
internal import Wording

/// Makes the monitor's texts.
struct MonitorTexts {
  let words: Words
  let values: ValueWords

  // MARK: Events

  func row(of event: SyncEvent) -> TerminalKit.ListRow {
    let (glyph, role) = SyncLook.glyph(of: event.outcome)
    return TerminalKit.ListRow([
      ListCell(clock(event.startedAt), .dim),
      ListCell(
        "\(glyph) \(SyncWords.phase(event.phase.rawValue, in: words))", role),
      ListCell(what(event), event.outcome == .failed ? .error : .text),
      ListCell(SyncWords.trigger(event.trigger.rawValue, in: words), .dim),
      ListCell(took(event), .dim),
    ])
  }

  /// What came of it: why it failed, or how much it moved.
  func what(_ event: SyncEvent) -> String {
    if let error = event.error {
      let sentence = SyncWords.cause(error, in: words).sentence
      return event.attempts > 1 ? "\(words.attempts(event.attempts)): \(sentence)" : sentence
    }
    let moved = counts(event.counts)
    if !moved.isEmpty { return moved }
    switch event.outcome {
    case .succeeded: return words.nothingNew
    case .running: return words.runningNow
    case .failed, .interrupted: return SyncWords.outcome(event.outcome.rawValue, in: words)
    }
  }

  func counts(_ counts: SyncCounts) -> String {
    var parts: [String] = []
    func add(_ number: Int, _ word: String) {
      if number > 0 { parts.append("\(grouped(number)) \(word)") }
    }
    add(counts.applied, words.takenIn)
    add(counts.merged, words.mergedCount)
    add(counts.conflicting, words.conflictingCount)
    add(counts.skipped, words.knownCount)
    add(counts.acknowledged, words.sentCount)
    add(counts.sent - counts.acknowledged, words.unansweredCount)
    add(counts.parked, words.setAside)
    return parts.joined(separator: ", ")
  }

  func took(_ event: SyncEvent) -> String {
    duration((event.endedAt ?? event.movedAt) - event.startedAt)
  }

  func duration(_ milliseconds: Int64) -> String {
    switch milliseconds {
    case ..<1_000: "\(max(0, milliseconds)) ms"
    case ..<60_000: "\(milliseconds / 1_000).\(milliseconds / 100 % 10) s"
    default: "\(milliseconds / 60_000) min"
    }
  }

  /// The time of day with seconds, and the day when it was another one.
  func clock(_ milliseconds: Int64) -> String {
    let stamp = Timestamp(milliseconds: milliseconds)
    let zone = values.time()
    guard let (date, rest) = zone.local(stamp) else { return TimestampText.utc(stamp) }
    let seconds = Int(rest / 1_000)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let time = "\(two(seconds / 3_600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    return date == zone.today ? time : String(date.text.dropFirst(5)) + " " + time
  }

  /// `12,345`.
  func grouped(_ number: Int) -> String {
    let digits = Array(String(abs(number)))
    let marked = digits.enumerated().map { index, digit in
      index > 0 && (digits.count - index) % 3 == 0 ? ",\(digit)" : String(digit)
    }
    return (number < 0 ? "-" : "") + marked.joined()
  }

  // MARK: Waiting

  func row(of waiting: WaitingRecord) -> TerminalKit.ListRow {
    let (word, role) = state(of: waiting.reason)
    return TerminalKit.ListRow([
      ListCell(word, role),
      ListCell(waiting.title.isEmpty ? words.untitled : waiting.title),
      ListCell(waiting.type, .dim),
      ListCell(why(waiting.reason), .dim),
    ])
  }

  func state(of reason: WaitingReason) -> (String, Role) {
    switch reason {
    case .queued: ("↑ " + words.queued, .accent)
    case .inFlight: ("⇅ " + words.inFlight, .accent)
    case .parked: ("▪ " + words.setAside, .warning)
    case .held: ("▫ " + words.heldBack, .warning)
    case .conflicting: ("! " + words.inConflict, .warning)
    }
  }

  private func why(_ reason: WaitingReason) -> String {
    switch reason {
    case .queued: words.queuedExplained
    case .inFlight: words.inFlightExplained
    case .parked(let cause, _, _), .held(let cause): SyncWords.cause(cause, in: words).sentence
    case .conflicting: words.conflictingExplained
    }
  }

  // MARK: Phases

  /// One phase on one line: how it is, and what it did.
  func line(of phase: SyncPhase, _ event: SyncEvent?, progress: Double?) -> StyledText {
    let name = SyncWords.phase(phase.rawValue, in: words)
    var line = StyledText(TextWidth.pad(name, to: 8), Style(.label))
    guard let event else { return line + StyledText("○ " + words.neverRan, .dim) }
    let (glyph, role) = SyncLook.glyph(of: event.outcome)
    let isRunning = event.outcome == .running
    line.append(
      "\(glyph) \(SyncWords.outcome(event.outcome.rawValue, in: words))", Style(role))
    line.append("  " + clock(isRunning ? event.startedAt : event.endedAt ?? event.startedAt), .dim)
    if isRunning, let progress {
      line.append("  " + ProgressBar.text(progress, columns: 20), Style(role))
    }
    let moved = counts(event.counts)
    if !moved.isEmpty { line.append("  " + moved) }
    if isRunning, event.movedAt > event.startedAt {
      let records = event.counts.received + event.counts.acknowledged
      let rate = records * 1_000 / Int(max(1, event.movedAt - event.startedAt))
      if rate > 0 { line.append("  " + words.perSecond(grouped(rate)), .dim) }
    }
    return line
  }
}
