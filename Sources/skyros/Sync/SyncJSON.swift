// Sync's events and status as the commands print them (DESIGN.md 7). Others script against these.

internal import RecordStore
internal import Records
internal import Sync
internal import Wording

extension JSON {
  /// `{"kind","trigger","startedAt","endedAt","outcome","counts","error"}`.
  static func event(_ event: SyncEvent) -> JSON {
    [
      "id": .integer(event.id),
      "kind": .string(event.phase.rawValue),
      "trigger": .string(event.trigger.rawValue),
      "startedAt": .time(orNull: event.startedAt),
      "endedAt": .time(orNull: event.endedAt),
      "outcome": .string(event.outcome.rawValue),
      "attempts": .count(event.attempts),
      "counts": .counts(event.counts),
      "error": .error(event),
    ]
  }

  private static func counts(_ counts: SyncCounts) -> JSON {
    [
      "sent": .count(counts.sent), "acknowledged": .count(counts.acknowledged),
      "received": .count(counts.received), "applied": .count(counts.applied),
      "merged": .count(counts.merged), "conflicting": .count(counts.conflicting),
      "parked": .count(counts.parked), "skipped": .count(counts.skipped),
      "bytes": .count(counts.bytes),
    ]
  }

  /// The cause as a stable word and as sentences; null where nothing failed.
  static func error(_ event: SyncEvent?) -> JSON {
    guard let event, let cause = event.error else { return .null }
    return .cause(cause, detail: event.detail)
  }

  private static func cause(_ cause: String, detail: String?) -> JSON {
    let words = SyncWords.cause(cause, in: .system)
    return [
      "cause": .string(cause), "message": .string(words.sentence),
      "remedy": .string(orNull: words.remedy), "detail": .string(orNull: detail),
    ]
  }

  static func status(_ status: SyncStatus, parked: [ParkedRecord], held: [HeldRecord]) -> JSON {
    [
      "summary": .string(status.summary.rawValue),
      "health": .string(status.health.rawValue),
      "activity": .string(status.running?.phase.rawValue ?? "idle"),
      "pending": .count(status.backlog.pending),
      "parked": .count(status.backlog.parked + status.backlog.held),
      "modelPending": .boolean(status.isModelPending),
      "filesMissing": .count(status.backlog.contentsMissing),
      "conflicts": .count(status.backlog.conflicts),
      "attachmentsWaiting": .count(status.backlog.contents),
      "attachmentsMissing": .count(status.backlog.contentsMissing),
      "lastImport": .time(orNull: status.lastImport),
      "lastExport": .time(orNull: status.lastExport),
      "setUp": .boolean(status.isSetUp),
      "paused": .boolean(status.isPaused),
      "caughtUp": .boolean(status.isCaughtUp),
      "service": .string(orNull: status.settings?.service),
      "container": .string(orNull: status.settings?.container),
      "zone": .string(orNull: status.settings?.zone),
      "error": .error(status.failure),
      "running": status.running.map(JSON.event) ?? .null,
      "parkedRecords": .array(parked.map(JSON.parked) + held.map(JSON.held)),
    ]
  }

  private static func parked(_ parked: ParkedRecord) -> JSON {
    [
      "type": .string(parked.reference.type.name),
      "record": .string(parked.reference.id.description), "direction": "export",
      "error": .cause(parked.reason, detail: parked.detail),
    ]
  }

  private static func held(_ held: HeldRecord) -> JSON {
    [
      "type": .string(orNull: held.type), "record": .string(held.name), "direction": "import",
      "error": .cause(held.reason, detail: nil),
    ]
  }

  private static func time(orNull milliseconds: Int64?) -> JSON {
    milliseconds.map { .time(Timestamp(milliseconds: $0)) } ?? .null
  }
}
