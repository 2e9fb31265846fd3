// What is to be done about records that the service had acknowledged and does not hold any more: a
// plan in numbers that a person reads, and decides where something is at stake.

internal import GRDB
internal import Records

/// Why the zone has to be compared with what is here.
package enum SyncComparison: String, Sendable, Hashable, CaseIterable {
  /// The feed forgot what was deleted since this library last looked: what is absent was.
  case deleted
  /// The service went back in time: what is absent is not known to it.
  case lost
  /// The service can't say.
  case unknown
  /// The zone was deleted by somebody and made anew.
  case recreated
  /// The zone is not there.
  case zoneGone
}

/// What a person decides about absent records that were not edited here since.
package enum SyncDecision: String, Sendable, Hashable, CaseIterable {
  /// They go into the trash here, after a backup.
  case deleteHere
  /// They stay, and are sent again.
  case sendAgain
}

/// What comparing found, and what there is to decide.
package struct SyncPlan: Sendable, Hashable {
  package let reason: SyncComparison
  /// Records that the service holds, or that it never held.
  package let kept: Int
  /// Records that the service acknowledged and does not hold any more, without those edited since.
  package let absent: Int
  /// Such records that were edited here since: they stay and are sent again in any case.
  package let edited: Int
  package var decision: SyncDecision?

  package init(
    reason: SyncComparison, kept: Int, absent: Int, edited: Int, decision: SyncDecision? = nil
  ) {
    self.reason = reason
    self.kept = kept
    self.absent = absent
    self.edited = edited
    self.decision = decision
  }

  /// Whether a person has to decide before sync goes on.
  package var needsDecision: Bool { decision == nil && standing == nil }

  /// What is done without asking; nothing where data is at stake.
  package var standing: SyncDecision? {
    switch reason {
    case .lost: .sendAgain
    case .deleted, .unknown, .recreated, .zoneGone: absent == 0 ? .sendAgain : nil
    }
  }

  /// What the service's words suggest; nothing where it can't tell.
  package var suggestion: SyncDecision? {
    switch reason {
    case .lost: .sendAgain
    case .deleted: .deleteHere
    case .unknown, .recreated, .zoneGone: nil
    }
  }

  /// Records that a decision sends again.
  package func sentAgain(_ decision: SyncDecision) -> Int {
    decision == .sendAgain ? absent + edited : edited
  }

  /// Records that a decision puts into the trash here.
  package func deletedHere(_ decision: SyncDecision) -> Int {
    decision == .deleteHere ? absent : 0
  }
}

extension Library {
  /// The plan, once the zone is read through; nothing while there is nothing to repair.
  package func syncPlan() async throws -> SyncPlan? {
    guard let settings = try await syncSettings(), let reason = settings.comparing,
      settings.isCaughtUp || reason == .zoneGone
    else { return nil }
    return try await read { reading in
      var absent = 0
      var edited = 0
      var all = 0
      for type in reading.model.types {
        let table = TypeSchema(type).table
        let row = try Row.fetchOne(
          reading.db,
          sql: """
            SELECT count(*), count(r._pending) FROM _remote AS c JOIN \(table) AS r ON r._id = c.id
            WHERE c.pass < ?
            """, arguments: [settings.pass])
        absent += row?[0] ?? 0
        edited += row?[1] ?? 0
        all += try Int.fetchOne(reading.db, sql: "SELECT count(*) FROM \(table)") ?? 0
      }
      return SyncPlan(
        reason: reason, kept: all - absent, absent: absent - edited, edited: edited,
        decision: settings.decision)
    }
  }

  /// Writes down what a person decided, and asks for a sync that does it.
  package func decideSyncPlan(_ decision: SyncDecision) async throws {
    try await updateSyncSettings { settings in
      if settings.comparing != nil { settings.decision = decision }
    }
    try await requestSync()
  }
}
