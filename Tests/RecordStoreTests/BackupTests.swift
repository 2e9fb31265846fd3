import Foundation
import GRDB
import RecordStore
import Records
import Synchronization
import TestKit
import Testing

/// Backup to one file and back, while the library is in use.
struct BackupTests {
  static let type = AttachmentTests.type
  static let name = FieldID(trusted: "name")

  func add(_ text: String, to library: Library, scan: Records.Attachment? = nil) async throws
    -> RecordID
  {
    let id = library.surroundings.newRecordID()
    var draft = Draft(id: library.surroundings.newDraftID(), new: id, of: Self.type)
    draft.set(.text(text), of: Self.name)
    if let scan { draft.set(Value.attachment(scan), of: FieldID(trusted: "scan")) }
    #expect(try await library.commit(draft).outcome == .applied)
    return id
  }

  @Test func `a backup brings records, history and attachments back, and keeps what was there`()
    async throws
  {
    let desk = try AttachmentTests.Desk()
    let library = try await desk.library()
    let scan = try await library.attach(try desk.file("scan.bin", bytes: 1_500_000))
    let kept = try await add("kept", to: library, scan: scan)
    let backup = desk.folder.file("a.backup")
    let summary = try await library.backUp(to: backup)
    #expect(summary.attachments == 1)
    #expect(summary.missingAttachments.isEmpty)

    _ = try await library.delete(Self.type.id, [kept])
    let later = try await add("later", to: library)
    try FileManager.default.removeItem(atPath: library.attachmentPath(scan))
    let device = library.device
    let restored = try await library.restoreBackup(from: backup)

    #expect(restored.records == 1)
    let snapshot = try #require(try await library.snapshot(Self.type.id, kept))
    #expect(!snapshot.isDeleted)
    #expect(try await library.snapshot(Self.type.id, later) == nil)
    #expect(library.device != device, "a restored library is another device (J6)")
    try await library.saveAttachment(scan, to: desk.folder.file("back.bin"))
    #expect(
      FileManager.default.contentsEqual(
        atPath: desk.folder.file("back.bin"), andPath: desk.folder.file("scan.bin")))
    #expect(try await library.examine().findings.isEmpty)

