// Writes of many records: how far they are is told, and who stops one finds nothing of it.

import Foundation
import RecordStore
import Records
import Synchronization
import TestKit
import Testing

struct LongWriteTests {
  private static let count = 1300

  /// What was told, and the task to be stopped at the second telling.
  private final class Witness: Sendable {
    private struct State {
      var told: [WriteProgress] = []
      var task: Task<Void, any Error>?
    }

    private let state = Mutex(State())
    let isStopping: Bool

    init(isStopping: Bool = false) { self.isStopping = isStopping }

    var told: [WriteProgress] { state.withLock(\.told) }

    func hear(_ progress: WriteProgress) {
      let task = state.withLock { state in
        state.told.append(progress)
        return isStopping && state.told.count == 2 ? state.task : nil
      }
      task?.cancel()
    }

    /// Runs `body` in a task that this can stop.
    func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
      let gate = AsyncStream<Void>.makeStream()
      let task = Task {
        for await _ in gate.stream {}
        try await body()
      }
      state.withLock { $0.task = task }
      gate.continuation.finish()
      try await task.value
    }
  }

  private func filled(_ kind: Kind) async throws -> (Fixture, [RecordID]) {
    let fixture = try await Fixture(kind)
    let rows = (0..<Self.count).map { "Place \($0)" }
    let path = fixture.folder.file("many.csv")
    try Data((["name"] + rows).joined(separator: "\n").utf8).write(to: URL(filePath: path))
    let today = try #require(CalendarDate(year: 2026, month: 11, day: 21))
    let request = ImportRequest(path: path, type: "Place", time: .utc(today: today))
    #expect(try await fixture.library.importTable(request).added == Self.count)
    let list = try await fixture.library.page(
      ListQuery(type: Fixture.place), offset: 0, limit: Self.count)
    return (fixture, list.map(\.id))
  }

  private static let steps = [0, 500, 1000].map { WriteProgress(done: $0, total: count) }

  @Test(arguments: Kind.allCases)
  func `deleting, undoing and restoring tell how far they are`(_ kind: Kind) async throws {
    let (fixture, ids) = try await filled(kind)
    let library = fixture.library
    let deleting = Witness()
    _ = try await library.delete(Fixture.place, ids) { deleting.hear($0) }
    #expect(deleting.told == Self.steps)
    let undoing = Witness()
    _ = try await library.undo { undoing.hear($0) }
    #expect(undoing.told == Self.steps)
    #expect(try await library.counts()[Fixture.place] == Self.count)
    let again = Witness()
    // The import itself: its records are a range of the log.
    let number = try #require(
      try await library.history(limit: 10).first { $0.origin == .importFile }?.number)
    await #expect(throws: StoreError.self) { try await library.undo(1) }
    _ = try await library.delete(Fixture.place, ids)
    let restoring = Witness()
    _ = try await library.restore(Fixture.place, ids) { restoring.hear($0) }
    #expect(restoring.told == Self.steps)
    _ = try? await library.undo(number) { again.hear($0) }
    #expect(again.told.first == WriteProgress(done: 0, total: Self.count))
  }

  @Test(arguments: Kind.allCases)
  func `who stops one finds nothing of it`(_ kind: Kind) async throws {
    let (fixture, ids) = try await filled(kind)
    let library = fixture.library
    let before = try await fixture.dump()
    let deleting = Witness(isStopping: true)
    await #expect(throws: CancellationError.self) {
      try await deleting.run {
        _ = try await library.delete(Fixture.place, ids) { deleting.hear($0) }
      }
    }
    #expect(deleting.told.count == 2)
    #expect(try await fixture.dump() == before)
    let undoing = Witness(isStopping: true)
    await #expect(throws: CancellationError.self) {
      try await undoing.run { _ = try await library.undo { undoing.hear($0) } }
    }
    #expect(try await fixture.dump() == before)
    // The library goes on.
    _ = try await library.delete(Fixture.place, ids)
    #expect(try await library.counts()[Fixture.place] == 0)
  }

  @Test func `records of several types are restored in one transaction`() async throws {
    let fixture = try await Fixture(.memory)
    let place = try await fixture.add(Fixture.place, ["name": .text("Porto")])
    let trip = try await fixture.add(Fixture.trip, ["title": .text("North")])
    let records = [
      RecordReference(type: Fixture.place, id: place),
      RecordReference(type: Fixture.trip, id: trip),
    ]
    for record in records { _ = try await fixture.library.delete(record.type, [record.id]) }
    let count = try await fixture.library.history(limit: 100).count
    let result = try await fixture.library.restore(records)
    #expect(result.records == records)
    #expect(try await fixture.library.history(limit: 100).count == count + 1)
  }
}
