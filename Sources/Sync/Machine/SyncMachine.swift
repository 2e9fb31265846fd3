// The sync machine: input in, actions out. A value without clock, randomness or task; the driver
// performs what it says and tells it what came of it.
//
//              request                    success            success
//    resting ───────────▶ setting up ───────────▶ importing ───────────▶ exporting
//       ▲                     │                    │     ▲                  │
//       │                     │ failure            │     └──── sent ────────┘
//       │  nothing is left    ▼                    │          (catching up)
//       └──────────────── waiting ◀────────────────┘
//                          (timer)      stopped: only a person, or the next launch, goes on
//
// resting:  nothing under way; the next request starts.
// setting up, importing, exporting: exactly one action is out; its answer moves on.
// fetching files: like importing, once no record is left; a request meanwhile goes first.
// waiting:  a failure that passes by itself; a timer is out.
// stopped:  a failure that needs a person. Pending edits stay pending.
// paused, off: nothing runs; requests are remembered while paused.

internal import CloudKitWire
package import RecordStore

/// What happens to the machine.
///
/// Times and jitter come with it.
package enum SyncInput: Sendable, Hashable {
  /// Sync is wanted; requests during work are coalesced into one run after it.
  case requested(SyncTrigger)
  /// An answer to ``SyncAction/reach``; `isReady` once nothing of setup is left.
  case reached(Answer)
  /// An answer to ``SyncAction/fetchPage(limit:)``.
  case fetched(Answer, PageReport)
  /// An answer to ``SyncAction/sendBatch(limit:)``.
  case sent(Answer, BatchReport)
  /// An answer to ``SyncAction/fetchFiles``.
  case filesFetched(Answer, FilesReport)
  /// An answer to ``SyncAction/compare(_:)``.
  case compared(Answer)
  case timerFired
  case paused
  case resumed
  case turnedOff
  /// The service says what it takes in one request.
  case limits(operations: Int, records: Int)
}

/// What came of a page.
package struct PageReport: Sendable, Hashable {
  package var counts = SyncCounts()
  package var isLast = false
  /// Changes that wait to be sent, without the parked ones.
  package var sendable = 0
  /// Attached files that have yet to be fetched.
  package var files = 0

  package init() {}
}

/// What came of fetching files.
package struct FilesReport: Sendable, Hashable {
  package var counts = SyncCounts()
  package var arrived = 0
  /// Files that are still to be fetched.
  package var left = 0

  package init() {}
}

/// What came of a batch.
package struct BatchReport: Sendable, Hashable {
  package var counts = SyncCounts()
  package var sendable = 0
  /// Something in it moved: acknowledged, joined or parked.
  package var didMove = false
  /// The longest wait that an answer to one of its records asked for.
  package var retry: Answer?

  package init() {}
}

/// What the driver has to do.
package enum SyncAction: Sendable, Hashable {
  /// Write down that a phase begins.
  case begin(SyncPhase, SyncTrigger)
  /// Write down how the phase that runs is doing.
  case progress(SyncCounts)
  /// Write down how the phase ended.
  case end(SyncCounts, Answer)
  /// Reach the service: who are we, is the zone there, what does it take.
  case reach
  case fetchPage(limit: Int)
  case sendBatch(limit: Int)
  /// Fetch some of the attached files that have not arrived.
  case fetchFiles
  /// The one record that is next can't be sent: set it aside.
  case parkNext(Answer)
  /// The token is refused: read the zone anew and compare.
  case compare(Answer)
  case setTimer(milliseconds: Int64)
  case cancelTimer
  /// Nothing is left to do for now.
  case rest(SyncRest)
}

extension SyncAction {
  /// Whether it writes down what came of an answer, and asks the service for nothing.
  var isBookkeeping: Bool {
    switch self {
    case .begin, .progress, .end, .parkNext: true
    case .reach, .fetchPage, .sendBatch, .fetchFiles, .compare, .setTimer, .cancelTimer, .rest:
      false
    }
  }
}

/// How a run came to rest.
package enum SyncRest: Sendable, Hashable {
  case done
  case paused
  case off
  /// It goes on by itself after a wait.
  case waiting(Answer)
  /// It needs a person.
  case stopped(Answer)
}

