import RecordStore
import Records
import Sync
import TestKit
import Testing
import UILoop
import ViewModels

/// The monitor's log and what waits, by value.
@Suite(.serialized, .timeLimit(.minutes(2))) @UI struct MonitorViewModelTests {
  private func open() async throws -> (SyncPlace, MonitorViewModel) {
    let place = try await SyncPlace(nil, seed: 1)
    try await place.places.library.saveSyncSettings(
      SyncSettings(service: "file:/x", container: "c", zone: "z"))
    let monitor = MonitorViewModel(sync: place.sync)
    return (place, monitor)
  }

  @Test func `the log is filtered by failure and by phase, and follows what is added`() async throws
  {
    let (place, monitor) = try await open()
    let library = place.places.library
    let now = place.places.world.now
    try await library.note(.setup, now)
    try await library.note(.import, now, error: "unreachable", detail: "port 1")
    var counts = SyncCounts()
    counts.received = 500
    counts.applied = 500
    try await library.note(.import, now, counts: counts)
    await place.sync.start()
    await monitor.start()
    #expect(monitor.state.events.map(\.phase) == [.import, .import, .setup])
    #expect(monitor.state.newest[.import]?.counts == counts)
    #expect(monitor.state.rates.map(\.recordsPerSecond) == [2_000])
    monitor.toggleFailed()
    #expect(monitor.state.events.map(\.error) == ["unreachable"])
    monitor.toggleFailed()
    monitor.stepPhase()
    #expect(monitor.state.filter.phase == .setup)
    #expect(monitor.state.events.map(\.phase) == [.setup])
    for _ in 0..<3 { monitor.stepPhase() }
    #expect(monitor.state.filter == EventFilter())
    monitor.moveEventCursor(to: 1)
    let selected = monitor.state.selectedEvent?.id
    try await library.note(.export, now, error: "THROTTLED")
    #expect(await place.comes { _ in monitor.state.events.count == 4 })
    #expect(monitor.state.selectedEvent?.id == selected)
    monitor.stop()
    await place.sync.stop()
  }

  @Test func `a failure that repeats itself stays one line, which counts`() async throws {
    let (place, monitor) = try await open()
    let library = place.places.library
    let now = place.places.world.now
    try await library.note(.import, now)
    func fail(at time: Int64) async throws {
      var event = try await library.beginEvent(.setup, trigger: .retry, at: time)
      event.outcome = .failed
      event.error = "unreachable"
      event.endedAt = time + 1
      try await library.endEvent(event)
    }
    try await fail(at: now + 1)
    await place.sync.start()
    await monitor.start()
    #expect(monitor.state.events.map(\.attempts) == [1, 1])
    for number in 2...4 { try await fail(at: now + Int64(number)) }
    #expect(await place.comes { _ in monitor.state.events.map(\.attempts) == [4, 1] })
    #expect(monitor.state.events.first?.outcome == .failed)
    monitor.stop()
    await place.sync.stop()
  }

  @Test func `what waits is listed with its reason, what needs a person first`() async throws {
    let (place, monitor) = try await open()
    let library = place.places.library
    let queued = try await place.places.add([.name: .text("Porto")])
    let refused = try await place.places.add([.name: .text("Bad")])
    let pending = try await library.pendingRecords(limit: 10).filter { $0.reference.id == refused }
    try await library.park(pending.map { ($0, "BAD_REQUEST", nil) })
    await place.sync.start()
    await monitor.start()
    #expect(monitor.state.waiting.map(\.title) == ["Bad", "Porto"])
    #expect(
      monitor.state.waiting.map(\.reason) == [
        .parked("BAD_REQUEST", detail: nil, at: place.places.world.now), .queued,
      ])
    let reference = RecordReference(type: .place, id: refused)
    #expect(await place.comes { $0.badge(of: reference, isPending: true) == .parked })
    #expect(
      try await place.sync.reason(for: reference) == .parked("BAD_REQUEST", detail: nil))
    #expect(
      try await place.sync.reason(for: RecordReference(type: .place, id: queued)) == .queued)
    await place.sync.retryParked()
    #expect(place.state.notice == .retrying(1))
    #expect(await place.comes { _ in monitor.state.waiting.map(\.reason) == [.queued, .queued] })
    monitor.stop()
    await place.sync.stop()
  }

  @Test func `the log is written as text, never over a file that is there`() async throws {
    let (place, monitor) = try await open()
    let folder = try TemporaryFolder()
    try await place.places.library.note(
      .import, place.places.world.now, error: "unreachable", detail: "a\nb")
    await place.sync.start()
    await monitor.start()
    let path = folder.file("log.txt")
    await monitor.export(to: path)
    #expect(place.state.notice == .exported(path: path, count: 1))
    await monitor.export(to: path)
    guard case .failed(.failed(.store(.file(_, path, _)))) = place.state.notice else {
      Issue.record("written over")
      return
    }
    let event = try #require(monitor.state.events.first)
    #expect(
      EventLogText.line(of: event)
        == "1\t2023-11-14T22:13:20.000Z\timport\tfailed\tuser\t250 ms\terror=unreachable\tdetail=a b"
    )
    monitor.stop()
    await place.sync.stop()
  }

  @Test func `why a record is not synced: the reason that counts comes first`() {
    var status = SyncStatus()
    var standing = SyncStanding()
    #expect(RecordSyncReason(standing, status: status) == .notSetUp)
    status.isSetUp = true
    #expect(RecordSyncReason(nil, status: status) == .gone)
    #expect(
      RecordSyncReason(standing, status: status) == .synced(lastImport: nil, lastExport: nil))
    standing.isConflicted = true
    #expect(RecordSyncReason(standing, status: status).remedy == .settle)
    standing.isPending = true
    #expect(RecordSyncReason(standing, status: status).remedy == .syncNow)
    var event = SyncEvent(id: 1, phase: .export, trigger: .commit, startedAt: 0)
    status.running = event
    #expect(RecordSyncReason(standing, status: status) == .inFlight)
    event.error = "AUTHENTICATION_REQUIRED"
    status.failure = event
    #expect(RecordSyncReason(standing, status: status).remedy == .signIn)
    status.isPaused = true
    #expect(RecordSyncReason(standing, status: status) == .paused)
  }
}
