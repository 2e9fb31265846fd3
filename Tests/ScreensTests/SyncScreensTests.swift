// Sync on the screen: keys in, grid text out, at home (80x24), wide and narrow.

import RecordStore
import Records
import Screens
import Sync
import TestKit
import Testing
import UILoop
import ViewModels
import Wording

@Suite(.serialized)
struct SyncScreensTests {
  /// A desk whose library has synced before, by what its log says.
  @UI private func open(
    columns: Int = 80, rows: Int = 24, language: Words.Language = .english
  ) async throws -> PlacesDesk {
    let desk = try await PlacesDesk(columns: columns, rows: rows, language: language)
    let library = desk.library
    try await library.saveSyncSettings(
      SyncSettings(service: "http://127.0.0.1:7373", container: "c", zone: "Skyros"))
    try await library.acknowledgeAll()
    try await library.note(.setup, desk.world.now)
    var counts = SyncCounts()
    counts.received = 3
    counts.applied = 2
    counts.skipped = 1
    try await library.note(.import, desk.world.now, counts: counts)
    try await library.updateSyncSettings { $0.isCaughtUp = true }
    await desk.desk.sync.start()
    await desk.rest()
    return desk
  }

  // MARK: The status line

  @Test @UI func `a library that is not set up says so on every screen`() async throws {
    let desk = try await PlacesDesk()
    #expect(await desk.shows("not syncing"))
    await desk.press("H")
    #expect(await desk.shows("not syncing"))
  }

  @Test @UI func `synced is said only while nothing waits, and what waits is counted`()
    async throws
  {
    let desk = try await open()
    #expect(await desk.shows("✓ synced"))
    let porto = try await desk.id("Porto")
    try await desk.change(porto, [.country: .text("Portugal")])
    #expect(await desk.shows("↑1"))
    #expect(!desk.text.contains("synced"))
    #expect(desk.text.contains("↑ changes waiting ↑1"))
    #expect(desk.harness.lines.contains { $0.contains("↑") && $0.contains("Porto") })
  }

  @Test @UI func `a failure is never hidden, and the age of the last success is beside it`()
    async throws
  {
    let desk = try await open()
    try await desk.library.note(.import, desk.world.now, error: "unreachable")
    desk.world.advance(milliseconds: 5 * 60_000 + 1_000)
    desk.harness.timers.advance(by: .seconds(301))
    #expect(await desk.shows("⌁ service not reachable 5 min ago"))
  }

  // MARK: The monitor

