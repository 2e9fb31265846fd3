// How far an import or a try is, on one line. Pure.

internal import TerminalKit
package import Wording

/// The bar, the phase, the rows and the time left, each said once.
package struct ImportMeter {
  private static let barColumns = 24
  /// Before this fraction nobody can tell how long the rest takes.
  private static let leastTold = 0.02

  let words: Words
  let isExamining: Bool
  let isTrying: Bool
  let fraction: Double?
  let rows: Int
  let milliseconds: Int64

  /// - Parameters:
  ///   - isExamining: Whether the file is read for the types of its columns, and nothing is written.
  ///   - fraction: Of the file's bytes; nothing before the first are read.
  ///   - milliseconds: Since it began.
  package init(
    words: Words, isExamining: Bool, isTrying: Bool, fraction: Double?, rows: Int,
    milliseconds: Int64
  ) {
    self.words = words
    self.isExamining = isExamining
    self.isTrying = isTrying
    self.fraction = fraction
    self.rows = rows
    self.milliseconds = milliseconds
  }

  private var importing: ImportWords { words.importing }

  private var phase: String {
    if isExamining { return importing.examining }
    return isTrying ? importing.trying : importing.importing
  }

  package var text: String {
    guard let fraction else { return phase + "…" }
    let seconds = max(0.001, Double(milliseconds) / 1000)
    var text = ProgressBar.text(fraction, columns: Self.barColumns)
    text += "  " + phase + "  " + importing.rows(rows)
    guard fraction > Self.leastTold else { return text }
    let left = Int(max(0, seconds / fraction - seconds))
    let time = "\(left / 60):\(left % 60 < 10 ? "0" : "")\(left % 60)"
    return text + "  " + importing.rate(String(Int(Double(rows) / seconds)), left: time)
  }
}
