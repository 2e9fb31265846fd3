// Several real libraries and one real service, with time and chance that a test decides. The service
// lies on a file in a folder of memory; the libraries in memory, or on files where they are to be
// closed and opened again.

package import Foundation
package import RecordService
package import RecordStore
package import Records
package import Sync
internal import SyncTransports

package struct World: Sendable {
  package enum Medium: Sendable { case memory, file }

  package static let container = "iCloud.skyros.test"
  package static let place = TypeID(trusted: "Place")
  package static let name = FieldID(trusted: "name")
  package static let population = FieldID(trusted: "population")
  package static let tags = FieldID(trusted: "tags")
  package static let type: RecordType = {
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

  package let folder: URL
  package private(set) var libraries: [Library]
  package let service: RecordService
  package let clock: TestClock
  package private(set) var faults: [Faults]
  package private(set) var network: any SyncTransport
  private let medium: Medium

  /// Memory if the machine has a folder in it: hundreds of worlds come and go.
  private static var temporary: URL {
    let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
    return FileManager.default.isWritableFile(atPath: memory.path())
      ? memory : URL.temporaryDirectory
  }

  /// - Parameters:
  ///   - models: One a library; the others have ``type`` alone.
  ///   - wrap: What stands between every library and the service, for good.
  package init(
    devices: Int, seed: UInt64 = 1, models: [Model] = [], medium: Medium = .memory,
    through wrap: (any SyncTransport) -> any SyncTransport = { $0 }
  ) async throws {
    self.medium = medium
    folder = Self.temporary.appending(path: "skyros-sync-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let clock = TestClock(seed: seed)
    self.clock = clock
    var libraries: [Library] = []
    var faults: [Faults] = []
    for number in 0..<devices {
      faults.append(Faults())
      let surroundings = clock.surroundings(device: number, faults: faults[number])
      let model = models.indices.contains(number) ? models[number] : Model(types: [Self.type])
      switch medium {
      case .memory:
        libraries.append(try await .inMemory(model: model, surroundings: surroundings))
      case .file:
        libraries.append(
          try await .create(
            at: Self.path(of: number, in: folder), model: model, surroundings: surroundings))
      }
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
    network = wrap(try await EmbeddedTransport(service: service, container: Self.container))
    for library in libraries {
      try await library.saveSyncSettings(
        SyncSettings(service: "file:test", container: Self.container, zone: "Skyros"))
    }
  }

  /// Leads every library to another service from now on.
  package mutating func setNetwork(_ network: any SyncTransport) { self.network = network }

  package func remove() { try? FileManager.default.removeItem(at: folder) }

  /// Closes every library, and takes the files away.
  package func close() async throws {
    for library in libraries { try await library.close() }
    remove()
  }

  private static func path(of device: Int, in folder: URL) -> String {
    folder.appending(path: "\(device).skyros").path()
  }

  /// What is left of a device after its process died: its library, opened anew.
  package mutating func reopen(_ device: Int) async throws {
    precondition(medium == .file, "a library in memory is gone when it is closed")
    try await libraries[device].close()
    faults[device].arm(failingAt: nil)
    libraries[device] = try await .open(
      at: Self.path(of: device, in: folder),
      surroundings: clock.surroundings(device: device, faults: faults[device]))
  }

  /// Copies a device's folder, as a person does to another machine, and opens both.
  ///
  /// The copy is the last of the libraries from then on.
  package mutating func copy(_ device: Int) async throws {
    precondition(medium == .file, "a library in memory has no folder")
    let copy = libraries.count
    try await libraries[device].close()
    try FileManager.default.copyItem(
      atPath: Self.path(of: device, in: folder), toPath: Self.path(of: copy, in: folder))
    clock.setSkew(clock.skew(of: device), of: copy)
    faults.append(Faults())
    libraries.append(
      try await .open(
        at: Self.path(of: copy, in: folder),
        surroundings: clock.surroundings(device: copy, faults: faults[copy])))
    faults[device].arm(failingAt: nil)
    libraries[device] = try await .open(
      at: Self.path(of: device, in: folder),
      surroundings: clock.surroundings(device: device, faults: faults[device]))
  }

  /// Syncs a library once, as `skyros sync` does; the waits in it take no real time.
  @discardableResult
  package func sync(
    _ device: Int, through transport: (any SyncTransport)? = nil,
    onEvent: @escaping @Sendable (SyncEvent) -> Void = { _ in }
  ) async throws -> SyncRest {
    try await sync(libraries[device], through: transport, onEvent: onEvent)
  }

  @discardableResult
  package func sync(
    _ library: Library, through transport: (any SyncTransport)? = nil,
    onEvent: @escaping @Sendable (SyncEvent) -> Void = { _ in }
  ) async throws -> SyncRest {
    clock.advance(1_000)
    let clock = clock
    let driver = SyncDriver(
      library: library, transport: transport ?? network,
      surroundings: SyncSurroundings(
        milliseconds: { clock.now }, sleep: { _ in }, jitter: { 0.5 }), onEvent: onEvent)
    return try await driver.run()
  }

  /// Syncs everybody until nobody has anything to say.
  package func settle(rounds: Int = 10) async throws {
    for _ in 0..<rounds {
      for device in libraries.indices { try await sync(device) }
      var pending = 0
      for library in libraries { pending += try await library.syncBacklog().pending }
      if pending == 0 { break }
    }
    for device in libraries.indices { try await sync(device) }
  }

  /// Every record's state by its type and id, as it travels.
  package func contents(_ library: Library) async throws -> [String: RecordState] {
    var result: [String: RecordState] = [:]
    try await library.forEachRecord { snapshot in
      result["\(snapshot.type) \(snapshot.id)"] = snapshot.state.travelling(in: Self.type)
    }
    return result
  }
}

extension Library {
  /// Adds a place.
  package func add(_ fields: [String: Value]) async throws -> RecordID {
    let id = surroundings.newRecordID()
    var draft = Draft(id: surroundings.newDraftID(), new: id, of: World.type)
    for (field, value) in fields { draft.set(value, of: FieldID(trusted: field)) }
    _ = try await commit(draft)
    return id
  }

  /// Edits a place, if it is there.
  package func set(_ id: RecordID, _ fields: [String: Value]) async throws {
    guard let base = try await snapshot(World.place, id), !base.isDeleted else { return }
    var draft = Draft(id: surroundings.newDraftID(), editing: base)
    for (field, value) in fields { draft.set(value, of: FieldID(trusted: field)) }
    _ = try await commit(draft)
  }

  /// Every place, those in the trash too.
  package func forEachRecord(_ body: (Snapshot) throws -> Void) async throws {
    for id in try await allRecordIDs() {
      if let snapshot = try await snapshot(World.place, id) { try body(snapshot) }
    }
  }

  /// Every id that the log has seen, and that is not purged.
  private func allRecordIDs() async throws -> [RecordID] {
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
