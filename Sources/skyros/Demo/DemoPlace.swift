// Where the demo lies and how it begins: a library of sample cities, a second one that stands for
// another device, and the file of a service between them. Made anew at each start.

internal import FoundationEssentials
internal import Glibc
internal import ModelFile
internal import RecordStore
internal import Records
internal import Sync

/// What `skyros demo` can fail of by itself.
enum DemoFailure: Error, Hashable {
  /// Another demo runs in the same place.
  case running(path: String)
  /// Something that is no demo lies there.
  case notADemo(path: String)
  case folder(path: String, reason: String)
}

extension DemoFailure: FailureWords {
  var exitStatus: ExitStatus { .failed }

  var sentence: String {
    switch self {
    case .running(let path): "A demo runs already, in '\(path)': leave it first (q)."
    case .notADemo(let path):
      "'\(path)' is there and was not made by skyros demo: nothing was touched."
    case .folder(let path, let reason): "The demo can't be made in '\(path)': \(reason)"
    }
  }
}

/// The folder of the demo.
///
/// Holds its lock for as long as it lives.
struct DemoPlace {
  /// What is in the folder and goes away when the demo is made anew.
  private static let parts = [
    "demo.skyros", "second.skyros", "service.sqlite", "service.sqlite-wal", "service.sqlite-shm",
    "service.sqlite-lock", "service.sqlite-assets", "cities.csv",
  ]
  private static let mark = "this-is-a-demo"
  /// The city about which both devices said something before they first met.
  private static let disputedCity = "Istanbul"

  let folder: String
  private let lock: Int32

  var library: String { folder + "/demo.skyros" }
  var second: String { folder + "/second.skyros" }
  var service: String { folder + "/service.sqlite" }

  /// Takes the folder, and removes what an earlier demo left in it.
  init(in dataFolder: String) throws(DemoFailure) {
    folder = dataFolder + "/demo"
    let mark = folder + "/" + Self.mark
    let isThere = access(folder, F_OK) == 0
    if isThere, access(mark, F_OK) != 0 { throw .notADemo(path: folder) }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw .folder(path: folder, reason: "\(error)")
    }
    lock = open(mark, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw .folder(path: folder, reason: String(cString: strerror(errno))) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      close(lock)
      throw .running(path: folder)
    }
    do {
      for part in try FileManager.default.contentsOfDirectory(atPath: folder)
      where Self.parts.contains(part) {
        try FileManager.default.removeItem(atPath: folder + "/" + part)
      }
    } catch {
      close(lock)
      throw .folder(path: folder, reason: "\(error)")
    }
  }

  func release() { close(lock) }

  /// Makes both libraries, each with a part of the cities, and both set up for the service.
  func make() async throws -> (library: Library, second: Library) {
    let model = try Template.demo.model()
    let lines = String(decoding: SampleData.cities, as: UTF8.self).split(separator: "\n")
    let header = lines.prefix(1)
    let rows = lines.dropFirst()
    let mine = try await Library.create(at: library, model: model, surroundings: .system)
    var elsewhere = Surroundings.system
    elsewhere.deviceName = "second device"
    elsewhere.person = "your other self"
    let other = try await Library.create(at: second, model: model, surroundings: elsewhere)
    let middle = rows.startIndex + rows.count * 2 / 3
    try await fill(mine, header + rows[..<middle])
    let disputed = rows[..<middle].filter { $0.contains(",\(Self.disputedCity),") }
    try await fill(other, header + disputed + rows[middle...])
    try await say(mine, rating: "good", notes: "Ferries at dusk.\nGo in May.")
    try await say(other, rating: "best", notes: "Ferries at dusk.\nStay a week.")
    for library in [mine, other] {
      try await library.saveSyncSettings(
        SyncSettings(
          service: "file:" + service, container: ServiceAddress.standardContainer,
          zone: ServiceAddress.standardZone))
    }
    return (mine, other)
  }

  private func fill(_ library: Library, _ lines: some Sequence<Substring>) async throws {
    let path = folder + "/cities.csv"
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: path, atomically: true, encoding: .utf8)
    _ = try await library.importTable(
      ImportRequest(path: path, type: "City", time: .system))
    try FileManager.default.removeItem(atPath: path)
  }

  private func say(_ library: Library, rating: String, notes: String) async throws {
    guard let type = library.model.types.first,
      let city = try await library.find(type.id, titled: Self.disputedCity, limit: 1).first,
      let snapshot = try await library.snapshot(type.id, city)
    else { return }
    var draft = Draft(id: library.surroundings.newDraftID(), editing: snapshot)
    draft.set(.text(rating), of: FieldID(trusted: "rating"))
    draft.set(.text(notes), of: FieldID(trusted: "notes"))
    _ = try await library.commit(draft)
  }
}
