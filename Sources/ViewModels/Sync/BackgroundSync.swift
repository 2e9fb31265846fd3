// Syncs an open library for as long as the interface lives: takes the lease where nobody has it, runs
// the driver, and stands by where another process holds it. An actor of its own, off the UI actor; it
// sleeps until something of sync changes, and asks nobody meanwhile.
//
//      not set up ◀──────▶ standing by ◀──────▶ syncing
//                  setup     (lease held          (lease is ours)
//                            elsewhere)              │ no way to the service
//                                 ▲                  ▼
//                                 └──────────── unavailable

package import RecordStore
package import Sync

/// Who syncs the library.
package enum SyncRole: Sendable, Hashable {
  /// Sync is not set up.
  case off
  /// This process.
  case syncing
  /// Another process: it is asked, and its events are shown.
  case elsewhere
  /// Nobody: there is no way to the service, and the event log says why.
  case unavailable
}

package actor BackgroundSync {
  /// The kernel tells of a closed lease just before it is free.
  private static let leaseMilliseconds: Int64 = 50
  /// The longest wait after the library itself failed.
  private static let troubleSecondsMax: Int64 = 60

  private let library: Library
  private let services: any SyncServices
  private let surroundings: SyncSurroundings
  private var task: Task<Void, Never>?
  /// The settings with which no way to the service was found.
  private var refused: SyncSettings?
  private var troubles: Int64 = 0

  /// The newest role, and those that follow.
  package nonisolated let roles: AsyncStream<SyncRole>
  private let roleEntry: AsyncStream<SyncRole>.Continuation
  /// When the service last said that nothing has changed there: milliseconds since 1970 UTC.
  package nonisolated let confirmations: AsyncStream<Int64>
  private let confirmationEntry: AsyncStream<Int64>.Continuation

  package init(
    library: Library, services: any SyncServices, surroundings: SyncSurroundings
  ) {
    self.library = library
    self.services = services
    self.surroundings = surroundings
    (roles, roleEntry) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (confirmations, confirmationEntry) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingNewest(1))
  }

  package func start() {
    guard task == nil else { return }
    // Below what a person waits for: keys and rows come first on a busy machine.
    task = Task(priority: .utility) { await self.run() }
  }

  /// Ends all work, and returns when the lease is let go.
  package func stop() async {
    task?.cancel()
    await task?.value
    task = nil
  }

  // MARK: Setting up

  /// Makes a service this library's, when it was reached; sync goes on as it was until then.
  package func setUp(
    _ request: SyncSetupRequest, showPage: @escaping @Sendable (String) -> Void
  ) async throws(SyncProblem) -> ServiceChange {
    let wasRunning = task != nil
    let library = library
    defer { if wasRunning { start() } }
    return try await services.reach(request, library: library.path, showPage: showPage) {
      settings, client in
      await self.letGo()
      do {
        return try await SyncSetup.adopt(
          settings, in: library, client: client, isWanted: request.isWanted)
      } catch let refusal as ServiceChangeRefusal {
        throw SyncProblem(refusal)
      }
    }
  }

  /// Lets the lease go, and forgets what was in the way.
  private func letGo() async {
    await stop()
    refused = nil
  }

  /// Forgets the service; the records stay.
  package func turnOff() async throws(SyncProblem) {
    try await alone { try await $0.turnSyncOff() }
  }

  /// Runs `body` while nobody syncs the library.
  private func alone(
    _ body: @Sendable (Library) async throws -> Void
  ) async throws(SyncProblem) {
    let wasRunning = task != nil
    await letGo()
    defer { if wasRunning { start() } }
    do {
      guard let lease = try SyncLease.take(library) else { throw SyncProblem.busyElsewhere }
      try await body(library)
      withExtendedLifetime(lease) {}
    } catch let problem as SyncProblem {
      throw problem
    } catch {
      throw .failed(Failure(error))
    }
  }

  // MARK: Running

  private func run() async {
    var notices = library.syncNotices().makeAsyncIterator()
    while !Task.isCancelled {
      do {
        try await attempt()
        troubles = 0
        guard await notices.next() != nil else { return }
        try await surroundings.sleep(.milliseconds(Self.leaseMilliseconds))
      } catch is CancellationError {
        return
      } catch {
        // The library itself could not be read or written: nothing can be noted in it either.
        tell(.unavailable)
        troubles += 1
        let seconds = min(Self.troubleSecondsMax, troubles * troubles)
        guard (try? await surroundings.sleep(.seconds(seconds))) != nil else { return }
      }
    }
  }

  private func tell(_ role: SyncRole) { roleEntry.yield(role) }

  /// Syncs for as long as it is this process's business; returns when it no longer is.
  private func attempt() async throws {
    guard let settings = try await library.syncSettings() else { return tell(.off) }
    if let refused, refused.isSameService(as: settings) {
      guard try await library.takeSyncRequest() else { return tell(.unavailable) }
    }
    guard let lease = try SyncLease.take(library) else { return tell(.elsewhere) }
    let transport: any SyncTransport
    do throws(SyncProblem) {
      transport = try await services.open(settings, library: library.path)
      refused = nil
    } catch {
      refused = settings
      tell(.unavailable)
      return try await note(error)
    }
    tell(.syncing)
    do {
      try await watch(transport, settings)
    } catch {
      await transport.close()
      throw error
    }
    await transport.close()
    withExtendedLifetime(lease) {}
  }

  /// Runs the driver until the library is set up otherwise.
  private func watch(_ transport: any SyncTransport, _ settings: SyncSettings) async throws {
    let entry = confirmationEntry
    let clock = surroundings.milliseconds
    let driver = SyncDriver(
      library: library, transport: transport, surroundings: surroundings,
      onQuiet: { entry.yield(clock()) })
    let library = library
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await driver.watch() }
      group.addTask {
        for await _ in library.syncNotices() {
          let now = try await library.syncSettings()
          guard let now, now.isSameService(as: settings) else { return }
        }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  /// Writes down why there is no way to the service: every process shows it then.
  private func note(_ problem: SyncProblem) async throws {
    var event = try await library.beginEvent(
      .setup, trigger: .launch, at: surroundings.milliseconds())
    event.outcome = .failed
    event.endedAt = surroundings.milliseconds()
    (event.error, event.detail) = problem.logged
    try await library.endEvent(event)
  }
}

extension SyncSettings {
  /// Whether both lead to the same zone of the same service.
  func isSameService(as other: SyncSettings) -> Bool {
    service == other.service && container == other.container && zone == other.zone
  }
}

extension SyncProblem {
  package init(_ refusal: ServiceChangeRefusal) {
    self =
      switch refusal {
      case .busy: .busyElsewhere
      case .asks(let change): .asks(change)
      case .failed(let answer): .cause(answer.kind.word, detail: answer.detail)
      }
  }

  /// The word and the raw reason that the event log keeps.
  var logged: (String, String?) {
    switch self {
    case .cause(let word, let detail): (word, detail)
    case .needsTokens, .badTokens, .tokensNotKept:
      ("AUTHENTICATION_REQUIRED", "no tokens of this service on this machine")
    case .badAddress(let address): ("unexpectedStatus", address)
    case .serviceFile(let path, let reason): ("unreachable", "\(path): \(reason)")
    case .busyElsewhere, .asks: ("cancelled", nil)
    case .failed(let failure): ("storeFailed", "\(failure)")
    }
  }
}
