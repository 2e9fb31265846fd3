// The sync monitor: the event log and what waits, read as long as somebody looks at it, whenever the
// status was read anew. UI actor; reading runs in the store.

internal import Observation
internal import RecordStore
internal import Records
internal import Sync
package import UILoop

/// What a person can do with the log of sync and with what waits.
@UI @Observable
package final class MonitorViewModel {
  /// Events that are looked through; the log keeps no more.
  package static let eventsMax = Library.eventsMax
  /// Waiting records of each kind that are listed; the counts say how many there are.
  package static let waitingMax = 200

  package private(set) var state = MonitorState()

  @ObservationIgnored package let sync: SyncViewModel
  @ObservationIgnored private let errands = Errands()
  @ObservationIgnored private var isReading = false
  @ObservationIgnored private var isOutdated = false
  @ObservationIgnored private var isStopped = false
  @ObservationIgnored private var reads = Newest()
  /// The log as it was read last, unfiltered.
  @ObservationIgnored private var log: [SyncEvent] = []

  package init(sync: SyncViewModel) { self.sync = sync }

  private var library: Library { sync.library }

  package func start() async {
    follow()
    await read()
  }

  package func stop() { isStopped = true }

  /// Returns when nothing is under way: for tests.
  package func idle() async { await errands.idle() }

  // MARK: Following

  private func follow() {
    guard !isStopped else { return }
    withObservationTracking {
      _ = sync.state.status
    } onChange: { [weak self] in
      Task { @UI [weak self] in
        self?.follow()
        self?.noticed()
      }
    }
  }

  private func noticed() {
    guard !isStopped else { return }
    guard !isReading else {
      isOutdated = true
      return
    }
    isReading = true
    errands.run { [weak self] in
      repeat {
        self?.isOutdated = false
        await self?.read()
      } while self?.isOutdated == true
      self?.isReading = false
    }
  }

  private func read() async {
    let ticket = reads.ticket()
    do {
      let settled = lastSettled
      // Only what is new, and what could still change at the last look.
      let news = try await library.events(limit: Self.eventsMax, after: settled)
      let (waiting, hasMore) = try await readWaiting()
      // One that began later, and is through, has seen more.
      guard reads.take(ticket) else { return }
      log = Array((news + log.filter { $0.id <= settled }).prefix(Self.eventsMax))
      var next = state
      next.isLoaded = true
      next.waiting = waiting
      next.hasMoreWaiting = hasMore
      next.waitingCursor = Self.place(
        of: state.selectedWaiting?.id, among: waiting.map(\.id), or: state.waitingCursor)
      next.failure = nil
      take(&next)
    } catch {
      if reads.take(ticket) { state.failure = Failure(error) }
    }
  }

  /// The newest event that can't change any more: one that runs moves on, and the newest failure of
  /// those that ended takes in the ones that follow it and are the same.
  private var lastSettled: Int64 {
    let oldestRunning = log.filter { $0.outcome == .running }.map(\.id).min() ?? .max
    let newestEnded = log.first { $0.outcome != .running }?.id ?? 0
    return max(0, min(oldestRunning, newestEnded) - 1)
  }

  private func take(_ next: inout MonitorState) {
    let selected = state.selectedEvent?.id
    next.events = log.filter { next.filter.admits($0) }
    // Who looks at the newest event goes on looking at the newest.
    next.eventCursor =
      state.eventCursor == 0
      ? 0 : Self.place(of: selected, among: next.events.map(\.id), or: state.eventCursor)
    for phase in SyncPhase.allCases { next.newest[phase] = log.first { $0.phase == phase } }
    next.rates = rates
    if next != state { state = next }
  }

  /// What was measured while it ran, and for events that nobody watched their mean.
  private var rates: [RateSample] {
    let live = sync.state.samples
    let watched = Set(live.map(\.event))
    let means = log.prefix(SyncViewModel.samplesMax).compactMap { event -> RateSample? in
      let records = event.counts.received + event.counts.acknowledged
      guard let end = event.endedAt, records > 0, !watched.contains(event.id) else { return nil }
      return RateSample(
        event: event.id, at: end,
        recordsPerSecond: Double(records) * 1_000 / Double(max(1, end - event.startedAt)))
    }
    return Array((means + live).sorted { $0.at < $1.at }.suffix(SyncViewModel.samplesMax))
  }

  private static func place<ID: Equatable>(of id: ID?, among ids: [ID], or index: Int) -> Int {
    max(0, min(ids.firstIndex { $0 == id } ?? index, ids.count - 1))
  }

  private func readWaiting() async throws -> ([WaitingRecord], Bool) {
    let limit = Self.waitingMax
    let pending = try await library.pendingRecords(limit: limit)
    let parked = try await library.parkedRecords(limit: limit)
    let held = try await library.heldRecords(limit: limit)
    let conflicts = try await library.conflictedRecords(limit: limit)
    let titles = try await library.titles(
      pending.map(\.reference) + parked.map(\.reference) + conflicts)
    func name(_ reference: RecordReference) -> String { titles[reference] ?? "" }
    func typeName(_ reference: RecordReference) -> String {
      library.model.type(reference.type)?.displayName ?? reference.type.name
    }
    let isExporting = sync.state.status.running?.phase == .export
    var waiting = parked.map {
      WaitingRecord(
        reference: $0.reference, type: typeName($0.reference), title: name($0.reference),
        reason: .parked($0.reason, detail: $0.detail, at: $0.at))
    }
    waiting += conflicts.map {
      WaitingRecord(
        reference: $0, type: typeName($0), title: name($0), reason: .conflicting)
    }
    waiting += held.map {
      WaitingRecord(
        reference: nil, type: $0.type ?? "", title: $0.name, reason: .held($0.reason))
    }
    waiting += pending.map {
      WaitingRecord(
        reference: $0.reference, type: typeName($0.reference), title: name($0.reference),
        reason: isExporting ? .inFlight : .queued)
    }
    let isFull = [pending.count, parked.count, held.count, conflicts.count].contains(limit)
    return (waiting, isFull)
  }

  // MARK: Intentions

  package func moveEventCursor(to index: Int) {
    state.eventCursor = max(0, min(index, state.events.count - 1))
  }

  package func moveWaitingCursor(to index: Int) {
    state.waitingCursor = max(0, min(index, state.waiting.count - 1))
  }

  package func toggleFailed() { filter { $0.onlyFailed.toggle() } }

  /// All phases, then each alone.
  package func stepPhase() {
    filter { filter in
      let all = SyncPhase.allCases
      let next = filter.phase.flatMap { all.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
      filter.phase = all.indices.contains(next) ? all[next] : nil
    }
  }

  private func filter(_ change: (inout EventFilter) -> Void) {
    var next = state
    change(&next.filter)
    take(&next)
  }

  /// Writes the events of the filter to a new file, for a bug report.
  package func export(to path: String) async {
    let events = log.filter { state.filter.admits($0) }
    let text = EventLogText.text(of: sync.state.status, events)
    do {
      try await Task.detached { try NewFile.write(Array(text.utf8), at: path) }.value
      sync.state.notice = .exported(path: path, count: events.count)
    } catch {
      sync.state.notice = .failed(.failed(Failure(error)))
    }
  }
}
