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
    let title = try Libraries.firstTitle(of: libraries.library)
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
    if let writes = try writesPerStep(until: title) {
      figures.append(
        Figure(
          name: "writes to the terminal for one cursor step", ours: writes, unit: "writes",
          bound: .atMost(1)))
    }
    figures += try type(until: title)
    return figures
  }

  private func launch(until title: String) throws -> Double {
    let start = ContinuousClock.now
    let session = try libraries.session(on: libraries.library)
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

  private func browse(until title: String, isLarge: Bool) throws -> [Figure] {
    let session = try libraries.session(on: libraries.library)
    guard session.wait(for: Array(title.utf8), since: .now) != nil else {
      throw BenchError.silent("the first record")
    }
    session.settle(milliseconds: 1_000)
    let bytes = session.bytesRead
    var times: [Double] = []
    for _ in 0..<Self.steps {
      guard let time = session.press("j") else { throw BenchError.silent("the next row") }
      times.append(time)
    }
    let bytesPerStep = Double(session.bytesRead - bytes) / Double(Self.steps)
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
      Figure(name: "idle processor time", ours: idle, unit: "%", bound: .atMost(0)),
      Figure(
        name: "anonymous memory while browsing",
        ours: Double(session.anonymousKilobytes) / 1024, unit: "MB",
        bound: .atMost(isLarge ? 64 : 25)),
    ]
  }

  /// How often the program writes to the terminal for one step, told by strace(1); nothing where
  /// that is not installed.
  ///
  /// `/proc/PID/io` would count the wake-ups between its threads too.
  private func writesPerStep(until title: String) throws -> Double? {
    guard access(Self.strace, X_OK) == 0 else { return nil }
    let steps = 50
    let still = try tracedWrites(until: title, steps: 0)
    return Double(try tracedWrites(until: title, steps: steps) - still) / Double(steps)
  }

  private static let strace = "/usr/bin/strace"

  private func tracedWrites(until title: String, steps: Int) throws -> Int {
    let log = "\(libraries.folder)/trace"
    let session = try TerminalSession(
      [
        Self.strace, "-f", "-y", "-qq", "-e", "trace=write,writev", "-o", log, Programs.skyros,
        "--library", libraries.library,
      ], environment: libraries.environment)
    guard session.wait(for: Array(title.utf8), since: .now) != nil else {
      throw BenchError.silent("the first record")
    }
    session.settle(milliseconds: 1_000)
    for _ in 0..<steps where session.press("j") == nil { throw BenchError.silent("the next row") }
    session.settle(milliseconds: 500)
    session.send("q")
    session.settle(milliseconds: 1_000)
    let text = try String(contentsOfFile: log, encoding: .utf8)
    return text.split(separator: "\n").count { $0.contains("</dev/pts/") }
  }

  /// Keys typed into the filter while each of them asks for another list: each has to be seen at once.
  private func type(until title: String) throws -> [Figure] {
    let session = try libraries.session(on: libraries.library)
    guard session.wait(for: Array(title.utf8), since: .now) != nil else {
      throw BenchError.silent("the first record")
    }
    session.settle(milliseconds: 1_000)
    var times: [Double] = []
    for text in ["population>500", "country=JP population>70", "name~port"] {
      for key in "f" + text {
        guard let time = session.press(String(key)) else { throw BenchError.silent("a key") }
        times.append(time)
        usleep(30_000)
      }
      session.send("\u{1B}")
      session.settle(milliseconds: 500)
      session.send("\u{1B}")
      session.settle(milliseconds: 500)
    }
    return [
      Figure(
        name: "key typed into the filter, p50", ours: percentile(50, of: times), unit: "ms",
        bound: .atMost(2)),
      Figure(
        name: "key typed into the filter, p99", ours: percentile(99, of: times), unit: "ms",
        bound: .atMost(8)),
    ]
  }
}
