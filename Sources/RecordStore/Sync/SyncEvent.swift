// Events: what sync did, when, with what result. Stored in the library, so that they survive a
// restart, and so that every process sees what the one that syncs is doing.

internal import GRDB

/// One of the three things that sync does.
package enum SyncPhase: String, Sendable, Hashable, CaseIterable {
  case setup
  case `import`
  case export
}

/// Why a phase ran.
package enum SyncTrigger: String, Sendable, Hashable, CaseIterable {
  /// A program began to sync.
  case launch
  /// A person asked for it.
  case user
  /// A record was saved here.
  case commit
  /// The service said that something changed.
  case push
  /// A wait after a failure is over.
  case retry
  /// The network came back.
  case network
}

/// What happened to how many records in a phase.
package struct SyncCounts: Sendable, Hashable {
  package var sent = 0
  package var acknowledged = 0
  /// Met in the feed, and news.
  package var received = 0
  /// Taken in: something in this library differs now.
  package var applied = 0
  /// Taken in where both sides had changed the record.
  package var merged = 0
  /// Of the taken in, those that a person has to look at.
  package var conflicting = 0
  package var parked = 0
  /// Met in the feed and known already: our own writes coming back.
  package var skipped = 0
  /// Of bodies, both ways.
  package var bytes = 0

  package init() {}

  package static func += (a: inout Self, b: Self) {
    a.sent += b.sent
    a.acknowledged += b.acknowledged
    a.received += b.received
    a.applied += b.applied
    a.merged += b.merged
    a.conflicting += b.conflicting
    a.parked += b.parked
    a.skipped += b.skipped
    a.bytes += b.bytes
  }
}

/// How an event ended.
package enum SyncOutcome: String, Sendable, Hashable {
  case running
  case succeeded
  case failed
  /// The process ended before the phase did.
  case interrupted
}

/// One run of one phase.
package struct SyncEvent: Sendable, Hashable, Identifiable {
  package var id: Int64
  package var phase: SyncPhase
  package var trigger: SyncTrigger
  /// Milliseconds since 1970 UTC.
  package var startedAt: Int64
  /// When it was last seen to get on.
  package var movedAt: Int64
  package var endedAt: Int64?
  package var outcome: SyncOutcome
  package var counts: SyncCounts
  /// The class of the answer that made it fail, as a stable word.
  package var error: String?
  /// The raw reason, for those who want it.
  package var detail: String?
  /// How often the same failure followed itself: one event stands for all of them.
  package var attempts = 1

  package init(
    id: Int64, phase: SyncPhase, trigger: SyncTrigger, startedAt: Int64, endedAt: Int64? = nil,
    outcome: SyncOutcome = .running, counts: SyncCounts = SyncCounts(), error: String? = nil,
    detail: String? = nil
  ) {
    self.id = id
    self.phase = phase
    self.trigger = trigger
    self.startedAt = startedAt
    movedAt = endedAt ?? startedAt
    self.endedAt = endedAt
    self.outcome = outcome
    self.counts = counts
    self.error = error
    self.detail = detail
  }
}

extension Library {
  /// The most events that are kept; the oldest go first, but for those that the status is read from.
  package static let eventsMax = 2_000
  private static let lastEvents = "SELECT max(id) FROM _event GROUP BY kind, outcome"

  /// Writes down that a phase began.
  package func beginEvent(
    _ phase: SyncPhase, trigger: SyncTrigger, at time: Int64
  ) async throws -> SyncEvent {
    try await keepingBooks { db in
      try db.execute(
        sql: "INSERT INTO _event (kind, trigger, started, moved, outcome) "
          + "VALUES (?, ?, ?, ?, 'running')",
        arguments: [phase.rawValue, trigger.rawValue, time, time])
      let id = db.lastInsertedRowID
      try db.execute(
        sql: "DELETE FROM _event WHERE id <= ? AND id NOT IN (\(Self.lastEvents))",
        arguments: [id - Int64(Self.eventsMax)])
      return SyncEvent(id: id, phase: phase, trigger: trigger, startedAt: time)
    }
  }

