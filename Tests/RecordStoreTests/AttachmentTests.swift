import Foundation
import Records
import RecordStore
import TestKit
import Testing

/// Attachments: streamed, content-addressed, checked, collected.
struct AttachmentTests {
  static let type: RecordType = {
    var type = RecordType(id: TypeID(trusted: "Paper"))
    type.fields = [
      Field(id: FieldID(trusted: "name"), type: .text),
      Field(id: FieldID(trusted: "scan"), type: .attachment),
    ]
    type.title = FieldID(trusted: "name")
    return type
  }()
  let scan = FieldID(trusted: "scan")

  /// A folder with a library in it, and a world that the test moves.
  struct Desk {
    let folder: TemporaryFolder
    let world = TestWorld()

    init() throws { folder = try TemporaryFolder() }

    func library() async throws -> Library {
      try await Library.create(
        at: folder.file("desk.skyros"), model: Model(types: [AttachmentTests.type]),
        surroundings: world.surroundings)
    }

    func file(_ name: String, bytes: Int) throws -> String {
      var random = SeededGenerator(seed: UInt64(bytes))
      let data = Data((0..<bytes).map { _ in UInt8.random(in: 0...255, using: &random) })
      try data.write(to: URL(filePath: folder.file(name)))
      return folder.file(name)
    }
  }

  func save(_ attachment: Records.Attachment, in library: Library) async throws -> RecordID {
    let id = library.surroundings.newRecordID()
    var draft = Draft(id: library.surroundings.newDraftID(), new: id, of: Self.type)
    draft.set(.text("Paper"), of: FieldID(trusted: "name"))
    draft.set(Value.attachment(attachment), of: scan)
    #expect(try await library.commit(draft).outcome == .applied)
    return id
  }

  @Test(arguments: [0, 1, 262_144, 262_145, 1_500_000])
  func `content of any length comes back as it was, under its hash`(bytes: Int) async throws {
    let desk = try Desk()
    let library = try await desk.library()
    let source = try desk.file("scan.bin", bytes: bytes)
    let attachment = try await library.attach(source)
    #expect(attachment.name == "scan.bin")
    #expect(attachment.size == Int64(bytes))
    let target = desk.folder.file("back.bin")
    try await library.saveAttachment(attachment, to: target)
    #expect(
      try Data(contentsOf: URL(filePath: target)) == Data(contentsOf: URL(filePath: source)))
    try await library.close()
  }

  @Test func `the same content is kept once`() async throws {
    let desk = try Desk()
    let library = try await desk.library()
    let a = try await library.attach(try desk.file("a.bin", bytes: 5000))
    let b = try await library.attach(try desk.file("b.bin", bytes: 5000), name: "other")
    #expect(a.hash == b.hash)
    #expect(try library.attachmentPath(a) == library.attachmentPath(b))
    try await library.close()
  }

  @Test func `saving never overwrites a file that is there`() async throws {
    let desk = try Desk()
    let library = try await desk.library()
    let attachment = try await library.attach(try desk.file("a.bin", bytes: 10))
    let target = try desk.file("mine.bin", bytes: 20)
    let before = try Data(contentsOf: URL(filePath: target))
    await #expect(
      throws: StoreError.file(operation: "write", path: target, code: EEXIST)
    ) {
      try await library.saveAttachment(attachment, to: target)
    }
    #expect(try Data(contentsOf: URL(filePath: target)) == before)
    try await library.close()
  }

  @Test func `damaged content is noticed and not handed out`() async throws {
    let desk = try Desk()
    let library = try await desk.library()
    let attachment = try await library.attach(try desk.file("a.bin", bytes: 9000))
    _ = try await save(attachment, in: library)
    let path = try library.attachmentPath(attachment)
    let handle = try FileHandle(forUpdating: URL(filePath: path))
    try handle.seek(toOffset: 4000)
    try handle.write(contentsOf: Data([1, 2, 3, 4]))
    try handle.close()
    let target = desk.folder.file("back.bin")
    await #expect(throws: StoreError.attachmentDamaged(hash: attachment.hash)) {
      try await library.saveAttachment(attachment, to: target)
    }
    #expect(!FileManager.default.fileExists(atPath: target))
    let report = try await library.examine()
    #expect(report.findings == [.attachmentDamaged(hash: attachment.hash)])
    try await library.close()
  }

  @Test func `a hash that is none is no path`() async throws {
    let desk = try Desk()
    let library = try await desk.library()
    let evil = Records.Attachment(hash: "../../etc/passwd", name: "x", size: 1)
    #expect(throws: StoreError.attachmentMissing(hash: evil.hash)) {
      try library.attachmentPath(evil)
    }
    try await library.close()
  }

  @Test func `what is no plain file is refused`() async throws {
    let desk = try Desk()
    let library = try await desk.library()
    await #expect(throws: StoreError.file(operation: "attach", path: "/", code: EISDIR)) {
      try await library.attach("/")
    }
    await #expect(throws: StoreError.file(operation: "read", path: "/nowhere", code: ENOENT)) {
      try await library.attach("/nowhere")
    }
    try await library.close()
  }

  @Test func `unused content is collected after a month, and used or drafted content is not`()
    async throws
  {
    let desk = try Desk()
    let library = try await desk.library()
    let used = try await library.attach(try desk.file("used.bin", bytes: 100))
    let past = try await library.attach(try desk.file("past.bin", bytes: 200))
    let drafted = try await library.attach(try desk.file("drafted.bin", bytes: 300))
    let unused = try await library.attach(try desk.file("unused.bin", bytes: 400))
    let id = try await save(past, in: library)
    let snapshot = try #require(try await library.snapshot(Self.type.id, id))
    var draft = Draft(id: library.surroundings.newDraftID(), editing: snapshot)
    draft.set(Value.attachment(used), of: scan)
    _ = try await library.commit(draft)
    var open = Draft(
      id: library.surroundings.newDraftID(), new: library.surroundings.newRecordID(), of: Self.type)
    open.set(Value.attachment(drafted), of: scan)
    try await library.journal(open)

    let today = Int64(Date().timeIntervalSince1970 * 1000)
    desk.world.advance(milliseconds: today - desk.world.now)
    #expect(try await library.collectAttachments() == CollectedAttachments())
    desk.world.advance(milliseconds: 31 * 24 * 3_600_000)
    #expect(
      try await library.collectAttachments() == CollectedAttachments(files: 1, bytes: 400))
    for kept in [used, past, drafted] { _ = try library.attachmentPath(kept) }
    #expect(throws: StoreError.attachmentMissing(hash: unused.hash)) {
      try library.attachmentPath(unused)
    }
    try await library.close()
  }

  @Test(arguments: ["\u{301}scan.bin", "\u{200D}.bin", "a \u{301}b.bin"])
  func `a file's name may begin with a mark that joins what is before it`(
    name: String
  ) async throws {
    let desk = try Desk()
    let library = try await desk.library()
    let attachment = try await library.attach(try desk.file(name, bytes: 10))
    #expect(attachment.name == name)
    let id = try await save(attachment, in: library)
    let stored = try #require(try await library.snapshot(Self.type.id, id))
    #expect(stored.value(of: scan) == .attachment(attachment))
    try await library.close()
  }
}
