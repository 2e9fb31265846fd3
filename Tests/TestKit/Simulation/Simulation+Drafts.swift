// Drafts of a run: typed into over time, kept through crashes, saved when the record moved meanwhile,
// or cancelled.

internal import RecordStore
internal import Records
internal import TestKit

extension Simulation {
  private func openDrafts(of device: Int) -> [Draft] {
    drafts[device].values.sorted { $0.id.id < $1.id.id }
  }

  /// Opens a draft of any place, or goes on with one that is open.
  private func openDraft(
    on device: Int, _ random: inout SeededGenerator
  ) async throws -> Draft? {
    let library = world.libraries[device]
    if let open = openDrafts(of: device).randomElement(using: &random),
      Bool.random(using: &random)
    {
      return open
    }
    for id in places.shuffled(using: &random).prefix(5) {
      guard let base = try await library.snapshot(SimulatedModel.place, id), !base.isDeleted
      else { continue }
      return Draft(id: library.surroundings.newDraftID(), editing: base)
    }
    return nil
  }

  mutating func typeIntoDraft(
    _ step: Step, _ random: inout SeededGenerator
  ) async throws -> String {
    guard var draft = try await openDraft(on: step.device, &random) else { return "nothing" }
    let field = ["name", "notes", "population"].randomElement(using: &random) ?? "name"
    draft.set(
      field == "population"
        ? .integer(Int64(1_000 + step.number)) : .text("typed \(step.number)"),
      of: FieldID(trusted: field))
    try await world.libraries[step.device].journal(draft)
    drafts[step.device][draft.id] = draft
    return "\(draft.changes.count) fields"
  }

  mutating func saveDraft(
    _ step: Step, _ random: inout SeededGenerator
  ) async throws -> String {
    let library = world.libraries[step.device]
    guard var draft = openDrafts(of: step.device).randomElement(using: &random) else {
      return "nothing"
    }
    let outcome = try await library.commit(draft).outcome
    switch outcome {
    case .applied, .merged, .unchanged, .gone:
      drafts[step.device][draft.id] = nil
      let isForgotten: Bool =
        switch outcome {
        case .applied, .merged: true
        default: false
        }
      // A process that dies here leaves the draft in the journal; the library knows that it was
      // saved, and does not offer it again.
      if step.mishap == .diesAfterwards, isForgotten { return "\(outcome), then died" }
      try await library.discardDraft(draft.id)
    case .conflict:
      guard let newer = try await library.snapshot(draft.type, draft.record) else { break }
      draft.rebase(onto: newer)
      try await library.journal(draft)
      drafts[step.device][draft.id] = draft
    }
    return "\(outcome)"
  }

  mutating func cancelDraft(
    _ step: Step, _ random: inout SeededGenerator
  ) async throws -> String {
    let library = world.libraries[step.device]
    guard var draft = try await openDraft(on: step.device, &random) else { return "nothing" }
    draft.set(
      .text("\(UnreliableNetwork.cancelledMark) \(step.number)"), of: FieldID(trusted: "name"))
    try await library.journal(draft)
    try await sabotage.cancel(draft, library)
    drafts[step.device][draft.id] = nil
    return "cancelled"
  }
}