  @Test @UI func `the monitor shows phases, service and log at 80x24`() async throws {
    let desk = try await open()
    await desk.press("S")
    #expect(await desk.shows("✓ import    2 taken in"))
    #expect(
      desk.harness.lines.prefix(10).joined(separator: "\n") == """
         in memory › Place › Sync
         ✓ synced  well  in step with the service
         setup   ✓ succeeded  11-14 22:13:20
         import  ✓ succeeded  11-14 22:13:20  2 taken in, 1 known
         export  ○ never ran
         rate    [#] 12/s  at most 12/s
         service http://127.0.0.1:7373  zone Skyros
        [Log]  Waiting 0
          When            Phase       What                         Cause            Took
          11-14 22:13:20  ✓ import    2 taken in, 1 known          asked for      250 ms
        """)
  }

  @Test(arguments: [(200, 60), (40, 10)]) @UI
  func `the monitor stands on a wide and on a narrow screen`(size: (Int, Int)) async throws {
    let desk = try await open(columns: size.0, rows: size.1)
    await desk.press("S")
    // The log is read after the status.
    #expect(await desk.shows("✓ import"))
    #expect(desk.text.contains("✓ synced"))
    #expect(desk.text.contains("[Log]"))
    #expect(desk.harness.lines.count == size.1)
    #expect(desk.harness.cursor != nil)
  }

  @Test @UI func `a plan is told, read, and decided with a key`() async throws {
    let desk = try await open()
    try await desk.library.beginComparison(.recreated)
    try await desk.library.updateSyncSettings { $0.isCaughtUp = true }
    try await desk.library.note(.import, desk.world.now, error: "planToConfirm")
    #expect(await desk.shows("S, then d"))
    await desk.press("S")
    #expect(await desk.shows("Press d to read the plan"))
    await desk.press("d")
    #expect(await desk.shows("Records are gone from the service"))
    #expect(desk.text.contains("Somebody deleted the zone"))
    // Refusing leaves everything as it is.
    await desk.press("l")
    #expect(try await desk.library.syncPlan()?.decision == nil)
    await desk.press("d", "s")
    #expect(await desk.shows("will be sent again"))
    #expect(try await desk.library.syncPlan()?.decision == .sendAgain)
  }

  @Test @UI func `attached files that are to come or missing are counted`() async throws {
    let desk = try await open(columns: 120)
    #expect(!desk.text.contains("files"))
    let porto = try await desk.id("Porto")
    var page = RemotePage()
    var change = RemoteChange(
      reference: RecordReference(type: TypeID(trusted: "Place"), id: porto),
      content: .partial(RecordState()), remote: RemoteCopy(tag: "9", seen: [1]))
    change.contents = ["a", "b"].map {
      WantedContent(hash: $0, size: 1, record: "r", field: "photo")
    }
    page.changes = [change]
    _ = try await desk.library.apply(page)
    try await desk.library.failContent("b", reason: "contentMissing", atOnce: true)
    await desk.press("S")
    #expect(await desk.shows("1 files to come"))
    #expect(desk.text.contains("1 files missing"))
  }

  @Test @UI func `a failure shows its cause, a key that helps, and the raw reason on demand`()
    async throws
  {
    let desk = try await open()
    try await desk.library.note(
      .import, desk.world.now, error: "AUTHENTICATION_REQUIRED", detail: "token 12 expired")
    await desk.press("S")
    #expect(await desk.shows("Press o to sign in."))
    #expect(desk.text.contains("The sign-in has run out."))
    #expect(!desk.text.contains("token 12"))
    await desk.press("f")
    #expect(await desk.shows("only failed"))
    await desk.press("Enter")
    #expect(await desk.shows("Enter: Sign in"))
    await desk.press("r")
    #expect(await desk.shows("token 12 expired"))
    await desk.press("Esc", "n")
    #expect(await desk.shows("setup, only failed"))
    #expect(desk.text.contains("Sync has done nothing yet."))
  }

  @Test @UI func `what waits is listed with its reason; Enter goes to the record`() async throws {
    let desk = try await open()
    let porto = try await desk.id("Porto")
    try await desk.change(porto, [.country: .text("Portugal")])
    let pending = try await desk.library.pendingRecords(limit: 1)
    try await desk.library.park(pending.map { ($0, "BAD_REQUEST", nil) })
    await desk.press("S", "Tab")
    #expect(await desk.shows("▪ set aside"))
    #expect(desk.text.contains("The service can't take"))
    // The key follows the status, which is read beside the list.
    #expect(await eventually { desk.desk.sync.state.status.backlog.parked == 1 })
    await desk.press("t")
    #expect(await desk.shows("1 record will be tried again."))
    #expect(await desk.shows("↑ queued"))
    await desk.press("Enter")
    #expect(await desk.shows("Portugal"))
  }

  @Test @UI func `pausing is said at once, and the paused state everywhere`() async throws {
    let desk = try await open()
    await desk.press("S", "p")
    #expect(await desk.shows("Sync is paused; edits wait."))
    #expect(await desk.shows("‖ paused"))
    #expect(try await desk.library.syncSettings()?.isPaused == true)
    await desk.press("p")
    #expect(await desk.shows("Sync goes on."))
    #expect(try await desk.library.syncSettings()?.isPaused == false)
  }

  @Test @UI func `why a record is not synced is a sentence with its remedy`() async throws {
    let desk = try await open()
    await desk.press("N")
    #expect(await desk.shows("It is synced"))
    await desk.press("Esc")
    let first = try await desk.id("札幌市")
    try await desk.change(first, [.country: .text("Japan")])
    #expect(await desk.shows("↑1"))
    await desk.press("N")
    #expect(await desk.shows("It waits for its turn"))
    #expect(desk.text.contains("Sync now"))
    await desk.press("s")
    #expect(await desk.shows("Sync was asked for."))
  }

  @Test @UI func `a library that is not set up is told how`() async throws {
    let desk = try await PlacesDesk()
    await desk.desk.sync.start()
    await desk.press("S")
    #expect(await desk.shows("This library is on this machine only."))
    await desk.press("Esc", "N")
    #expect(await desk.shows("Sync is not set up"))
  }

  @Test @UI func `the monitor speaks Japanese`() async throws {
    let desk = try await open(language: .japanese)
    await desk.press("S")
    #expect(await desk.shows("✓ 同期済み"))
    #expect(desk.text.contains("受信"))
    #expect(await desk.shows("2 取込, 1 既知"))
  }

  // MARK: Conflicts

  /// Both sides change the same fields of a record that both have.
  @UI private func quarrel(_ desk: PlacesDesk, _ name: String) async throws -> RecordReference {
    let other = try await PlacesDesk.other(desk)
    let id = try await desk.id(name)
    let record = RecordReference(type: .place, id: id)
    try await other.take([record], from: desk.library)
    try await desk.change(id, [.country: .text("mine")])
    try await other.set(record, [.country: .text("theirs"), .notes: .text("a new line")])
    try await desk.library.take([record], from: other)
    return record
  }

  @Test @UI func `a conflict is counted, listed, compared with its base, and settled by one key`()
    async throws
  {
    let desk = try await open()
    let record = try await quarrel(desk, "Porto")
    #expect(await desk.shows("!1"))
    await desk.press("C")
    #expect(await desk.shows("country"))
    #expect(desk.text.contains("this device, device "))
    await desk.press("Enter")
    #expect(await desk.shows("before"))
    for text in ["Conflict: Porto", "PT", "mine: this device", "theirs: device"] {
      #expect(desk.text.contains(text))
    }
    await desk.press("Right", "Enter")
    #expect(await desk.shows("Settled; u takes it back."))
    #expect(try await desk.library.syncBacklog().conflicts == 0)
    let settled = try await desk.value(.country, of: record.id)
    #expect([.text("mine"), .text("theirs")].contains(settled))
    #expect(await desk.shows("Nobody disagrees"))
    await desk.press("u")
    #expect(await desk.shows("Undone"))
  }

  @Test @UI func `what was settled on the way from the monitor is taken back there`() async throws {
    let desk = try await open()
    _ = try await quarrel(desk, "Porto")
    await desk.press("S", "Tab", "Enter")
    #expect(await desk.shows("Conflict: Porto"))
    await desk.press("Right", "Enter")
    #expect(await desk.shows("Settled; u takes it back."))
    #expect(desk.harness.lines[0].hasSuffix("› Sync"))
    await desk.press("u")
    #expect(await desk.shows("Undone"))
  }

  @Test @UI func `a value of one's own settles a conflict`() async throws {
    let desk = try await open()
    let record = try await quarrel(desk, "Porto")
    await desk.press("C", "Enter")
    #expect(await desk.shows("Conflict: Porto"))
    await desk.press("e")
    #expect(await desk.shows("Edit Porto"))
    await desk.press("C-a", "C-k")
    await desk.type("ours")
    await desk.press("C-s")
    #expect(await desk.shows("Nobody disagrees"))
    #expect(try await desk.value(.country, of: record.id) == .text("ours"))
    #expect(try await desk.library.syncBacklog().conflicts == 0)
  }

  @Test @UI func `several records are settled at once, after a question`() async throws {
    let desk = try await open()
    _ = try await quarrel(desk, "Porto")
    _ = try await quarrel(desk, "Skyros")
    await desk.press("C")
    #expect(await desk.shows("2 records"))
    await desk.press("*", "s")
    #expect(await desk.shows("Settle 2 records as shown?"))
    let before = try await desk.library.history(limit: 100).count
    await desk.press("s")
    #expect(await desk.shows("2 records settled; u takes it back."))
    #expect(try await desk.library.history(limit: 100).count == before + 1)
    #expect(try await desk.library.syncBacklog().conflicts == 0)
  }

  @Test @UI func `a deletion against an edit is kept or deleted`() async throws {
    let desk = try await open()
    let other = try await PlacesDesk.other(desk)
    let id = try await desk.id("Porto")
    let record = RecordReference(type: .place, id: id)
    try await other.take([record], from: desk.library)
    try await desk.change(id, [.country: .text("mine")])
    _ = try await other.delete(.place, [id])
    try await desk.library.take([record], from: other)
    await desk.press("C")
    #expect(await desk.shows("Delete or keep"))
    await desk.press("Enter")
    #expect(await desk.shows("edited, and kept"))
    await desk.press("Right", "Enter")
    #expect(await desk.shows("Settled; u takes it back."))
    #expect(try await desk.library.trashCount() == 1)
  }
}

