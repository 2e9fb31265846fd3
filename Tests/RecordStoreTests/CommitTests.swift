// Saving drafts: the four outcomes, constraints, natural keys, drafts with related records.

import RecordStore
import Records
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10))) struct CommitTests {
  @Test(arguments: Kind.allCases)
  func `a new record is applied and read back`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let draft = fixture.newDraft(
      Fixture.place,
      [
        "name": .text("Skyros"), "population": .integer(2994),
        "tags": .tags(TagSet(["coast", "island"])),
      ])
    let result = try await fixture.library.commit(draft)
    #expect(result.outcome == .applied)
    let snapshot = try await fixture.snapshot(Fixture.place, draft.record)
    #expect(snapshot.fields == draft.changes)
    #expect(snapshot.isPending)
    #expect(!snapshot.isDeleted)
    #expect(try await fixture.library.counts()[Fixture.place] == 1)
  }

  @Test(arguments: Kind.allCases)
  func `a text with U+0000 is refused, and nothing is written`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    for text in ["a=b\0tail", "\0"] {
      await #expect(throws: StoreError.self) {
        try await fixture.add(Fixture.place, ["name": .text(text)])
      }
    }
    #expect(try await fixture.library.counts()[Fixture.place] == 0)
  }

  @Test(arguments: Kind.allCases)
  func `every text comes back to the last character`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    for text in ["\u{1b}[31m", "👩‍👩‍👧 e\u{301}", "\r\n", "'; DROP TABLE x; --"] {
      let id = try await fixture.add(
        Fixture.place, ["name": .text(text), "tags": .tags(TagSet([text, "b"]))])
      let snapshot = try await fixture.snapshot(Fixture.place, id)
      #expect(snapshot.value(of: FieldID("name")) == .text(text))
      #expect(snapshot.value(of: FieldID("tags")) == .tags(TagSet([text, "b"])))
      let query = ListQuery(
        type: Fixture.place,
        filter: .field(FieldID("name"), .compare(.equal, Operand(.text(text)))))
      #expect(try await fixture.library.page(query, offset: 0, limit: 9).map(\.id) == [id])
      _ = try await fixture.library.delete(Fixture.place, [id])
      _ = try await fixture.library.restore(Fixture.place, [id])
      #expect(try await fixture.value(Fixture.place, id, "name") == .text(text))
    }
  }

  @Test(arguments: Kind.allCases)
  func `a stale draft with disjoint fields saves both`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let id = try await fixture.add(Fixture.place, ["name": .text("Porto")])
    let mine = try await fixture.draft(Fixture.place, id, ["population": .integer(237_591)])
    try await fixture.set(Fixture.place, id, ["notes": .text("wine")])
    let result = try await fixture.library.commit(mine)
    #expect(result.outcome == .merged([FieldID("notes")]))
    let snapshot = try await fixture.snapshot(Fixture.place, id)
    #expect(snapshot.value(of: FieldID("notes")) == .text("wine"))
    #expect(snapshot.value(of: FieldID("population")) == .integer(237_591))
  }

  @Test(arguments: Kind.allCases)
  func `two edits of one field conflict and write nothing`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let id = try await fixture.add(Fixture.place, ["name": .text("Porto")])
    let mine = try await fixture.draft(Fixture.place, id, ["name": .text("Oporto")])
    try await fixture.set(Fixture.place, id, ["name": .text("O Porto")])
    let before = try await fixture.dump()
    let result = try await fixture.library.commit(mine)
    #expect(
      result.outcome
        == .conflict([
          FieldConflict(
            field: FieldID("name"), base: .text("Porto"), mine: .text("Oporto"),
            theirs: .text("O Porto"))
        ]))
    #expect(result.transaction == nil)
    #expect(try await fixture.dump() == before)
  }

  @Test(arguments: Kind.allCases)
  func `a record deleted meanwhile is gone`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let id = try await fixture.add(Fixture.place, ["name": .text("Porto")])
    let mine = try await fixture.draft(Fixture.place, id, ["notes": .text("x")])
    _ = try await fixture.library.delete(Fixture.place, [id])
    #expect(try await fixture.library.commit(mine).outcome == .gone)
  }

  @Test(arguments: Kind.allCases)
  func `a draft that says what the record says writes nothing`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let id = try await fixture.add(Fixture.place, ["name": .text("Porto")])
    let before = try await fixture.dump()
    let result = try await fixture.set(Fixture.place, id, ["name": .text("Porto")])
    #expect(result.outcome == .unchanged)
    #expect(result.transaction == nil)
    #expect(try await fixture.dump() == before)
  }

  @Test(arguments: Kind.allCases)
  func `constraints refuse a save whole`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let first = try await fixture.add(
      Fixture.place, ["name": .text("Porto"), "code": .text("OPO")])
    let before = try await fixture.dump()
    let draft = fixture.newDraft(
      Fixture.place, ["population": .integer(-1), "code": .text("OPO")])
    let problems = [
      ("name", FieldProblem.Reason.required), ("population", .belowMinimum(.integer(0))),
      ("code", .notUnique(first)),
    ].map {
      FieldProblem(
        type: Fixture.place, record: draft.record, field: FieldID(trusted: $0.0), reason: $0.1)
    }
    await #expect(throws: StoreError.invalid(problems)) {
      try await fixture.library.commit(draft)
    }
    #expect(try await fixture.dump() == before)
  }

  @Test(arguments: Kind.allCases)
  func `two drafts of one save may not bring the same unique value`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let one = try await fixture.add(Fixture.place, ["name": .text("A")])
    let two = try await fixture.add(Fixture.place, ["name": .text("B")])
    let drafts = [
      try await fixture.draft(Fixture.place, one, ["code": .text("OPO")]),
      try await fixture.draft(Fixture.place, two, ["code": .text("OPO")]),
    ]
    let before = try await fixture.dump()
    let problem = FieldProblem(
      type: Fixture.place, record: two, field: FieldID("code"), reason: .notUnique(one))
    await #expect(throws: StoreError.invalid([problem])) {
      try await fixture.library.commit(drafts)
    }
    #expect(try await fixture.dump() == before)
  }

  @Test(arguments: Kind.allCases)
  func `two new drafts of one save may not have the same key`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let drafts = ["Greece", "Hellas"].map {
      fixture.newDraft(Fixture.country, ["iso": .text("GR"), "label": .text($0)])
    }
    await #expect {
      try await fixture.library.commit(drafts)
    } throws: { error in
      guard case StoreError.invalid(let problems) = error else { return false }
      // Told by the record that the form knows, not by the one that the key makes of it.
      return problems.map(\.record) == [drafts[1].record]
        && problems.map(\.field) == [FieldID("iso")]
    }
    #expect(try await fixture.library.counts()[Fixture.country] == 0)
  }

  @Test(arguments: Kind.allCases)
  func `a new draft that is saved twice keeps what was typed in between`(
    _ kind: Kind
  ) async throws {
    let fixture = try await Fixture(kind)
    var draft = fixture.newDraft(Fixture.place, ["name": .text("Porto"), "visits": .integer(2)])
    _ = try await fixture.library.commit(draft)
    #expect(try await fixture.library.commit(draft).outcome == .unchanged)
    draft.set(.text("wine"), of: FieldID("notes"))
    #expect(try await fixture.library.commit(draft).outcome == .applied)
    let snapshot = try await fixture.snapshot(Fixture.place, draft.record)
    #expect(
      snapshot.fields == [
        FieldID("name"): .text("Porto"), FieldID("visits"): .integer(2),
        FieldID("notes"): .text("wine"),
      ])
  }

  @Test(arguments: Kind.allCases)
  func `two that go on with one new draft are in conflict where they differ`(
    _ kind: Kind
  ) async throws {
    let fixture = try await Fixture(kind)
    let draft = fixture.newDraft(Fixture.place, ["name": .text("Porto"), "visits": .integer(2)])
    var mine = draft
    mine.set(.text("O Porto"), of: FieldID("name"))
    mine.set(.integer(3), of: FieldID("visits"))
    _ = try await fixture.library.commit(draft)
    let before = try await fixture.dump()
    let result = try await fixture.library.commit(mine)
    let conflicts = [
      FieldConflict(
        field: FieldID("name"), base: .empty, mine: .text("O Porto"), theirs: .text("Porto")),
      FieldConflict(
        field: FieldID("visits"), base: .empty, mine: .integer(3), theirs: .integer(2)),
    ]
    #expect(result.outcome == .conflict(conflicts))
    #expect(try await fixture.dump() == before)
  }

  @Test(arguments: Kind.allCases)
  func `text that does not read as a value is not saved`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    var draft = fixture.newDraft(Fixture.place, ["name": .text("Porto")])
    draft.set(.unread("many"), of: FieldID("population"))
    await #expect(throws: StoreError.unread([FieldID("population")])) {
      try await fixture.library.commit(draft)
    }
  }

  @Test(arguments: Kind.allCases)
  func `a key gives the same identity on every machine`(_ kind: Kind) async throws {
    let one = try await Fixture(kind, seed: 1)
    let two = try await Fixture(kind, seed: 2)
    let id = try await one.add(Fixture.country, ["iso": .text("GR")])
    #expect(id.version == 5)
    #expect(try await two.add(Fixture.country, ["iso": .text("GR")]) == id)
    await #expect(throws: StoreError.self) {
      try await one.add(Fixture.country, ["iso": .text("GR")])
    }
  }

  @Test(arguments: Kind.allCases)
  func `a key that another record gave up makes a new identity`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let old = try await fixture.add(Fixture.country, ["iso": .text("GR")])
    try await fixture.set(Fixture.country, old, ["iso": .text("EL")])
    let new = try await fixture.add(Fixture.country, ["iso": .text("GR")])
    #expect(new.version == 7)
    #expect(new != old)
  }

  @Test(arguments: Kind.allCases)
  func `a key in the trash brings its record back`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let id = try await fixture.add(
      Fixture.country, ["iso": .text("GR"), "label": .text("Greece")])
    _ = try await fixture.library.delete(Fixture.country, [id])
    let again = try await fixture.add(
      Fixture.country, ["iso": .text("GR"), "label": .text("Hellas")])
    #expect(again == id)
    #expect(try await fixture.value(Fixture.country, id, "label") == .text("Hellas"))
    #expect(try await fixture.library.trashCount() == 0)
  }

  @Test(arguments: Kind.allCases)
  func `what a new draft leaves empty does not come back from the trash`(
    _ kind: Kind
  ) async throws {
    let fixture = try await Fixture(kind)
    let id = try await fixture.add(
      Fixture.country, ["iso": .text("GR"), "label": .text("Greece")])
    _ = try await fixture.library.delete(Fixture.country, [id])
    #expect(try await fixture.add(Fixture.country, ["iso": .text("GR")]) == id)
    #expect(try await fixture.snapshot(Fixture.country, id).fields == [FieldID("iso"): .text("GR")])
  }

  @Test(arguments: Kind.allCases)
  func `a new record without values has a stamp`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let id = try await fixture.add(Fixture.trip, [:])
    let snapshot = try await fixture.snapshot(Fixture.trip, id)
    #expect(snapshot.modified.milliseconds == fixture.world.now)
    #expect(snapshot.state.newest?.device == fixture.library.device)
    #expect(snapshot.state.vector.time(of: fixture.library.device) > .zero)
    #expect(snapshot.fields == [:])
  }

  @Test(arguments: Kind.allCases)
  func `a count that no counter can hold is refused`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let id = try await fixture.add(Fixture.place, ["name": .text("Skyros")])
    let visits = try #require(
      fixture.library.model.type(Fixture.place)?.field(FieldID("visits")))
    var theirs = try await fixture.snapshot(Fixture.place, id).state
    let stamp = Stamp(
      time: HybridTime(milliseconds: fixture.world.now), device: DeviceID(rawValue: 7))
    theirs.write(.integer(-1), to: visits, stamp: stamp)
    var page = RemotePage()
    page.changes = [
      RemoteChange(
        reference: RecordReference(type: Fixture.place, id: id), content: .state(theirs),
        remote: RemoteCopy(tag: "1"))
    ]
    _ = try await fixture.library.apply(page)
    let problem = FieldProblem(
      type: Fixture.place, record: id, field: FieldID("visits"),
      reason: .aboveMaximum(.integer(.max)))
    await #expect(throws: StoreError.invalid([problem])) {
      try await fixture.set(Fixture.place, id, ["visits": .integer(.max)])
    }
    #expect(try await fixture.value(Fixture.place, id, "visits") == .integer(-1))
  }

  @Test(arguments: Kind.allCases)
  func `related drafts are saved in the same transaction`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    var country = fixture.newDraft(Fixture.country, ["iso": .text("PT")])
    let place = fixture.newDraft(
      Fixture.place, ["name": .text("Porto"), "home": .reference(country.record)])
    country.related = [place]
    let result = try await fixture.library.commit(country)
    let number = try #require(result.transaction)
    #expect(try await fixture.library.changes(of: number, offset: 0, limit: 10).count == 2)
    let home = try #require(result.records[country.id])
    #expect(home != country.record, "the natural key decides")
    #expect(try await fixture.value(Fixture.place, place.record, "home") == .reference(home))
  }

  @Test(arguments: Kind.allCases)
  func `one conflict among several drafts writes none of them`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let one = try await fixture.add(Fixture.place, ["name": .text("A")])
    let two = try await fixture.add(Fixture.place, ["name": .text("B")])
    let drafts = [
      try await fixture.draft(Fixture.place, one, ["name": .text("A1")]),
      try await fixture.draft(Fixture.place, two, ["name": .text("B1")]),
    ]
    try await fixture.set(Fixture.place, two, ["name": .text("B2")])
    let result = try await fixture.library.commit(drafts)
    #expect(result.transaction == nil)
    #expect(try await fixture.value(Fixture.place, one, "name") == .text("A"))
  }

  @Test func `whichever statement fails, a save is whole or not at all`() async throws {
    let fixture = try await Fixture(.file)
    let id = try await fixture.add(
      Fixture.place, ["name": .text("Porto"), "tags": .tags(TagSet(["a"]))])
    let twin = try await fixture.add(Fixture.place, ["name": .text("Gaia")])
    var draft = try await fixture.draft(
      Fixture.place, id, ["name": .text("O Porto"), "twins": .references([twin])])
    draft.related = [fixture.newDraft(Fixture.place, ["name": .text("Braga")])]
    let before = try await fixture.dump()
    var statement = 1
    while true {
      fixture.world.faults.arm(failingAt: statement)
      do {
        let result = try await fixture.library.commit(draft)
        #expect(result.outcome == .applied)
        break
      } catch let fault as Faults.Injected {
        #expect(fault.statement == statement)
        #expect(try await fixture.dump() == before, "statement \(statement)")
      }
      statement += 1
    }
    #expect(statement > 10, "a save of two records has more statements than that")
    #expect(try await fixture.dump() != before)
  }

  @Test func `a save that stands is told as saved, whatever fails after it`() async throws {
    let fixture = try await Fixture(.file)
    let path = try #require(fixture.library.path)
    let other = try await Library.open(at: path, surroundings: TestWorld(seed: 2).surroundings)
    let id = try await fixture.add(Fixture.place, ["name": .text("Porto")])
    var feed = fixture.library.commits().makeAsyncIterator()
    var statement = 1
    while true {
      // What another program committed has to be read before a commit can be told.
      let base = try #require(try await other.snapshot(Fixture.place, id))
      var theirs = Draft(id: other.surroundings.newDraftID(), editing: base)
      theirs.set(.text("theirs \(statement)"), of: FieldID("notes"))
      _ = try await other.commit(theirs)
      let draft = try await fixture.draft(
        Fixture.place, id, ["name": .text("name \(statement)")])
      fixture.world.faults.arm(failingAt: statement)
      defer { fixture.world.faults.arm(failingAt: nil) }
      do {
        _ = try await fixture.library.commit(draft)
      } catch is Faults.Injected {
        #expect(try await fixture.value(Fixture.place, id, "name") != .text("name \(statement)"))
        statement += 1
        continue
      }
      #expect(try await fixture.value(Fixture.place, id, "name") == .text("name \(statement)"))
      let newest = try await fixture.library.history(limit: 1)[0].number
      while let commit = await feed.next(), commit.number < newest {}
      if fixture.world.faults.count < statement { break }
      statement += 1
    }
    try await other.close()
    try await fixture.library.close()
  }
}
