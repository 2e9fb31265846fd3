// What works on all records at once, in a library of its own: importing against the sqlite3 shell,
// keys and saves while that runs, exporting, undoing, and what other processes and devices change.

import FoundationEssentials
import Glibc
import RecordStore
import Records

/// The figures that leave a library changed; it is removed afterwards.
struct BulkFigures {
  let libraries: Libraries
  private static let place = TypeID(trusted: "Place")
  private static let rounds = 30

  private var path: String { libraries.scratch }

  func measure() async throws -> [Figure] {
    try Libraries.remove(path)
    var figures = try importFigures()
    figures += try exportFigures()
    let library = try await Library.open(at: path, surroundings: .system)
    figures.append(try await remoteFigure(library))
    figures.append(try await otherProcessFigure(library))
    figures += try await busyFigures(library)
    figures += try await undoFigures(library)
    try await library.close()
    try Libraries.remove(path)
    return figures
  }

  // MARK: In and out

  private func importFigures() throws -> [Figure] {
    let ours = try libraries.makeLibrary(at: path)
    let reference = try libraries.fillReference()
    return [
      Figure(
        name: "import of \(libraries.records) records", ours: ours.milliseconds, unit: "ms",
        reference: ("sqlite3 .import", reference.milliseconds), bound: .ratioAtMost(2.5)),
      Figure(
        name: "anonymous memory while importing", ours: ours.anonymousMegabytes, unit: "MB",
        reference: ("sqlite3", reference.anonymousMegabytes), bound: .atMost(128)),
    ]
  }

  private func exportFigures() throws -> [Figure] {
    let ours = try Programs.run([
      Programs.skyros, "--library", path, "export", "--type", "Place", "--format", "csv",
    ])
    let reference = try Programs.run([
      "sqlite3", "-csv", "\(path)/library.sqlite", "SELECT * FROM Place ORDER BY population DESC",
    ])
    return [
      Figure(
        name: "export as CSV", ours: ours.milliseconds, unit: "ms",
        reference: ("sqlite3 -csv", reference.milliseconds)),
      Figure(
        name: "anonymous memory while exporting", ours: ours.anonymousMegabytes, unit: "MB",
        reference: ("sqlite3", reference.anonymousMegabytes)),
    ]
  }

  // MARK: Others

  /// One record from the service, joined and on disk, while the list of all is open.
  private func remoteFigure(_ library: Library) async throws -> Figure {
    let list = try await library.list(ListQuery(type: Self.place))
    _ = await list.caughtUp()
    let region = Field(id: FieldID(trusted: "region"), type: .text)
    let device = DeviceID(rawValue: 7)
    var times: [Double] = []
    for number in 0..<Self.rounds {
      guard let row = try await list.rows(number..<number + 1).rows.first ?? nil,
        let snapshot = try await library.snapshot(Self.place, row.id)
      else { throw BenchError.failed("too few records") }
      var state = snapshot.state
      let time = (state.newest?.time ?? .zero).next
      state.write(.text("remote \(number)"), to: region, stamp: Stamp(time: time, device: device))
      var page = RemotePage()
      page.changes = [
        RemoteChange(
          reference: RecordReference(type: Self.place, id: row.id), content: .state(state),
          remote: RemoteCopy(tag: "\(number)"))
      ]
      let ready = page
      times.append(try await milliseconds { _ = try await library.apply(ready) })
    }
    return Figure(
      name: "remote change applied", ours: percentile(50, of: times), unit: "ms",
      bound: .atMost(5))
  }

  /// From a save's return in this process to the screen of another one.
  private func otherProcessFigure(_ library: Library) async throws -> Figure {
    let session = try libraries.session(on: path)
    let title = try Libraries.firstTitle(of: path)
    guard session.wait(for: Array(title.utf8), since: .now) != nil else {
      throw BenchError.silent("the first record")
    }
    session.settle(milliseconds: 1_000)
    let first = try await library.page(ListQuery(type: Self.place), offset: 0, limit: 1)
    guard let id = first.first?.id else { throw BenchError.failed("an empty library") }
    var times: [Double] = []
    for letter in "QWXZVKJYUPOI" {
      // No cell keeps its character, so that all of the name is written to the screen.
      let name = String(repeating: letter, count: 12)
      try await save(.text(name), of: FieldID(trusted: "name"), in: id, library)
      let start = ContinuousClock.now
      guard let time = session.wait(for: Array(name.utf8), since: start) else {
        throw BenchError.silent("another process's change")
      }
      times.append(time)
      session.settle(milliseconds: 100)
    }
    return Figure(
      name: "change of another process on the screen, slowest", ours: times.max() ?? 0, unit: "ms",
      bound: .atMost(100))
  }

  private func save(
    _ value: Value, of field: FieldID, in id: RecordID, _ library: Library
  ) async throws {
    guard let snapshot = try await library.snapshot(Self.place, id) else { return }
    var draft = Draft(id: library.surroundings.newDraftID(), editing: snapshot)
    draft.set(value, of: field)
    _ = try await library.commit(draft)
  }

  // MARK: While an import runs

  private func busyFigures(_ library: Library) async throws -> [Figure] {
    let session = try libraries.session(on: path)
    let title = try Libraries.firstTitle(of: path)
    guard session.wait(for: Array(title.utf8), since: .now) != nil else {
      throw BenchError.silent("the first record")
    }
    session.settle(milliseconds: 1_000)
    let importing = try RunningProgram([
      Programs.skyros, "--library", path, "import", libraries.csv, "--type", "Town",
    ])
    usleep(300_000)
    let first = try await library.page(ListQuery(type: Self.place), offset: 5, limit: 1)
    guard let id = first.first?.id else { throw BenchError.failed("an empty library") }
    let started = ContinuousClock.now
    let saving = Task {
      try await save(.text("behind"), of: FieldID(trusted: "region"), in: id, library)
      return TerminalSession.elapsed(since: started)
    }
    var times: [Double] = []
    while try !importing.hasEnded() {
      guard let down = session.press("j"), let up = session.press("k") else {
        throw BenchError.silent("a step")
      }
      times += [down, up]
      usleep(3_000)
    }
    let rest = TerminalSession.elapsed(since: started)
    let behind = try await saving.value
    return [
      Figure(
        name: "key to repainted screen during an import, p50", ours: percentile(50, of: times),
        unit: "ms"),
      Figure(
        name: "key to repainted screen during an import, p99", ours: percentile(99, of: times),
        unit: "ms", bound: .atMost(16)),
      Figure(
        name: "a save behind an import", ours: behind, unit: "ms",
        reference: ("the rest of the import", rest)),
    ]
  }

  private func undoFigures(_ library: Library) async throws -> [Figure] {
    let history = try await library.history(limit: 10)
    guard let number = history.first(where: { $0.origin == .importFile })?.number else {
      throw BenchError.failed("no import in the history")
    }
    let run = try Programs.run([Programs.skyros, "--library", path, "undo", "\(number)"])
    return [
      Figure(
        name: "undo of an import of \(libraries.records)", ours: run.milliseconds, unit: "ms"),
      Figure(
        name: "anonymous memory while undoing it", ours: run.anonymousMegabytes, unit: "MB"),
    ]
  }
}
