import RecordStore
import Records
import Sync
import TestKit
import Testing

/// The status as it is read from a library, whatever lies between now and what it rests on.
struct SyncStatusTests {
  private static let world = TestWorld(seed: 5)

  private static func library() async throws -> Library {
    let place = RecordType(
      id: TypeID(trusted: "Place"), fields: [Field(id: FieldID(trusted: "name"), type: .text)])
    let library = try await Library.inMemory(
      model: Model(types: [place]), surroundings: world.surroundings)
    try await library.saveSyncSettings(SyncSettings(service: "file:/x", container: "c", zone: "z"))
    return library
  }

  private static func happened(
    _ phase: SyncPhase, _ outcome: SyncOutcome, in library: Library, at time: Int64
  ) async throws {
    var event = try await library.beginEvent(phase, trigger: .launch, at: time)
    event.outcome = outcome
    event.endedAt = time
    try await library.updateEvent(event)
  }

  @Test func `a long session does not forget how its setup went`() async throws {
    let library = try await Self.library()
    try await Self.happened(.setup, .succeeded, in: library, at: 1)
    try await Self.happened(.export, .succeeded, in: library, at: 2)
    for time in 3..<Int64(Library.eventsMax + 500) {
      try await Self.happened(.import, .succeeded, in: library, at: time)
    }
    try await library.updateSyncSettings { $0.isCaughtUp = true }
    let status = try await SyncStatus.read(library, now: 10_000)
    #expect(status.summary == .succeeded)
    #expect(status.lastExport == 2)
    #expect(try await library.events(limit: 10_000).count <= Library.eventsMax + 3)
  }

  @Test func `a change of the model that waits is pending`() async throws {
    let library = try await Self.library()
    for phase in SyncPhase.allCases {
      try await Self.happened(phase, .succeeded, in: library, at: 1)
    }
    try await library.updateSyncSettings {
      $0.isCaughtUp = true
      $0.model = "what the service knows"
    }
    let status = try await SyncStatus.read(library, now: 10)
    #expect(status.isModelPending)
    #expect(status.summary == .pending)
  }
}
