// Sync's events and status as lines for people.

internal import RecordStore
internal import Records
internal import Sync
internal import Wording

enum SyncText {
  /// What a finished run came to.
  static func summary(of status: SyncStatus, _ events: [SyncEvent]) -> String {
    var counts = SyncCounts()
    for event in events { counts += event.counts }
    var parts = ["\(status.summary.glyph) \(word(of: status.summary))"]
    let words = Words.system.syncing
    parts.append(words.moved(taken: counts.applied, sent: counts.acknowledged))
    if status.backlog.pending > 0 { parts.append(words.waiting(status.backlog.pending)) }
    let aside = status.backlog.parked + status.backlog.held
    if aside > 0 { parts.append(words.aside(aside)) }
    if status.backlog.conflicts > 0 { parts.append(words.conflicts(status.backlog.conflicts)) }
    return parts.joined(separator: "; ")
  }

  /// The summary as a word of its own, readable without colour.
  static func word(of summary: SyncSummary) -> String {
    SyncWords.summary(summary.rawValue, in: .system)
  }

  /// One event on one line.
  static func line(of event: SyncEvent) -> String {
    let counts = event.counts
    var parts = [
      TimestampText.utc(Timestamp(milliseconds: event.endedAt ?? event.startedAt)),
      SyncWords.phase(event.phase.rawValue, in: .system),
      SyncWords.outcome(event.outcome.rawValue, in: .system),
    ]
    let words = Words.system.syncing
    if event.attempts > 1 { parts.append(words.tries(event.attempts)) }
    let numbers: [(String, Int)] = [
      (words.received, counts.received), (words.applied, counts.applied),
      (words.merged, counts.merged), (words.conflicting, counts.conflicting),
      (words.sent, counts.sent), (words.acknowledged, counts.acknowledged),
      (words.setAside, counts.parked),
    ]
    parts += numbers.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
    if let error = event.error { parts.append(SyncWords.cause(error, in: .system).sentence) }
    return parts.joined(separator: "  ")
  }
}
