import Testing
import UILoop

@Suite struct UILoopTests {
  @Test @UI func `jobs of the actor run on the loop's thread`() async {
    #expect(UILoop.shared.isOnThread)
    await Task.yield()
    #expect(UILoop.shared.isOnThread)
    UI.shared.assertIsolated()
    let isThereElsewhere = await Task.detached { UILoop.shared.isOnThread }.value
    #expect(!isThereElsewhere)
    #expect(UILoop.shared.isOnThread)
  }

  @Test func `hops from many tasks all arrive, one at a time`() async {
    let counter = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          for _ in 0..<100 { await counter.step() }
        }
      }
    }
    #expect(await counter.value == 5000)
  }

  @Test func `deadlines are called in their order, cancelled ones never`() async {
    let log = Log()
    await withCheckedContinuation { done in
      Task { @UI in
        let loop = UILoop.shared
        loop.after(.milliseconds(3)) {
          log.add("third")
          done.resume()
        }
        loop.after(.milliseconds(1)) { log.add("first") }
        loop.after(.milliseconds(2)) { log.add("second") }
        loop.after(.milliseconds(1)) { log.add("never") }.cancel()
      }
    }
    #expect(await log.entries == ["first", "second", "third"])
  }

  @Test func `a deadline cancels another that is due in the same cycle`() async {
    let log = Log()
    await withCheckedContinuation { done in
      Task { @UI in
        let loop = UILoop.shared
        var second: LoopWait?
        loop.after(.nanoseconds(0)) {
          log.add("first")
          second?.cancel()
        }
        second = loop.after(.nanoseconds(0)) { log.add("second") }
        loop.after(.nanoseconds(0)) { done.resume() }
      }
    }
    #expect(await log.entries == ["first"])
  }

  @Test func `idle means that every job that was queued has run`() async {
    let log = Log()
    for number in 0..<1000 {
      Task { @UI in log.add("\(number)") }
    }
    Task { @UI in
      Task { @UI in log.add("last") }
    }
    await UILoop.shared.untilIdle()
    #expect(await log.entries.last == "last")
    #expect(await log.entries.count == 1001)
  }

  @Test func `a body that is run from a thread of no task returns its value or throws`()
    async throws
  {
    struct Refused: Error {}
    let value = await blocking { try? UILoop.shared.run { @UI in 42 } }
    #expect(value == 42)
    let failed = await blocking {
      do {
        try UILoop.shared.run { @UI in throw Refused() }
        return false
      } catch {
        return error is Refused
      }
    }
    #expect(failed)
  }
}

@UI private final class Counter {
  var value = 0
  nonisolated init() {}
  func step() {
    let before = value
    value = before + 1
  }
}

@UI private final class Log {
  var entries: [String] = []
  nonisolated init() {}
  func add(_ entry: String) { entries.append(entry) }
}

/// Runs a body on a thread that belongs to no task.
private func blocking<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    let thread = PlainThread { continuation.resume(returning: body()) }
    thread.start()
  }
}
