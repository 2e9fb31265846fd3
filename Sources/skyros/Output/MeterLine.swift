// How far something is, on a terminal: one line on standard error, written over itself. Any thread.

internal import Glibc
internal import Synchronization

/// A line that is written again and again, and taken away at the end.
final class MeterLine: Sendable {
  /// Often enough to look alive, seldom enough to cost nothing.
  private static let pauseMilliseconds: Int64 = 100

  private struct State {
    var shown: Int64 = 0
    var isShown = false
  }

  let isTerminal = isatty(STDERR_FILENO) == 1
  private let state = Mutex(State())

  /// Shows what `text` makes of the time now, in milliseconds, unless the last one was just shown.
  func show(_ text: (_ now: Int64) -> String) {
    guard isTerminal else { return }
    let now = Self.milliseconds()
    let isDue = state.withLock { state in
      guard now - state.shown >= Self.pauseMilliseconds else { return false }
      state = State(shown: now, isShown: true)
      return true
    }
    if isDue { Self.write("\r\(text(now))\u{1b}[K") }
  }

  /// Takes the line away.
  func clear() {
    let isShown = state.withLock { state in
      defer { state.isShown = false }
      return state.isShown
    }
    if isShown { Self.write("\r\u{1b}[K") }
  }

  /// Of a clock that only counts on.
  static func milliseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
  }

  /// `120,000`.
  static func grouped(_ number: Int) -> String {
    var digits = String(number)
    var result = ""
    while digits.count > 3 {
      result = ",\(digits.suffix(3))\(result)"
      digits.removeLast(3)
    }
    return digits + result
  }

  /// What is left of `milliseconds` for a part that is done: `0:04`.
  static func left(after milliseconds: Int64, part: Double) -> String {
    let left = Int((Double(milliseconds) / 1000 / part * (1 - part)).rounded(.up))
    return "\(left / 60):\(left % 60 < 10 ? "0" : "")\(left % 60)"
  }

  private static func write(_ text: String) {
    // A terminal that is gone loses a progress line, nothing else.
    let bytes = Array(text.utf8)
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
