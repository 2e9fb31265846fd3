// A library's file among several programs: two Skyros on it, the sqlite3 shell, a copy, a newer one.

import Foundation
import GRDB
import RecordStore
import Records
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10))) struct SharedFileTests {
  private static func reopen(_ fixture: Fixture) async throws -> Library {
    let path = try #require(fixture.library.path)
    return try await Library.open(at: path, surroundings: fixture.world.surroundings)
  }

  @Test func `a library opens again as it was closed`() async throws {
    let fixture = try await Fixture(.file)
    let id = try await fixture.add(Fixture.place, ["name": .text("Skyros")])
    let before = try await fixture.snapshot(Fixture.place, id)
    try await fixture.library.close()
    let again = try await Self.reopen(fixture)
    #expect(again.model == fixture.library.model)
    #expect(again.device == fixture.library.device)
    #expect(try await again.snapshot(Fixture.place, id) == before)
    try await again.close()
  }

  @Test func `nothing is called saved once the library's folder is gone`() async throws {
    let fixture = try await Fixture(.file)
    let id = try await fixture.add(Fixture.place, ["name": .text("Skyros")])
    let path = try #require(fixture.library.path)
    let draft = try await fixture.draft(Fixture.place, id, ["name": .text("Skopelos")])
    try FileManager.default.removeItem(atPath: path)
    await #expect(throws: StoreError.gone(path: path)) { try await fixture.library.commit(draft) }
  }

  @Test func `nothing is called saved once another file is in the library's place`() async throws {
    let fixture = try await Fixture(.file)
    let id = try await fixture.add(Fixture.place, ["name": .text("Skyros")])
    let path = try #require(fixture.library.path)
    let draft = try await fixture.draft(Fixture.place, id, ["name": .text("Skopelos")])
    // As a synchronizing folder or a restored backup puts it there.
    let (file, copy) = (path + "/library.sqlite", path + "/copy")
    try FileManager.default.copyItem(atPath: file, toPath: copy)
    try FileManager.default.removeItem(atPath: file)
    await #expect(throws: StoreError.gone(path: path)) { try await fixture.library.commit(draft) }
    try FileManager.default.moveItem(atPath: copy, toPath: file)
    await #expect(throws: StoreError.gone(path: path)) { try await fixture.library.commit(draft) }
  }

  @Test func `what one program saves, the list of another one shows`() async throws {
    let fixture = try await Fixture(.file)
    let other = try await Self.reopen(fixture)
    let list = try await other.list(ListQuery(type: Fixture.place))
    var updates = list.updates().makeAsyncIterator()
    while !(await list.state().isComplete) { _ = await updates.next() }
    let id = try await fixture.add(Fixture.place, ["name": .text("Skyros")])
    while let update = await updates.next() {
      guard case .changed(let diff, let state) = update else { continue }
      #expect(diff.inserted == [0])
      #expect(state.count == 1)
      break
    }
    #expect(try await list.ids(0..<1) == [id])
    try await other.close()
  }

  @Test func `programs that save at once lose nothing`() async throws {
    let fixture = try await Fixture(.file)
    let other = try await Self.reopen(fixture)
    let id = try await fixture.add(Fixture.place, ["name": .text("x")])
    let reference = RecordReference(type: Fixture.place, id: id)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for library in [fixture.library, other] {
        group.addTask {
          for number in 0..<20 {
            let base = try #require(try await library.snapshot(Fixture.place, id))
            var draft = Draft(id: library.surroundings.newDraftID(), editing: base)
            let own = Library.tag(library === other, number)
            guard case .tags(let tags) = base.value(of: FieldID("tags")) else {
              draft.set(.tags(TagSet([own])), of: FieldID("tags"))
              _ = try await library.commit(draft)
              continue
            }
            draft.set(.tags(tags.union(TagSet([own]))), of: FieldID("tags"))
            _ = try await library.commit(draft)
          }
        }
      }
      try await group.waitForAll()
    }
    guard case .tags(let tags) = try await fixture.value(Fixture.place, id, "tags") else {
      Issue.record("no tags")
      return
    }
    #expect(tags.tags.count == 40)
    #expect(try await fixture.library.history(of: reference).count == 41)
    try await other.close()
  }

  @Test func `the sqlite3 shell reads, and is refused when it writes`() async throws {
    let fixture = try await Fixture(.file)
    let id = try await fixture.add(Fixture.place, ["name": .text("Skyros")])
    _ = try await fixture.library.delete(
      Fixture.place, [try await fixture.add(Fixture.place, ["name": .text("Gone")])])
    let before = try await fixture.dump()
    let file = try #require(fixture.library.path) + "/library.sqlite"
    #expect(try Self.shell(file, "SELECT name FROM Place").output == "Skyros\n")
    for statement in [
      "UPDATE Place SET name = 'x'", "DELETE FROM Place", "INSERT INTO Place (name) VALUES ('x')",
      "DELETE FROM _trash", "DELETE FROM _change", "UPDATE _transaction SET sealed = 0",
      "DELETE FROM _transaction", "UPDATE _count SET living = 7", "DELETE FROM _model",
      "INSERT OR REPLACE INTO Place (_row, name) VALUES (1, 'x')",
    ] {
      let answer = try Self.shell(file, statement)
      #expect(answer.status != 0, "\(statement)")
      #expect(answer.output.contains("change records with the skyros program"), "\(statement)")
    }
    #expect(try Self.shell(file, "PRAGMA integrity_check").output == "ok\n")
    #expect(try await fixture.dump() == before)
    #expect(try await fixture.value(Fixture.place, id, "name") == .text("Skyros"))
  }

  @Test func `a copied library writes as another device`() async throws {
    let fixture = try await Fixture(.file)
    let id = try await fixture.add(Fixture.place, ["name": .text("Skyros")])
    try await fixture.library.close()
    let copy = fixture.folder.file("copy.skyros")
    try FileManager.default.copyItem(
      atPath: try #require(fixture.library.path), toPath: copy)
    let copied = try await Library.open(at: copy, surroundings: fixture.world.surroundings)
    #expect(copied.device != fixture.library.device)
    let snapshot = try #require(try await copied.snapshot(Fixture.place, id))
    #expect(snapshot.value(of: FieldID("name")) == .text("Skyros"))
    #expect(snapshot.state.newest?.device == fixture.library.device, "both hold one write")
    let again = try await Self.reopen(fixture)
    #expect(again.device == fixture.library.device)
    try await copied.close()
    try await again.close()
  }

  @Test func `a library of a newer program is refused and left alone`() async throws {
    let fixture = try await Fixture(.file)
    let path = try #require(fixture.library.path)
    try await fixture.library.close()
    _ = try Self.shell(path + "/library.sqlite", "PRAGMA user_version = 99")
    await #expect(throws: StoreError.newer(path: path, format: 99, known: 1)) {
      try await Self.reopen(fixture)
    }
  }

  @Test func `a library that could not be made is missing, and can be made again`() async throws {
    let folder = try TemporaryFolder()
    let world = TestWorld()
    let path = folder.file("new.skyros")
    var model = Fixture.model
    model.types.append(RecordType(id: TypeID(trusted: "sqlite_own")))
    await #expect(throws: StoreError.unusableName("sqlite_own")) {
      try await Library.create(at: path, model: model, surroundings: world.surroundings)
    }
    await #expect(throws: StoreError.missing(path: path)) {
      try await Library.open(at: path, surroundings: world.surroundings)
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: path)
    #expect(!files.contains { $0.hasPrefix("library.sqlite") }, "\(files)")
    let library = try await Library.create(
      at: path, model: Fixture.model, surroundings: world.surroundings)
    await #expect(throws: StoreError.exists(path: path)) {
      try await Library.create(
        at: path, model: Fixture.model, surroundings: world.surroundings)
    }
    try await library.close()
    let again = try await Library.open(at: path, surroundings: world.surroundings)
    #expect(again.device == library.device)
    try await again.close()
  }

  @Test func `what is no library is refused`() async throws {
    let folder = try TemporaryFolder()
    let world = TestWorld()
    await #expect(throws: StoreError.missing(path: folder.file("none"))) {
      try await Library.open(at: folder.file("none"), surroundings: world.surroundings)
    }
    let path = folder.file("text.skyros")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data("just a text that is long enough to be looked at".utf8).write(
      to: URL(filePath: path + "/library.sqlite"))
    await #expect(throws: StoreError.notALibrary(path: path)) {
      try await Library.open(at: path, surroundings: world.surroundings)
    }
    _ = try Self.shell(folder.path + "/other.sqlite", "CREATE TABLE t (x)")
    let other = folder.file("other.skyros")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: folder.path + "/other.sqlite", toPath: other + "/library.sqlite")
    await #expect(throws: StoreError.notALibrary(path: other)) {
      try await Library.open(at: other, surroundings: world.surroundings)
    }
  }

  /// Runs the sqlite3 shell: what it printed, errors too, and its status.
  private static func shell(
    _ file: String, _ statement: String
  ) throws -> (output: String, status: Int32) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/sqlite3")
    process.arguments = [file, statement]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (String(decoding: output, as: UTF8.self), process.terminationStatus)
  }

  @Test func `a copied library counts once what others have seen of a counter`() async throws {
    let fixture = try await Fixture(.file)
    let id = try await fixture.add(
      Fixture.place, ["name": .text("Skyros"), "visits": .integer(5)])
    let seen = try await fixture.snapshot(Fixture.place, id).state
    let pending = try #require(try await fixture.library.pendingRecords(limit: 1).first)
    let copy = SeenCopy(causal: 0, vector: seen.vector, isDeleted: false)
    try await fixture.library.acknowledge([
      Acknowledgement(
        reference: pending.reference, number: pending.number,
        remote: RemoteCopy(tag: "1", seen: copy.bytes))
    ])
    // Waits for another reason, so that what was seen is not all that there is.
    try await fixture.set(Fixture.place, id, ["notes": .text("n")])
    try await fixture.set(Fixture.place, id, ["visits": .integer(9)])
    try await fixture.set(Fixture.place, id, ["visits": .integer(12)])
    try await fixture.library.close()
    let path = fixture.folder.file("copy.skyros")
    try FileManager.default.copyItem(
      atPath: try #require(fixture.library.path), toPath: path)
    let copied = try await Library.open(at: path, surroundings: fixture.world.surroundings)
    let snapshot = try #require(try await copied.snapshot(Fixture.place, id))
    #expect(snapshot.value(of: FieldID("visits")) == .integer(12))
    let visits = try #require(copied.model.type(Fixture.place)?.field(FieldID("visits")))
    #expect(snapshot.state.joined(with: seen).settledValue(of: visits) == .integer(12))
    // Nor does what waits in both count twice, whichever of them sends it.
    let original = try await Self.reopen(fixture)
    let other = try #require(try await original.snapshot(Fixture.place, id))
    #expect(snapshot.state.joined(with: other.state).settledValue(of: visits) == .integer(12))
    try await original.close()
    try await copied.close()
  }

  @Test func `a copy that several programs open at once is one new device`() async throws {
    let fixture = try await Fixture(.file)
    try await fixture.library.close()
    let copy = fixture.folder.file("copy.skyros")
    try FileManager.default.copyItem(
      atPath: try #require(fixture.library.path), toPath: copy)
    let surroundings = fixture.world.surroundings
    let opened = try await withThrowingTaskGroup(of: Library.self) { group in
      for _ in 0..<4 {
        group.addTask { try await Library.open(at: copy, surroundings: surroundings) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(opened.map(\.device)).count == 1)
    #expect(opened.first?.device != fixture.library.device)
    for library in opened { try await library.close() }
  }

  @Test func `a library whose words were found by other rules finds them by these`() async throws {
    let fixture = try await Fixture(.file)
    try await fixture.add(Fixture.place, ["name": .text("札幌")])
    try await fixture.library.close()
    let file = try #require(fixture.library.path) + "/library.sqlite"
    let old = """
      UPDATE _library SET value = '0' WHERE key = 'rules';
      INSERT INTO "Place._search"("Place._search") VALUES ('delete-all');
      """
    #expect(try Self.shell(file, old).status == 0)
    let again = try await Self.reopen(fixture)
    let query = ListQuery(type: Fixture.place, search: "札幌")
    #expect(try await again.count(query) == 1)
    #expect(try await again.examine().findings == [])
    let newest = try await again.history(limit: 1).first?.number
    try await again.close()
    let third = try await Self.reopen(fixture)
    #expect(try await third.history(limit: 1).first?.number == newest, "once is enough")
    try await third.close()
  }
}

extension Library {
  static func tag(_ isOther: Bool, _ number: Int) -> String { "\(isOther ? "b" : "a")\(number)" }
}
