// Lists: pages, filters, search, sort; live lists that follow every commit, and pinned ones.

import RecordStore
import Records
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10))) struct ListTests {
  private static func names(_ rows: [ListRow?]) -> [String?] { rows.map { $0?.title } }

  /// Some places, biggest last.
  private static func places(_ kind: Kind) async throws -> Fixture {
    let fixture = try await Fixture(kind)
    let drafts = [
      ("Porto", 237_591), ("Skyros", 2_994), ("札幌市", 1_973_000), ("Oporto Alegre", 1_332_000),
      ("サッポロ駅", 10), ("Évora", 56_596),
    ].map { name, population in
      fixture.newDraft(
        Fixture.place, ["name": .text(name), "population": .integer(Int64(population))])
    }
    _ = try await fixture.library.commit(drafts)
    return fixture
  }

  @Test(arguments: Kind.allCases)
  func `a page comes in the type's order`(_ kind: Kind) async throws {
    let fixture = try await Self.places(kind)
    let rows = try await fixture.library.page(
      ListQuery(type: Fixture.place), offset: 1, limit: 3)
    #expect(Self.names(rows) == ["Oporto Alegre", "Porto", "Évora"])
    #expect(try await fixture.library.count(ListQuery(type: Fixture.place)) == 6)
  }

  @Test(arguments: Kind.allCases)
  func `a sort by text folds case, and equal rows keep one order`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    for name in ["b", "A", "a", "B"] {
      try await fixture.add(Fixture.place, ["name": .text(name)])
    }
    for descending in [false, true] {
      let sort = [SortKey(field: FieldID("name"), descending: descending)]
      let rows = try await fixture.library.page(
        ListQuery(type: Fixture.place, sort: sort), offset: 0, limit: 9)
      let expected = ["A", "a", "b", "B"]
      #expect(Self.names(rows) == (descending ? expected.reversed() : expected))
    }
  }

  @Test(
    arguments: [
      ("札幌", ["札幌市"]), ("幌", ["札幌市"]), ("さっぽろ", ["サッポロ駅"]), ("ｻｯﾎﾟﾛ", ["サッポロ駅"]),
      ("porto", ["Oporto Alegre", "Porto"].filter { $0 == "Porto" }), ("evora", ["Évora"]),
      ("alegre opor", ["Oporto Alegre"]), ("\"oporto alegre\"", ["Oporto Alegre"]),
      ("\"alegre oporto\"", []), ("駅 サッポロ", ["サッポロ駅"]), ("幌市 NEAR(", []),
    ])
  func `search finds words of any script`(_ typed: String, _ expected: [String]) async throws {
    let fixture = try await Self.places(.memory)
    let rows = try await fixture.library.page(
      ListQuery(type: Fixture.place, search: typed), offset: 0, limit: 9)
    #expect(Self.names(rows) == expected)
  }

  @Test(arguments: Kind.allCases)
  func `a list by the titles of other records follows those titles`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let trips = try await [
      fixture.add(Fixture.trip, ["title": .text("A")]),
      fixture.add(Fixture.trip, ["title": .text("B")]),
    ]
    let places = try await [
      fixture.add(Fixture.place, ["name": .text("one"), "trip": .reference(trips[0])]),
      fixture.add(Fixture.place, ["name": .text("two"), "trip": .reference(trips[1])]),
    ]
    let sorted = try await fixture.library.list(
      ListQuery(type: Fixture.place, sort: [SortKey(field: FieldID("trip"))]))
    let filtered = try await fixture.library.list(
      ListQuery(
        type: Fixture.place, filter: .not(.field(FieldID("trip"), .refers(.title("C"))))))
    var updates = (sorted.updates().makeAsyncIterator(), filtered.updates().makeAsyncIterator())
    while !(await sorted.state().isComplete) { _ = await updates.0.next() }
    while !(await filtered.state().isComplete) { _ = await updates.1.next() }
    #expect(try await sorted.ids(0..<2) == places)
    #expect(await filtered.state().count == 2)
    try await fixture.set(Fixture.trip, trips[0], ["title": .text("C")])
    // The updates of the first reading may still be on their way.
    while try await sorted.ids(0..<2) != places.reversed() { _ = await updates.0.next() }
    while await filtered.state().count != 1 { _ = await updates.1.next() }
  }

  @Test func `search forgets what a record no longer says`() async throws {
    let fixture = try await Self.places(.memory)
    let query = ListQuery(type: Fixture.place, search: "札幌")
    let ids = try await fixture.library.page(query, offset: 0, limit: 1).map(\.id)
    let id = try #require(ids.first)
    try await fixture.set(Fixture.place, id, ["name": .text("函館")])
    #expect(try await fixture.library.count(query) == 0)
    _ = try await fixture.library.undo()
    #expect(try await fixture.library.count(query) == 1)
    _ = try await fixture.library.delete(Fixture.place, [id])
    #expect(try await fixture.library.count(query) == 0)
  }

  @Test func `filters mean what matching each record means`() async throws {
    let fixture = try await Fixture(.memory)
    let trip = try await fixture.add(Fixture.trip, ["title": .text("Summer")])
    let one = try await fixture.add(
      Fixture.place,
      [
        "name": .text("One"), "population": .integer(5), "tags": .tags(TagSet(["Coast", "x"])),
        "trip": .reference(trip),
      ])
    try await fixture.add(
      Fixture.place, ["name": .text("one"), "twins": .references([one]), "notes": .text("100%")])
    try await fixture.add(Fixture.place, ["name": .text("Tōkyō"), "population": .integer(9)])
    let cases: [(Filter, [String])] = [
      (.field(FieldID("name"), .compare(.equal, Operand(.text("one")))), ["one"]),
      (.field(FieldID("name"), .compare(.notEqual, Operand(.text("one")))), ["One", "Tōkyō"]),
      (.field(FieldID("population"), .isEmpty), ["one"]),
      (.field(FieldID("population"), .compare(.greater, Operand(.integer(5)))), ["Tōkyō"]),
      (
        .not(.field(FieldID("population"), .compare(.greater, Operand(.integer(5))))),
        ["One", "one"]
      ),
      (
        .field(FieldID("population"), .range(Operand(.integer(5)), Operand(.integer(9)))),
        ["One", "Tōkyō"]
      ),
      (.field(FieldID("tags"), .hasTag("x")), ["One"]),
      (.field(FieldID("tags"), .contains("coa")), ["One"]),
      (.field(FieldID("trip"), .refers(.title("Summer"))), ["One"]),
      (.field(FieldID("trip"), .refers(.id(trip))), ["One"]),
      (.field(FieldID("trip"), .contains("umm")), ["One"]),
      (.field(FieldID("twins"), .refers(.id(one))), ["one"]),
      (.field(FieldID("twins"), .refers(.title("One"))), ["one"]),
      (.field(FieldID("twins"), .isPresent), ["one"]),
      (.field(FieldID("notes"), .contains("0%")), ["one"]),
      (.field(FieldID("notes"), .contains("1_0")), []),
      (.field(FieldID("name"), .contains("ōK")), ["Tōkyō"]),
      (.any([]), []), (.all([]), ["One", "one", "Tōkyō"]),
      (.words("tokyo"), ["Tōkyō"]),
    ]
    let sort = [SortKey(field: FieldID("name"))]
    for (filter, expected) in cases {
      let query = ListQuery(type: Fixture.place, filter: filter, sort: sort)
      let rows = try await fixture.library.page(query, offset: 0, limit: 9)
      #expect(Self.names(rows) == expected, "\(filter)")
      #expect(try await fixture.library.count(query) == expected.count, "\(filter)")
    }
  }

  // MARK: Live lists

  @Test(arguments: Kind.allCases)
  func `a live list tells how each commit changed it`(_ kind: Kind) async throws {
    let fixture = try await Self.places(kind)
    let list = try await fixture.library.list(ListQuery(type: Fixture.place))
    var updates = list.updates().makeAsyncIterator()
    try await Self.complete(list, &updates)
    let porto = try #require(try await list.ids(2..<3).first)

    try await fixture.set(Fixture.place, porto, ["notes": .text("wine")])
    var update = try #require(await Self.change(&updates))
    var diff = ListDiff()
    diff.updated = [2]
    #expect(update == .changed(diff, await list.state()))

    try await fixture.set(Fixture.place, porto, ["population": .integer(9_000_000)])
    update = try #require(await Self.change(&updates))
    diff.updated = [0]
    diff.moved = [ListDiff.Move(from: 2, to: 0)]
    #expect(update == .changed(diff, await list.state()))

    _ = try await fixture.library.delete(Fixture.place, [porto])
    update = try #require(await Self.change(&updates))
    diff = ListDiff()
    diff.removed = [0]
    #expect(update == .changed(diff, await list.state()))

    _ = try await fixture.library.restore(Fixture.place, [porto])
    update = try #require(await Self.change(&updates))
    diff = ListDiff()
    diff.inserted = [0]
    #expect(update == .changed(diff, await list.state()))
    #expect(try await list.index(of: porto) == 0)
  }

  @Test func `observers of one query share one list`() async throws {
    let fixture = try await Self.places(.memory)
    let query = ListQuery(type: Fixture.place, search: "opor")
    let one = try await fixture.library.list(query)
    let two = try await fixture.library.list(query)
    var first = one.updates().makeAsyncIterator()
    var second = two.updates().makeAsyncIterator()
    try await Self.complete(one, &first)
    try await Self.complete(two, &second)
    await one.pin()
    try await fixture.add(Fixture.place, ["name": .text("Oporto 2")])
    guard case .arrived(let pinned) = await Self.change(&first), pinned.arrived == 1,
      pinned.isPinned
    else {
      Issue.record("the pinned one hears that something arrived")
      return
    }
    guard case .changed(_, let state) = await Self.change(&second) else {
      Issue.record("the other one follows")
      return
    }
    #expect(state.count == 2)
    #expect(await one.state().count == 1)
  }

  @Test(arguments: Kind.allCases)
  func `a pinned list shows what was, whatever came since`(_ kind: Kind) async throws {
    let fixture = try await Self.places(kind)
    let list = try await fixture.library.list(ListQuery(type: Fixture.place))
    var updates = list.updates().makeAsyncIterator()
    try await Self.complete(list, &updates)
    let before = try await list.rows(0..<6)
    await list.pin()
    let ids = try await list.ids(0..<6)
    try await fixture.set(Fixture.place, ids[0], ["name": .text("x"), "population": .empty])
    try await fixture.set(Fixture.place, ids[0], ["name": .text("y")])
    _ = try await fixture.library.delete(Fixture.place, [ids[1]])
    for _ in 0..<3 { _ = await Self.change(&updates) }
    #expect(try await list.rows(0..<6).rows == before.rows)
    _ = try await fixture.library.purge(Fixture.place, [ids[2]])
    #expect(try await list.rows(2..<3).rows == [nil])
    _ = await list.caughtUp()
    await list.follow()
    #expect(await list.state().count == 4)
    #expect(try await Self.names(list.rows(3..<4).rows) == ["y"])
  }

  @Test(arguments: Kind.allCases)
  func `sections count their rows and keep up`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    for (name, code) in [("a", "JP"), ("b", "GR"), ("c", "JP2"), ("d", "")] {
      try await fixture.add(
        Fixture.place,
        ["name": .text(name), "code": .text(nonEmpty: code), "notes": .text(code + "x")])
    }
    let list = try await fixture.library.list(
      ListQuery(type: Fixture.place, sections: FieldID("notes")))
    var updates = list.updates().makeAsyncIterator()
    try await Self.complete(list, &updates)
    var sections = await list.state().sections
    #expect(sections.map(\.value) == [.text("GRx"), .text("JP2x"), .text("JPx"), .text("x")])
    #expect(sections.map(\.start) == [0, 1, 2, 3])
    try await fixture.add(Fixture.place, ["name": .text("e"), "notes": .text("GRx")])
    _ = await Self.change(&updates)
    sections = await list.state().sections
    #expect(sections.map(\.count) == [2, 1, 1, 1])
  }

  @Test(arguments: [ListQuery.plain, .filtered, .byText, .searched])
  func `diffs applied one after the other give the list read anew`(
    _ query: ListQuery
  ) async throws {
    let fixture = try await Fixture(.memory, seed: 7)
    let library = fixture.library
    let list = try await library.list(query)
    var updates = list.updates().makeAsyncIterator()
    try await Self.complete(list, &updates)
    var shadow = try await list.ids(0..<1000)
    var alive: [RecordID] = []
    var version = await list.state().version
    for step in 0..<150 {
      try await Self.step(fixture, &alive)
      let fresh = try await library.page(query, offset: 0, limit: 1000).map(\.id)
      if await list.caughtUp() != version {
        version = await list.state().version
        guard case .changed(let diff, let state)? = await Self.change(&updates) else { return }
        shadow = diff.applied(to: shadow, filling: fresh)
        #expect(state.count == shadow.count)
      }
      #expect(shadow == fresh, "step \(step), seed 7")
    }
  }

  /// One random transaction of up to five records.
  private static func step(_ fixture: Fixture, _ alive: inout [RecordID]) async throws {
    let world = fixture.world
    world.advance(milliseconds: 10)
    func values() -> [String: Value] {
      [
        "name": .text(["Ab", "ab", "Ba", "Port o"][Int(world.random() % 4)]),
        "population": .integer(Int64(world.random() % 6)),
      ]
    }
    switch world.random() % 4 {
    case 0 where alive.count > 3:
      let victims = alive.prefix(2)
      alive.removeFirst(2)
      _ = try await fixture.library.delete(Fixture.place, Array(victims))
    case 1,
      2 where alive.count > 5:
      var drafts: [Draft] = []
      for id in Set((0..<4).map { _ in alive[Int(world.random() % UInt64(alive.count))] }) {
        drafts.append(try await fixture.draft(Fixture.place, id, values()))
      }
      _ = try await fixture.library.commit(drafts)
    default:
      let drafts = (0..<3).map { _ in fixture.newDraft(Fixture.place, values()) }
      alive += drafts.map(\.record)
      _ = try await fixture.library.commit(drafts)
    }
  }

  /// Waits until the whole order is known.
  private static func complete(
    _ list: RecordList, _ updates: inout AsyncStream<ListUpdate>.Iterator
  ) async throws {
    while !(await list.state().isComplete) { _ = await updates.next() }
  }

  /// The next update that tells of a commit: the one of the order that became whole may come first.
  private static func change(_ updates: inout AsyncStream<ListUpdate>.Iterator) async -> ListUpdate?
  {
    while let update = await updates.next() {
      if case .reset = update { continue }
      return update
    }
    return nil
  }
}

extension ListQuery {
  static let plain = ListQuery(type: Fixture.place)
  static let filtered = ListQuery(
    type: Fixture.place,
    filter: .field(FieldID("population"), .compare(.greater, Operand(.integer(2)))))
  static let byText = ListQuery(
    type: Fixture.place, sort: [SortKey(field: FieldID("name"), descending: true)])
  static let searched = ListQuery(type: Fixture.place, search: "ab")
}

extension ListDiff {
  /// What an observer does with a diff that draws a list of its own.
  func applied(to rows: [RecordID], filling fresh: [RecordID]) -> [RecordID] {
    var rows = rows
    for position in (removed + moved.map(\.from)).sorted(by: >) { rows.remove(at: position) }
    for position in (inserted + moved.map(\.to)).sorted() {
      rows.insert(position < fresh.count ? fresh[position] : fresh[0], at: position)
    }
    return rows
  }
}
