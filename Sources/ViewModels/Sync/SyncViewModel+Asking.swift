// What a person asks of sync. Whoever holds the lease does it: this process or another one. UI actor.

package import RecordStore
package import Sync
internal import UILoop

extension SyncViewModel {
  /// Why nothing can be asked of sync now.
  package enum Obstacle: Sendable, Hashable {
    case notSetUp, paused, noServices
  }

  package var obstacleToSync: Obstacle? {
    if !state.status.isSetUp { return .notSetUp }
    return state.status.isPaused ? .paused : nil
  }

  /// Asks for a sync at once, without waiting for the end of a backoff.
  package func syncNow() async {
    await ask { library in
      try await library.requestSync()
      return .asked
    }
  }

  /// Holds sync, or lets it go on.
  package func togglePause() async {
    let isPaused = state.status.isPaused
    await ask { library in
      try await library.pauseSync(!isPaused)
      return isPaused ? .resumed : .paused
    }
  }

  /// Lets every record that was set aside try again.
  package func retryParked() async {
    await ask { library in
      // What is known here may be a moment old.
      let backlog = try await library.syncBacklog()
      let count = backlog.parked + backlog.contentsMissing
      try await library.unparkAll()
      try await library.requestSync()
      return .retrying(count)
    }
  }

  // MARK: The plan

  /// What a person has to decide before sync goes on; nothing where there is nothing to decide.
  package var planToDecide: SyncPlan? {
    state.status.plan.flatMap { $0.needsDecision ? $0 : nil }
  }

  /// Writes down what is done with the records that the service lost.
  package func decide(_ decision: SyncDecision, about plan: SyncPlan) async {
    let records =
      switch decision {
      case .deleteHere: plan.deletedHere(decision)
      case .sendAgain: plan.sentAgain(decision)
      }
    await ask { library in
      try await library.decideSyncPlan(decision)
      return .decided(decision, records: records)
    }
  }

  private func ask(_ body: (Library) async throws -> SyncNotice) async {
    do {
      state.notice = try await body(library)
    } catch {
      state.notice = .failed(.failed(Failure(error)))
    }
  }

  // MARK: Setting up

  /// What is filled in when sync is set up: what the library has, or the standard.
  package var setupDefaults: SyncSetupRequest? {
    guard let services else { return nil }
    guard let settings = state.status.settings else { return services.standard }
    return SyncSetupRequest(
      address: settings.service, container: settings.container, zone: settings.zone)
  }

  /// What came of setting up.
  package enum SetUp: Sendable, Hashable {
    case done
    case failed
    /// Nothing was changed: a person has to want it, by ``SyncSetupRequest/isWanted``.
    case asks(ServiceChange)
  }

  /// Reaches a service and syncs with it from now on.
  ///
  /// Cancelled, it changes nothing.
  @discardableResult
  package func setUp(_ request: SyncSetupRequest) async -> SetUp {
    guard let background, !state.isSettingUp else { return .failed }
    state.isSettingUp = true
    defer {
      state.isSettingUp = false
      state.signInPage = nil
    }
    let unsent: Int
    do throws(SyncProblem) {
      let change = try await background.setUp(request) { page in
        Task { @UI [weak self] in self?.show(signInPage: page) }
      }
      unsent = change.kind == .same ? change.unsent : change.records
    } catch {
      if case .asks(let change) = error { return .asks(change) }
      if !Task.isCancelled { state.notice = .failed(error) }
      return .failed
    }
    state.notice = .setUp(address: request.address, pending: unsent)
    return .done
  }

  private func show(signInPage page: String) {
    if state.isSettingUp { state.signInPage = page }
  }

  /// Turns sync off; the records stay, here and there.
  package func turnOff() async {
    guard let background else { return }
    let unsent = state.status.backlog.pending
    do throws(SyncProblem) {
      try await background.turnOff()
      state.notice = .turnedOff(unsent: unsent)
    } catch {
      state.notice = .failed(error)
    }
  }
}