extension PlacesDesk {
  /// Another device's library of the same model.
  static func other(_ desk: PlacesDesk) async throws -> Library {
    let world = TestWorld(seed: 77, machine: "machine-2")
    world.advance(milliseconds: 60_000)
    return try await Library.inMemory(model: Self.model, surroundings: world.surroundings)
  }
}

extension Library {
  fileprivate func note(
    _ phase: SyncPhase, _ time: Int64, error: String? = nil, detail: String? = nil,
    counts: SyncCounts = SyncCounts()
  ) async throws {
    var event = try await beginEvent(phase, trigger: .user, at: time)
    event.endedAt = time + 250
    event.movedAt = time + 250
    event.outcome = error == nil ? .succeeded : .failed
    event.error = error
    event.detail = detail
    event.counts = counts
    try await updateEvent(event)
  }

  fileprivate func acknowledgeAll() async throws {
    let pending = try await pendingRecords(limit: 100)
    try await acknowledge(
      pending.map {
        Acknowledgement(
          reference: $0.reference, number: $0.number, remote: RemoteCopy(tag: "1"))
      })
  }

  /// Takes in another library's records as sync does.
  fileprivate func take(_ records: [RecordReference], from other: Library) async throws {
    var page = RemotePage()
    for record in records {
      guard let snapshot = try await other.snapshot(record.type, record.id) else { continue }
      page.changes.append(
        RemoteChange(
          reference: record, content: .state(snapshot.state), remote: RemoteCopy(tag: "1")))
    }
    _ = try await apply(page)
  }

  fileprivate func set(_ record: RecordReference, _ values: [FieldID: Value]) async throws {
    guard let snapshot = try await snapshot(record.type, record.id) else { return }
    var draft = Draft(id: surroundings.newDraftID(), editing: snapshot)
    for (field, value) in values { draft.set(value, of: field) }
    _ = try await commit(draft)
  }
}
