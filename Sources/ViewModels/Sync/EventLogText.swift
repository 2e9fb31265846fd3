// The event log as text, for a bug report: stable words and numbers, one event a line, nothing of any
// record and no secret. Pure.

package import RecordStore
internal import Records
package import Sync

/// Makes lines of the event log.
package enum EventLogText {
  /// The status, then the events, newest first.
  package static func text(of status: SyncStatus, _ events: [SyncEvent]) -> String {
    let backlog = status.backlog
    var lines = [
      "# summary \(status.summary.rawValue), health \(status.health.rawValue), "
        + "pending \(backlog.pending), parked \(backlog.parked), held \(backlog.held), "
        + "conflicts \(backlog.conflicts)"
    ]
    if let settings = status.settings {
      lines.append(
        "# service \(settings.service), container \(settings.container), zone \(settings.zone)")
    }
    lines += events.map { line(of: $0) }
    return lines.joined(separator: "\n") + "\n"
  }

  package static func line(of event: SyncEvent) -> String {
    let counts = event.counts
    var parts = [
      "\(event.id)", TimestampText.utc(Timestamp(milliseconds: event.startedAt)),
      event.phase.rawValue, event.outcome.rawValue, event.trigger.rawValue,
      "\((event.endedAt ?? event.movedAt) - event.startedAt) ms",
    ]
    let numbers: [(String, Int)] = [
      ("received", counts.received), ("applied", counts.applied), ("merged", counts.merged),
      ("conflicting", counts.conflicting), ("skipped", counts.skipped), ("sent", counts.sent),
      ("acknowledged", counts.acknowledged), ("parked", counts.parked), ("bytes", counts.bytes),
    ]
    parts += numbers.filter { $0.1 > 0 }.map { "\($0.0)=\($0.1)" }
    if event.attempts > 1 { parts.append("attempts=\(event.attempts)") }
    if let error = event.error { parts.append("error=\(error)") }
    if let detail = event.detail {
      parts.append("detail=" + detail.split(whereSeparator: \.isNewline).joined(separator: " "))
    }
    return parts.joined(separator: "\t")
  }
}
