// A long text in the form: pasted at once, and typed into. A real program on a pseudo-terminal.

/// What a person waits for who edits a text of almost a megabyte.
struct LongTextFigures {
  let libraries: Libraries
  private static let bytes = 900_000
  private static let keys = 100
  /// Of the fields of a place, the long text is the last.
  private static let fieldsBefore = 8

  func measure() throws -> [Figure] {
    let lines = try measure("lines", Self.lines, end: "the last line")
    let line = try measure("one line", Self.lines.replacing("\n", with: " "), end: "the last line")
    return lines + line
  }

  private static let lines =
    String(
      repeating: "What the harbour master wrote down on a quiet day in winter.\n", count: bytes / 61
    )
    + "the last line"

  private func measure(_ name: String, _ text: String, end: String) throws -> [Figure] {
    let title = try Libraries.firstTitle(of: libraries.library)
    let session = try libraries.session(on: libraries.library)
    guard session.wait(for: Array(title.utf8), since: .now) != nil else {
      throw BenchError.silent("the first record")
    }
    session.settle(milliseconds: 1_000)
    session.send("e")
    session.settle(milliseconds: 500)
    for _ in 0..<Self.fieldsBefore { session.send("\t") }
    session.send("\u{1B}[1;5F")
    session.settle(milliseconds: 500)
    let start = ContinuousClock.now
    session.send("\u{1B}[200~\(text)\u{1B}[201~")
    let sent = TerminalSession.elapsed(since: start)
    guard let pasted = session.wait(for: Array(end.utf8), since: start) else {
      throw BenchError.silent("the pasted text")
    }
    session.settle(milliseconds: 1_000)
    var times: [Double] = []
    for number in 0..<Self.keys {
      guard let time = session.press(number % 10 == 9 ? " " : "x") else {
        throw BenchError.silent("a key")
      }
      times.append(time)
      session.settle(milliseconds: 5)
    }
    session.send("\u{1B}")
    session.settle(milliseconds: 200)
    session.send("d")
    session.settle(milliseconds: 200)
    return [
      Figure(
        name: "paste of 900 kB (\(name))", ours: pasted, unit: "ms",
        reference: ("until the program took it", sent), bound: .atMost(100)),
      Figure(
        name: "key in a text of 900 kB (\(name)), p50", ours: percentile(50, of: times),
        unit: "ms", bound: .atMost(2)),
      Figure(
        name: "key in a text of 900 kB (\(name)), p99", ours: percentile(99, of: times),
        unit: "ms", bound: .atMost(8)),
    ]
  }
}
