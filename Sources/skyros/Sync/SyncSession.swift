// One run of sync on the command line: by this process where it gets the lease, and else by asking
// the process that holds it, whose events are shown as they are written down.

internal import Dispatch
internal import Glibc
internal import RecordStore
internal import Records
internal import Sync
internal import Wording

struct SyncSession: Sendable {
  let library: Library
  let path: String
  let output: Output
  let json: Bool

  /// How long a run waits for the process that holds the lease.
  private static let patienceSeconds = 120
  private static let leaseDelay = Duration.milliseconds(50)
  /// Events of one look.
  private static let eventsMax = 100

  // MARK: Until nothing is left

  func run() async throws {
    let settings = try await settings()
    if settings.isPaused { throw SyncFailure.paused }
    let last = try await library.events(limit: 1).first?.id ?? 0
    let begun = Surroundings.system.milliseconds()
    guard let lease = try SyncLease.take(library) else {
      return try await follow(after: last, since: begun)
    }
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
    try await report(after: last, since: begun, failure: Self.failure(of: rest))
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
  private func follow(after last: Int64, since begun: Int64) async throws {
    let notices = library.syncNotices()
    try await library.requestSync()
    let end = try await withThrowingTaskGroup(of: Followed.self) { group in
      group.addTask {
        for await _ in notices {
          if let end = try await self.look(after: last, since: begun) { return end }
          // The kernel tells of a closed lease just before it is free.
          try await Task.sleep(for: Self.leaseDelay)
          if !SyncLease.isHeld(self.library) { return .alone }
        }
        throw CancellationError()
      }
      group.addTask {
        try await Task.sleep(for: .seconds(Self.patienceSeconds))
        throw SyncFailure.busyElsewhere
      }
      defer { group.cancelAll() }
      guard let end = try await group.next() else { throw CancellationError() }
      return end
    }
    switch end {
    case .ended(let failure): try await report(after: last, since: begun, failure: failure)
    case .alone: try await run()
    }
  }

  /// How waiting for another process ends.
  private enum Followed {
    case ended(SyncFailure?)
    /// It is gone: nobody syncs.
    case alone
  }

  /// Whether the other process did what it was asked for; nothing while it is at it.
  private func look(after last: Int64, since begun: Int64) async throws -> Followed? {
    let events = try await events(after: last, since: begun)
    if let failed = events.first, failed.outcome == .failed {
      return .ended(.failed(cause: failed.error ?? "", detail: failed.detail))
    }
    let isQuiet = !events.isEmpty && events.allSatisfy { $0.endedAt != nil }
    let backlog = try await library.syncBacklog()
    return isQuiet && backlog.pending <= backlog.parked ? .ended(nil) : nil
  }

  /// What happened meanwhile, newest first: new events, and a failure from before that happened again.
  private func events(after last: Int64, since begun: Int64) async throws -> [SyncEvent] {
    try await library.events(limit: Self.eventsMax, after: max(0, last - 1)).filter {
      $0.id > last || $0.attempts > 1 && $0.endedAt ?? 0 >= begun
    }
  }

  private func report(
    after last: Int64, since begun: Int64, failure: SyncFailure?
  ) async throws {
    let status = try await SyncStatus.read(library, now: Surroundings.system.milliseconds())
    let events = try await events(after: last, since: begun)
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

  /// Syncs, or shows what the process does that syncs, and takes its place when it is gone.
  func watch() async throws {
    _ = try await settings()
    try await untilStopped {
      while true {
        if let lease = try SyncLease.take(library) {
          return try await hold(lease)
        }
        try await showEvents()
      }
    }
  }

  private func hold(_ lease: SyncLease) async throws {
    let transport = try await Transports.open(try await settings(), library: path)
    let driver = driver(transport) { event in
      // A reader that went away ends the program at the next event.
      do { try self.show(event) } catch { raise(SIGTERM) }
    }
    let result: Result<Void, any Error>
    do { result = .success(try await driver.watch()) } catch { result = .failure(error) }
    await transport.close()
    withExtendedLifetime(lease) {}
    try result.get()
  }

  /// Shows the events of the process that syncs, until it lets the lease go.
  private func showEvents() async throws {
    let notices = library.syncNotices()
    var following = EventFollowing(over: try await library.events(limit: Self.eventsMax))
    var next = notices.makeAsyncIterator()
    while SyncLease.isHeld(library), await next.next() != nil {
      let log = try await library.events(limit: Self.eventsMax, after: following.settled)
      for event in following.news(in: log) { try show(event) }
      // The kernel tells of a closed lease just before it is free.
      try await Task.sleep(for: Self.leaseDelay)
    }
    try Task.checkCancellation()
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
  private func untilStopped(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let task = Task { do { try await body() } catch is CancellationError {} }
    let numbers = [SIGINT, SIGTERM, SIGHUP]
    let handlers = numbers.map { signal($0, SIG_IGN) }
    let sources = numbers.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { task.cancel() }
      source.resume()
      return source
    }
    let result = await task.result
    for source in sources { source.cancel() }
    // What is left to do may be ended like any other program.
    for (number, handler) in zip(numbers, handlers) { signal(number, handler) }
    try result.get()
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
