import CloudKitWire
import RecordStore
import Records
import Sync
import TestKit
import Testing

/// Records whose fields were all written at once travel by a shorter way, and are the same.
struct PlainShapeTests {
  static let type: RecordType = {
    var type = RecordType(id: TypeID(trusted: "Place"))
    let kinds: [(String, Records.FieldType)] = [
      ("name", .text), ("notes", .longText), ("count", .integer), ("area", .number),
      ("price", .decimal), ("open", .boolean), ("day", .date), ("at", .dateTime),
      ("spot", .location), ("near", .reference(to: TypeID(trusted: "Place"))),
      ("kind", .choice(["a", "b"])), ("tags", .tags), ("visits", .counter), ("photo", .attachment),
    ]
    type.fields = kinds.map { Field(id: FieldID(trusted: $0.0), type: $0.1) }
    return type
  }()
  static let model = Model(types: [type])
  static let stamp = Stamp(time: HybridTime(milliseconds: 1_000), device: DeviceID(rawValue: 7))

  static func values(_ random: inout SeededGenerator) throws -> [Value] {
    let all: [Value] = [
      .text("Kyoto \"京都\"\n"), .text("é\u{301}\u{7}"), .integer(.min), .number(-0.5),
      .decimal(try #require(Decimal("12.5"))), .boolean(false),
      .date(try #require(CalendarDate(year: 2026, month: 11, day: 21))),
      .dateTime(Timestamp(milliseconds: -1)),
      .location(try #require(Location(latitude: 38.9, longitude: 24.5))),
      .reference(RecordID(high: 8, low: 9)), .text("a"),
    ]
    var values = all.map { Bool.random(using: &random) ? $0 : Value.empty }
    values += [.empty, .empty, .empty]
    if values.allSatisfy(\.isEmpty) { values[0] = all[0] }
    return values
  }

  static func pending(_ values: [Value], remote: RemoteCopy? = nil) -> PendingRecord {
    PendingRecord(
      PlainState(stamp: stamp, values: values), of: type, id: RecordID(high: 1, low: 2), row: 1,
      number: 1, created: 0, remote: remote)
  }

  static func stored(_ outgoing: OutgoingRecord) throws -> WireRecord {
    var record = try RecordOperation(body: outgoing.body).record
    record.recordChangeTag = "1"
    return record
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `a plain record goes out and comes in as it does the long way`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pending = Self.pending(try Self.values(&random))
    let shape = PlainShape(Self.type)
    let short = try #require(shape.outgoing(pending, names: [:]), "seed \(seed)")
    let long = try #require(RecordWriting.outgoing(pending, type: Self.type, names: [:]))
    #expect(try RecordOperation(body: short.body) == RecordOperation(body: long.body))
    #expect(short.seen == long.seen)
    #expect(short.name == long.name)
    let record = try Self.stored(short)
    let (plain, seen) = try #require(shape.read(record), "seed \(seed)")
    guard case .change(let change) = RecordReading.read(record, model: Self.model, known: nil),
      case .state(let state) = change.content
    else {
      Issue.record("seed \(seed): not a whole state")
      return
    }
    #expect(plain.state(in: Self.type) == state, "seed \(seed)")
    #expect(plain == pending.plain)
    #expect(seen.bytes == change.remote?.seen)
  }

  @Test func `what is not plain is left to the long way`() throws {
    let shape = PlainShape(Self.type)
    var random = SeededGenerator(seed: 3)
    var values = try Self.values(&random)
    values[0] = .text("Kyoto")
    let plain = Self.pending(values)
    #expect(shape.outgoing(plain, names: [:]) != nil)
    // The service has it already: what is cleared has to be said.
    #expect(shape.outgoing(Self.pending(values, remote: RemoteCopy(tag: "1")), names: [:]) == nil)
    values[11] = .tags(TagSet(["a"]))
    #expect(shape.outgoing(Self.pending(values), names: [:]) == nil)
    values[11] = .empty
    values[12] = .integer(3)
    #expect(shape.outgoing(Self.pending(values), names: [:]) == nil)

    let record = try Self.stored(try #require(shape.outgoing(plain, names: [:])))
    #expect(shape.read(record) != nil)
    var deleted = record
    deleted.fields[RecordWriting.deletedFieldName] = .int64(1)
    #expect(shape.read(deleted) == nil)
    var kept = record
    kept.fields[RecordWriting.deletedFieldName] = .int64(0)
    #expect(shape.read(kept) != nil)
    // A writer who knows nothing of causal states changed, added or took away a value.
    var changed = record
    changed.fields["name"] = .string("Kioto")
    #expect(shape.read(changed) == nil)
    var added = record
    added.fields["tags"] = .strings(["a"])
    #expect(shape.read(added) == nil)
    var cleared = record
    cleared.fields["name"] = nil
    #expect(shape.read(cleared) == nil)
    var foreign = record
    foreign.fields[CausalBytes.fieldName] = nil
    #expect(shape.read(foreign) == nil)
  }
}
