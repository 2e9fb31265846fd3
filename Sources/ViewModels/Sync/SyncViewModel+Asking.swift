// What a person asks of sync. Whoever holds the lease does it: this process or another one. UI actor.

internal import RecordStore
internal import Sync

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
    let count = state.status.backlog.parked
    await ask { library in
      try await library.unparkAll()
      try await library.requestSync()
      return .retrying(count)
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

  /// Reaches a service and syncs with it from now on; whether that worked.
  @discardableResult
  package func setUp(_ request: SyncSetupRequest) async -> Bool {
    guard let background, !state.isSettingUp else { return false }
    state.isSettingUp = true
    defer { state.isSettingUp = false }
    do throws(SyncProblem) {
      try await background.setUp(request)
    } catch {
      state.notice = .failed(error)
      return false
    }
    state.notice = .setUp(address: request.address, pending: state.status.backlog.pending)
    return true
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
