// Many seeds, several at a time: each has a world of its own.

internal import Glibc

package enum SimulationRuns {
  /// Which seeds a run of the tests takes, by its environment: `SKYROS_SEED` for one,
  /// `SKYROS_SEEDS` for so many, `SKYROS_LONG=1` for no end.
  package static func seeds(standard: UInt64 = 200) -> ClosedRange<UInt64> {
    if let seed = number("SKYROS_SEED") { return seed...seed }
    if number("SKYROS_LONG") == 1 { return 1...UInt64.max }
    return 1...(number("SKYROS_SEEDS") ?? standard)
  }

  /// The script of a seed; of `SKYROS_STEPS` (`3,7,12`) only those steps.
  package static func script(seed: UInt64) -> Script {
    let script = Script(seed: seed, steps: Int(number("SKYROS_STEPS_COUNT") ?? 0).orStandard)
    guard let steps = text("SKYROS_STEPS") else { return script }
    return script.keeping(Set(steps.split(separator: ",").compactMap { Int($0) }))
  }

  /// Runs seeds until one fails; answers what it came to, shortened.
  ///
  /// - Parameter progress: Told of each seed that held.
  package static func firstFailure(
    of seeds: ClosedRange<UInt64>, at once: Int = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))),
    progress: @escaping @Sendable (UInt64) -> Void = { _ in }
  ) async throws -> (original: Verdict, short: Verdict)? {
    let failed = try await withThrowingTaskGroup(of: Verdict.self) { group -> Verdict? in
      var waiting = seeds.makeIterator()
      for _ in 0..<once {
        if let seed = waiting.next() {
          group.addTask { try await Simulation.run(script(seed: seed)) }
        }
      }
      while let verdict = try await group.next() {
        guard verdict.isClean else {
          group.cancelAll()
          return verdict
        }
        progress(verdict.script.seed)
        if let seed = waiting.next() {
          group.addTask { try await Simulation.run(script(seed: seed)) }
        }
      }
      return nil
    }
    guard let failed else { return nil }
    return (failed, try await Simulation.shrink(failed))
  }

  /// What a person needs to see of a seed that failed.
  package static func report(_ failure: (original: Verdict, short: Verdict)) -> String {
    let findings = failure.short.findings.prefix(5).map { "\($0)".prefix(1_000) }
    return """
      seed \(failure.original.script.seed) failed: \(failure.original.findings[0].invariant.rawValue)
      \(findings.joined(separator: "\n"))
      shortened from \(failure.original.script.steps.count) steps to \
      \(failure.short.script.steps.count):
      \(failure.short.script)
      what happened:
      \(failure.short.trace.prefix(traceLinesMax).map { "  \($0)" }.joined(separator: "\n"))
      """
  }

  /// As much of a trace as a person would read.
  private static let traceLinesMax = 150

  private static func text(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
  private static func number(_ name: String) -> UInt64? { text(name).flatMap { UInt64($0) } }
}

extension Int {
  fileprivate var orStandard: Int { self > 0 ? self : Simulation.stepsStandard }
}
