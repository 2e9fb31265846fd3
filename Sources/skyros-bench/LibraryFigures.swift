// `skyros-bench library`: the figures of DESIGN.md 8 that one library can show.

import ArgumentParser
import FoundationEssentials
import GRDB
import Glibc
import RecordStore
import Records

struct LibraryFigures: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "library",
    abstract: "Measures importing, opening, browsing, searching and saving.")

  @Option(help: "How many records.") var records = 1_000_000
  @Option(help: "Where libraries are made and kept for the next run.") var folder: String
  @Flag(help: "Import anew, although there is a library from an earlier run.") var fresh = false

  func run() async throws {
    let libraries = Libraries(folder: folder, records: records)
    mkdir(folder, 0o700)
    if fresh { try removeLibrary(libraries) }
    var figures: [Figure] = []
    if let run = try libraries.make() { figures += try importFigures(run, libraries) }
    figures += try ScreenFigures(libraries: libraries).measure()
    figures += try await StoreFigures(libraries: libraries).measure()
    Figure.show(figures)
  }

  private func removeLibrary(_ libraries: Libraries) throws {
    guard access(libraries.library, F_OK) == 0 else { return }
    try FileManager.default.removeItem(atPath: libraries.library)
  }

  private func importFigures(_ run: Programs.Run, _ libraries: Libraries) throws -> [Figure] {
    let reference = try libraries.fillReference()
    return [
      Figure(
        name: "import of \(records) records", ours: run.milliseconds, unit: "ms",
        reference: ("sqlite3 .import", reference.milliseconds), bound: .ratioAtMost(2.5)),
      Figure(
        name: "anonymous memory while importing", ours: run.anonymousMegabytes, unit: "MB",
        reference: ("sqlite3", reference.anonymousMegabytes), bound: .atMost(128)),
    ]
  }
}

/// What the store answers, in this process, against the plainest SQL on the same file.
struct StoreFigures {
  let libraries: Libraries
  private static let rounds = 15
  private static let place = TypeID(trusted: "Place")

  func measure() async throws -> [Figure] {
    let library = try await Library.open(at: libraries.library, surroundings: .system)
    let plain = try DatabaseQueue(path: "\(libraries.library)/library.sqlite")
    var figures: [Figure] = []
    for probe in try probes(library) {
      let ours = try await median { try await probe.ours() }
      let reference = try await median {
        try await plain.read { _ = try Row.fetchAll($0, sql: probe.sql) }
      }
      figures.append(
        Figure(
          name: probe.name, ours: ours, unit: "ms", reference: ("the bare query", reference),
          bound: .atMost(probe.limit)))
    }
    figures.append(try await saveFigure(library))
    try plain.close()
    try await library.close()
    return figures
  }

  private struct Probe: Sendable {
    let name: String
    let limit: Double
    let sql: String
    let ours: @Sendable () async throws -> Void
  }

  private func probes(_ library: Library) throws -> [Probe] {
    guard let type = library.model.type(Self.place), let today = CalendarDate(dayNumber: 20_000)
    else { throw BenchError.failed("not a library of places") }
    let isJapan = try Filter.read("country=JP", for: type, in: .utc(today: today))
    let end = max(0, libraries.records - 40)
    func page(_ query: ListQuery, _ offset: Int = 0) -> @Sendable () async throws -> Void {
      { _ = try await library.page(query, offset: offset, limit: 40) }
    }
    let plain = ListQuery(type: Self.place)
    let sorted = ListQuery(
      type: Self.place, sort: [SortKey(field: FieldID(trusted: "name"))])
    return [
      Probe(
        name: "jump to the end", limit: 100,
        sql: "SELECT * FROM Place ORDER BY population LIMIT 40", ours: page(plain, end)),
      Probe(
        name: "sort by another indexed column", limit: 100,
        sql: "SELECT * FROM Place ORDER BY name COLLATE NOCASE LIMIT 40", ours: page(sorted)),
      Probe(
        name: "first filter result", limit: 100,
        sql: "SELECT * FROM Place WHERE country = 'JP' ORDER BY population DESC LIMIT 40",
        ours: page(ListQuery(type: Self.place, filter: isJapan))),
      Probe(
        name: "search, first page (札幌)", limit: 50,
        sql: "SELECT rowid FROM \"Place._search\" WHERE \"Place._search\" MATCH '札幌' LIMIT 40",
        ours: page(ListQuery(type: Self.place, search: "札幌"))),
      Probe(
        name: "search, first page (a word of every fifth record)", limit: 50,
        sql: "SELECT rowid FROM \"Place._search\" WHERE \"Place._search\" MATCH 'harbour' LIMIT 40",
        ours: page(ListQuery(type: Self.place, search: "harbour"))),
    ]
  }

  /// One durable save, against a bare commit of the same change with the same settings.
  private func saveFigure(_ library: Library) async throws -> Figure {
    let first = try await library.page(ListQuery(type: Self.place), offset: 0, limit: 1)
    guard let id = first.first?.id else { throw BenchError.failed("an empty library") }
    let region = FieldID(trusted: "region")
    var number = 0
    let ours = try await median(rounds: 60) {
      number += 1
      guard let snapshot = try await library.snapshot(Self.place, id) else { return }
      var draft = Draft(id: library.surroundings.newDraftID(), editing: snapshot)
      draft.set(.text("region \(number)"), of: region)
      _ = try await library.commit(draft)
    }
    let bare = try DatabaseQueue(path: libraries.reference)
    try await bare.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    }
    let reference = try await median(rounds: 60) {
      number += 1
      let text = "region \(number)"
      try await bare.write {
        try $0.execute(sql: "UPDATE Place SET region = ? WHERE _row = 1", arguments: [text])
      }
    }
    try bare.close()
    return Figure(
      name: "one durable save", ours: ours, unit: "ms",
      reference: ("a bare SQLite commit", reference), bound: .ratioAtMost(1.5))
  }

  private func median(
    rounds: Int = rounds, _ body: () async throws -> Void
  ) async throws -> Double {
    var times: [Double] = []
    for _ in 0..<rounds { times.append(try await milliseconds(body)) }
    return percentile(50, of: times)
  }
}
