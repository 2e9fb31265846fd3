// A library that can't be written: what is shown of it, what is refused, and what must not be made.

import Foundation
import RecordStore
import Records
import TestKit
import Testing

struct ReadOnlyTests {
  /// A library of one place that was closed, and its path.
  private func closed() async throws -> (Fixture, path: String, RecordID) {
    let fixture = try await Fixture(.file)
    let id = try await fixture.add(Fixture.place, ["name": .text("Skyros")])
    let path = try #require(fixture.library.path)
    try await fixture.library.close()
    return (fixture, path, id)
  }

  private func openToRead(_ path: String, _ fixture: Fixture) async throws -> Library {
    try await Library.open(
      at: path, surroundings: fixture.world.surroundings, isOnlyRead: true)
  }

  /// Each file of a library's folder with its content.
  private func files(_ path: String) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      // Readers note in it how far they read, where they may.
      if name.hasSuffix("-shm") { continue }
      files[name] = FileManager.default.contents(atPath: path + "/" + name)
    }
    return files
  }

  private func remove(_ suffix: String, of path: String) throws {
    let file = path + "/library.sqlite" + suffix
    if FileManager.default.fileExists(atPath: file) {
      try FileManager.default.removeItem(atPath: file)
    }
  }

  @Test(arguments: [true, false])
  func `it is read whole, each write is refused, and no file is made or changed`(
    besides: Bool
  ) async throws {
    let (fixture, path, id) = try await closed()
    // The files beside the WAL may be gone: a disk that was burnt, a copy by another program.
    if !besides { for suffix in ["-shm", "-wal"] { try remove(suffix, of: path) } }
    let before = try files(path)
    let library = try await openToRead(path, fixture)
    #expect(library.isReadOnly)
    let snapshot = try #require(try await library.snapshot(Fixture.place, id))
    #expect(snapshot.value(of: FieldID("name")) == .text("Skyros"))
    #expect(try await library.counts()[Fixture.place] == 1)
    #expect(try await library.history(limit: 10).count == 2)
    #expect(try await library.journaledDrafts().isEmpty)
    #expect(try await library.examine().isHealthy)
    let found = ListQuery(type: Fixture.place, search: "sky")
    #expect(try await library.page(found, offset: 0, limit: 5).map(\.id) == [id])

    var draft = Draft(id: library.surroundings.newDraftID(), editing: snapshot)
    draft.set(.text("Skopelos"), of: FieldID("name"))
    let refusal = StoreError.readOnly(path: path)
    await #expect(throws: refusal) { try await library.commit(draft) }
    await #expect(throws: refusal) { try await library.delete(Fixture.place, [id]) }
    await #expect(throws: refusal) { try await library.undo() }
    await #expect(throws: refusal) { try await library.apply(Model(types: []), losing: true) }
    await #expect(throws: refusal) { try await library.attach(path + "/library.sqlite") }
    #expect(throws: refusal) { try SyncLease.take(library) }
    let backup = fixture.folder.file("copy.backup")
    #expect(try await library.backUp(to: backup).bytes > 0)
    try await library.close()
    #expect(try files(path) == before)
  }

  /// Root writes whatever the permissions say.
  @Test(.enabled(if: geteuid() != 0), arguments: ["", "/library.sqlite"])
  func `a folder or file without permission to write is opened to be read`(
    name: String
  ) async throws {
    let (fixture, path, _) = try await closed()
    chmod(path + name, name.isEmpty ? 0o500 : 0o400)
    defer { chmod(path + name, 0o700) }
    let library = try await Library.open(at: path, surroundings: fixture.world.surroundings)
    #expect(library.isReadOnly)
    #expect(try await library.counts()[Fixture.place] == 1)
    try await library.close()
  }

  @Test func `what stands in the WAL alone is never left out in silence`() async throws {
    let fixture = try await Fixture(.file)
    try await fixture.add(Fixture.place, ["name": .text("Skyros")])
    let path = try #require(fixture.library.path)
    let copy = fixture.folder.file("copy.skyros")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    try #require(FileManager.default.contents(atPath: copy + "/library.sqlite-wal")?.count ?? 0 > 0)
    let whole = try await openToRead(copy, fixture)
    #expect(try await whole.counts()[Fixture.place] == 1)
    try await whole.close()
    try remove("-shm", of: copy)
    await #expect(throws: StoreError.unreadableWithoutWriting(path: copy)) {
      try await openToRead(copy, fixture)
    }
    try await fixture.library.close()
  }

  @Test func `what another program saves meanwhile is told as changed`() async throws {
    let (fixture, path, _) = try await closed()
    try remove("-wal", of: path)
    try remove("-shm", of: path)
    let alone = try await openToRead(path, fixture)
    #expect(try await alone.counts()[Fixture.place] == 1)
    var writer = fixture
    try await writer.open()
    try await writer.add(Fixture.place, ["name": .text("Porto")])
    let backup = fixture.folder.file("b.backup")
    _ = try await writer.library.backUp(to: backup)
    // Another backup put in its place writes the file itself, not only the WAL.
    _ = try await writer.library.restoreBackup(from: backup)
    try await writer.library.close()
    let file = URL(filePath: path + "/library.sqlite")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: file.path())
    await #expect(throws: StoreError.changedByOthers(path: path)) {
      try await alone.counts()
    }
    try await alone.close()
  }

  @Test func `what is no library, or of a newer Skyros, is refused as ever`() async throws {
    let (fixture, path, _) = try await closed()
    let file = URL(filePath: path + "/library.sqlite")
    for suffix in ["-shm", "-wal"] { try remove(suffix, of: path) }
    var bytes = try Data(contentsOf: file)
    bytes[63] = 99
    try bytes.write(to: file)
    await #expect {
      try await openToRead(path, fixture)
    } throws: { error in
      if case StoreError.newer(_, 99, _) = error { true } else { false }
    }
    try Data(repeating: 7, count: 4096).write(to: file)
    await #expect(throws: StoreError.notALibrary(path: path)) {
      try await openToRead(path, fixture)
    }
  }
}
