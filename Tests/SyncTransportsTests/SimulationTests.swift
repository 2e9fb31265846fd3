import SimulationKit
import Testing

/// Random histories of several real libraries and one real service, over a network with faults, with
/// processes that die anywhere.
///
/// `SKYROS_SEEDS` seeds instead of 200; `SKYROS_SEED` (and `SKYROS_STEPS`) for one again;
/// `SKYROS_LONG=1` for no end.
@Suite(.serialized)
struct SimulationTests {
  @Test
  func `whatever the network and the files do, all libraries end up equal and nothing is lost`()
    async throws
  {
    let failure = try await SimulationRuns.firstFailure(of: SimulationRuns.seeds())
    if let failure { Issue.record("\(SimulationRuns.report(failure))") }
  }

  @Test func `the same seed has the same trace twice`() async throws {
    for seed in [3, 42] as [UInt64] {
      let script = Script(seed: seed, steps: Simulation.stepsStandard)
      let first = try await Simulation.run(script)
      let second = try await Simulation.run(script)
      #expect(first.trace.count > 2 * script.steps.count)
      #expect(first.trace == second.trace)
    }
  }

  @Test(arguments: Invariant.allCases)
  func `each checker notices the fault that breaks its invariant, and no other does`(
    invariant: Invariant
  ) async throws {
    let sabotage = Sabotage.breaking(invariant)
    let known: Set<Invariant> =
      switch invariant {
      // A change of the model that waits is no secret of the status.
      case .modelsAreEqual: [.statusIsHonest]
      // A purge that is refused leaves the record to those who edited it since.
      case .nothingIsPending: [.librariesAreEqual]
      default: []
      }
    for seed in 1...80 as ClosedRange<UInt64> {
      let script = Script(
        seed: seed, steps: invariant == .nothingIsPending ? Simulation.stepsStandard : 12)
      let verdict = try await Simulation.run(script, sabotage: sabotage)
      let broken = Set(verdict.findings.map(\.invariant))
      guard !broken.isEmpty else { continue }
      #expect(
        broken.subtracting(known) == [invariant], "seed \(seed): \(verdict.findings.prefix(3))")
      return
    }
    Issue.record("nobody noticed")
  }

  @Test(arguments: [Saboteur.Deed.forgetsBatches, .refusesRecords])
  func `a service that breaks its word is noticed`(deed: Saboteur.Deed) async throws {
    var sabotage = Sabotage()
    sabotage.service = { Saboteur($0, deed) }
    let script = Script(seed: 1, steps: Simulation.stepsStandard)
    #expect(try await !Simulation.run(script, sabotage: sabotage).isClean)
  }

  @Test func `a failing script is shortened to the steps that matter`() async throws {
    let sabotage = Sabotage.breaking(.cancelledIsNowhere)
    for seed in 1...40 as ClosedRange<UInt64> {
      let script = Script(seed: seed, steps: 24)
      let verdict = try await Simulation.run(script, sabotage: sabotage)
      guard !verdict.isClean else { continue }
      let short = try await Simulation.shrink(verdict, sabotage: sabotage)
      #expect(short.findings.first?.invariant == .cancelledIsNowhere)
      #expect(short.script.steps.count <= 4, "\(short.script)")
      #expect(short.script.steps.contains { $0.deed == .cancelDraft })
      return
    }
    Issue.record("nobody noticed")
  }
}
