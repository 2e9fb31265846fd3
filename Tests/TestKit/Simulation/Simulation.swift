// A run: a script, done on real libraries and the real service over an unreliable network; then the
// network is made whole, everybody syncs until all is quiet, and the checkers look at all of it.

internal import RecordStore
internal import Records
internal import Sync
internal import TestKit

/// What a run came to.
package struct Verdict: Sendable {
  package let script: Script
  package let findings: [Finding]
  package let trace: [String]

  package var isClean: Bool { findings.isEmpty }
}

package struct Simulation: Sendable {
  /// As long as a run of the ordinary tests.
  package static let stepsStandard = 40

  /// Copies of libraries that a run makes.
  private static let copiesMax = 2

  let script: Script
  let sabotage: Sabotage
  var world: World
  var ledger = Ledger()
  var networks: [UnreliableNetwork]
  /// The device of the script that each library belongs to: a copy belongs to its original's.
  var origins: [Int]
  let trace = Trace()
  /// The drafts that are open, as they were last typed into, by device.
  var drafts: [[DraftID: Draft]]
  var findings: [Finding] = []

  /// Runs a script and looks at what came of it.
  ///
  /// The world that it made is gone afterwards.
  package static func run(
    _ script: Script, sabotage: Sabotage = Sabotage()
  ) async throws -> Verdict {
    var simulation = try await Simulation(script, sabotage)
    do {
      try await simulation.perform()
      try await simulation.judge()
    } catch {
      simulation.world.remove()
      throw error
    }
    try await simulation.world.close()
    return Verdict(
      script: script, findings: simulation.findings, trace: simulation.trace.lines)
  }

  private init(_ script: Script, _ sabotage: Sabotage) async throws {
    self.script = script
    self.sabotage = sabotage
    let model = SimulatedModel.model
    world = try await World(
      devices: script.devices, seed: script.seed,
      models: Array(repeating: model, count: script.devices), medium: .file,
      through: sabotage.service)
    var networks: [UnreliableNetwork] = []
    for device in 0..<script.devices {
      world.clock.setSkew(script.skews[device], of: device)
      networks.append(
        UnreliableNetwork(sabotage.way(world.network, device), trace: trace))
    }
    self.networks = networks
    drafts = Array(repeating: [:], count: script.devices)
    origins = Array(0..<script.devices)
  }

  /// Gives everybody some records to disagree about, then does the script.
  private mutating func perform() async throws {
    let library = world.libraries[0]
    for number in 1...3 { _ = try await library.add(["name": .text("first \(number)")]) }
    try await ledger.take(library, device: 0)
    for device in world.libraries.indices { try await sync(device) }
    for step in script.steps { try await perform(step) }
  }

  private mutating func perform(_ scripted: Step) async throws {
    let step = placed(scripted)
    world.clock.advance(step.pause)
    let device = step.device
    let before = try await Ledger.newestNumber(of: world.libraries[device])
    var random = SeededGenerator(seed: step.seed)
    let answer: String
    var failure: (any Error)?
    arm(step)
    do {
      answer = try await act(step, &random)
    } catch {
      failure = error
      answer = "failed: \(Self.word(of: error))"
    }
    world.faults[device].arm(failingAt: nil)
    trace.add("\(step): \(answer)")
    if step.mishap?.isDeadly == true || step.deed == .reopen { try await reopen(device) }
    if step.deed == .copyLibrary, canCopy { try await copyLibrary(of: device) }
    if let failure {
      try await judge(failure, of: step, newestBefore: before)
    }
    try await ledger.take(world.libraries[device], device: device)
    try await judgeStatus(of: device)
  }

  /// Once a library was copied, its device's steps are done on one of them.
  private func placed(_ step: Step) -> Step {
    let family = world.libraries.indices.filter { origins[$0] == step.device }
    var placed = step
    placed.device = family[Int(step.seed % UInt64(family.count))]
    return placed
  }

  private func arm(_ step: Step) {
    switch step.mishap {
    case .statementFails(let number): world.faults[step.device].arm(failingAt: number)
    case .diesAtStatement(let number): world.faults[step.device].arm(dyingAt: number)
    case .diesAtRequest, .diesAfterwards, nil: break
    }
    if step.deed == .sync {
      var life: Int?
      if case .diesAtRequest(let request) = step.mishap { life = request }
      networks[step.device].begin(seed: step.seed, life: life)
    }
  }

  /// The process died, and is started again: what it had open, it finds.
  mutating func reopen(_ device: Int) async throws {
    try await sabotage.beforeReopening(world.libraries[device])
    try await world.reopen(device)
    try await takeUpDrafts(of: device)
  }

  var canCopy: Bool { world.libraries.count < script.devices + Self.copiesMax }

  /// Somebody takes the folder to another machine, and goes on with both.
  private mutating func copyLibrary(of device: Int) async throws {
    let copy = world.libraries.count
    try await sabotage.beforeReopening(world.libraries[device])
    try await world.copy(device)
    networks.append(UnreliableNetwork(sabotage.way(world.network, copy), trace: trace))
    drafts.append(drafts[device])
    origins.append(origins[device])
    try await ledger.begin(with: world.libraries[copy], device: copy)
    for library in [device, copy] { try await takeUpDrafts(of: library) }
    judgeDevices()
  }

  private mutating func takeUpDrafts(of device: Int) async throws {
    let found = try await world.libraries[device].journaledDrafts()
    judgeDrafts(found, of: device)
    // The program shows them, and from then on they are this session's.
    for draft in found where drafts[device][draft.id] != nil {
      drafts[device][draft.id] = draft
      try await world.libraries[device].journal(draft)
    }
  }

  /// Makes the network whole and syncs until all is quiet; parked records are tried again, as a
  /// person would who has read why.
  mutating func quieten() async throws {
    for network in networks { network.heal() }
    for device in world.libraries.indices { try await sync(device) }
    for _ in 0..<12 {
      var isQuiet = true
      for device in world.libraries.indices {
        let library = world.libraries[device]
        try await library.unparkAll()
        let before = try await library.syncBacklog()
        try await sync(device)
        try await ledger.take(library, device: device)
        if before.pending + before.held > 0 { isQuiet = false }
      }
      if isQuiet { break }
    }
    for device in world.libraries.indices { try await sync(device) }
    try await sabotage.afterQuiet(world)
  }

  /// Syncs a device, and holds the events that it tells of to their order and their counts.
  @discardableResult
  mutating func sync(_ device: Int) async throws -> SyncRest {
    let witness = EventWitness(networks[device])
    var rest = try await world.sync(device, through: networks[device]) { witness.hear($0) }
    if try await decidePlan(of: world.libraries[device]) {
      rest = try await world.sync(device, through: networks[device]) { witness.hear($0) }
    }
    findings += witness.findings(endedBy: rest).map {
      Finding($0.invariant, "device \(device): \($0.text)")
    }
    return rest
  }

  /// Decides as a person would who knows what happened: what the service no longer holds was
  /// deleted there, unless the zone itself is gone.
  private func decidePlan(of library: Library) async throws -> Bool {
    guard let plan = try await library.syncPlan(), plan.decision == nil else { return false }
    try await library.decideSyncPlan(plan.reason == .zoneGone ? .sendAgain : .deleteHere)
    return true
  }

  static func word(of error: any Error) -> String {
    switch error {
    case let fault as Faults.Injected: "statement \(fault.statement)"
    case let error as StoreError: "\(error)".prefix { $0 != "(" }.description
    default: "\(type(of: error))"
    }
  }
}
