import RecordStore
import Records
import TestKit
import Testing
import UILoop
import ViewModels

/// Going from one library to another never loses the one that is open.
@UI struct LibrarySwitcherTests {
  @UI final class Memory {
    var paths: [String] = []
  }

  let folder: TemporaryFolder
  let world = TestWorld()
  let memory = Memory()
  let template = LibraryTemplate(name: "places", model: Places.model)

  init() throws { folder = try TemporaryFolder() }

  func switcher(_ known: [String] = []) -> LibrarySwitcher {
    LibrarySwitcher(
      known: known, current: known.first, templates: [template],
      surroundings: world.surroundings, remember: { [memory] in memory.paths = $0 })
  }

  @Test func `a library is made from a template, opened and remembered`() async throws {
    let model = switcher()
    let library = try #require(await model.create(at: folder.file("boats"), from: template))
    let path = folder.file("boats.skyros")
    #expect(library.model == Places.model)
    #expect(model.state.current == path)
    #expect(model.state.known.map(\.name) == ["boats"])
    #expect(model.state.opening == nil)
    #expect(memory.paths == [path])
    try await library.close()
  }

  @Test func `the last opened comes first, once`() async throws {
    let model = switcher()
    let first = try #require(await model.create(at: folder.file("a"), from: template))
    let second = try #require(await model.create(at: folder.file("b"), from: template))
    try await first.close()
    let again = try #require(await model.open(folder.file("a.skyros")))
    #expect(model.state.known.map(\.name) == ["a", "b"])
    #expect(memory.paths == [folder.file("a.skyros"), folder.file("b.skyros")])
    try await second.close()
    try await again.close()
  }

  @Test func `what can't be opened or made is said, and the current one stays`() async throws {
    let model = switcher()
    let library = try #require(await model.create(at: folder.file("a"), from: template))
    let path = folder.file("a.skyros")
    #expect(await model.open(folder.file("none.skyros")) == nil)
    #expect(model.state.failure == .store(.missing(path: folder.file("none.skyros"))))
    #expect(model.state.current == path)
    #expect(await model.create(at: path, from: template) == nil)
    #expect(model.state.failure == .store(.exists(path: path)))
    #expect(model.state.known.map(\.path) == [path])
    try await library.close()
  }

  @Test func `a forgotten library keeps its files`() async throws {
    let model = switcher()
    let library = try #require(await model.create(at: folder.file("a"), from: template))
    try await library.close()
    let path = folder.file("a.skyros")
    model.forget(path)
    #expect(model.state.known.isEmpty)
    #expect(memory.paths.isEmpty)
    let again = try #require(await model.open(path))
    try await again.close()
  }
}
