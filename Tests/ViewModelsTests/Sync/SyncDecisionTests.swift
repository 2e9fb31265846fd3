import RecordStore
import Records
import Sync
import TestKit
import Testing
import UILoop
import ViewModels

/// What a person is asked before sync does it.
@Suite(.serialized, .timeLimit(.minutes(2))) @UI struct SyncDecisionTests {
  /// A library one of whose records the service had taken, and does not have any more.
  private func robbed() async throws -> (place: SyncPlace, id: RecordID) {
    let place = try await SyncPlace(nil, seed: 1)
    let library = place.places.library
    let id = try await place.places.add([.name: .text("Porto")])
    try await library.saveSyncSettings(SyncSettings(service: "file:/x", container: "c", zone: "z"))
    try await library.acknowledge(
      library.pendingRecords(limit: 10).filter { $0.reference.id == id }.map {
        Acknowledgement(
          reference: $0.reference, number: $0.number, remote: RemoteCopy(tag: "1", seen: [1]))
      })
    try await library.beginComparison(.unknown)
    try await library.updateSyncSettings { $0.isCaughtUp = true }
    await place.sync.start()
    return (place, id)
  }

  @Test func `a plan is shown in numbers, and what a person decides is written down`()
    async throws
  {
    let (place, _) = try await robbed()
    #expect(await place.comes { $0.status.plan?.absent == 1 })
    let plan = try #require(place.sync.planToDecide)
    await place.sync.decide(.sendAgain, about: plan)
    #expect(place.state.notice == .decided(.sendAgain, records: 1))
    #expect(try await place.places.library.syncSettings()?.decision == .sendAgain)
    #expect(try await place.places.library.takeSyncRequest())
    #expect(await place.comes { $0.status.plan?.decision == .sendAgain })
    #expect(place.sync.planToDecide == nil)
    await place.sync.stop()
  }

  @Test func `a plan is what helps against the stop that it causes`() {
    #expect(SyncRemedy(cause: AnswerClass.planToConfirm.word) == .decide)
    #expect(SyncRemedy(cause: AnswerClass.zoneGone.word) == .decide)
  }

  @Test func `another zone is asked about, empty or not, and takes the library when it is wanted`()
    async throws
  {
    let service = try await ServicePlace(TestWorld(seed: 9))
    let place = try await SyncPlace(service, seed: 1)
    let library = place.places.library
    await place.sync.start()
    #expect(await place.sync.setUp(service.standard) == .done)
    _ = try await place.places.add([.name: .text("Porto")])
    #expect(await place.comes { $0.status.summary == .succeeded && $0.status.backlog.pending == 0 })
    let count = try await library.counts().values.reduce(0, +)
    var request = service.standard
    request.zone = "Other"
    let change = ServiceChange(kind: .other, unsent: 0, records: count, hasRecordsThere: false)
    #expect(await place.sync.setUp(request) == .asks(change))
    #expect(try await library.syncSettings()?.zone == "Skyros")
    // It syncs on as before, while nobody has answered.
    #expect(await place.comes { $0.role == .syncing })
    request.isWanted = true
    #expect(await place.sync.setUp(request) == .done)
    #expect(
      await place.comes {
        $0.status.settings?.zone == "Other" && $0.status.summary == .succeeded
          && $0.status.backlog.pending == 0
      })
    await place.sync.stop()
  }

  @Test func `the page to sign in on is shown while it is waited for, and leaving changes nothing`()
    async throws
  {
    let service = try await ServicePlace(TestWorld(seed: 9))
    let place = try await SyncPlace(service, seed: 1)
    await place.sync.start()
    var request = service.standard
    request.tokenFile = ServicePlace.browser
    let attempt = Task { @UI in await place.sync.setUp(request) }
    #expect(await place.comes { $0.signInPage == ServicePlace.page })
    attempt.cancel()
    #expect(await attempt.value == .failed)
    #expect(place.state.signInPage == nil)
    #expect(place.state.notice == nil)
    #expect(try await place.places.library.syncSettings() == nil)
    await place.sync.stop()
  }
}
