import RecordStore
import Records
import Sync
import TestKit
import Testing
import UILoop
import ViewModels

/// Sync as every screen sees it, by value.
@Suite(.serialized, .timeLimit(.minutes(2))) @UI struct SyncViewModelTests {
  @Test func `a library that is not set up says so, and nothing ticks`() async throws {
    let place = try await SyncPlace(nil, seed: 1)
    await place.sync.start()
    _ = try await place.places.add([.name: .text("Porto")])
    #expect(await place.comes { $0.isLoaded && $0.status.backlog.pending == 1 })
    place.timers.advance(by: .seconds(1))
    await place.sync.idle()
    place.timers.advance(by: .seconds(1))
    #expect(!place.state.status.isSetUp)
    #expect(place.state.role == .off)
    #expect(
      place.state.badge(of: .init(type: .place, id: RecordID(high: 1, low: 1)), isPending: true)
        == nil)
    #expect(place.timers.pendingCount == 0)
    #expect(place.sync.obstacleToSync == .notSetUp)
    await place.sync.stop()
  }

  @Test func `set up, it syncs by itself, in both directions`() async throws {
    let service = try await ServicePlace(TestWorld(seed: 9))
    let here = try await SyncPlace(service, seed: 1)
    let there = try await SyncPlace(service, seed: 2)
    for place in [here, there] {
      await place.sync.start()
      #expect(await place.sync.setUp(service.standard) == .done)
      #expect(await place.comes { $0.role == .syncing && $0.status.summary == .succeeded })
    }
    let id = try await here.places.add([.name: .text("Porto")])
    #expect(await here.comes { $0.status.lastExport != nil && $0.status.summary == .succeeded })
    let reference = RecordReference(type: .place, id: id)
    var taken: SyncStanding?
    let end = ContinuousClock.now + .seconds(60)
    while taken == nil, ContinuousClock.now < end {
      taken = try await there.places.library.syncStanding(of: reference)
      await Task.yield()
    }
    #expect(taken?.isOnService == true)
    #expect(await there.comes { $0.status.summary == .succeeded && $0.status.backlog.pending == 0 })
    #expect(try await here.sync.reason(for: reference).remedy == nil)
    for place in [here, there] { await place.sync.stop() }
  }

  @Test func `paused, a save waits and is never called synced; resumed, it goes out`() async throws
  {
    let service = try await ServicePlace(TestWorld(seed: 9))
    let place = try await SyncPlace(service, seed: 1)
    await place.sync.start()
    #expect(await place.sync.setUp(service.standard) == .done)
    #expect(await place.comes { $0.status.summary == .succeeded })
    await place.sync.togglePause()
    #expect(place.state.notice == .paused)
    #expect(await place.comes { $0.status.isPaused })
    let id = try await place.places.add([.name: .text("Porto")])
    let reference = RecordReference(type: .place, id: id)
    #expect(await place.comes { $0.status.backlog.pending == 1 })
    #expect(place.state.status.summary == .paused)
    #expect(place.state.badge(of: reference, isPending: false) == .pending)
    #expect(try await place.sync.reason(for: reference) == .paused)
    #expect(place.sync.obstacleToSync == .paused)
    await place.sync.togglePause()
    #expect(place.state.notice == .resumed)
    #expect(await place.comes { $0.status.backlog.pending == 0 && $0.status.summary == .succeeded })
    await place.sync.stop()
  }

  @Test func `a service that can't be opened is told once, by its cause, and tried when asked`()
    async throws
  {
    let service = try await ServicePlace(TestWorld(seed: 9))
    let place = try await SyncPlace(service, seed: 1)
    try await place.places.library.saveSyncSettings(
      SyncSettings(service: "file:/gone", container: ServicePlace.container, zone: "Skyros"))
    await place.sync.start()
    #expect(await place.comes { $0.role == .unavailable && $0.status.summary == .noNetwork })
    _ = try await place.places.add([.name: .text("Porto")])
    #expect(await place.comes { $0.status.backlog.pending == 1 })
    let before = try await place.places.library.events(limit: 10)
    #expect(before.count == 1)
    #expect(before[0].error == "unreachable")
    await place.sync.syncNow()
    #expect(place.state.notice == .asked)
    #expect(await place.comes { $0.status.failure?.attempts == 2 })
    #expect(try await place.places.library.events(limit: 10).map(\.id) == before.map(\.id))
    await place.sync.stop()
  }

  @Test func `setting up fails with its reason, and changes nothing`() async throws {
    let service = try await ServicePlace(TestWorld(seed: 9))
    let place = try await SyncPlace(service, seed: 1)
    await place.sync.start()
    var request = service.standard
    request.address = "gopher://x"
    #expect(await place.sync.setUp(request) == .failed)
    #expect(place.state.notice == .failed(.badAddress("gopher://x")))
    #expect(try await place.places.library.syncSettings() == nil)
    await place.sync.stop()
  }

  @Test func `turned off, it says what was never sent`() async throws {
    let service = try await ServicePlace(TestWorld(seed: 9))
    let place = try await SyncPlace(service, seed: 1)
    await place.sync.start()
    #expect(await place.sync.setUp(service.standard) == .done)
    #expect(await place.comes { $0.status.summary == .succeeded })
    await place.sync.togglePause()
    _ = try await place.places.add([.name: .text("Porto")])
    #expect(await place.comes { $0.status.backlog.pending == 1 })
    await place.sync.turnOff()
    #expect(place.state.notice == .turnedOff(unsent: 1))
    #expect(await place.comes { !$0.status.isSetUp && $0.role == .off })
    await place.sync.stop()
  }

  @Test func `how old the last success is grows by the clock, with one timer`() async throws {
    let place = try await SyncPlace(nil, seed: 1)
    let library = place.places.library
    try await library.saveSyncSettings(SyncSettings(service: "file:/x", container: "c", zone: "z"))
    for phase in [SyncPhase.setup, .import] {
      try await library.note(phase, place.places.world.now)
    }
    try await library.updateSyncSettings { $0.isCaughtUp = true }
    await place.sync.start()
    #expect(await place.comes { $0.status.summary == .succeeded })
    #expect(place.state.ageMinutes == nil)
    place.places.world.advance(milliseconds: 61_000)
    place.timers.advance(by: .seconds(61))
    #expect(place.state.ageMinutes == 1)
    place.places.world.advance(milliseconds: 240_000)
    place.timers.advance(by: .seconds(240))
    #expect(place.state.ageMinutes == 5)
    await place.sync.idle()
    #expect(place.timers.pendingCount == 1)
    await place.sync.stop()
    #expect(place.timers.pendingCount == 0)
  }

  @Test func `a phase that does not get on is stalled after its time`() async throws {
    let place = try await SyncPlace(nil, seed: 1)
    let library = place.places.library
    var status = SyncStatus()
    let now = place.places.world.now
    var event = try await library.beginEvent(.export, trigger: .commit, at: now)
    event.movedAt = now
    let settings = SyncSettings(service: "file:/x", container: "c", zone: "z")
    status.take(settings, [event], isSomebodySyncing: true, now: now + 599_999)
    #expect(status.summary == .inProgress)
    status.take(
      settings, [event], isSomebodySyncing: true, now: now + SyncStatus.stallMilliseconds + 1)
    #expect(status.summary == .stalled)
  }
}

extension Library {
  /// Writes down an event that ended well, or with an error.
  @discardableResult
  func note(
    _ phase: SyncPhase, _ time: Int64, error: String? = nil, detail: String? = nil,
    counts: SyncCounts = SyncCounts()
  ) async throws -> SyncEvent {
    var event = try await beginEvent(phase, trigger: .user, at: time)
    event.endedAt = time + 250
    event.movedAt = time + 250
    event.outcome = error == nil ? .succeeded : .failed
    event.error = error
    event.detail = detail
    event.counts = counts
    try await updateEvent(event)
    return event
  }
}
