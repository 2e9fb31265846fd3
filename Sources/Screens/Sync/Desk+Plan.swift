// What the service lost: the plan in numbers, and a person's decision. UI actor.

internal import RecordStore
internal import Sync
internal import TerminalKit
internal import UILoop
internal import ViewModels
internal import Wording

extension Desk {
  /// Shows the plan, and asks what is to be done; refusing leaves sync stopped and everything as it is.
  func openPlan() {
    guard let plan = sync.planToDecide else { return say(words.nothingToDecide) }
    stage.ask(
      words.planTitle, words.explained(plan),
      buttons: [
        .init(words.sendAgainButton, key: "s"),
        .init(words.deleteHereButton, key: "d", isDangerous: true),
        .init(words.laterButton, key: "l"),
      ], focused: plan.suggestion == .sendAgain ? 0 : 2, tone: .warning
    ) { [weak self] answer in
      guard let self else { return }
      let decision: SyncDecision
      switch answer {
      case 0: decision = .sendAgain
      case 1: decision = .deleteHere
      default: return
      }
      Task { @UI [sync] in await sync.decide(decision, about: plan) }
    }
  }

  func whyNoPlan() -> String? { sync.planToDecide == nil ? words.nothingToDecide : nil }

  /// Says that sync waits for a decision, once a plan.
  func tellPlan() {
    let plan = sync.planToDecide
    defer { toldPlan = plan }
    guard let plan, plan != toldPlan else { return }
    say(words.planWaits(plan), .warning)
  }
}
