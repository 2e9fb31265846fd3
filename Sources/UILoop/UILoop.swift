// The poll loop that is the UI actor's executor: jobs, descriptors and deadlines, one
// thread. It knows no terminal. When nothing is due it sleeps in poll without a timer.
//
// The thread is the loop's own, started by the first job, unless the program adopts its
// main thread (``UILoop/run(_:)``) before. So tests and subcommands never hang: jobs run
// without anybody having to turn the crank.

internal import CPlatform
internal import Synchronization

/// The executor of ``UI``: a poll loop on one thread.
///
/// One cycle: wait in poll (not at all while jobs are queued), call the handlers of ready
/// descriptors, call what is due, run at most ``jobsPerCycleMax`` jobs in the order they came.
/// So neither a flood of jobs starves the keyboard nor the other way round.
package final class UILoop: SerialExecutor {
  package static let shared = UILoop()

  /// Jobs run before descriptors are looked at again.
  static let jobsPerCycleMax = 256
  /// And no new one is begun after this long, so that a key never waits for a crowd of long jobs.
  static let cycleNanosecondsMax: UInt64 = 2_000_000

  private struct Queue {
    var jobs: [UnownedJob] = []
    /// Whether a thread turns the loop, or is about to.
    var isStarted = false
  }

  private let queue = Mutex(Queue())
  private let wakeDescriptor: Int32
  private let threadID = Atomic<UInt64>(0)
  let waits = Mutex(LoopWaits())

  private init() {
    wakeDescriptor = platform_eventfd()
    precondition(wakeDescriptor >= 0, "no descriptor left for the loop that draws the screen")
  }

  // MARK: Executor

  package func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let (wasEmpty, wasStarted) = queue.withLock { queue in
      defer {
        queue.jobs.append(unowned)
        queue.isStarted = true
      }
      return (queue.jobs.isEmpty, queue.isStarted)
    }
    if !wasStarted {
      startThread()
    } else if wasEmpty, !isOnThread {
      wake()
    }
  }

  package func isIsolatingCurrentContext() -> Bool? { isOnThread }

  package func checkIsolated() {
    precondition(isOnThread, "called off the thread of the UI actor")
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// Whether the caller is on the loop's thread.
  package var isOnThread: Bool {
    threadID.load(ordering: .relaxed) == platform_thread_id()
  }

  func wake() {
    platform_eventfd_wake(wakeDescriptor)
  }

  // MARK: Starting

  /// Makes the calling thread the loop's until `body` has returned, and returns its result.
  ///
  /// For the program's main thread. If the loop runs on a thread of its own already, this waits
  /// there for `body`: the caller sees no difference but the thread. Never call it from a task.
  package func run<Result: Sendable>(
    _ body: @escaping @UI @Sendable () async throws -> Result
  ) throws -> Result {
    let adopts = queue.withLock { queue in
      defer { queue.isStarted = true }
      return !queue.isStarted
    }
    if adopts { threadID.store(platform_thread_id(), ordering: .relaxed) }
    let outcome = LoopOutcome<Result>()
    Task { @UI in
      do {
        outcome.finish(.success(try await body()))
      } catch {
        outcome.finish(.failure(error))
      }
    }
    guard adopts else { return try outcome.wait() }
    platform_crash_stack()
    while true {
      if let result = outcome.result {
        leaveThread()
        return try result.get()
      }
      turn()
    }
  }

  private func startThread() {
    let failed = platform_thread_start("skyros-ui", { _ in UILoop.shared.runForever() }, nil)
    precondition(failed == 0, "no thread left for the loop that draws the screen")
  }

  private func runForever() -> Never {
    threadID.store(platform_thread_id(), ordering: .relaxed)
    platform_crash_stack()
    while true { turn() }
  }

  /// Hands what is left to a thread of the loop's own, at the latest with the next job.
  private func leaveThread() {
    threadID.store(0, ordering: .relaxed)
    let hasJobs = queue.withLock { queue in
      queue.isStarted = !queue.jobs.isEmpty
      return queue.isStarted
    }
    if hasJobs { startThread() }
  }

  // MARK: One cycle

  private func turn() {
    let hasJobs = queue.withLock { !$0.jobs.isEmpty }
    var plan = waits.withLock { $0.plan(wakeDescriptor: wakeDescriptor) }
    let timeout: Int64 = hasJobs || plan.isProbe ? 0 : plan.timeoutNanoseconds
    let ready = plan.entries.withUnsafeMutableBufferPointer {
      platform_poll($0.baseAddress, $0.count, timeout)
    }
    precondition(ready >= 0, "the loop that draws the screen waits for a descriptor that is gone")
    if plan.entries[0].ready != 0 { platform_eventfd_drain(wakeDescriptor) }
    if ready > 0 { callHandlers(of: plan) }
    let due = waits.withLock { $0.due(at: platform_monotonic_ns()) }
    for id in due {
      // One called before may have cancelled this one.
      guard let body = waits.withLock({ $0.takeTimer(id) }) else { continue }
      UI.assumeIsolated(body)
    }
    let ran = runJobs()
    guard plan.isProbe, ready == 0, due.isEmpty, !ran else { return }
    for waiter in waits.withLock({ $0.takeIdleWaiters() }) { waiter.resume() }
  }

  private func callHandlers(of plan: LoopWaits.Plan) {
    for (entry, id) in zip(plan.entries.dropFirst(), plan.ids) where entry.ready != 0 {
      // A handler called before may have cancelled this one: look it up now.
      guard let handler = waits.withLock({ $0.handler(id) }) else { continue }
      UI.assumeIsolated(handler)
    }
  }

  /// Returns whether there was any.
  private func runJobs() -> Bool {
    let batch = queue.withLock { queue in
      guard queue.jobs.count > Self.jobsPerCycleMax else {
        defer { queue.jobs.removeAll(keepingCapacity: true) }
        return queue.jobs
      }
      defer { queue.jobs.removeFirst(Self.jobsPerCycleMax) }
      return Array(queue.jobs.prefix(Self.jobsPerCycleMax))
    }
    let executor = asUnownedSerialExecutor()
    let end = platform_monotonic_ns() + Self.cycleNanosecondsMax
    for (index, job) in batch.enumerated() {
      job.runSynchronously(on: executor)
      guard index + 1 < batch.count, platform_monotonic_ns() > end else { continue }
      queue.withLock { $0.jobs.insert(contentsOf: batch[(index + 1)...], at: 0) }
      break
    }
    return !batch.isEmpty
  }
}
