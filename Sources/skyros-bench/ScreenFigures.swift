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
    // The second is wide enough for the record beside the list, which follows the cursor.
    for (columns, rows) in [(80, 24), (120, 36)] as [(Int32, Int32)] {
      guard let writes = try writesPerStep(until: title, columns, rows) else { continue }
      figures.append(
        Figure(
          name: "writes for one cursor step, \(columns) × \(rows)", ours: writes, unit: "writes",
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
    let before = session.threadTimes
    usleep(5_000_000)
    let used = session.threadTimes.reduce(0) { $0 + $1.value - before[$1.key, default: 0] }
    let idle = Double(used) / 5e9 * 100
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
        name: "idle processor time", ours: idle, unit: "%",
        // 0.0 to one place: the library behind Swift's tasks looks at its threads once a second.
        bound: .atMost(0.049)),
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
  private func writesPerStep(
    until title: String, _ columns: Int32, _ rows: Int32
  ) throws -> Double? {
    guard access(Self.strace, X_OK) == 0 else { return nil }
    let steps = 50
    let log = "\(libraries.folder)/trace"
    let session = try TerminalSession(
      [
        Self.strace, "-f", "-y", "-qq", "-e", "trace=write,writev", "-o", log, Programs.skyros,
        "--library", libraries.library,
      ], environment: libraries.environment, columns: columns, rows: rows)
    guard session.wait(for: Array(title.utf8), since: .now) != nil else {
      throw BenchError.silent("the first record")
    }
    session.settle(milliseconds: 1_000)
    // From here on: how many frames a start takes is another question.
    let before = try Self.terminalWrites(in: log)
    for _ in 0..<steps {
      guard session.press("j") != nil else { throw BenchError.silent("the next row") }
      // A second frame for the same step is to be counted, not to answer the next one.
      session.settle(milliseconds: 30)
    }
    return Double(try Self.terminalWrites(in: log) - before) / Double(steps)
  }

  private static let strace = "/usr/bin/strace"

  /// strace(1) writes out each line at once.
  private static func terminalWrites(in log: String) throws -> Int {
    try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
      .count { $0.contains("</dev/pts/") }
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
