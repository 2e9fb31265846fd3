import Foundation
import RecordStore
import Records
import TestKit
import Testing
import UILoop
import ViewModels

/// A file becomes records: seen first, tried, then imported as one transaction.
@UI struct ImportViewModelTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func file(_ name: String, _ text: String) throws -> String {
    let path = folder.file(name)
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  func open(_ places: Places, _ path: String, type: String? = nil) async -> ImportViewModel {
    let model = ImportViewModel(
      library: places.library, path: path, typeName: type, time: Places.time)
    await model.start()
    return model
  }

  @Test func `a new type is named after the file and made of its columns`() async throws {
    let places = try await Places()
    let path = try file("light-houses.csv", "name,height,zip\nTorre,57.5,0123\nFarol,12,0456\n")
    let model = await open(places, path)
    #expect(model.state.phase == .mapping)
    #expect(model.state.typeName == "LightHouses")
    #expect(model.state.preview?.isNewType == true)
    #expect(model.state.preview?.encoding == .utf8)
    #expect(model.state.columns.map(\.name) == ["name", "height", "zip"])
    #expect(model.state.columns.map(\.field?.type) == [.text, .number, .text])
    #expect(model.state.columns.last?.samples == ["0123", "0456"])
    #expect(await model.run())
    guard case .done(let report) = model.state.phase else { return }
    #expect(report.added == 2)
    #expect(report.isNewType)
    let type = try #require(places.library.model.type(named: "LightHouses"))
    #expect(try await places.library.counts()[type.id] == 2)
  }

  @Test func `a dry run tells what would happen and writes nothing`() async throws {
    let places = try await Places()
    let path = try file("p.csv", "name,population\nPorto,231800\nOvar,many\n")
    let model = await open(places, path, type: "Place")
    let history = try await places.library.history(limit: 100)
    await model.tryOut()
    #expect(model.state.phase == .mapping)
    #expect(model.state.trial?.added == 1)
    #expect(model.state.trial?.refusedCount == 1)
    #expect(model.state.trial?.refused.first?.line == 3)
    #expect(try await places.library.history(limit: 100) == history)
    model.setKey("name")
    #expect(model.state.trial == nil)
  }

  @Test func `columns without a field are named, and can be mapped or left out`() async throws {
    let places = try await Places()
    let path = try file("p.csv", "name,land,junk\nPorto,PT,x\n")
    let model = await open(places, path, type: "Place")
    #expect(model.state.unmapped == ["land", "junk"])
    #expect(await !model.run())
    model.map("land", to: "country")
    await model.idle()
    #expect(model.state.unmapped == ["junk"])
    model.leaveOutUnmapped()
    await model.idle()
    #expect(model.state.failure == nil)
    #expect(model.state.columns.map(\.field?.id) == [.name, .country, nil])
    #expect(await model.run())
    guard case .done(let report) = model.state.phase else { return }
    #expect(report.added == 1)
  }

  @Test func `a key updates what is there, and one undo takes it all back`() async throws {
    let places = try await Places()
    let id = try await places.add([.name: .text("Porto"), .code: .text("OPO")])
    let path = try file("p.csv", "code,country\nOPO,PT\n")
    let model = await open(places, path, type: "Place")
    model.setKey("code")
    await model.idle()
    #expect(await model.run())
    #expect(try await places.value(.country, of: id) == .text("PT"))
    #expect(await model.undo() == nil)
    #expect(try await places.value(.country, of: id) == .empty)
  }

  @Test func `the type that a person stands on is proposed when it has a field for every column`()
    async throws
  {
    let places = try await Places()
    let path = try file("list7.csv", "name,code,country\nPorto,OPO,PT\n")
    let model = ImportViewModel(
      library: places.library, path: path, standingOn: .place, time: Places.time)
    await model.start()
    #expect(model.state.typeName == "Place")
    #expect(model.state.preview?.isNewType == false)
    #expect(model.state.keyTitle == "code")
    model.setKey(nil)
    await model.idle()
    #expect(model.state.keyTitle == nil)
  }

  @Test func `another type that fits is proposed before a new one, unless one column alone fits`()
    async throws
  {
    let places = try await Places()
    let fitting = await open(places, try file("a.csv", "name,population\nPorto,231800\n"))
    #expect(fitting.state.typeName == "Place")
    #expect(fitting.state.keyTitle == nil)
    let thin = await open(places, try file("b.csv", "name\nPorto\n"))
    #expect(thin.state.typeName == "B")
    let foreign = await open(places, try file("c.csv", "name,depth\nPorto,4\n"))
    #expect(foreign.state.typeName == "C")
    #expect(foreign.state.preview?.isNewType == true)
  }

  @Test func `a try that takes nothing is told from an import that took nothing`() async throws {
    let places = try await Places()
    let model = await open(
      places, try file("p.csv", "name,population\nOvar,many\n"), type: "Place")
    await model.tryOut()
    #expect(model.state.hasFailedTrying)
    await model.run()
    #expect(!model.state.hasFailedTrying)
  }

  @Test func `a file that is not there is a failure, and leaving is possible`() async throws {
    let places = try await Places()
    let model = await open(places, folder.file("none.csv"), type: "Place")
    guard case .other(.store(.file)) = model.state.failure else {
      Issue.record("\(String(describing: model.state.failure))")
      return
    }
    #expect(await !model.run())
    model.cancel()
    #expect(model.state.phase == .cancelled)
  }

  @Test func `a failing store takes nothing, and the settings stay`() async throws {
    let places = try await Places()
    let path = try file("p.csv", "name\nPorto\n")
    let model = await open(places, path, type: "Place")
    places.world.faults.arm(failingAt: 1)
    #expect(await !model.run())
    places.world.faults.arm(failingAt: nil)
    #expect(model.state.failure != nil)
    #expect(model.state.phase == .mapping)
    #expect(try await places.library.counts()[.place] ?? 0 == 0)
    #expect(await model.run())
    #expect(try await places.library.counts()[.place] == 1)
  }
}
