// What the store answers, in this process, against the plainest SQL on the same file.

import FoundationEssentials
import GRDB
import RecordStore
import Records

/// Pages, filters, searches and saves of one library.
struct StoreFigures {
  let libraries: Libraries
  private static let rounds = 15
  private static let saves = 200
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
    figures += try await filterFigures(library)
    figures.append(try await saveFigure(library))
    try plain.close()
    try await library.close()
    return figures
  }

  /// What a keystroke in the filter asks of the store while the list without it is open: the first
  /// rows, and the whole order.
  ///
  /// The slowest of several filters that few, some and many records meet.
  private func filterFigures(_ library: Library) async throws -> [Figure] {
    guard let type = library.model.type(Self.place), let today = CalendarDate(dayNumber: 20_000)
    else { throw BenchError.failed("not a library of places") }
    let whole = try await library.list(ListQuery(type: Self.place))
    _ = await whole.caughtUp()
    var first: [(time: Double, text: String)] = []
    var complete: [(time: Double, text: String)] = []
    for text in Self.filters {
      let filter = try Filter.read(text, for: type, in: .utc(today: today))
      let query = ListQuery(type: Self.place, filter: filter)
      let start = ContinuousClock.now
      let list = try await library.list(query)
      var rows = try await list.rows(0..<40).rows.count
      if rows > 0 { first.append((TerminalSession.elapsed(since: start), text)) }
      _ = await list.caughtUp()
      complete.append((TerminalSession.elapsed(since: start), text))
      if rows == 0 {
        rows = try await list.rows(0..<40).rows.count
        first.append((TerminalSession.elapsed(since: start), text))
      }
    }
    return [
      slowest("filter keystroke, first matches", first, limit: 30),
      slowest("filter keystroke, complete", complete, limit: 250),
    ]
  }

  private func slowest(
    _ name: String, _ times: [(time: Double, text: String)], limit: Double
  ) -> Figure {
    let slowest = times.max { $0.time < $1.time }
    return Figure(
      name: "\(name) (\(slowest?.text ?? "none"))", ours: slowest?.time ?? 0, unit: "ms",
      bound: .atMost(limit))
  }

  private static let filters = [
    "country=JP", "population>1000000", "name~port", "name~札", "population>500000",
    "country=JP population>1000000", "region=12", "founded<=1200-01-01", "harbour",
  ]

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
      {
        let list = try await library.list(query)
        var page = try await list.rows(offset..<offset + 40)
        if page.rows.isEmpty {
          _ = await list.caughtUp()
          page = try await list.rows(offset..<offset + 40)
        }
      }
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
    if libraries.hasNoReference { _ = try libraries.fillReference() }
    let bare = try DatabaseQueue(path: libraries.reference)
    try await bare.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    }
    var (ours, reference): ([Double], [Double]) = ([], [])
    // In turns, so that both meet the same mood of the disk.
    for number in 0..<Self.saves {
      let text = "region \(number)"
      // As a person saves: the form was opened long before.
      guard let snapshot = try await library.snapshot(Self.place, id) else { break }
      var draft = Draft(id: library.surroundings.newDraftID(), editing: snapshot)
      draft.set(.text(text), of: region)
      let ready = draft
      ours.append(try await milliseconds { _ = try await library.commit(ready) })
      let write = try await milliseconds {
        try await bare.write {
          try $0.execute(sql: "UPDATE Place SET region = ? WHERE rowid = 1", arguments: [text])
        }
      }
      reference.append(write)
    }
    try bare.close()
    return Figure(
      name: "one durable save", ours: percentile(50, of: ours), unit: "ms",
      reference: ("a bare SQLite commit", percentile(50, of: reference)),
      bound: .ratioAtMost(1.5))
  }

  private func median(
    rounds: Int = rounds, _ body: () async throws -> Void
  ) async throws -> Double {
    var times: [Double] = []
    for _ in 0..<rounds { times.append(try await milliseconds(body)) }
    return percentile(50, of: times)
  }
}
