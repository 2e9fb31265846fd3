// Shortening a script that fails: steps are left out, in ever smaller pieces, as long as the same
// invariant still fails ("delta debugging", Zeller and Hildebrandt, 2002).

extension Simulation {
  /// The most runs that shortening takes.
  package static let shrinkingRunsMax = 80

  /// The shortest script found that breaks the same invariant as `verdict`.
  package static func shrink(
    _ verdict: Verdict, sabotage: Sabotage = Sabotage()
  ) async throws -> Verdict {
    guard let broken = verdict.findings.first?.invariant else { return verdict }
    var best = verdict
    var runs = 0
    var pieces = 2
    while pieces <= best.script.steps.count, runs < shrinkingRunsMax {
      let numbers = best.script.steps.map(\.number)
      let size = (numbers.count + pieces - 1) / pieces
      var isShorter = false
      for start in stride(from: 0, to: numbers.count, by: size) where runs < shrinkingRunsMax {
        let left = Set(numbers[..<start] + numbers[min(start + size, numbers.count)...])
        runs += 1
        let shorter = try await run(best.script.keeping(left), sabotage: sabotage)
        guard shorter.findings.contains(where: { $0.invariant == broken }) else { continue }
        best = shorter
        isShorter = true
        break
      }
      if isShorter {
        pieces = max(2, pieces - 1)
      } else if pieces == best.script.steps.count {
        break
      } else {
        pieces = min(best.script.steps.count, pieces * 2)
      }
    }
    return best
  }
}
