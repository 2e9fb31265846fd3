import Foundation
import Records
import TestKit
import Testing

/// The algebra of the join (invariants J1 to J5) over generated histories.
struct JoinTests {
  static let triples = 100_000

  @Test func `the join is commutative, associative and idempotent, and shows one value`() {
    let seed = SeededGenerator.seed(
      standard: 20_261_121, environment: ProcessInfo.processInfo.environment)
    let type = RandomHistory.sampleType
    var checked = 0
    var history = seed
    while checked < Self.triples {
      history += 1
      var copies = RandomHistory(seed: history, devices: 3)
      for _ in 0..<25 {
        copies.step()
        let (a, b, c) = (copies.copies[0], copies.copies[1], copies.copies[2])
        checked += 1
        let ab = a.joined(with: b)
        guard ab == b.joined(with: a) else {
          Issue.record("not commutative; SKYROS_SEED=\(history - 1)")
          return
        }
        let left = ab.joined(with: c)
        let right = a.joined(with: b.joined(with: c))
        guard left == right else {
          Issue.record("not associative; SKYROS_SEED=\(history - 1)")
          return
        }
        guard a.joined(with: a) == a, left.joined(with: a) == left else {
          Issue.record("not idempotent; SKYROS_SEED=\(history - 1)")
          return
        }
        let isEmpty = left.registers.values.contains { $0.siblings.isEmpty }
        guard !isEmpty, left.vector.covers(ab.vector) else {
          Issue.record("an empty register or a vector that shrank; SKYROS_SEED=\(history - 1)")
          return
        }
        for field in type.fields
        where left.settledValue(of: field) != right.settledValue(of: field) {
          Issue.record("\(field.id) settles differently; SKYROS_SEED=\(history - 1)")
        }
      }
    }
    #expect(checked >= Self.triples)
  }

  @Test func `a state survives its whole byte form and its compact form`() throws {
    let type = RandomHistory.sampleType
    for seed in UInt64(1)...400 {
      var history = RandomHistory(seed: seed, devices: 3)
      for _ in 0..<20 { history.step() }
      for state in history.copies {
        guard let newest = state.newest else { continue }
        let whole = StateCodec.whole(state)
        #expect(try StateCodec.whole(reading: whole) == state, "seed \(seed)")
        var shown: [FieldID: Value] = [:]
        for field in type.fields { shown[field.id] = state.settledValue(of: field) }
        let row = StateCodec.Row(type: type, shown: shown, newest: newest)
        let compact = StateCodec.compact(state, row: row)
        #expect(try StateCodec.compact(reading: compact, row: row) == state, "seed \(seed)")
      }
    }
  }

  @Test func `hostile bytes are refused and never trap`() {
    var random = SeededGenerator(seed: 7)
    var history = RandomHistory(seed: 3, devices: 3)
    for _ in 0..<30 { history.step() }
    let whole = StateCodec.whole(history.copies[0])
    for _ in 0..<5_000 {
      var bytes = whole
      for _ in 0..<3 {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        bytes[index] = UInt8.random(in: 0...255, using: &random)
      }
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      _ = try? StateCodec.whole(reading: bytes)
    }
    #expect(throws: ByteError.self) { try StateCodec.whole(reading: whole.dropLast()) }
  }
}

struct SettlingTests {
  let type = RandomHistory.sampleType
  let a = DeviceID(rawValue: 1)
  let b = DeviceID(rawValue: 2)

  func stamp(_ time: Int64, _ device: DeviceID) -> Stamp {
    Stamp(time: HybridTime(milliseconds: time), device: device)
  }

  func field(_ name: String) -> Field { type.field(FieldID(trusted: name)) ?? type.fields[0] }

