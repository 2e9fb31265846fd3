import CloudKitWire
import RecordStore
import Sync
import TestKit
import Testing

struct SyncMachineTests {
  static let lastPage: PageReport = {
    var report = PageReport()
    report.isLast = true
    return report
  }()

  static func page(sendable: Int, files: Int = 0) -> PageReport {
    var report = lastPage
    report.sendable = sendable
    report.files = files
    return report
  }

  static func batch(acknowledged: Int, left: Int) -> BatchReport {
    var report = BatchReport()
    report.counts.sent = acknowledged
    report.counts.acknowledged = acknowledged
    report.didMove = acknowledged > 0
    report.sendable = left
    return report
  }

  static func ready() -> SyncMachine {
    var machine = SyncMachine(isOn: true, isPaused: false)
    _ = machine.handle(.requested(.user))
    _ = machine.handle(.reached(.success))
    return machine
  }

  @Test func `a run sets up, imports, exports, and reads its own writes back`() {
    var machine = SyncMachine(isOn: true, isPaused: false)
    #expect(machine.handle(.requested(.user)) == [.begin(.setup, .user), .reach])
    #expect(
      machine.handle(.reached(.success)) == [
        .end(SyncCounts(), .success), .begin(.import, .user), .fetchPage(limit: 200),
      ])
    #expect(
      machine.handle(.fetched(.success, Self.page(sendable: 3))) == [
        .end(SyncCounts(), .success), .begin(.export, .user), .sendBatch(limit: 200),
      ])
    let sent = Self.batch(acknowledged: 3, left: 0)
    #expect(
      machine.handle(.sent(.success, sent)) == [
        .end(sent.counts, .success), .begin(.import, .user), .fetchPage(limit: 200),
      ])
    #expect(machine.stage == .catchingUp)
    #expect(
      machine.handle(.fetched(.success, Self.lastPage)) == [
        .end(SyncCounts(), .success), .rest(.done),
      ])
    #expect(machine.stage == .resting)
  }

  @Test func `files are fetched last, and give way to what is asked for meanwhile`() {
    var machine = Self.ready()
    #expect(
      machine.handle(.fetched(.success, Self.page(sendable: 0, files: 2))) == [
        .end(SyncCounts(), .success), .begin(.import, .user), .fetchFiles,
      ])
    var report = FilesReport()
    report.left = 1
    #expect(
      machine.handle(.filesFetched(.success, report)) == [.progress(SyncCounts()), .fetchFiles])
    #expect(machine.handle(.requested(.commit)) == [])
    #expect(
      machine.handle(.filesFetched(.success, report)) == [
        .end(SyncCounts(), .success), .begin(.export, .commit), .sendBatch(limit: 200),
      ])
  }

  @Test func `requests during a run are one run after it`() {
    var machine = Self.ready()
    for trigger in [SyncTrigger.commit, .push, .commit] {
      #expect(machine.handle(.requested(trigger)) == [])
    }
    let actions = machine.handle(.fetched(.success, Self.lastPage))
    #expect(actions.filter { $0 == .begin(.export, .commit) }.count == 1)
    #expect(machine.handle(.sent(.success, Self.batch(acknowledged: 1, left: 0))).count == 3)
    #expect(machine.handle(.fetched(.success, Self.lastPage)).last == .rest(.done))
  }

  @Test func `a passing failure waits, doubling, and never less than the service asks for`() {
    var machine = SyncMachine(isOn: true, isPaused: false)
    _ = machine.handle(.requested(.user))
    let busy = Answer(.code(.tryAgainLater))
    var delays: [Int64] = []
    for _ in 0..<12 {
      for case .setTimer(let delay) in machine.handle(.reached(busy), jitter: 1) {
        delays.append(delay)
      }
      _ = machine.handle(.timerFired)
    }
    #expect(delays.prefix(4) == [1_000, 2_000, 4_000, 8_000])
    #expect(delays.last == Backoff.maxMilliseconds)
    let throttled = Answer(.code(.throttled), retryAfter: 1_000)
    #expect(
      machine.handle(.reached(throttled), jitter: 0).contains(.setTimer(milliseconds: 1_000_000)))
  }

  @Test func `a save does not cut a wait short, a person does`() {
    var machine = SyncMachine(isOn: true, isPaused: false)
    _ = machine.handle(.requested(.user))
    _ = machine.handle(.reached(Answer(.code(.throttled), retryAfter: 60)))
    #expect(machine.handle(.requested(.commit)) == [])
    #expect(machine.stage == .waiting)
    #expect(machine.handle(.requested(.user)) == [.cancelTimer, .begin(.setup, .user), .reach])
  }

  @Test func `a batch that is refused is halved down to one, whose record is set aside`() {
    var machine = Self.ready()
    _ = machine.handle(.fetched(.success, Self.page(sendable: 200)))
    let refused = Answer(.code(.badRequest))
    var sizes: [Int] = []
    var isParked = false
    while !isParked {
      let actions = machine.handle(.sent(refused, BatchReport()))
      for case .sendBatch(let limit) in actions { sizes.append(limit) }
      isParked = actions.contains(.parkNext(refused))
    }
    #expect(sizes == [100, 50, 25, 12, 6, 3, 1, 1])
  }

  @Test func `a failure that needs a person stops until a person or the next start`() {
    var machine = Self.ready()
    let out = Answer(.code(.authenticationRequired))
    #expect(
      machine.handle(.fetched(out, PageReport())) == [
        .end(SyncCounts(), out), .rest(.stopped(out)),
      ])
    #expect(machine.handle(.requested(.commit)) == [])
    #expect(machine.handle(.timerFired) == [])
    #expect(machine.handle(.requested(.user)).last == .reach)
  }

  @Test func `pausing ends the running phase, and what is asked meanwhile runs on resuming`() {
    var machine = Self.ready()
    let actions = machine.handle(.paused)
    #expect(actions.last == .rest(.paused))
    #expect(actions.contains(.end(SyncCounts(), Answer(.transport(.cancelled)))))
    #expect(machine.handle(.requested(.commit)) == [.rest(.paused)])
    #expect(machine.handle(.fetched(.success, Self.lastPage)) == [])
    #expect(machine.handle(.resumed).first == .begin(.export, .commit))
  }

  @Test func `a refused token leads to a comparison, and that to a reading from the start`() {
    var machine = Self.ready()
    let refused = Answer(.tokenRefused(.retention))
    #expect(machine.handle(.fetched(refused, PageReport())) == [.compare(refused)])
    #expect(machine.handle(.compared(.success)) == [.fetchPage(limit: 200)])
  }

  @Test func `batches in which nothing moves do not go on for ever`() {
    var machine = Self.ready()
    _ = machine.handle(.fetched(.success, Self.page(sendable: 1)))
    var rests: [SyncAction] = []
    for _ in 0..<SyncMachine.idleBatchesMax {
      rests = machine.handle(.sent(.success, Self.batch(acknowledged: 0, left: 1)))
    }
    #expect(rests.last == .rest(.waiting(Answer(.missing))))
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `whatever answers come, events nest and something is always under way or at rest`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var machine = SyncMachine(isOn: true, isPaused: false)
    var open = 0
    var out = 0
    var queue = machine.handle(.requested(.launch))
    for _ in 0..<400 {
      for action in queue {
        switch action {
        case .begin:
          open += 1
          #expect(open == 1, "seed \(seed)")
        case .end:
          open -= 1
          #expect(open == 0, "seed \(seed)")
        case .reach, .fetchPage, .sendBatch, .fetchFiles, .compare: out += 1
        default: break
        }
      }
      #expect(out <= 1, "seed \(seed)")
      #expect((out == 1) == machine.isWorking, "seed \(seed): \(machine.stage)")
      // The call that is out is answered by what comes next.
      out = 0
      queue = Self.next(&machine, &random)
    }
  }

  private static func next(
    _ machine: inout SyncMachine, _ random: inout SeededGenerator
  ) -> [SyncAction] {
    let answer = Answer(AnswerClass.all.randomElement(using: &random) ?? .success)
    let luck = Int.random(in: 0..<3, using: &random)
    let kind = luck == 0 ? answer : .success
    switch machine.stage {
    case .settingUp: return machine.handle(.reached(kind))
    case .importing, .catchingUp:
      return machine.handle(
        .fetched(
          kind,
          page(
            sendable: Int.random(in: 0...2, using: &random),
            files: Int.random(in: 0...1, using: &random))))
    case .fetchingFiles:
      var report = FilesReport()
      report.left = Int.random(in: 0...2, using: &random)
      return machine.handle(.filesFetched(kind, report))
    case .exporting:
      return machine.handle(
        .sent(kind, batch(acknowledged: luck, left: Int.random(in: 0...2, using: &random))))
    case .comparing: return machine.handle(.compared(kind))
    case .waiting: return machine.handle(.timerFired)
    case .paused: return machine.handle(.resumed)
    case .resting, .stopped:
      return machine.handle(Bool.random(using: &random) ? .requested(.user) : .paused)
    case .off: return []
    }
  }
}
