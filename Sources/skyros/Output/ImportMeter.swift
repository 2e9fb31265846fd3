// The progress of an import on a terminal. Any thread.

internal import RecordStore
internal import Synchronization
internal import Wording

/// Shows how far an import is, how fast it goes, and how long it will take.
final class ImportMeter: Sendable {
  private struct State {
    var phase: ImportProgress.Phase?
    var began: Int64 = 0
  }

  private let line = MeterLine()
  private let state = Mutex(State())

  func show(_ progress: ImportProgress) {
    let began = state.withLock { state in
      if state.phase != progress.phase {
        state = State(phase: progress.phase, began: MeterLine.milliseconds())
      }
      return state.began
    }
    line.show { Self.line(progress, milliseconds: $0 - began) }
  }

  /// Takes the line away.
  func clear() { line.clear() }

  /// `Importing   45 %   120,000 rows   31,000 rows/s   0:04 left`.
  static func line(_ progress: ImportProgress, milliseconds: Int64) -> String {
    let words = Words.system.importing
    let phase = progress.phase == .examining ? words.examining : words.importing
    let part = progress.totalBytes > 0 ? Double(progress.bytes) / Double(progress.totalBytes) : 0
    let line = words.progress(
      phase, percent: Int(min(part, 1) * 100), rows: MeterLine.grouped(progress.rows))
    guard milliseconds >= 500, part > 0 else { return line }
    let rate = Int(Double(progress.rows) * 1000 / Double(milliseconds))
    return line + "  "
      + words.rate(
        MeterLine.grouped(rate), left: MeterLine.left(after: milliseconds, part: part))
  }
}
