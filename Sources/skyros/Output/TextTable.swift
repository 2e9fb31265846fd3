// Rows in columns for people. Programs take --json, --ndjson or --csv.
//
// The widths come from the rows at the beginning; later rows are printed as they come, so that a
// list of a million records needs no more memory than a list of a hundred.

internal import Synchronization
internal import TerminalKit
internal import Wording

/// A table on standard output.
struct TextTable {
  /// Rows that are held back to see how wide their columns are.
  private static let sampleSize = 200
  /// A column is cut here on a terminal, so that one long text does not push all others out.
  private static let columnsMax = 60

  private let headers: [String]
  private let numeric: Set<Int>
  private var sample: [[String]] = []
  private var widths: [Int]?

  /// - Parameter numeric: The columns that are set to the right.
  init(headers: [String], numeric: Set<Int> = []) {
    self.headers = headers
    self.numeric = numeric
  }

  /// Columns of text as it is shown.
  static func columns(_ text: String) -> Int { TextWidth.columns(text) }

  /// Takes a row; prints it when the widths are known.
  mutating func add(_ row: [String], to output: Output) throws(Failure) {
    let row = row.map(Self.oneLine)
    guard let widths else {
      sample.append(row)
      if sample.count == Self.sampleSize { try printSample(to: output) }
      return
    }
    try output.line(line(row, widths))
  }

  /// Prints what is held back; a person is told that there is nothing.
  mutating func finish(to output: Output) throws(Failure) {
    guard widths == nil else { return }
    if !sample.isEmpty {
      try printSample(to: output)
    } else if Output.isTerminal {
      try output.line(Words.system("Nothing found.", "何も見つかりません。"))
    }
  }

  private mutating func printSample(to output: Output) throws(Failure) {
    let widths = headers.indices.map { column in
      let widest = ([headers] + sample).map { Self.columns($0[column]) }.max() ?? 0
      return min(widest, Self.columnsMax)
    }
    self.widths = widths
    try output.line(line(headers, widths))
    for row in sample { try output.line(line(row, widths)) }
    sample = []
  }

  private func line(_ row: [String], _ widths: [Int]) -> String {
    var result = ""
    for (column, cell) in row.enumerated() {
      let isLast = column == row.count - 1
      // Cut for a terminal only: in a pipe a value is whole.
      let text = Output.isTerminal ? TextWidth.truncate(cell, to: widths[column]) : cell
      let space = String(repeating: " ", count: max(0, widths[column] - Self.columns(text)))
      if numeric.contains(column) { result += space }
      result += VisibleText.shown(text)
      if !isLast { result += (numeric.contains(column) ? "" : space) + "  " }
    }
    return result
  }

  private static func oneLine(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 10 || $0 == 13 }) else { return text }
    return text.split(whereSeparator: \.isNewline).joined(separator: " ⏎ ")
  }
}

/// A table that rows are streamed into from wherever they are read.
final class TableOutput: Sendable {
  private let table: Mutex<TextTable>
  private let output: Output

  init(_ table: TextTable, _ output: Output) {
    self.table = Mutex(table)
    self.output = output
  }

  func add(_ row: [String]) throws(Failure) {
    try table.withLock { table throws(Failure) in try table.add(row, to: output) }
  }

  func finish() throws(Failure) {
    try table.withLock { table throws(Failure) in try table.finish(to: output) }
  }
}
