import CloudKitWire
import Foundation
import RecordService
import RecordStore
import Records
import Sync
import SyncTransports
import Synchronization
import TestKit
import Testing

/// Several libraries in memory and one service on a file in a temporary folder.
struct World {
  static let container = "iCloud.skyros.test"
  static let place = TypeID(trusted: "Place")
  static let name = FieldID(trusted: "name")
  static let population = FieldID(trusted: "population")
  static let tags = FieldID(trusted: "tags")
  static let type: RecordType = {
    var type = RecordType(id: place)
    type.fields = [
      Field(id: name, type: .text), Field(id: population, type: .integer),
      Field(id: tags, type: .tags), Field(id: FieldID(trusted: "visits"), type: .counter),
      Field(id: FieldID(trusted: "notes"), type: .longText, merge: .lines),
      Field(id: FieldID(trusted: "near"), type: .reference(to: place)),
      Field(id: FieldID(trusted: "around"), type: .references(to: place)),
    ]
    type.title = name
    return type
  }()

  let folder: URL
  let libraries: [Library]
  let service: RecordService
  let clock: TestClock
  let faults: [Faults]
  private(set) var network: any SyncTransport

  mutating func setNetwork(_ network: any SyncTransport) { self.network = network }

  /// Memory if the machine has a folder in it: hundreds of worlds come and go.
  private static var temporary: URL {
    let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
    return FileManager.default.isWritableFile(atPath: memory.path())
      ? memory : URL.temporaryDirectory
  }

  init(
    devices: Int, seed: UInt64 = 1, skews: [Int64] = [], models: [Model] = []
  ) async throws {
    folder = Self.temporary.appending(path: "skyros-sync-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let clock = TestClock(seed: seed)
    self.clock = clock
    var libraries: [Library] = []
    var faults: [Faults] = []
    for number in 0..<devices {
      faults.append(Faults())
      let skew = skews.indices.contains(number) ? skews[number] : 0
      libraries.append(
        try await Library.inMemory(
          model: models.indices.contains(number) ? models[number] : Model(types: [Self.type]),
          surroundings: clock.surroundings(device: number, skew: skew, faults: faults[number])))
    }
    self.libraries = libraries
    self.faults = faults
    var settings = ServiceSettings()
    settings.requestsPerSecond = 1_000_000
    settings.requestsBurst = 1_000_000
    service = try await RecordService.open(
      path: folder.appending(path: "service.sqlite").path(), settings: settings,
      surroundings: ServiceSurroundings(
        milliseconds: { clock.now }, random: { count in (0..<count).map { _ in clock.byte() } },
        sleep: { _ in }))
    network = try await EmbeddedTransport(service: service, container: Self.container)
    for library in libraries {
      try await library.saveSyncSettings(
        SyncSettings(service: "file:test", container: Self.container, zone: "Skyros"))
    }
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  @discardableResult
  func sync(_ device: Int, through transport: (any SyncTransport)? = nil) async throws -> SyncRest {
    try await sync(libraries[device], through: transport)
  }

  @discardableResult
  func sync(_ library: Library, through transport: (any SyncTransport)? = nil) async throws
    -> SyncRest
  {
    clock.advance(1_000)
    let clock = clock
    let driver = SyncDriver(
      library: library, transport: transport ?? network,
      surroundings: SyncSurroundings(
        milliseconds: { clock.now }, sleep: { _ in }, jitter: { 0.5 }))
    return try await driver.run()
  }

  /// Syncs everybody until nobody has anything to say.
  func settle() async throws {
    for _ in 0..<10 {
      for device in libraries.indices { try await sync(device) }
      var pending = 0
      for library in libraries { pending += try await library.syncBacklog().pending }
      if pending == 0 { break }
    }
    for device in libraries.indices { try await sync(device) }
  }

  /// All libraries hold the same records in the same states, and nothing waits.
  func expectConverged(_ comment: Comment? = nil) async throws {
    try await settle()
    let first = try await contents(libraries[0])
    for library in libraries.dropFirst() {
      let other = try await contents(library)
      #expect(other == first, comment)
    }
    for library in libraries {
      let backlog = try await library.syncBacklog()
      #expect(backlog.pending == 0, comment)
      #expect(backlog.parked == 0, comment)
    }
  }

  /// Every record's state, as text.
  func contents(_ library: Library) async throws -> [String: RecordState] {
    var result: [String: RecordState] = [:]
    try await library.forEachRecord { snapshot in
      result["\(snapshot.type) \(snapshot.id)"] = snapshot.state.travelling(in: Self.type)
    }
    return result
  }
}

/// A clock that moves when it is told to, and chance from a seed.
final class TestClock: Sendable {
  private let state: Mutex<(now: Int64, random: SeededGenerator)>

  init(seed: UInt64) { state = Mutex((1_700_000_000_000, SeededGenerator(seed: seed))) }

  var now: Int64 { state.withLock { $0.now } }
  func advance(_ milliseconds: Int64) { state.withLock { $0.now += milliseconds } }
  func word() -> UInt64 { state.withLock { $0.random.next() } }
  func byte() -> UInt8 { UInt8(truncatingIfNeeded: word()) }

  func surroundings(device: Int, skew: Int64, faults: Faults) -> Surroundings {
    Surroundings(
      milliseconds: { self.now + skew }, random: { self.word() }, person: "tester",
      deviceName: "device \(device)", machine: "test", faults: faults)
  }
}

extension Library {
  func add(_ fields: [String: Value]) async throws -> RecordID {
    let id = surroundings.newRecordID()
    var draft = Draft(id: surroundings.newDraftID(), new: id, of: World.type)
    for (field, value) in fields { draft.set(value, of: FieldID(trusted: field)) }
    _ = try await commit(draft)
    return id
  }

  func set(_ id: RecordID, _ fields: [String: Value]) async throws {
    guard let base = try await snapshot(World.place, id), !base.isDeleted else { return }
    var draft = Draft(id: surroundings.newDraftID(), editing: base)
    for (field, value) in fields { draft.set(value, of: FieldID(trusted: field)) }
    _ = try await commit(draft)
  }

  /// Every record, those in the trash too.
  func forEachRecord(_ body: (Snapshot) throws -> Void) async throws {
    for id in try await allRecordIDs() {
      if let snapshot = try await snapshot(World.place, id) { try body(snapshot) }
    }
  }
}

extension Library {
  /// Every id that the log has seen, and that is not purged.
  func allRecordIDs() async throws -> [RecordID] {
    var ids: Set<RecordID> = []
    var last: Int64?
    while true {
      let entries = try await history(limit: 200, before: last)
      guard let oldest = entries.last else { return ids.sorted() }
      for entry in entries {
        for change in try await changes(of: entry.number, offset: 0, limit: 10_000) {
          ids.insert(change.record.id)
        }
      }
      last = oldest.number
    }
  }
}
