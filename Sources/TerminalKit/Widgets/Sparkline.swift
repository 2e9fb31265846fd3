// Numbers as small pictures that any terminal and any screen reader can take. Pure.

/// The latest of a series of numbers, one column each.
package enum Sparkline {
  /// From nothing to the most: in ASCII on purpose (block elements are missing in some fonts, and Braille
  /// is noise to a screen reader).
  private static let steps: [Character] = [" ", ".", ":", "-", "=", "+", "*", "#"]

  /// The last `columns` values, scaled to the greatest of them; a value above 0 is never blank.
  package static func text(_ values: [Double], columns: Int) -> String {
    let shown = values.suffix(max(0, columns))
    let most = shown.max() ?? 0
    let padding = String(repeating: " ", count: max(0, columns - shown.count))
    guard most > 0 else { return padding + String(repeating: " ", count: shown.count) }
    return padding
      + String(
        shown.map { value in
          guard value > 0 else { return steps[0] }
          let step = (value / most * Double(steps.count - 1)).rounded(.up)
          return steps[min(max(1, Int(step)), steps.count - 1)]
        })
  }
}

/// How much of something is done.
package enum ProgressBar {
  /// `[#####     ] 42 %`; without a fraction (nobody knows how much there is) a moving block.
  package static func text(_ fraction: Double?, columns: Int, step: Int = 0) -> String {
    let inner = max(1, columns - 8)
    guard let fraction else {
      let at = step % inner
      let bar = (0..<inner).map { $0 == at || $0 == at + 1 ? "#" : " " }.joined()
      return TextWidth.truncate("[" + bar + "]", to: columns)
    }
    let clamped = min(max(0, fraction.isFinite ? fraction : 0), 1)
    // 100 only when it is all done.
    let percent = clamped == 1 ? 100 : min(99, Int(clamped * 100))
    let filled = Int(clamped * Double(inner))
    let bar = String(repeating: "#", count: filled) + String(repeating: " ", count: inner - filled)
    let number =
      String(repeating: " ", count: percent < 10 ? 2 : percent < 100 ? 1 : 0) + "\(percent)"
    return TextWidth.truncate("[" + bar + "] " + number + " %", to: columns)
  }
}
