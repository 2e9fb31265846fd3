// The simulation as a program, for an optimised build of it alone and for runs without end:
//
//   SKYROS_SEEDS=2000 swift run -c release Simulator
//   SKYROS_LONG=1 swift run -c release Simulator
//
// Exit status 1 and a shortened script where a seed fails.

import Glibc
import SimulationKit

let seeds = SimulationRuns.seeds(standard: 2_000)
let failure = try await SimulationRuns.firstFailure(of: seeds) { seed in
  guard seed.isMultiple(of: 100) else { return }
  print("seed \(seed) holds")
  fflush(nil)
}
if let failure {
  print(SimulationRuns.report(failure))
  exit(1)
}
if seeds.count == 1 {
  // One seed: somebody wants to see it.
  let verdict = try await Simulation.run(SimulationRuns.script(seed: seeds.lowerBound))
  print(verdict.trace.joined(separator: "\n"))
}
print("all of \(seeds.count) seeds hold")
