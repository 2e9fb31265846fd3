// One run of sync on the command line: by this process where it gets the lease, and else by asking
// the process that holds it, whose events are shown as they are written down.

internal import Dispatch
internal import Glibc
internal import RecordStore
internal import Records
internal import Sync
internal import Synchronization
internal import Wording

struct SyncSession: Sendable {
  let library: Library
  let path: String
  let output: Output
  let json: Bool

  /// How long a run waits for the process that holds the lease.
  private static let patienceSeconds = 120
  private static let lookMilliseconds = 100

  // MARK: Until nothing is left

  func run() async throws {
    let settings = try await settings()
    if settings.isPaused { throw SyncFailure.paused }
    let last = try await library.events(limit: 1).first?.id ?? 0
    guard let lease = try SyncLease.take(library) else { return try await follow(after: last) }
    let transport = try await Transports.open(settings, library: path)
    let rest: SyncRest
    do {
      rest = try await driver(transport).run(.user)
    } catch {
      await transport.close()
      throw error
    }
    await transport.close()
    withExtendedLifetime(lease) {}
    try await report(after: last, failure: Self.failure(of: rest))
  }

  private static func failure(of rest: SyncRest) -> SyncFailure? {
    switch rest {
    case .done: nil
    case .paused: .paused
    case .off: .notSetUp
    case .waiting(let answer), .stopped(let answer):
      .failed(cause: answer.kind.word, detail: answer.detail)
    }
  }

  /// Another process syncs: asks it to, and waits until it did.
  private func follow(after last: Int64) async throws {
    try await library.requestSync()
    for _ in 0..<(Self.patienceSeconds * 1_000 / Self.lookMilliseconds) {
      try await Task.sleep(for: .milliseconds(Self.lookMilliseconds))
      let events = try await library.events(limit: 100, after: last)
      if let failed = events.first, failed.outcome == .failed {
        return try await report(
          after: last, failure: .failed(cause: failed.error ?? "", detail: failed.detail))
      }
      let isQuiet = !events.isEmpty && events.allSatisfy { $0.endedAt != nil }
      let backlog = try await library.syncBacklog()
      if isQuiet, backlog.pending <= backlog.parked {
        return try await report(after: last, failure: nil)
      }
      if !SyncLease.isHeld(library) { return try await run() }
    }
    throw SyncFailure.busyElsewhere
  }

  private func report(after last: Int64, failure: SyncFailure?) async throws {
    let status = try await SyncStatus.read(library, now: Surroundings.system.milliseconds())
    let events = try await library.events(limit: 100, after: last)
    if json {
      try output.line([
        "outcome": .string(failure == nil ? "synced" : "failed"),
        "summary": .string(status.summary.rawValue),
        "pending": .count(status.backlog.pending),
        "parked": .count(status.backlog.parked + status.backlog.held),
        "conflicts": .count(status.backlog.conflicts),
        "events": .array(events.reversed().map(JSON.event)),
      ])
    } else if failure == nil {
      try output.line(SyncText.summary(of: status, events))
    }
    if let failure { throw failure }
  }

  // MARK: Watching

  func watch() async throws {
    _ = try await settings()
    guard let lease = try SyncLease.take(library) else { return try await showEvents() }
    let settings = try await settings()
    let transport = try await Transports.open(settings, library: path)
    let driver = driver(transport) { event in
      // A reader that went away ends the program at the next event.
      do { try self.show(event) } catch { raise(SIGTERM) }
    }
    await untilStopped { try await driver.watch() }
    await transport.close()
    withExtendedLifetime(lease) {}
  }

  /// Shows the events of the process that syncs, until stopped.
  private func showEvents() async throws {
    let last = Mutex(try await library.events(limit: 1).first?.id ?? 0)
    await untilStopped {
      while true {
        try await Task.sleep(for: .milliseconds(Self.lookMilliseconds))
        let after = last.withLock { $0 }
        let ended = try await library.events(limit: 100, after: after).filter { $0.endedAt != nil }
        for event in ended.reversed() { try show(event) }
        if let newest = ended.first { last.withLock { $0 = newest.id } }
      }
    }
  }

  private func show(_ event: SyncEvent) throws {
    if json {
      try output.line(.event(event))
    } else {
      try output.line(SyncText.line(of: event))
    }
    try output.flush()
  }

  /// Runs `body` until it ends, or until the program is asked to stop (INT, TERM, HUP).
  private func untilStopped(_ body: @escaping @Sendable () async throws -> Void) async {
    let task = Task {
      do { try await body() } catch is CancellationError {} catch {
        Program.complain("\(error)")
      }
    }
    let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { task.cancel() }
      source.resume()
      return source
    }
    await task.value
    for source in sources { source.cancel() }
  }

  // MARK: Parts

  private func settings() async throws -> SyncSettings {
    guard let settings = try await library.syncSettings() else { throw SyncFailure.notSetUp }
    return settings
  }

  private func driver(
    _ transport: any SyncTransport, onEvent: @escaping @Sendable (SyncEvent) -> Void = { _ in }
  ) -> SyncDriver {
    SyncDriver(
      library: library, transport: transport,
      surroundings: .system(milliseconds: Surroundings.system.milliseconds), onEvent: onEvent)
  }
}