  @Test func `two devices that write different values conflict, and the later is shown`() {
    var base = RecordState()
    base.write(.text("old"), to: field("title"), stamp: stamp(1, a))
    var left = base
    var right = base
    left.write(
      .text("left"), to: field("title"), stamp: stamp(2, a),
      acknowledged: HybridTime(milliseconds: 1))
    right.write(.text("right"), to: field("title"), stamp: stamp(3, b))
    let joined = left.joined(with: right)
    #expect(joined.settledValue(of: field("title")) == .text("right"))
    let conflict = joined.conflicts(in: type)
    #expect(
      conflict == [
        Conflict(
          field: field("title").id, base: .text("old"),
          sides: [
            ConflictSide(stamp: stamp(3, b), value: .value(.text("right"))),
            ConflictSide(stamp: stamp(2, a), value: .value(.text("left"))),
          ])
      ])
  }

  @Test func `a later write that saw both sides settles the conflict everywhere`() {
    var left = RecordState()
    var right = RecordState()
    left.write(.text("left"), to: field("title"), stamp: stamp(2, a))
    right.write(.text("right"), to: field("title"), stamp: stamp(3, b))
    var settled = left.joined(with: right)
    settled.write(.text("left"), to: field("title"), stamp: stamp(4, a))
    #expect(right.joined(with: settled).conflicts(in: type).isEmpty)
    #expect(right.joined(with: settled).settledValue(of: field("title")) == .text("left"))
  }

  @Test func `texts that Unicode calls equal are two values when their bytes differ`() {
    let composed = "caf\u{E9}"
    let decomposed = "cafe\u{301}"
    #expect(composed == decomposed)
    #expect(Value.text(composed) != .text(decomposed))
    #expect(TagSet([composed, decomposed]).tags.map { Array($0.utf8) }.count == 2)

    let tags = Field(id: FieldID(trusted: "tags"), type: .tags)
    var one = RecordState()
    var other = RecordState()
    one.write(
      .tags(nonEmpty: TagSet([composed])), to: tags,
      stamp: Stamp(time: HybridTime(milliseconds: 1), device: DeviceID(rawValue: 1)))
    other.write(
      .tags(nonEmpty: TagSet([decomposed])), to: tags,
      stamp: Stamp(time: HybridTime(milliseconds: 1), device: DeviceID(rawValue: 2)))
    let joined = one.joined(with: other)
    #expect(StateCodec.whole(joined) == StateCodec.whole(other.joined(with: one)))
    #expect(joined.settledValue(of: tags) == .tags(TagSet([decomposed, composed])))
  }

  @Test func `lines that end in CR LF merge one by one`() {
    let pieces = LineMerge.merge(
      base: "a\r\nb\r\nc", mine: "A\r\nb\r\nc", theirs: "a\r\nb\r\nC")
    #expect(LineMerge.text(pieces, takingMine: true) == "A\r\nb\r\nC")
  }

  @Test func `equal values written apart never conflict`() {
    var left = RecordState()
    var right = RecordState()
    left.write(.text("same"), to: field("title"), stamp: stamp(2, a))
    right.write(.text("same"), to: field("title"), stamp: stamp(3, b))
    #expect(left.joined(with: right).conflicts(in: type).isEmpty)
  }

  @Test func `tags added and removed apart settle by union, and present wins`() {
    var base = RecordState()
    base.write(.tags(TagSet(["x", "y"])), to: field("tags"), stamp: stamp(1, a))
    var left = base
    var right = base
    left.write(.tags(TagSet(["x"])), to: field("tags"), stamp: stamp(2, a))
    right.write(.tags(TagSet(["x", "y", "z"])), to: field("tags"), stamp: stamp(3, b))
    let joined = left.joined(with: right)
    #expect(joined.settledValue(of: field("tags")) == .tags(TagSet(["x", "z"])))
    #expect(joined.conflicts(in: type).isEmpty)
  }

  @Test func `counters add up what each device added`() {
    var base = RecordState()
    base.write(.integer(10), to: field("count"), stamp: stamp(1, a))
    var left = base
    var right = base
    left.write(.integer(13), to: field("count"), stamp: stamp(2, a))
    right.write(.integer(5), to: field("count"), stamp: stamp(3, b))
    #expect(left.joined(with: right).settledValue(of: field("count")) == .integer(8))
  }

  @Test func `long text merges by lines, and only clashing parts remain`() {
    var base = RecordState()
    base.write(.text("one\ntwo\nthree"), to: field("body"), stamp: stamp(1, a))
    let seen = HybridTime(milliseconds: 1)
    var left = base
    var right = base
    left.write(
      .text("ONE\ntwo\nthree"), to: field("body"), stamp: stamp(2, a), acknowledged: seen)
    right.write(.text("one\ntwo\nTHREE"), to: field("body"), stamp: stamp(3, b))
    let joined = left.joined(with: right)
    #expect(joined.settledValue(of: field("body")) == .text("ONE\ntwo\nTHREE"))
    #expect(!joined.isConflict(field("body")))
    var clash = base
    clash.write(.text("uno\ntwo\nthree"), to: field("body"), stamp: stamp(4, b))
    let clashing = left.joined(with: clash)
    #expect(clashing.isConflict(field("body")))
    #expect(clashing.settledValue(of: field("body")) == .text("uno\ntwo\nthree"))
  }

  @Test func `an edit that a deletion had not seen keeps the record, disputed`() {
    var base = RecordState()
    base.write(.text("old"), to: field("title"), stamp: stamp(1, a))
    var deleted = base
    deleted.delete(stamp: stamp(2, a))
    #expect(deleted.existence == .deleted)
    var edited = base
    edited.write(.text("new"), to: field("title"), stamp: stamp(3, b))
    var joined = deleted.joined(with: edited)
    #expect(joined.existence == .disputed)
    #expect(joined.conflicts(in: type).map(\.field) == [nil])
    joined.delete(stamp: stamp(4, a))
    #expect(joined.existence == .deleted)
    var kept = deleted.joined(with: edited)
    kept.revive(stamp: stamp(4, b))
    #expect(kept.joined(with: deleted).existence == .alive)
  }

  @Test func `a base is what others saw, however often its writer wrote since`() {
    var mine = RecordState()
    mine.write(.text("v0"), to: field("title"), stamp: stamp(1, a))
    let seen = HybridTime(milliseconds: 1)
    mine.write(.text("v1"), to: field("title"), stamp: stamp(2, a), acknowledged: seen)
    mine.write(.text("v2"), to: field("title"), stamp: stamp(3, a), acknowledged: seen)
    #expect(mine.registers[.field(field("title").id)]?.winner.base == .text("v0"))
  }

  @Test func `a stamp far in the future is joined but does not drag the clock along`() {
    var clock = HybridClock(last: .zero)
    let future = VersionVector([stamp(100_000_000, b)])
    #expect(clock.tick(milliseconds: 1_000, above: future) == HybridTime(milliseconds: 1_000))
    let near = VersionVector([stamp(60_000, b)])
    #expect(clock.tick(milliseconds: 1_000, above: near) > HybridTime(milliseconds: 60_000))
  }

  @Test func `a clone's unseen writes move to its new device, and a deletion stays one`() {
    var state = RecordState()
    state.write(.text("seen"), to: field("title"), stamp: stamp(1, a))
    state.write(.text("unseen"), to: field("body"), stamp: stamp(5, a))
    state.delete(stamp: stamp(6, a))
    let clone = DeviceID(rawValue: 9)
    state.rename(a, to: clone, after: HybridTime(milliseconds: 2))
    #expect(state.registers[.field(field("title").id)]?.winner.stamp.device == a)
    #expect(state.registers[.field(field("body").id)]?.winner.stamp.device == clone)
    #expect(state.existence == .deleted)
    #expect(state.vector.time(of: a) == HybridTime(milliseconds: 2))
    #expect(state.vector.time(of: clone) == HybridTime(milliseconds: 6))
  }

  @Test func `a clone's counter is counted once`() {
    var state = RecordState()
    state.write(.integer(5), to: field("count"), stamp: stamp(1, a))
    state.write(.text("seen too"), to: field("title"), stamp: stamp(2, a))
    let others = state
    let acknowledged = HybridTime(milliseconds: 2)
    state.write(.integer(9), to: field("count"), stamp: stamp(5, a), acknowledged: acknowledged)
    state.write(.integer(12), to: field("count"), stamp: stamp(6, a), acknowledged: acknowledged)
    let clone = DeviceID(rawValue: 9)
    state.rename(a, to: clone, after: acknowledged)
    #expect(state.settledValue(of: field("count")) == .integer(12))
    let joined = state.joined(with: others)
    #expect(joined.settledValue(of: field("count")) == .integer(12))
    #expect(others.joined(with: state) == joined)
    var sent = state
    sent.dropSettledBases { _ in false }
    #expect(sent.registers.values.allSatisfy { $0.winner.base == nil })
  }

  @Test func `a sum that fits is written, and one that does not says so`() {
    var state = RecordState()
    state.write(.integer(-1), to: field("count"), stamp: stamp(1, a))
    #expect(state.fits(.integer(.max), in: field("count"), writer: a))
    state.write(.integer(.max), to: field("count"), stamp: stamp(2, a))
    #expect(state.settledValue(of: field("count")) == .integer(.max))
    var theirs = RecordState()
    theirs.write(.integer(-1), to: field("count"), stamp: stamp(1, b))
    #expect(!theirs.fits(.integer(.max), in: field("count"), writer: a))
    #expect(theirs.fits(.integer(.max - 1), in: field("count"), writer: a))
  }
}
