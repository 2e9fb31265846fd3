// One measured figure, and the table in which all are printed.

/// A figure: what was measured, what it is held against, and the bound of DESIGN.md 8.
struct Figure {
  let name: String
  let ours: Double
  /// `ms`, `records/s`, `bytes`, `MB`.
  let unit: String
  /// The same work done the plainest way in the same run, in the same unit.
  var reference: (name: String, value: Double)?
  /// What must hold: a bound on our own value, or on the ratio to the reference.
  var bound: Bound?

  enum Bound {
    case atMost(Double)
    case atLeast(Double)
    case ratioAtMost(Double)
  }

  var ratio: Double? {
    guard let reference, reference.value > 0 else { return nil }
    return ours / reference.value
  }

  /// Whether the bound holds; nothing where there is none.
  var holds: Bool? {
    switch bound {
    case nil: nil
    case .atMost(let limit): ours <= limit
    case .atLeast(let limit): ours >= limit
    case .ratioAtMost(let limit): ratio.map { $0 <= limit }
    }
  }

  private var boundText: String {
    switch bound {
    case nil: "–"
    case .atMost(let limit): "≤ \(short(limit)) \(unit)"
    case .atLeast(let limit): "≥ \(short(limit)) \(unit)"
    case .ratioAtMost(let limit): "≤ \(short(limit)) ×"
    }
  }

  /// Prints figures as a table for people.
  static func show(_ figures: [Figure]) {
    row("what", "ours", "reference", "ratio", "bound", "")
    for figure in figures {
      let reference = figure.reference.map { "\(short($0.value)) \(figure.unit) (\($0.name))" }
      let verdict = figure.holds.map { $0 ? "holds" : "MISSED" }
      row(
        figure.name, "\(short(figure.ours)) \(figure.unit)", reference ?? "–",
        figure.ratio.map { "\(short($0)) ×" } ?? "–", figure.boundText, verdict ?? "")
    }
  }

  private static func row(
    _ name: String, _ ours: String, _ reference: String, _ ratio: String, _ bound: String,
    _ verdict: String
  ) {
    print(
      [
        padded(name, 46), padded(ours, 18), padded(reference, 40), padded(ratio, 10),
        padded(bound, 18), verdict,
      ].joined())
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}

/// A number with three digits that matter.
func short(_ number: Double) -> String {
  if number >= 100 || number == number.rounded() { return String(Int(number.rounded())) }
  let places = number >= 10 ? 10.0 : number >= 1 ? 100.0 : 1000.0
  return "\((number * places).rounded() / places)"
}

/// The p-th percentile of measurements (nearest rank).
func percentile(_ p: Double, of values: [Double]) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return 0 }
  let rank = Int((p / 100 * Double(sorted.count)).rounded(.up)) - 1
  return sorted[max(0, min(rank, sorted.count - 1))]
}

/// Milliseconds that `body` takes.
func milliseconds(_ body: () async throws -> Void) async rethrows -> Double {
  let clock = ContinuousClock()
  let time = try await clock.measure { try await body() }
  return Double(time.components.seconds) * 1000 + Double(time.components.attoseconds) / 1e15
}
