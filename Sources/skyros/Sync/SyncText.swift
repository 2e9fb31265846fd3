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
    parts.append("\(counts.applied) taken in, \(counts.acknowledged) sent")
    if status.backlog.pending > 0 { parts.append("\(status.backlog.pending) waiting") }
    let aside = status.backlog.parked + status.backlog.held
    if aside > 0 { parts.append("\(aside) set aside: skyros status") }
    if status.backlog.conflicts > 0 {
      parts.append("\(Words(.english).conflicts(status.backlog.conflicts)): skyros conflicts")
    }
    return parts.joined(separator: "; ")
  }

  /// The summary as a word of its own, readable without colour.
  static func word(of summary: SyncSummary) -> String { SyncWords.summary(summary.rawValue) }

  /// One event on one line.
  static func line(of event: SyncEvent) -> String {
    let counts = event.counts
    var parts = [
      TimestampText.utc(Timestamp(milliseconds: event.endedAt ?? event.startedAt)),
      event.phase.rawValue, event.outcome.rawValue,
    ]
    let numbers: [(String, Int)] = [
      ("received", counts.received), ("applied", counts.applied), ("merged", counts.merged),
      ("conflicting", counts.conflicting), ("sent", counts.sent),
      ("acknowledged", counts.acknowledged), ("set aside", counts.parked),
    ]
    parts += numbers.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
    if let error = event.error { parts.append(SyncWords.cause(error).sentence) }
    return parts.joined(separator: "  ")
  }
}
