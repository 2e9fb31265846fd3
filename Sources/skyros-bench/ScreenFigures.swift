// The interface as a person meets it: a real program on a pseudo-terminal.

import FoundationEssentials
import GRDB
import Glibc

/// Launch, keys, memory and idleness of `skyros` on one library.
struct ScreenFigures {
  let libraries: Libraries
  private static let launches = 7
  private static let steps = 300

  func measure() throws -> [Figure] {
    let title = try firstTitle()
    var launches: [Double] = []
    for _ in 0..<Self.launches { launches.append(try launch(until: title)) }
    let isLarge = libraries.records > 100_000
    var figures = [
      Figure(
        name: "process start to first full screen", ours: percentile(50, of: launches), unit: "ms",
        reference: ("sqlite3 reading one page", try shellPage()),
        bound: .atMost(isLarge ? 60 : 30))
    ]
    figures += try browse(until: title, isLarge: isLarge)
    return figures
  }

  private func start() throws -> TerminalSession {
    try TerminalSession(
      [Programs.skyros, "--library", libraries.library],
      environment: ["XDG_CONFIG_HOME": libraries.folder, "XDG_STATE_HOME": libraries.folder])
  }

  private func launch(until title: String) throws -> Double {
    let start = ContinuousClock.now
    let session = try self.start()
    guard let time = session.wait(for: Array(title.utf8), since: start) else {
      throw BenchError.silent("the first record")
    }
    return time
  }

  private func shellPage() throws -> Double {
    let run = try Programs.run([
      "sqlite3", "\(libraries.library)/library.sqlite",
      "SELECT * FROM Place ORDER BY population DESC LIMIT 30",
    ])
    return run.milliseconds
  }

  private func firstTitle() throws -> String {
    let queue = try DatabaseQueue(path: "\(libraries.library)/library.sqlite")
    defer { try? queue.close() }
    let title = try queue.read {
      try String.fetchOne(
        $0, sql: "SELECT name FROM Place ORDER BY population DESC, _row DESC LIMIT 1")
    }
    guard let title else { throw BenchError.failed("an empty library") }
    return title
  }

  private func browse(until title: String, isLarge: Bool) throws -> [Figure] {
    let session = try start()
    guard session.wait(for: Array(title.utf8), since: .now) != nil else {
      throw BenchError.silent("the first record")
    }
    session.settle(milliseconds: 1_000)
    let calls = session.writeCalls
    let bytes = session.bytesRead
    var times: [Double] = []
    for _ in 0..<Self.steps {
      guard let time = session.press("j") else { throw BenchError.silent("the next row") }
      times.append(time)
    }
    let bytesPerStep = Double(session.bytesRead - bytes) / Double(Self.steps)
    let callsPerStep = Double(session.writeCalls - calls) / Double(Self.steps)
    session.send("G")
    session.settle(milliseconds: 500)
    session.send("gg")
    session.settle(milliseconds: 500)
    let ticks = session.ticks
    usleep(5_000_000)
    let idle = Double(session.ticks - ticks) / 5
    return [
      Figure(
        name: "key to repainted screen, p50", ours: percentile(50, of: times), unit: "ms",
        bound: .atMost(2)),
      Figure(
        name: "key to repainted screen, p99", ours: percentile(99, of: times), unit: "ms",
        bound: .atMost(8)),
      Figure(
        name: "bytes for one cursor step", ours: bytesPerStep, unit: "bytes", bound: .atMost(400)),
      Figure(
        name: "write calls for one cursor step", ours: callsPerStep, unit: "calls",
        bound: .atMost(1)),
      Figure(name: "idle processor time", ours: idle, unit: "%", bound: .atMost(0)),
      Figure(
        name: "anonymous memory while browsing",
        ours: Double(session.anonymousKilobytes) / 1024, unit: "MB",
        bound: .atMost(isLarge ? 64 : 25)),
    ]
  }
}
