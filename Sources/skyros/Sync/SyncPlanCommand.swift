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
      return try output.line(Words.system.syncing.nothingToRepair)
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
    let words = Words.system.syncing
    let cause = SyncWords.comparison(plan.reason.rawValue, in: .system)
    try output.line(words.gone(plan.absent + plan.edited, cause))
    var rows = [
      (words.kept, "\(plan.kept)"), (words.editedHere, words.editedStay(plan.edited)),
    ]
    if plan.decision != .sendAgain {
      rows.append((words.toTrash, words.toTrash(plan.deletedHere(.deleteHere))))
    }
    if plan.decision != .deleteHere {
      rows.append((words.sentAgain, words.sentAgain(plan.sentAgain(.sendAgain))))
    }
    let width = rows.map { TextTable.columns($0.0) }.max() ?? 0
    for (label, text) in rows {
      let space = String(repeating: " ", count: width - TextTable.columns(label) + 1)
      try output.line(label + space + text)
    }
    if plan.decision != nil { try output.line(words.decided) }
  }
}