    // What was in the library before is not lost either.
    _ = try await library.restoreBackup(from: restored.previous)
    #expect(try await library.snapshot(Self.type.id, later) != nil)
    try await library.close()
  }

  @Test func `another open program sees the restored records`() async throws {
    let desk = try AttachmentTests.Desk()
    let library = try await desk.library()
    let id = try await add("first", to: library)
    let backup = desk.folder.file("a.backup")
    _ = try await library.backUp(to: backup)
    _ = try await library.purge(Self.type.id, [id])
    let other = try await Library.open(
      at: desk.folder.file("desk.skyros"), surroundings: desk.world.surroundings)
    #expect(try await other.snapshot(Self.type.id, id) == nil)
    _ = try await library.restoreBackup(from: backup)
    #expect(try await other.snapshot(Self.type.id, id) != nil)
    let written = try await add("written after", to: other)
    #expect(try await library.snapshot(Self.type.id, written) != nil)
    try await other.close()
    try await library.close()
  }

  @Test func `a backup takes the place of a library that can't be opened, which is kept`()
    async throws
  {
    let fixture = try await Fixture(.file)
    let id = try await fixture.add(Fixture.place, ["name": .text("Porto")])
    let backup = fixture.folder.file("good.backup")
    _ = try await fixture.library.backUp(to: backup)
    try await fixture.library.close()
    let path = fixture.folder.file("test.skyros")
    let garbage = Data(repeating: 0xA5, count: 40_000)
    try garbage.write(to: URL(filePath: path + "/library.sqlite"))
    await #expect(throws: StoreError.self) {
      try await Library.open(at: path, surroundings: fixture.world.surroundings)
    }
    // A backup that is none leaves everything as it was.
    await #expect(throws: StoreError.self) {
      try await Library.replaceDamaged(
        at: path, from: path + "/library.lock", surroundings: fixture.world.surroundings)
    }
    #expect(FileManager.default.contents(atPath: path + "/library.sqlite") == garbage)

    let summary = try await Library.replaceDamaged(
      at: path, from: backup, surroundings: fixture.world.surroundings)
    #expect(summary.records == 1)
    #expect(FileManager.default.contents(atPath: summary.previous) == garbage)
    let again = try await Library.open(at: path, surroundings: fixture.world.surroundings)
    #expect(
      try await again.snapshot(Fixture.place, id)?.value(of: FieldID("name")) == .text("Porto"))
    try await again.close()
  }

  @Test func `a backup never overwrites a file`() async throws {
    let desk = try AttachmentTests.Desk()
    let library = try await desk.library()
    let mine = try desk.file("mine", bytes: 10)
    await #expect(
      throws: StoreError.file(operation: "write a backup", path: mine, code: EEXIST)
    ) {
      try await library.backUp(to: mine)
    }
    try await library.close()
  }

  @Test func `what is no backup is refused, and the library stays as it was`() async throws {
    let desk = try AttachmentTests.Desk()
    let library = try await desk.library()
    let id = try await add("mine", to: library)
    let noise = try desk.file("noise", bytes: 5_000)
    await #expect(throws: StoreError.notALibrary(path: noise)) {
      try await library.restoreBackup(from: noise)
    }
    let other = desk.folder.file("other.sqlite")
    let queue = try DatabaseQueue(path: other)
    try await queue.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try queue.close()
    await #expect(throws: StoreError.notALibrary(path: other)) {
      try await library.restoreBackup(from: other)
    }
    await #expect(throws: StoreError.file(operation: "read", path: "/nowhere", code: ENOENT)) {
      try await library.restoreBackup(from: "/nowhere")
    }
    #expect(try await library.snapshot(Self.type.id, id) != nil)
    try await library.close()
  }

  @Test func `a backup of a newer program is refused`() async throws {
    let desk = try AttachmentTests.Desk()
    let library = try await desk.library()
    let backup = desk.folder.file("a.backup")
    _ = try await library.backUp(to: backup)
    let queue = try DatabaseQueue(path: backup)
    try await queue.write { try $0.execute(sql: "PRAGMA user_version = 99") }
    try queue.close()
    await #expect(throws: StoreError.newer(path: backup, format: 99, known: 1)) {
      try await library.restoreBackup(from: backup)
    }
    try await library.close()
  }

  @Test func `a damaged backup is refused before anything changes`() async throws {
    let desk = try AttachmentTests.Desk()
    let library = try await desk.library()
    for number in 0..<200 { _ = try await add("record \(number)", to: library) }
    let backup = desk.folder.file("a.backup")
    _ = try await library.backUp(to: backup)
    let later = try await add("later", to: library)
    let handle = try FileHandle(forUpdating: URL(filePath: backup))
    try handle.seek(toOffset: 4096 * 3)
    try handle.write(contentsOf: Data(repeating: 0x5A, count: 4096 * 8))
    try handle.close()
    await #expect(throws: (any Error).self) { try await library.restoreBackup(from: backup) }
    #expect(try await library.snapshot(Self.type.id, later) != nil)
    #expect(try await library.examine().findings.isEmpty)
    try await library.close()
  }

  /// Commits what another program would while the test's clock is read: some readings from now on.
  private final class Meanwhile: Sendable {
    private let file: String
    private let readings = Mutex(0)

    init(_ file: String) { self.file = file }

    func commit(during count: Int) { readings.withLock { $0 = count } }

    func look() {
      guard
        readings.withLock({
          $0 -= 1; return $0 >= 0
        })
      else { return }
      do {
        let queue = try DatabaseQueue(path: file)
        try queue.write { db in
          try db.execute(
            sql: """
              INSERT INTO _transaction (number, at, time, device, author, origin, sealed, note,
                records)
              SELECT max(number) + 1, max(at), max(time) + 1, device, 'x', 'edit', 1, 'meanwhile', 0
              FROM _transaction
              """)
        }
        try queue.close()
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test func `what others save while a backup is being restored is kept too`() async throws {
    let desk = try AttachmentTests.Desk()
    let path = desk.folder.file("desk.skyros")
    let meanwhile = Meanwhile(path + "/library.sqlite")
    var surroundings = desk.world.surroundings
    surroundings.milliseconds = { [clock = surroundings.milliseconds] in
      meanwhile.look()
      return clock()
    }
    let library = try await Library.create(
      at: path, model: Model(types: [Self.type]), surroundings: surroundings)
    _ = try await add("first", to: library)
    let backup = desk.folder.file("a.backup")
    _ = try await library.backUp(to: backup)
    // For the name of the backup that is made first, and behind its copy of the file.
    meanwhile.commit(during: 2)
    let restored = try await library.restoreBackup(from: backup)
    let queue = try DatabaseQueue(path: restored.previous)
    let kept = try await queue.read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM _transaction WHERE note = 'meanwhile'")
    }
    try queue.close()
    #expect(kept == 2)
    let backups = try FileManager.default.contentsOfDirectory(atPath: path + "/backups")
    #expect(backups.count == 1, "\(backups)")
    try await library.close()
  }

  @Test func `a library that dies while it is restored never writes on as the device it was`()
    async throws
  {
    let desk = try AttachmentTests.Desk()
    let library = try await desk.library()
    // What is in the file afterwards is noticed by this one, too.
    let device = library.device
    let id = try await add("first", to: library)
    let backup = desk.folder.file("a.backup")
    _ = try await library.backUp(to: backup)
    _ = try await library.delete(Self.type.id, [id])
    desk.world.faults.arm(dyingAt: 1)
    await #expect(throws: Faults.Injected.self) { try await library.restoreBackup(from: backup) }
    desk.world.faults.arm(failingAt: nil)
    try await library.close()
    let again = try await Library.open(
      at: desk.folder.file("desk.skyros"), surroundings: desk.world.surroundings)
    #expect(try await again.snapshot(Self.type.id, id)?.isDeleted == false, "it is restored")
    #expect(again.device != device)
    try await again.close()
  }

  @Test(.timeLimit(.minutes(1)))
  func `a restore is told to other programs, however young the backup is`() async throws {
    let desk = try AttachmentTests.Desk()
    let library = try await desk.library()
    _ = try await add("first", to: library)
    let backup = desk.folder.file("a.backup")
    _ = try await library.backUp(to: backup)
    // One transaction more, and the restoring is one.
    _ = try await add("second", to: library)
    let other = try await Library.open(
      at: desk.folder.file("desk.skyros"), surroundings: desk.world.surroundings)
    var feed = other.commits().makeAsyncIterator()
    _ = try await library.restoreBackup(from: backup)
    while let commit = await feed.next() {
      if case .many(let types) = commit.changes, types.contains(Self.type.id) { break }
    }
    #expect(other.device == library.device)
    try await other.close()
    try await library.close()
  }

  @Test func `a person's own file of a similar name is left alone`() async throws {
    let desk = try AttachmentTests.Desk()
    let library = try await desk.library()
    let scan = try await library.attach(try desk.file("scan.bin", bytes: 100))
    let names = ["a.backup.part", "back.bin.part"]
    let mine = try names.map { try Data(contentsOf: URL(filePath: desk.file($0, bytes: 10))) }
    _ = try await library.backUp(to: desk.folder.file("a.backup"))
    try await library.saveAttachment(scan, to: desk.folder.file("back.bin"))
    for (name, data) in zip(names, mine) {
      let path = desk.folder.file(name)
      #expect(try Data(contentsOf: URL(filePath: path)) == data)
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: desk.folder.path)
    #expect(Set(files) == Set(names + ["a.backup", "back.bin", "scan.bin", "desk.skyros"]))
    try await library.close()
  }
}
