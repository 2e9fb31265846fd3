// How sync is doing, live: read from the library whenever something of sync changed there, by
// whichever process. No polling: a timer is set only while an age is shown or a phase could stall.
// UI actor; reading runs in the store.

internal import Observation
package import RecordStore
internal import Records
package import Sync
package import UILoop

/// What a person sees of sync on every screen, and can ask of it.
@UI @Observable
package final class SyncViewModel {
  /// Reads follow each other no faster: an export moves on many times a second.
  package static let pace = Duration.milliseconds(100)
  /// As many as a wide sparkline has columns.
  package static let samplesMax = 240
  /// What a service that holds its answers may leave us without a word.
  private static let quietMilliseconds: Int64 = 90_000
  private static let minute: Int64 = 60_000

  package internal(set) var state = SyncState()

  @ObservationIgnored package let library: Library
  @ObservationIgnored let timers: any UITimers
  @ObservationIgnored let background: BackgroundSync?
  @ObservationIgnored package let services: (any SyncServices)?
  @ObservationIgnored let errands = Errands()
  @ObservationIgnored private var subscriptions: [Subscription] = []
  @ObservationIgnored private var isReading = false
  @ObservationIgnored private var isOutdated = false
  @ObservationIgnored private var reads = Newest()
  @ObservationIgnored private var pause: LoopWait?
  @ObservationIgnored private var ageTimer: LoopWait?
  @ObservationIgnored private var isStopped = false
  /// When the service last said that nothing has changed there.
  @ObservationIgnored private var confirmedAt: Int64?
  @ObservationIgnored private var lastCounts: (event: Int64, records: Int, at: Int64)?

  /// - Parameter services: Nothing: a library that can't be synced from here.
  package init(
    library: Library, services: (any SyncServices)? = nil,
    surroundings: SyncSurroundings? = nil, timers: any UITimers = UILoop.shared
  ) {
    self.library = library
    self.timers = timers
    self.services = services
    let surroundings =
      surroundings ?? .system(milliseconds: library.surroundings.milliseconds)
    background = services.map {
      BackgroundSync(library: library, services: $0, surroundings: surroundings)
    }
  }

  /// Begins to follow the library, and to sync it where it is set up.
  package func start() async {
    subscriptions = [
      Subscription(library.syncNotices()) { [weak self] in self?.noticed() },
      Subscription(library.commits()) { [weak self] _ in self?.noticed() },
    ]
    if let background {
      subscriptions += [
        Subscription(background.roles) { [weak self] in self?.noticed($0) },
        Subscription(background.confirmations) { [weak self] in self?.noticed(confirmation: $0) },
      ]
      await background.start()
    }
    await read()
  }

  /// Ends all work; returns when the lease is let go.
  package func stop() async {
    isStopped = true
    subscriptions = []
    pause?.cancel()
    ageTimer?.cancel()
    await background?.stop()
    await errands.idle()
  }

  /// Returns when nothing is under way: for tests.
  package func idle() async { await errands.idle() }

  package func dismissNotice() { state.notice = nil }

  // MARK: Following

  private func noticed(_ role: SyncRole) {
    if state.role != role { state.role = role }
    noticed()
  }

  private func noticed(confirmation: Int64) {
    confirmedAt = confirmation
    refreshAge()
  }

  /// Reads again, at once or as soon as the pace allows.
  private func noticed() {
    guard !isStopped else { return }
    guard pause == nil, !isReading else {
      isOutdated = true
      return
    }
    isReading = true
    errands.run { [weak self] in await self?.readAndPause() }
  }

  private func readAndPause() async {
    isOutdated = false
    await read()
    isReading = false
    guard !isStopped else { return }
    pause = timers.after(Self.pace) { [weak self] in
      guard let self else { return }
      pause = nil
      if isOutdated { noticed() }
    }
  }

  private var now: Int64 { library.surroundings.milliseconds() }

  private func read() async {
    let ticket = reads.ticket()
    do {
      let status = try await SyncStatus.read(library, now: now)
      let unsynced =
        status.isSetUp && status.backlog.pending > 0
        ? try await library.unsyncedReferences(limit: SyncState.badgesMax) : ([], [])
      let names = try await library.deviceNames()
      // What was noticed while the first reading ran may have been read before it came back.
      guard reads.take(ticket) else { return }
      var next = state
      next.isLoaded = true
      next.status = status
      (next.pending, next.parked) = unsynced
      next.deviceNames = names
      next.progress = Self.progress(of: status)
      measure(status.running, into: &next)
      next.ageMinutes = age(of: status)
      if next != state { state = next }
      setTimer()
    } catch {
      if reads.take(ticket) { state.notice = .failed(.failed(Failure(error))) }
    }
  }

  // MARK: Progress

  /// An export knows how much there is; an import learns it at the end.
  private static func progress(of status: SyncStatus) -> Double? {
    guard let running = status.running, running.phase == .export else { return nil }
    let done = running.counts.acknowledged
    let all = done + max(0, status.backlog.pending - status.backlog.parked)
    return all == 0 ? nil : Double(done) / Double(all)
  }

  /// Takes a sample of the throughput where the running phase got on.
  private func measure(_ running: SyncEvent?, into next: inout SyncState) {
    guard let running else { return lastCounts = nil }
    let records = running.counts.received + running.counts.acknowledged
    let last = lastCounts.flatMap { $0.event == running.id ? $0 : nil }
    let before = last ?? (running.id, 0, running.startedAt)
    guard records > before.records else {
      if last == nil { lastCounts = (running.id, records, running.movedAt) }
      return
    }
    let elapsed = max(1, running.movedAt - before.at)
    lastCounts = (running.id, records, running.movedAt)
    next.samples.append(
      RateSample(
        event: running.id, at: running.movedAt,
        recordsPerSecond: Double(records - before.records) * 1_000 / Double(elapsed)))
    if next.samples.count > Self.samplesMax {
      next.samples.removeFirst(next.samples.count - Self.samplesMax)
    }
  }

  // MARK: Age

  /// When the library was last known to be in step with the service.
  private func freshAt(_ status: SyncStatus) -> Int64? {
    guard status.isSetUp else { return nil }
    return [status.lastImport, confirmedAt].compactMap { $0 }.max()
  }

  private func age(of status: SyncStatus) -> Int? {
    guard status.running == nil, let fresh = freshAt(status) else { return nil }
    let elapsed = now - fresh
    // While the service is listened to, its silence is fresh for as long as it may be silent.
    if state.role == .syncing, status.summary == .succeeded, elapsed < Self.quietMilliseconds {
      return nil
    }
    return elapsed < Self.minute ? nil : Int(elapsed / Self.minute)
  }

  private func refreshAge() {
    let age = age(of: state.status)
    if age != state.ageMinutes { state.ageMinutes = age }
    setTimer()
  }

  /// One timer, for the next moment at which what is shown is not true any more.
  private func setTimer() {
    ageTimer?.cancel()
    ageTimer = nil
    guard !isStopped, let due = nextChange else { return }
    let delay = max(0, due - now)
    ageTimer = timers.after(.milliseconds(delay)) { [weak self] in
      guard let self else { return }
      ageTimer = nil
      if state.status.running != nil { noticed() } else { refreshAge() }
    }
  }

  private var nextChange: Int64? {
    let status = state.status
    if let running = status.running {
      return status.isStalled ? nil : running.movedAt + SyncStatus.stallMilliseconds + 1
    }
    guard let fresh = freshAt(status) else { return nil }
    if state.ageMinutes == nil {
      let isQuiet = state.role == .syncing && status.summary == .succeeded
      return fresh + (isQuiet ? Self.quietMilliseconds : Self.minute)
    }
    let minutes = max(0, now - fresh) / Self.minute
    return fresh + (minutes + 1) * Self.minute
  }
}
