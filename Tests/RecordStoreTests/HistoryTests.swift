// The past: what the log says, undo, undo of undo, trash, restore, purge, delete rules.

import RecordStore
import Records
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10))) struct HistoryTests {
  @Test(arguments: Kind.allCases)
  func `a record's past has every value before and after`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let id = try await fixture.add(Fixture.place, ["name": .text("A"), "population": .integer(1)])
    try await fixture.set(Fixture.place, id, ["name": .text("B")])
    try await fixture.set(Fixture.place, id, ["name": .text("C"), "notes": .text("n")])
    let past = try await fixture.library.history(
      of: RecordReference(type: Fixture.place, id: id))
    let changes = past.map { $0.changes[0].fields }
    #expect(
      changes == [
        [
          FieldID("name"): FieldChange(before: .text("B"), after: .text("C")),
          FieldID("notes"): FieldChange(before: .empty, after: .text("n")),
        ],
        [FieldID("name"): FieldChange(before: .text("A"), after: .text("B"))],
        [
          FieldID("name"): FieldChange(before: .empty, after: .text("A")),
          FieldID("population"): FieldChange(before: .empty, after: .integer(1)),
        ],
      ])
    #expect(past.allSatisfy { $0.author == "mia" && $0.deviceName == "kitchen" })
    #expect(past.allSatisfy { $0.origin == .edit })
  }

  @Test(arguments: Kind.allCases)
  func `undo takes the newest edit back, and its undo brings it again`(
    _ kind: Kind
  ) async throws {
    let fixture = try await Fixture(kind)
    let id = try await fixture.add(Fixture.place, ["name": .text("A")])
    let edit = try #require(
      try await fixture.set(Fixture.place, id, ["name": .text("B")]).transaction)
    let undo = try await fixture.library.undo()
    #expect(undo.undone == edit)
    #expect(try await fixture.value(Fixture.place, id, "name") == .text("A"))
    await #expect(throws: StoreError.alreadyUndone(edit, by: undo.transaction)) {
      try await fixture.library.undo(edit)
    }
    let redo = try await fixture.library.undo(undo.transaction)
    #expect(try await fixture.value(Fixture.place, id, "name") == .text("B"))
    let entries = try await fixture.library.history(limit: 3)
    #expect(entries.map(\.undoes) == [undo.transaction, edit, nil])
    #expect(entries.map(\.undoneBy) == [nil, redo.transaction, nil])
  }

  @Test(arguments: Kind.allCases)
  func `undo goes further back each time until nothing is left`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let id = try await fixture.add(Fixture.place, ["name": .text("A")])
    try await fixture.set(Fixture.place, id, ["name": .text("B")])
    _ = try await fixture.library.undo()
    _ = try await fixture.library.undo()
    #expect(try await fixture.snapshot(Fixture.place, id).isDeleted)
    #expect(try await fixture.library.counts()[Fixture.place] == 0)
  }

  @Test(arguments: Kind.allCases)
  func `a new library has nothing to undo`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    await #expect(throws: StoreError.nothingToUndo) { try await fixture.library.undo() }
  }

  @Test(arguments: Kind.allCases)
  func `undo leaves what was changed again, and says so`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let id = try await fixture.add(Fixture.place, ["name": .text("A")])
    let edit = try #require(
      try await fixture.set(
        Fixture.place, id,
        ["name": .text("B"), "notes": .text("n"), "tags": .tags(TagSet(["x"]))]
      ).transaction)
    try await fixture.set(
      Fixture.place, id, ["name": .text("C"), "tags": .tags(TagSet(["x", "y"]))])
    let undo = try await fixture.library.undo(edit)
    let reference = RecordReference(type: Fixture.place, id: id)
    #expect(undo.skipped == [reference: [FieldID("name")]])
    let snapshot = try await fixture.snapshot(Fixture.place, id)
    #expect(snapshot.value(of: FieldID("name")) == .text("C"))
    #expect(snapshot.value(of: FieldID("notes")) == .empty)
    #expect(snapshot.value(of: FieldID("tags")) == .tags(TagSet(["y"])))
  }

  @Test(arguments: Kind.allCases)
  func `undo of a new record that was edited since leaves it, and says so`(
    _ kind: Kind
  ) async throws {
    let fixture = try await Fixture(kind)
    let drafts = ["A", "B"].map { fixture.newDraft(Fixture.place, ["name": .text($0)]) }
    let number = try #require(try await fixture.library.commit(drafts).transaction)
    let edited = drafts[0].record
    try await fixture.set(Fixture.place, edited, ["notes": .text("n")])
    let undo = try await fixture.library.undo(number)
    let reference = RecordReference(type: Fixture.place, id: edited)
    #expect(undo.skipped == [reference: [FieldID("notes")]])
    #expect(try await !fixture.snapshot(Fixture.place, edited).isDeleted)
    #expect(try await fixture.snapshot(Fixture.place, drafts[1].record).isDeleted)
  }

  @Test(arguments: Kind.allCases)
  func `undo of what was wholly overwritten is refused`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let id = try await fixture.add(Fixture.place, ["name": .text("A")])
    let edit = try #require(
      try await fixture.set(Fixture.place, id, ["name": .text("B")]).transaction)
    try await fixture.set(Fixture.place, id, ["name": .text("C")])
    let before = try await fixture.dump()
    await #expect(throws: StoreError.changedSince(edit)) { try await fixture.library.undo(edit) }
    #expect(try await fixture.dump() == before)
  }

  @Test(arguments: Kind.allCases)
  func `a deleted record rests in the trash and comes back as it was`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let twin = try await fixture.add(Fixture.place, ["name": .text("Gaia")])
    let id = try await fixture.add(
      Fixture.place,
      ["name": .text("Porto"), "twins": .references([twin]), "visits": .integer(3)])
    let before = try await fixture.snapshot(Fixture.place, id)
    fixture.world.advance(milliseconds: 5000)
    let deletion = try await fixture.library.delete(Fixture.place, [id])
    #expect(deletion.records.map(\.id) == [id])
    let trash = try await fixture.library.trash(limit: 10, offset: 0)
    #expect(trash.map(\.title) == ["Porto"])
    #expect(try await fixture.snapshot(Fixture.place, id).fields == before.fields)
    _ = try await fixture.library.restore(Fixture.place, [id])
    let after = try await fixture.snapshot(Fixture.place, id)
    #expect(after.fields == before.fields)
    #expect(after.created == before.created)
    #expect(try await fixture.library.trashCount() == 0)
    #expect(try await fixture.library.counts()[Fixture.place] == 2)
  }

  @Test(arguments: Kind.allCases)
  func `a restored record has the references back that its deletion took`(_ kind: Kind) async throws
  {
    let fixture = try await Fixture(kind)
    let trips = [
      try await fixture.add(Fixture.trip, ["title": .text("Norte")]),
      try await fixture.add(Fixture.trip, ["title": .text("Sul")]),
    ]
    let twin = try await fixture.add(
      Fixture.place, ["name": .text("Gaia"), "trip": .reference(trips[0])])
    let other = try await fixture.add(
      Fixture.place, ["name": .text("Braga"), "trip": .reference(trips[0])])
    let id = try await fixture.add(
      Fixture.place, ["name": .text("Porto"), "twins": .references([twin, other].sorted())])
    _ = try await fixture.library.delete(Fixture.trip, [trips[0]])
    #expect(try await fixture.value(Fixture.place, twin, "trip") == .empty)
    try await fixture.set(Fixture.place, other, ["trip": .reference(trips[1])])
    _ = try await fixture.library.restore(Fixture.trip, [trips[0]])
    #expect(try await fixture.value(Fixture.place, twin, "trip") == .reference(trips[0]))
    #expect(try await fixture.value(Fixture.place, other, "trip") == .reference(trips[1]))

    _ = try await fixture.library.delete(Fixture.place, [twin])
    #expect(try await fixture.value(Fixture.place, id, "twins") == .references([other]))
    _ = try await fixture.library.restore(Fixture.place, [twin])
    #expect(
      try await fixture.value(Fixture.place, id, "twins") == .references([twin, other].sorted()))
  }

  @Test(arguments: Kind.allCases)
  func `undo passes by what was overtaken, and goes on to what stands`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let id = try await fixture.add(Fixture.trip, ["title": .text("Norte")])
    let other = try await fixture.add(Fixture.trip, ["title": .text("Oeste")])
    let edit = try await fixture.set(Fixture.trip, id, ["title": .text("Sul")]).transaction
    let theirs = try await fixture.draft(Fixture.trip, id, ["title": .text("Este")])
    _ = try await fixture.library.commit(theirs, origin: .sync)
    #expect(try await fixture.library.undo().undone == (edit ?? 0) - 1)
    #expect(try await fixture.snapshot(Fixture.trip, other).isDeleted)
    await #expect(throws: StoreError.changedSince(edit ?? 0)) {
      try await fixture.library.undo()
    }
  }

  @Test(arguments: Kind.allCases)
  func `model changes are undone one by one`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let id = try await fixture.add(Fixture.trip, ["title": .text("Norte")])
    var model = fixture.library.model
    var numbers: [Int64?] = []
    for name in ["One", "Two"] {
      model.types.append(
        RecordType(
          id: TypeID(trusted: name), fields: [Field(id: FieldID("title"), type: .text)]))
      numbers.append(try await fixture.library.apply(model).transaction)
    }
    #expect(try await fixture.library.undo().undone == numbers[1])
    #expect(try await fixture.library.undo().undone == numbers[0])
    #expect(fixture.library.model.visibleTypes.count == Fixture.model.types.count)
    _ = try await fixture.library.undo()
    #expect(try await fixture.snapshot(Fixture.trip, id).isDeleted)
  }

  @Test(arguments: Kind.allCases)
  func `purge leaves nothing of a record's values`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let id = try await fixture.add(Fixture.place, ["name": .text("secret")])
    try await fixture.set(Fixture.place, id, ["name": .text("other")])
    _ = try await fixture.library.purge(Fixture.place, [id])
    #expect(try await fixture.library.snapshot(Fixture.place, id) == nil)
    #expect(!(try await fixture.dump()).contains("secret"))
    // Neither the purge nor what came before it can be taken back, and that is what is said.
    for number in try await fixture.library.history(limit: 3).map(\.number) {
      await #expect(throws: StoreError.purged(number)) {
        try await fixture.library.undo(number)
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `references are nullified, cascaded or denied, as their field says`(
    _ kind: Kind
  ) async throws {
    let fixture = try await Fixture(kind)
    let trip = try await fixture.add(Fixture.trip, ["title": .text("Summer")])
    let leg = try await fixture.add(
      Fixture.trip, ["title": .text("Ferry"), "parent": .reference(trip)])
    let country = try await fixture.add(Fixture.country, ["iso": .text("GR")])
    let place = try await fixture.add(
      Fixture.place,
      ["name": .text("Skyros"), "trip": .reference(trip), "home": .reference(country)])
    let reference = RecordReference(type: Fixture.place, id: place)
    await #expect(throws: StoreError.referred(country, by: [reference])) {
      try await fixture.library.delete(Fixture.country, [country])
    }
    let deletion = try await fixture.library.delete(Fixture.trip, [trip])
    #expect(Set(deletion.records.map(\.id)) == [trip, leg])
    #expect(try await fixture.value(Fixture.place, place, "trip") == .empty)
    _ = try await fixture.library.undo()
    #expect(try await fixture.value(Fixture.place, place, "trip") == .reference(trip))
    #expect(try await !fixture.snapshot(Fixture.trip, leg).isDeleted)
  }

  @Test(arguments: Kind.allCases)
  func `a field or a type that nobody sees neither deletes nor refuses`(
    _ kind: Kind
  ) async throws {
    let fixture = try await Fixture(kind)
    let trip = try await fixture.add(Fixture.trip, ["title": .text("Summer")])
    let leg = try await fixture.add(
      Fixture.trip, ["title": .text("Ferry"), "parent": .reference(trip)])
    let country = try await fixture.add(Fixture.country, ["iso": .text("GR")])
    try await fixture.add(
      Fixture.place, ["name": .text("Skyros"), "home": .reference(country)])
    var model = fixture.library.model
    model.types[1].fields.removeAll { $0.id == FieldID("parent") }
    model.types.removeAll { $0.id == Fixture.place }
    _ = try await fixture.library.apply(model, losing: true)
    _ = try await fixture.library.delete(Fixture.country, [country])
    let deletion = try await fixture.library.delete(Fixture.trip, [trip])
    #expect(deletion.records.map(\.id) == [trip])
    #expect(try await !fixture.snapshot(Fixture.trip, leg).isDeleted)
    #expect(try await fixture.value(Fixture.trip, leg, "parent") == .reference(trip))
  }

  @Test(arguments: Kind.allCases)
  func `back references and titles are found`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let one = try await fixture.add(Fixture.place, ["name": .text("One")])
    let two = try await fixture.add(
      Fixture.place, ["name": .text("Two"), "twins": .references([one])])
    let reference = RecordReference(type: Fixture.place, id: one)
    #expect(try await fixture.library.referrers(of: reference, limit: 5).map(\.id) == [two])
    #expect(try await fixture.library.titles([reference]) == [reference: "One"])
    #expect(
      try await fixture.library.find(Fixture.place, titled: "Two", limit: 2) == [two])
    #expect(try await fixture.library.find(Fixture.place, titled: "two", limit: 2) == [])
  }

  @Test(arguments: Kind.allCases)
  func `undo passes over what a purge made impossible`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    let kept = try await fixture.add(Fixture.place, ["name": .text("A")])
    let edit = try #require(
      try await fixture.set(Fixture.place, kept, ["name": .text("B")]).transaction)
    let lost = try await fixture.add(Fixture.place, ["name": .text("C")])
    try await fixture.set(Fixture.place, lost, ["name": .text("D")])
    _ = try await fixture.library.delete(Fixture.place, [lost])
    _ = try await fixture.library.purge(Fixture.place, [lost])
    #expect(try await fixture.library.undo().undone == edit)
    #expect(try await fixture.value(Fixture.place, kept, "name") == .text("A"))
  }

  @Test(arguments: Kind.allCases)
  func `the tags that records have are known, the most used first`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    for tags in [["coast", "port"], ["coast"], ["hill"]] {
      _ = try await fixture.add(
        Fixture.place, ["name": .text("A"), "tags": .tags(nonEmpty: TagSet(tags))])
    }
    let tags = FieldID(trusted: "tags")
    let known = try await fixture.library.knownTags(of: tags, in: Fixture.place, limit: 10)
    #expect(known == ["coast", "hill", "port"])
    #expect(
      try await fixture.library.knownTags(of: tags, in: Fixture.place, limit: 1) == ["coast"])
  }

  @Test(arguments: Kind.allCases)
  func `a text with a zero character is refused by the one door`(_ kind: Kind) async throws {
    let fixture = try await Fixture(kind)
    await #expect(throws: StoreError.self) {
      try await fixture.add(Fixture.place, ["name": .text("a\u{0}b")])
    }
    #expect(try await fixture.library.counts()[Fixture.place] ?? 0 == 0)
  }
}
