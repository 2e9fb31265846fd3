// The status of a library's sync on three axes, and its summary: read from the library alone, so
// that every process shows the same, whoever syncs. Time comes in from outside.

package import RecordStore

/// Whether sync does what it should.
package enum SyncHealth: String, Sendable, Hashable {
  case ok
  /// It goes on by itself, or some records are set aside.
  case degraded
  /// It needs a person.
  case broken
}

package struct SyncStatus: Sendable, Hashable {
  package var isSetUp = false
  package var isPaused = false
  package var settings: SyncSettings?
  package var summary = SyncSummary.notStarted
  package var health = SyncHealth.ok
  /// The phase that runs, with what it has done so far.
  package var running: SyncEvent?
  package var backlog = SyncBacklog()
  /// A change of the model made here waits to be sent.
  package var isModelPending = false
  /// When the last import or export that succeeded ended: milliseconds since 1970 UTC.
  package var lastImport: Int64?
  package var lastExport: Int64?
  /// The newest failure that no later success of its phase has answered.
  package var failure: SyncEvent?
  package var isCaughtUp = false
  package var isStalled = false
  /// What a person has to decide, or decided and is being done.
  package var plan: SyncPlan?

  package init() {}

  /// Nothing moved for so long, while something should: shown as stalled.
  package static let stallMilliseconds: Int64 = 10 * 60 * 1_000

  /// Reads the status of a library.
  ///
  /// - Parameter now: Milliseconds since 1970 UTC.
  package static func read(_ library: Library, now: Int64) async throws -> SyncStatus {
    var status = SyncStatus()
    status.backlog = try await library.syncBacklog()
    guard let settings = try await library.syncSettings() else { return status }
    let events = try await library.lastEvents()
    // Nothing is written down before the first sync.
    let isModelNew = settings.model.map { $0 != library.model.syncDigest } ?? false
    let hasShapes = try await library.hasPendingShapes()
    status.isModelPending = isModelNew || hasShapes
    status.plan = try await library.syncPlan()
    status.take(settings, events, isSomebodySyncing: SyncLease.isHeld(library), now: now)
    return status
  }

  /// The status that settings and the last events, newest first, stand for.
  package mutating func take(
    _ settings: SyncSettings, _ events: [SyncEvent], isSomebodySyncing: Bool, now: Int64
  ) {
    isSetUp = true
    self.settings = settings
    isPaused = settings.isPaused
    isCaughtUp = settings.isCaughtUp
    // What a process left running that is no more did not end well or badly: it says nothing.
    let telling = events.filter {
      $0.outcome != .interrupted && ($0.outcome != .running || isSomebodySyncing)
    }
    running = telling.first { $0.outcome == .running }
    lastImport = telling.first { $0.phase == .import && $0.outcome == .succeeded }?.endedAt
    lastExport = telling.first { $0.phase == .export && $0.outcome == .succeeded }?.endedAt
    var newest = SyncPhase.allCases.map { phase in telling.first { $0.phase == phase } }
    // An export that failed is over once a later import found that nothing is left to send: the
    // reply was lost, and what it would have said came back in the feed.
    if let export = newest[2], export.outcome == .failed, backlog.pending == 0,
      let imported = newest[1], imported.outcome == .succeeded, imported.id > export.id
    {
      newest[2] = telling.first { $0.phase == .export && $0.outcome == .succeeded }
    }
    failure = newest.compactMap { $0 }.filter { $0.outcome == .failed }
      .max { $0.startedAt < $1.startedAt }
    isStalled = running.map { now - $0.movedAt > Self.stallMilliseconds } ?? false

    let causes = newest.compactMap { $0?.outcome == .failed ? $0?.error : nil }
    var facts = SummaryFacts(
      network: Self.network(causes, newest), account: Self.account(causes, newest),
      setup: Self.state(newest[0]), importing: Self.state(newest[1]),
      exporting: Self.state(newest[2]))
    facts.isPending =
      backlog.pending > 0 || backlog.held > 0 || backlog.contents > 0 || isModelPending
    facts.isPaused = isPaused
    facts.isStalled = isStalled
    facts.isCaughtUp = isCaughtUp
    summary = SyncSummary(facts)
    health = Self.health(causes, hasFailure: failure != nil, backlog: backlog, isStalled: isStalled)
  }

  private static func state(_ event: SyncEvent?) -> PhaseState {
    switch event?.outcome {
    case nil, .interrupted: .notStarted
    case .running: .inProgress
    case .succeeded: .succeeded
    case .failed: event?.error == nil ? .failedUnexplained : .failed
    }
  }

  private static func network(_ causes: [String], _ newest: [SyncEvent?]) -> Knowledge {
    let words = [TransportFailure.nameNotFound.rawValue, TransportFailure.unreachable.rawValue]
    if causes.contains(where: words.contains) { return .unavailable }
    return newest.contains { $0?.outcome == .succeeded } ? .available : .unknown
  }

  private static func account(_ causes: [String], _ newest: [SyncEvent?]) -> Knowledge {
    let words = [
      "AUTHENTICATION_REQUIRED", "AUTHENTICATION_FAILED", AnswerClass.otherAccount.word,
      AnswerClass.accountRemoved.word,
    ]
    if causes.contains(where: words.contains) { return .unavailable }
    return newest[0]?.outcome == .succeeded ? .available : .unknown
  }

  private static func health(
    _ causes: [String], hasFailure: Bool, backlog: SyncBacklog, isStalled: Bool
  ) -> SyncHealth {
    let needsPerson = causes.contains { cause in
      AnswerClass.all.contains {
        $0.word == cause && OutcomeTable.outcome(of: $0, at: .setup) == .stop
      }
    }
    if needsPerson { return .broken }
    let isDegraded =
      hasFailure || isStalled || backlog.parked > 0 || backlog.held > 0
      || backlog.contentsMissing > 0
    return isDegraded ? .degraded : .ok
  }
}
