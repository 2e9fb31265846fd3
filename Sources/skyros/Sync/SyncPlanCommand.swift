internal import ArgumentParser
internal import RecordStore
internal import Records
internal import Sync
internal import Wording

/// `skyros sync plan`: what a person has to decide about records that the service lost.
struct SyncPlanCommand: LibraryCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show what to do about records that the service lost, or decide.",
    discussion: """
      Where records that the service held are gone and nobody can tell for sure what that means, \
      sync stops and asks. --delete-here puts them into the trash here too, after a backup; \
      --send-again keeps them and sends them again. What was edited here since stays in any case.
      """)

  @Flag(help: "Put them into the trash here, after a backup.") var deleteHere = false
  @Flag(help: "Keep them, and send them again.") var sendAgain = false
  @OptionGroup var place: LibraryOption
  @OptionGroup var format: FormatOption

  func validate() throws {
    if deleteHere, sendAgain {
      throw ValidationError("Decide for one: --delete-here or --send-again.")
    }
  }

  func run(in library: Library, to output: Output) async throws {
    guard try await library.syncSettings() != nil else { throw SyncFailure.notSetUp }
    guard var plan = try await library.syncPlan() else {
      if format.json { return try output.line(["outcome": "none"]) }
      return try output.line("There is nothing to repair.")
    }
    let decision: SyncDecision? = deleteHere ? .deleteHere : sendAgain ? .sendAgain : nil
    if let decision {
      try await library.decideSyncPlan(decision)
      plan.decision = decision
    }
    try format.json ? output.line(json(plan)) : show(plan, to: output)
  }

  private func json(_ plan: SyncPlan) -> JSON {
    [
      "outcome": .string(plan.decision == nil ? "asks" : "decided"),
      "reason": .string(plan.reason.rawValue),
      "kept": .count(plan.kept), "absent": .count(plan.absent), "edited": .count(plan.edited),
      "suggestion": .string(orNull: plan.suggestion?.rawValue),
      "decision": .string(orNull: plan.decision?.rawValue),
    ]
  }

  private func show(_ plan: SyncPlan, to output: Output) throws {
    let cause = SyncWords.comparison(plan.reason.rawValue)
    try output.line(
      "\(plan.absent + plan.edited) records that the service held are not there. \(cause)")
    try output.line("kept         \(plan.kept)")
    try output.line("edited here  \(plan.edited), which stay and are sent again")
    if plan.decision == .deleteHere || plan.decision == nil {
      try output.line(
        "to the trash \(plan.deletedHere(.deleteHere)) with: skyros sync plan --delete-here")
    }
    if plan.decision == .sendAgain || plan.decision == nil {
      try output.line(
        "sent again   \(plan.sentAgain(.sendAgain)) with: skyros sync plan --send-again")
    }
    if plan.decision != nil { try output.line("It is decided, and done with: skyros sync") }
  }
}
