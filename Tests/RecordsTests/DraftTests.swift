import Records
import TestKit
import Testing

struct DraftTests {
  let type = RandomHistory.sampleType
  let title = FieldID(trusted: "title")
  let tags = FieldID(trusted: "tags")
  let count = FieldID(trusted: "count")

  func snapshot(_ fields: [FieldID: Value]) -> Snapshot {
    Snapshot(
      type: type.id, id: RecordID(high: 1, low: 1), fields: fields, state: RecordState(),
      created: Timestamp(milliseconds: 0), modified: Timestamp(milliseconds: 0),
      isDeleted: false, isPending: true)
  }

  func draft(_ base: Snapshot) -> Draft {
    Draft(id: DraftID(RecordID(high: 2, low: 2)), editing: base)
  }

  @Test func `undo of long texts remembers as much as memory bears, and always the last step`() {
    var draft = draft(snapshot([title: .text("a")]))
    let piece = String(repeating: "x", count: 1024)
    let long = String(repeating: piece, count: Draft.undoBytesMax / 4096)
    for number in 0..<8 { draft.set(.value(.text("\(number)" + long)), of: title, group: number) }
    var steps = 0
    while draft.canUndo {
      draft.undo()
      steps += 1
    }
    #expect(steps == 3)
    let huge = String(repeating: piece, count: Draft.undoBytesMax / 1024 + 1)
    draft.set(.value(.text(huge)), of: title, group: 30)
    draft.set(.value(.text("z")), of: title, group: 31)
    #expect(draft.undo() == title)
    #expect(draft.input(of: title) == .value(.text(huge)))
  }

  @Test func `a draft is dirty only while something differs from the record`() {
    var draft = draft(snapshot([title: .text("a")]))
    #expect(!draft.isDirty)
    draft.set(.text("b"), of: title)
    #expect(draft.isDirty)
    #expect(draft.changes == [title: .text("b")])
    draft.set(.text("a"), of: title)
    #expect(!draft.isDirty)
  }

  @Test func `undo and redo walk through the steps, and a word typed is one step`() {
    var draft = draft(snapshot([title: .text("a")]))
    draft.set(.value(.text("ab")), of: title, group: 1)
    draft.set(.value(.text("abc")), of: title, group: 1)
    draft.set(.text("z"), of: title)
    #expect(draft.undo() == title)
    #expect(draft.value(of: title) == .text("abc"))
    #expect(draft.undo() == title)
    #expect(draft.value(of: title) == .text("a"))
    #expect(!draft.canUndo)
    draft.redo()
    draft.redo()
    #expect(draft.value(of: title) == .text("z"))
    #expect(!draft.canRedo)
  }

  @Test func `text that does not read as a value is kept and named`() {
    var draft = draft(snapshot([:]))
    draft.set(.unread("12x"), of: count)
    #expect(draft.unreadFields == [count])
    #expect(draft.changes.isEmpty)
    #expect(draft.isDirty)
  }

  @Test func `edits of different fields both survive, and the drift is named`() {
    var draft = draft(snapshot([title: .text("a"), count: .integer(1)]))
    draft.set(.text("mine"), of: title)
    let merge = DraftMerge(
      draft, onto: snapshot([title: .text("a"), count: .integer(5)]), type: type)
    #expect(merge.writes == [title: .text("mine")])
    #expect(merge.conflicts.isEmpty)
    #expect(merge.drift == [count])
  }

  @Test func `edits of one field conflict with base and both sides, and the same edit does not`() {
    var draft = draft(snapshot([title: .text("a")]))
    draft.set(.text("mine"), of: title)
    let clash = DraftMerge(draft, onto: snapshot([title: .text("theirs")]), type: type)
    #expect(
      clash.conflicts == [
        FieldConflict(
          field: title, base: .text("a"), mine: .text("mine"), theirs: .text("theirs"))
      ])
    let same = DraftMerge(draft, onto: snapshot([title: .text("mine")]), type: type)
    #expect(same.conflicts.isEmpty)
    #expect(same.writes.isEmpty)
  }

  @Test func `two that count the same on one base are both counted`() {
    var draft = draft(snapshot([count: .integer(4)]))
    draft.set(.integer(5), of: count)
    let merge = DraftMerge(draft, onto: snapshot([count: .integer(5)]), type: type)
    #expect(merge.writes == [count: .integer(6)])
    #expect(merge.conflicts.isEmpty)
  }

  @Test func `tags and counters merge by what each side added and took away`() {
    var draft = draft(snapshot([tags: .tags(TagSet(["x", "y"])), count: .integer(10)]))
    draft.set(.tags(TagSet(["x", "new"])), of: tags)
    draft.set(.integer(12), of: count)
    let now = snapshot([tags: .tags(TagSet(["x", "y", "theirs"])), count: .integer(20)])
    let merge = DraftMerge(draft, onto: now, type: type)
    #expect(
      merge.writes == [
        tags: .tags(TagSet(["new", "theirs", "x"])), count: .integer(22),
      ])
    #expect(merge.conflicts.isEmpty)
  }

  @Test func `a rebased draft keeps what was typed and shows what is new`() {
    var draft = draft(snapshot([title: .text("a"), count: .integer(1)]))
    draft.set(.text("mine"), of: title)
    draft.rebase(onto: snapshot([title: .text("theirs"), count: .integer(5)]))
    #expect(draft.value(of: title) == .text("mine"))
    #expect(draft.value(of: count) == .integer(5))
    #expect(draft.changes == [title: .text("mine")])
  }

  @Test func `a draft survives the journal with its base, texts and related records`() throws {
    var draft = draft(snapshot([title: .text("札幌"), tags: .tags(TagSet(["a"]))]))
    draft.set(.unread("12x"), of: count)
    draft.set(.text("Porto"), of: title)
    var line = Draft(
      id: DraftID(RecordID(high: 3, low: 3)), new: RecordID(high: 4, low: 4), of: type)
    line.set(.integer(3), of: count)
    draft.related = [line]
    let back = try Draft(bytes: draft.bytes)
    #expect(back.isRecovered)
    #expect(back.base == draft.base)
    #expect(back.changes == draft.changes)
    #expect(back.input(of: count) == .unread("12x"))
    #expect(back.related.map(\.changes) == [[count: .integer(3)]])
    #expect(back.isDirty)
    for length in 0..<draft.bytes.count {
      #expect(throws: ByteError.self) { try Draft(bytes: draft.bytes.prefix(length)) }
    }
  }
}
