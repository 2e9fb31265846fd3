// The progress of an import on a terminal: one line on standard error, written over itself.

internal import Glibc
internal import RecordStore
internal import Synchronization
internal import Wording

/// Shows how far an import is, how fast it goes, and how long it will take.
final class ImportMeter: Sendable {
  /// Often enough to look alive, seldom enough to cost nothing.
  private static let pauseMilliseconds: Int64 = 100

  private struct State {
    var phase: ImportProgress.Phase?
    var began: Int64 = 0
    var shown: Int64 = 0
    var isShown = false
  }

  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let state = Mutex(State())

  func show(_ progress: ImportProgress) {
    guard isTerminal else { return }
    let now = Self.milliseconds()
    let line = state.withLock { state -> String? in
      if state.phase != progress.phase {
        state.phase = progress.phase
        state.began = now
      }
      guard now - state.shown >= Self.pauseMilliseconds else { return nil }
      state.shown = now
      state.isShown = true
      return Self.line(progress, milliseconds: now - state.began)
    }
    if let line { Self.write("\r\(line)\u{1b}[K") }
  }

  /// Takes the line away.
  func clear() {
    let isShown = state.withLock(\.isShown)
    if isShown { Self.write("\r\u{1b}[K") }
  }

  /// `Importing   45 %   120,000 rows   31,000 rows/s   0:04 left`.
  static func line(_ progress: ImportProgress, milliseconds: Int64) -> String {
    let words = Words.system.importing
    let phase = progress.phase == .examining ? words.examining : words.importing
    let part = progress.totalBytes > 0 ? Double(progress.bytes) / Double(progress.totalBytes) : 0
    let line = words.progress(
      phase, percent: Int(min(part, 1) * 100), rows: grouped(progress.rows))
    guard milliseconds >= 500, part > 0 else { return line }
    let seconds = Double(milliseconds) / 1000
    let left = Int((seconds / part * (1 - part)).rounded(.up))
    let time = "\(left / 60):\(left % 60 < 10 ? "0" : "")\(left % 60)"
    return line + "  " + words.rate(grouped(Int(Double(progress.rows) / seconds)), left: time)
  }

  private static func grouped(_ number: Int) -> String {
    var digits = String(number)
    var result = ""
    while digits.count > 3 {
      result = ",\(digits.suffix(3))\(result)"
      digits.removeLast(3)
    }
    return digits + result
  }

  private static func milliseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
  }

  private static func write(_ text: String) {
    // A terminal that is gone loses a progress line, nothing else.
    let bytes = Array(text.utf8)
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