  /// Writes down how far an event got, or how it ended.
  package func updateEvent(_ event: SyncEvent) async throws {
    try await keepingBooks { try event.update($0) }
  }

  /// Writes down how an event ended.
  ///
  /// A failure that is the same as the one of its phase before it is counted there: a service that is
  /// away for a day is one event, with its first time, its last, and how often it was tried.
  package func endEvent(_ event: SyncEvent) async throws {
    try await keepingBooks { db in
      guard event.outcome == .failed,
        let row = try Row.fetchOne(
          db, sql: "SELECT * FROM _event WHERE id < ? ORDER BY id DESC LIMIT 1",
          arguments: [event.id])
      else { return try event.update(db) }
      var before = SyncEvent(row: row)
      guard before.outcome == .failed, before.phase == event.phase, before.error == event.error
      else { return try event.update(db) }
      before.attempts += 1
      before.movedAt = event.movedAt
      before.endedAt = event.endedAt
      before.detail = event.detail
      before.counts += event.counts
      try before.update(db)
      try db.execute(sql: "DELETE FROM _event WHERE id = ?", arguments: [event.id])
    }
  }

  /// Marks what a process that is no more left running.
  ///
  /// Only for the holder of the sync lease.
  package func closeInterruptedEvents(at time: Int64) async throws {
    try await keepingBooks { db in
      try db.execute(
        sql: "UPDATE _event SET outcome = 'interrupted', ended = ? WHERE outcome = 'running'",
        arguments: [time])
    }
  }

  /// The last event of each phase with each outcome, newest first: what the status is read from.
  package func lastEvents() async throws -> [SyncEvent] {
    try await read { reading in
      try Row.fetchAll(
        reading.db, sql: "SELECT * FROM _event WHERE id IN (\(Self.lastEvents)) ORDER BY id DESC"
      ).map(SyncEvent.init(row:))
    }
  }

  /// The event log, newest first.
  package func events(
    limit: Int, after id: Int64 = 0, phase: SyncPhase? = nil
  ) async throws -> [SyncEvent] {
    try await read { reading in
      let rows = try Row.fetchAll(
        reading.db,
        sql: """
          SELECT * FROM _event WHERE id > ? AND (? IS NULL OR kind = ?) ORDER BY id DESC LIMIT ?
          """,
        arguments: [id, phase?.rawValue, phase?.rawValue, limit])
      return rows.map(SyncEvent.init(row:))
    }
  }
}

extension SyncEvent {
  fileprivate func update(_ db: Database) throws {
    try db.execute(
      sql: """
        UPDATE _event SET moved = ?, ended = ?, outcome = ?, sent = ?, acknowledged = ?, received = ?,
          applied = ?, merged = ?, conflicting = ?, parked = ?, skipped = ?, bytes = ?,
          error = ?, detail = ?, attempts = ? WHERE id = ?
        """,
      arguments: [
        movedAt, endedAt, outcome.rawValue, counts.sent, counts.acknowledged, counts.received,
        counts.applied, counts.merged, counts.conflicting, counts.parked, counts.skipped,
        counts.bytes, error, detail, attempts, id,
      ])
  }

  fileprivate init(row: Row) {
    self.init(
      id: row["id"], phase: SyncPhase(rawValue: row["kind"]) ?? .setup,
      trigger: SyncTrigger(rawValue: row["trigger"]) ?? .launch, startedAt: row["started"],
      endedAt: row["ended"], outcome: SyncOutcome(rawValue: row["outcome"]) ?? .interrupted,
      error: row["error"], detail: row["detail"])
    movedAt = row["moved"]
    counts.sent = row["sent"]
    counts.acknowledged = row["acknowledged"]
    counts.received = row["received"]
    counts.applied = row["applied"]
    counts.merged = row["merged"]
    counts.conflicting = row["conflicting"]
    counts.parked = row["parked"]
    counts.skipped = row["skipped"]
    counts.bytes = row["bytes"]
    attempts = row["attempts"]
  }
}