package struct SyncMachine: Sendable, Hashable {
  package enum Stage: Sendable, Hashable {
    case off
    case paused
    case resting
    case settingUp
    case importing
    case exporting
    /// Importing after an export: the feed has our own writes in it.
    case catchingUp
    /// Fetching attached files, once nothing is left to do about records.
    case fetchingFiles
    case comparing
    case waiting
    case stopped
  }

  /// Batches without any movement, after which the export waits like after a failure.
  package static let idleBatchesMax = 3
  /// Records a page that we ask for, where the service does not offer more.
  package static let pageLimit = 200
  /// The most of a page or a batch, whatever the service takes: one transaction here, of about the
  /// 50 ms that a save may have to wait for it (DESIGN.md 2).
  package static let recordsMax = 1_000

  package private(set) var stage: Stage
  /// Reached in this session: setup is not repeated until something fails.
  package private(set) var isReady = false
  package private(set) var batch = BatchSize(limit: 200)
  package private(set) var page = BatchSize(limit: SyncMachine.pageLimit)
  package private(set) var backoff = Backoff()
  package private(set) var lastFailure: Answer?
  private var idleBatches = 0
  private var wanted: SyncTrigger?
  private var trigger: SyncTrigger = .launch
  private var counts = SyncCounts()

  package init(isOn: Bool, isPaused: Bool) {
    stage = isOn ? (isPaused ? .paused : .resting) : .off
  }

  package var isWorking: Bool {
    switch stage {
    case .settingUp, .importing, .exporting, .catchingUp, .fetchingFiles, .comparing: true
    case .off, .paused, .resting, .waiting, .stopped: false
    }
  }

  // MARK: The one door

  /// Takes an input and says what to do.
  ///
  /// - Parameter jitter: From 0 up to 1, for the wait after a failure.
  package mutating func handle(_ input: SyncInput, jitter: Double = 0) -> [SyncAction] {
    switch input {
    case .requested(let trigger): return request(trigger)
    case .timerFired: return stage == .waiting ? start(.retry) : []
    case .paused: return pause()
    case .resumed: return stage == .paused ? resume() : []
    case .turnedOff: return turnOff()
    case .limits(let operations, let records):
      batch.allow(min(operations, Self.recordsMax))
      page.allow(min(records, Self.recordsMax))
      return []
    case .reached(let answer):
      guard stage == .settingUp else { return [] }
      return reached(answer, jitter)
    case .fetched(let answer, let report):
      guard stage == .importing || stage == .catchingUp else { return [] }
      return fetched(answer, report, jitter)
    case .sent(let answer, let report):
      guard stage == .exporting else { return [] }
      return sent(answer, report, jitter)
    case .filesFetched(let answer, let report):
      guard stage == .fetchingFiles else { return [] }
      return filesFetched(answer, report, jitter)
    case .compared(let answer):
      guard stage == .comparing else { return [] }
      return compared(answer, jitter)
    }
  }

  // MARK: Requests

  private mutating func request(_ trigger: SyncTrigger) -> [SyncAction] {
    switch stage {
    case .off: return [.rest(.off)]
    case .paused:
      wanted = trigger
      return [.rest(.paused)]
    case .resting: return start(trigger)
    case .settingUp, .importing, .exporting, .catchingUp, .fetchingFiles, .comparing:
      wanted = trigger
      return []
    case .waiting:
      // A save does not shorten a wait that the service asked for; a person or the network does.
      guard trigger != .commit, trigger != .push else { return [] }
      return [.cancelTimer] + start(trigger)
    case .stopped:
      guard trigger == .user || trigger == .launch else { return [] }
      return start(trigger)
    }
  }

  private mutating func start(_ trigger: SyncTrigger) -> [SyncAction] {
    self.trigger = trigger
    wanted = nil
    idleBatches = 0
    // What was saved here goes out at once: change tags guard it, and the feed is read after it.
    if isReady, trigger == .commit { return beginExport() }
    if isReady { return beginImport(.importing) }
    stage = .settingUp
    counts = SyncCounts()
    return [.begin(.setup, trigger), .reach]
  }

  private mutating func pause() -> [SyncAction] {
    guard stage != .off, stage != .paused else { return [] }
    let end: [SyncAction] = isWorking ? [.end(counts, Answer(.transport(.cancelled)))] : []
    stage = .paused
    return end + [.cancelTimer, .rest(.paused)]
  }

  private mutating func resume() -> [SyncAction] {
    stage = .resting
    return start(wanted ?? .user)
  }

  private mutating func turnOff() -> [SyncAction] {
    let end: [SyncAction] = isWorking ? [.end(counts, Answer(.transport(.cancelled)))] : []
    self = SyncMachine(isOn: false, isPaused: false)
    return end + [.cancelTimer, .rest(.off)]
  }

  // MARK: Answers

  private mutating func reached(_ answer: Answer, _ jitter: Double) -> [SyncAction] {
    switch OutcomeTable.outcome(of: answer.kind, at: .setup) {
    case .proceed:
      isReady = true
      return [.end(counts, .success)] + beginImport(.importing)
    case .compare: return compare(answer)
    case .retry: return wait(answer, jitter)
    case .shrink, .join, .create, .resend, .park, .stop, .makeZone: return stop(answer)
    }
  }

  private mutating func fetched(
    _ answer: Answer, _ report: PageReport, _ jitter: Double
  ) -> [SyncAction] {
    switch OutcomeTable.outcome(of: answer.kind, at: .importing) {
    case .proceed: break
    case .compare:
      // A refusal without a reason may be a passing one: only its repetition condemns the token.
      let isUnexplained = answer.kind == .code(.badRequest) && lastFailure?.kind != answer.kind
      return isUnexplained ? wait(answer, jitter) : compare(answer)
    case .shrink:
      if page.wasTooLarge() { return [.fetchPage(limit: page.current)] }
      return stop(answer)
    case .makeZone: return reachAgain(answer)
    case .retry: return wait(answer, jitter)
    case .stop, .join, .create, .resend, .park: return stop(answer)
    }
    counts += report.counts
    page.succeeded()
    guard report.isLast else { return [.progress(counts), .fetchPage(limit: page.current)] }
    succeeded()
    var actions: [SyncAction] = [.end(counts, .success)]
    if report.sendable > 0 {
      actions += beginExport()
    } else if report.files > 0, wanted == nil {
      actions += beginFiles()
    } else {
      actions += finish()
    }
    return actions
  }

  private mutating func beginFiles() -> [SyncAction] {
    stage = .fetchingFiles
    counts = SyncCounts()
    return [.begin(.import, trigger), .fetchFiles]
  }

  private mutating func filesFetched(
    _ answer: Answer, _ report: FilesReport, _ jitter: Double
  ) -> [SyncAction] {
    counts += report.counts
    switch OutcomeTable.outcome(of: answer.kind, at: .file) {
    case .proceed: break
    case .makeZone: return reachAgain(answer)
    case .compare: return compare(answer)
    case .retry, .park, .shrink, .resend: return wait(answer, jitter)
    case .stop, .join, .create: return stop(answer)
    }
    // Records go before files: what was asked for meanwhile is done first.
    guard report.left > 0, wanted == nil else {
      succeeded()
      return [.end(counts, .success)] + finish()
    }
    return [.progress(counts), .fetchFiles]
  }

  private mutating func sent(
    _ answer: Answer, _ report: BatchReport, _ jitter: Double
  ) -> [SyncAction] {
    switch OutcomeTable.outcome(of: answer.kind, at: .exporting) {
    case .proceed: break
    case .shrink:
      counts += report.counts
      if batch.wasTooLarge() { return [.sendBatch(limit: batch.current)] }
      return [.parkNext(answer), .sendBatch(limit: 1)]
    case .compare: return compare(answer)
    case .makeZone: return reachAgain(answer)
    case .retry: return wait(answer, jitter)
    case .stop, .join, .create, .resend, .park: return stop(answer)
    }
    counts += report.counts
    if let retry = report.retry, !report.didMove {
      return OutcomeTable.outcome(of: retry.kind, at: .record) == .stop
        ? stop(retry) : wait(retry, jitter)
    }
    idleBatches = report.didMove ? 0 : idleBatches + 1
    if report.didMove { batch.succeeded() }
    if idleBatches >= Self.idleBatchesMax { return wait(Answer(.missing), jitter) }
    if report.sendable > 0 { return [.progress(counts), .sendBatch(limit: batch.current)] }
    succeeded()
    // What was sent comes back in the feed: reading up to it is what makes "succeeded" true.
    return [.end(counts, .success)] + beginImport(.catchingUp)
  }

  private mutating func compared(_ answer: Answer, _ jitter: Double) -> [SyncAction] {
    switch OutcomeTable.outcome(of: answer.kind, at: .importing) {
    case .proceed:
      stage = .importing
      return [.fetchPage(limit: page.current)]
    case .retry, .shrink, .makeZone, .compare: return wait(answer, jitter)
    case .stop, .join, .create, .resend, .park: return stop(answer)
    }
  }

  // MARK: Moves

  private mutating func beginImport(_ stage: Stage) -> [SyncAction] {
    self.stage = stage
    counts = SyncCounts()
    return [.begin(.import, trigger), .fetchPage(limit: page.current)]
  }

  private mutating func beginExport() -> [SyncAction] {
    stage = .exporting
    counts = SyncCounts()
    return [.begin(.export, trigger), .sendBatch(limit: batch.current)]
  }

  private mutating func finish() -> [SyncAction] {
    stage = .resting
    if let wanted { return start(wanted) }
    return [.rest(.done)]
  }

  private mutating func compare(_ answer: Answer) -> [SyncAction] {
    let begin: [SyncAction] =
      stage == .exporting || stage == .settingUp
      ? [.end(counts, answer), .begin(.import, trigger)] : []
    if !begin.isEmpty { counts = SyncCounts() }
    stage = .comparing
    return begin + [.compare(answer)]
  }

  /// The zone went away: setup decides whether it may be made again.
  private mutating func reachAgain(_ answer: Answer) -> [SyncAction] {
    isReady = false
    let end = SyncAction.end(counts, answer)
    stage = .settingUp
    counts = SyncCounts()
    return [end, .begin(.setup, trigger), .reach]
  }

  private mutating func succeeded() {
    backoff.succeeded()
    lastFailure = nil
  }

  private mutating func wait(_ answer: Answer, _ jitter: Double) -> [SyncAction] {
    lastFailure = answer
    isReady = false
    stage = .waiting
    let delay = backoff.failed(retryAfter: answer.retryAfter, jitter: jitter)
    return [.end(counts, answer), .setTimer(milliseconds: delay), .rest(.waiting(answer))]
  }

  private mutating func stop(_ answer: Answer) -> [SyncAction] {
    lastFailure = answer
    isReady = false
    stage = .stopped
    return [.end(counts, answer), .rest(.stopped(answer))]
  }
}
