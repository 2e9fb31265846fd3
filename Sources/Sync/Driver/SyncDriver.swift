// The driver: performs what the machine says, with a library and a service, and tells it what came
// of it. It decides nothing. An actor: one action at a time; inputs that arrive meanwhile wait in
// its inbox.

internal import CloudKitWire
package import RecordStore
internal import Records

package actor SyncDriver {
  /// How often one run of `skyros sync` sits out a passing failure before it gives up.
  package static let patience = 3
  /// The longest single wait that it sits out.
  package static let patientMilliseconds: Int64 = 15_000
  /// How often the feed is asked where the service can't hold an answer.
  package static let pollSeconds = 30
  /// A service that promised to hold its answer and gave it earlier did not hold it.
  static let heldMillisecondsMin: Int64 = 1_000
  /// How long it waits before it looks for a request again where the library could not be read.
  package static let troubleMilliseconds: Int64 = 500
  /// How often the progress of a phase is written down for other processes, at most.
  static let progressMilliseconds: Int64 = 200

  let library: Library
  let surroundings: SyncSurroundings
  let transport: any SyncTransport
  private(set) var machine: SyncMachine
  /// What the service does beyond the protocol, once it said so.
  private var extensions: ServiceExtensions?
  private let repeats = RepeatKeys()
  private let onEvent: @Sendable (SyncEvent) -> Void
  private let onQuiet: @Sendable () -> Void
  private var event: SyncEvent?
  private var timer: Wait?
  private var waits = 0
  /// Whether anybody reads the inbox.
  private var isWatching = false
  private let ahead = PageAhead()
  private let batches = BatchAhead()
  private let inbox: AsyncStream<SyncInput>
  private let inboxEntry: AsyncStream<SyncInput>.Continuation
  /// Tells that nothing is under way any more.
  private let rests: AsyncStream<Void>
  private let restEntry: AsyncStream<Void>.Continuation

  /// - Parameters:
  ///   - onEvent: Hears of every event when it begins, moves and ends.
  ///   - onQuiet: Called whenever the service answered that nothing has changed there.
  package init(
    library: Library, transport: any SyncTransport, surroundings: SyncSurroundings,
    onEvent: @escaping @Sendable (SyncEvent) -> Void = { _ in },
    onQuiet: @escaping @Sendable () -> Void = {}
  ) {
    self.library = library
    self.transport = transport
    self.surroundings = surroundings
    self.onEvent = onEvent
    self.onQuiet = onQuiet
    machine = SyncMachine(isOn: true, isPaused: false)
    (inbox, inboxEntry) = AsyncStream.makeStream()
    (rests, restEntry) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Puts an input into the inbox of ``watch()``.
  package nonisolated func post(_ input: SyncInput) { inboxEntry.yield(input) }

  // MARK: Running

  /// Syncs until nothing is left to import or export, or something stands in the way.
  package func run(_ trigger: SyncTrigger = .user) async throws -> SyncRest {
    try await begin()
    var attempts = 0
    var rest = try await perform(machine.handle(.requested(trigger)))
    while case .waiting(let answer) = rest, let delay = timer?.milliseconds,
      attempts < Self.patience,
      delay <= Self.patientMilliseconds, Self.isWorthWaiting(answer)
    {
      attempts += 1
      try await surroundings.sleep(.milliseconds(delay))
      rest = try await perform(machine.handle(.timerFired))
    }
    return rest ?? .done
  }

  /// Syncs for as long as the task runs: at every save here, every change there, every request.
  package func watch() async throws {
    try await begin()
    let saves = library.commits()
    let commits = Task {
      for await commit in saves where commit.origin != .sync {
        self.post(.requested(.commit))
      }
    }
    let feed = Task { try await self.listen() }
    let notices = library.syncNotices()
    let requests = Task {
      try await self.hearRequests()
      for await _ in notices { try await self.hearRequests() }
    }
    isWatching = true
    defer {
      isWatching = false
      cancelTimer()
      commits.cancel()
      feed.cancel()
      requests.cancel()
    }
    try await withTaskCancellationHandler {
      _ = try await perform(machine.handle(.requested(.launch)))
      for await input in inbox {
        try Task.checkCancellation()
        try await adoptPause()
        _ = try await perform(machine.handle(input, jitter: surroundings.jitter()))
      }
      try Task.checkCancellation()
    } onCancel: {
      inboxEntry.finish()
    }
  }

  /// Looks for a request until the library could be read: one that is missed would never be heard.
  private func hearRequests() async throws {
    while true {
      do { return try await lookForRequest() } catch is CancellationError {
        throw CancellationError()
      } catch {
        try await surroundings.sleep(.milliseconds(Self.troubleMilliseconds))
      }
    }
  }

  /// What other processes wrote into the library for us: a request, a pause, an end.
  private func lookForRequest() async throws {
    let settings = try await library.syncSettings()
    let isPaused = settings?.isPaused ?? false
    if settings == nil || isPaused != (machine.stage == .paused) { post(.timerFired) }
    if try await library.takeSyncRequest() { post(.requested(.user)) }
  }

  private func begin() async throws {
    try await library.closeInterruptedEvents(at: surroundings.milliseconds())
    if let settings = try await library.syncSettings(),
      settings.isPaused != (machine.stage == .paused)
    {
      machine = SyncMachine(isOn: true, isPaused: settings.isPaused)
    }
  }

  /// Takes over a pause that another process wrote down.
  private func adoptPause() async throws {
    guard let settings = try await library.syncSettings() else {
      _ = try await perform(machine.handle(.turnedOff))
      return
    }
    if settings.isPaused, machine.stage != .paused {
      _ = try await perform(machine.handle(.paused))
    } else if !settings.isPaused, machine.stage == .paused {
      _ = try await perform(machine.handle(.resumed))
    }
  }

  /// A service that does not answer at all is not waited for by somebody who stands before it.
  private static func isWorthWaiting(_ answer: Answer) -> Bool {
    switch answer.kind {
    case .transport(.unreachable), .transport(.nameNotFound), .transport(.untrusted), .foreignPage:
      false
    default: true
    }
  }

  // MARK: Actions

  /// Performs actions until none is left; answers how it came to rest.
  private func perform(_ actions: [SyncAction]) async throws -> SyncRest? {
    var queue = actions[...]
    var rest: SyncRest?
    while let action = queue.popFirst() {
      switch action {
      case .rest(let found): rest = found
      case .setTimer(let delay): setTimer(delay)
      case .cancelTimer: cancelTimer()
      case .begin(let phase, let trigger):
        event = try await library.beginEvent(
          phase, trigger: trigger, at: surroundings.milliseconds())
        if let event { onEvent(event) }
      case .progress(let counts): try await progress(counts)
      case .end(let counts, let answer): try await end(counts, answer)
      case .reach, .fetchPage, .sendBatch, .fetchFiles, .compare:
        try Task.checkCancellation()
        let input = await answer(to: action)
        queue += machine.handle(input, jitter: surroundings.jitter())
        if let settings = try await library.syncSettings(), settings.isPaused, machine.isWorking {
          // What is over already is written down as it was.
          queue = (queue.filter(\.isBookkeeping) + machine.handle(.paused))[...]
        }
      case .parkNext(let answer): try await parkNext(answer)
      }
    }
    if machine.stage == .resting { restEntry.yield() }
    return rest
  }

  /// A wait that is under way.
  private struct Wait {
    let number: Int
    let milliseconds: Int64
    /// Nothing in a run, which sits the wait out itself.
    let task: Task<Void, any Error>?
  }

  private func setTimer(_ delay: Int64) {
    cancelTimer()
    waits += 1
    let number = waits
    var task: Task<Void, any Error>?
    if isWatching {
      task = Task { [surroundings] in
        try await surroundings.sleep(.milliseconds(delay))
        self.fire(number)
      }
    }
    timer = Wait(number: number, milliseconds: delay, task: task)
  }

  private func cancelTimer() {
    timer?.task?.cancel()
    timer = nil
  }

  /// One that was replaced may have slept to its end just before.
  private func fire(_ number: Int) {
    guard timer?.number == number else { return }
    timer = nil
    post(.timerFired)
  }

  private func progress(_ counts: SyncCounts) async throws {
    guard var running = event else { return }
    running.counts = counts
    let now = surroundings.milliseconds()
    let isDue = now - running.movedAt >= Self.progressMilliseconds
    if isDue { running.movedAt = now }
    event = running
    if isDue { try await library.updateEvent(running) }
    onEvent(running)
  }

  private func end(_ counts: SyncCounts, _ answer: Answer) async throws {
    guard var ended = event else { return }
    ended.counts = counts
    ended.movedAt = surroundings.milliseconds()
    ended.endedAt = ended.movedAt
    ended.outcome =
      switch answer.kind {
      case .success: .succeeded
      case .transport(.cancelled): .interrupted
      default: .failed
      }
    if ended.outcome == .failed {
      ended.error = answer.kind.word
      ended.detail = answer.detail
    }
    event = nil
    try await library.endEvent(ended)
    onEvent(ended)
  }

  private func parkNext(_ answer: Answer) async throws {
    let next = try await library.pendingRecords(limit: 1)
    try await library.park(next.map { ($0, answer.kind.word, answer.detail) })
  }

  private func answer(to action: SyncAction) async -> SyncInput {
    guard let settings = await currentSettings() else { return .turnedOff }
    let exchange = SyncExchange(
      library: library,
      client: client(of: settings),
      settings: settings, ahead: ahead, batches: batches)
    switch action {
    case .reach:
      let finding = await exchange.reach()
      extensions = finding.extensions
      _ = machine.handle(.limits(operations: finding.operationsMax, records: finding.recordsMax))
      return .reached(finding.answer)
    case .fetchPage(let limit):
      let (answer, report) = await exchange.fetchPage(limit: limit)
      return .fetched(answer, report)
    case .sendBatch(let limit):
      let (answer, report) = await exchange.sendBatch(limit: limit)
      return .sent(answer, report)
    case .fetchFiles:
      let (answer, report) = await exchange.fetchFiles()
      return .filesFetched(answer, report)
    case .compare(let refusal): return .compared(await exchange.compare(refusal))
    default: return .turnedOff
    }
  }

  private func client(of settings: SyncSettings) -> ServiceClient {
    var client = ServiceClient(
      transport: transport, zone: settings.zone, extensions: extensions,
      milliseconds: surroundings.milliseconds)
    client.repeats = repeats
    return client
  }

  private func currentSettings() async -> SyncSettings? {
    do { return try await library.syncSettings() } catch { return nil }
  }

  // MARK: Listening to the feed

  /// Asks the service, while nothing is under way, to answer as soon as something changes.
  private func listen() async throws {
    for await _ in rests {
      while machine.stage == .resting, try await hasNoNews() {}
    }
  }

  /// Waits for one answer; false when it gave cause to sync, which ends in a rest again.
  private func hasNoNews() async throws -> Bool {
    guard let settings = await currentSettings(), settings.token != nil else { return false }
    let wait = extensions?.waitSecondsMax ?? 0
    guard wait > 0 else {
      try await surroundings.sleep(.seconds(Self.pollSeconds))
      post(.requested(.push))
      return false
    }
    let asked = surroundings.milliseconds()
    let answer = await client(of: settings).changes(
      since: settings.token, limit: 1, waitSeconds: wait)
    try Task.checkCancellation()
    // Something ran meanwhile, and read the feed itself: its rest lets us ask again.
    guard machine.stage == .resting, let now = await currentSettings() else { return false }
    if now.token != settings.token { return true }
    if case .message(let page, _) = answer, page.records.isEmpty || page.syncToken == now.token {
      onQuiet()
      // One that does not hold its answer is not asked without a pause.
      if surroundings.milliseconds() - asked < Self.heldMillisecondsMin {
        try await surroundings.sleep(.milliseconds(Self.heldMillisecondsMin))
      }
      return true
    }
    post(.requested(.push))
    return false
  }
}
