import CloudKitWire
import RecordStore
import Records
import Sync
import TestKit
import Testing

/// Records on the wire and back: nothing is lost, and writers who know no causal states are
/// understood the same way everywhere.
struct RecordWireTests {
  static let type = RandomHistory.sampleType
  static let model = Model(types: [type])
  static let id = RecordID(high: 1, low: 2)
  static let title = FieldID(trusted: "title")
  static let tags = FieldID(trusted: "tags")

  static func outgoing(_ state: RecordState, remote: RemoteCopy? = nil) throws -> OutgoingRecord {
    let pending = PendingRecord(
      reference: RecordReference(type: type.id, id: id), number: 1, state: state, created: 0,
      remote: remote)
    return try #require(RecordWriting.outgoing(pending, type: type, names: [:]))
  }

  /// What the service would give back.
  static func stored(_ outgoing: OutgoingRecord, tag: String) throws -> WireRecord {
    var record = try WireRecord(
      body: RecordOperation(body: outgoing.body).record.body())
    record.recordChangeTag = tag
    record.fields = record.fields.filter { $0.value.value != nil }
    record.modified = WireStamp(timestamp: 2_000_000, userRecordName: "_somebody")
    return record
  }

  static func read(_ record: WireRecord, known: RemoteCopy? = nil) throws -> RemoteChange {
    guard case .change(let change) = RecordReading.read(record, model: model, known: known) else {
      throw MalformedMessage("held", at: 0)
    }
    return change
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `any state comes back from the wire as it went`(seed: UInt64) throws {
    var history = RandomHistory(seed: seed, devices: 3)
    for _ in 0..<30 { history.step() }
    for copy in history.copies where !copy.vector.entries.isEmpty {
      let change = try Self.read(try Self.stored(try Self.outgoing(copy), tag: "1"))
      guard case .state(let state) = change.content else {
        Issue.record("seed \(seed): not a whole state")
        continue
      }
      #expect(state == copy.travelling(in: Self.type), "seed \(seed)")
    }
  }

  static func sample() -> RecordState {
    var state = RecordState()
    let stamp = Stamp(time: HybridTime(milliseconds: 1_000), device: DeviceID(rawValue: 7))
    for (name, value) in [
      ("title", Value.text("Kyoto")), ("tags", .tags(TagSet(["a", "b"]))), ("count", .integer(3)),
    ] {
      if let field = type.field(FieldID(trusted: name)) {
        state.write(value, to: field, stamp: stamp)
      }
    }
    return state
  }

  @Test func `a foreign writer's change is his, and the rest stays whose it was`() throws {
    let state = Self.sample()
    var record = try Self.stored(try Self.outgoing(state), tag: "2")
    record.fields["title"] = .string("Kioto")
    record.fields["tags"] = .strings(["a", "c"])
    record.fields["count"] = .int64(10)
    guard case .state(let read) = try Self.read(record).content else {
      Issue.record("not a whole state")
      return
    }
    let joined = state.joined(with: read)
    let settled = Self.type.fields.map { joined.settledValue(of: $0) }
    #expect(
      settled == [.text("Kioto"), .tags(TagSet(["a", "c"])), .integer(10), .empty])
    #expect(joined.conflicts(in: Self.type).isEmpty)
    #expect(joined == read)
    let device = RecordNaming.device(ofUser: "_somebody")
    #expect(read.registers[.field(Self.title)]?.winner.stamp.device == device)
    #expect(read.registers[.field(Self.title)]?.winner.stamp.time.milliseconds == 2_000_000)
  }

  @Test func `two devices read the same from the same foreign write`() throws {
    var record = try Self.stored(try Self.outgoing(Self.sample()), tag: "2")
    record.fields["title"] = nil
    guard case .state(let first) = try Self.read(record).content,
      case .state(let second) = try Self.read(record).content
    else {
      Issue.record("not whole states")
      return
    }
    #expect(first == second)
    #expect(first.settledValue(of: Self.type.fields[0]) == .empty)
  }

  @Test func `a second foreign write changes only what differs from what was seen`() throws {
    var record = try Self.stored(try Self.outgoing(Self.sample()), tag: "2")
    record.fields["title"] = .string("Kioto")
    let first = try Self.read(record)
    guard case .state(let seen) = first.content else {
      Issue.record("not a whole state")
      return
    }
    var local = Self.sample().joined(with: seen)
    let own = Stamp(time: HybridTime(milliseconds: 3_000_000), device: DeviceID(rawValue: 7))
    local.write(.text("Kyōto"), to: Self.type.fields[0], stamp: own)
    record.recordChangeTag = "3"
    record.fields["count"] = .int64(4)
    record.modified = WireStamp(timestamp: 4_000_000, userRecordName: "_somebody")
    guard case .partial(let change) = try Self.read(record, known: first.remote).content else {
      Issue.record("not a change")
      return
    }
    let joined = local.joined(with: change)
    #expect(joined.settledValue(of: Self.type.fields[0]) == .text("Kyōto"))
    #expect(joined.settledValue(of: Self.type.fields[2]) == .integer(4))
    #expect(joined.conflicts(in: Self.type).isEmpty)
  }

  @Test func `an unseen edit here and a foreign one there are a conflict`() throws {
    let sent = try Self.outgoing(Self.sample())
    var local = Self.sample()
    let own = Stamp(time: HybridTime(milliseconds: 1_500), device: DeviceID(rawValue: 7))
    local.write(.text("Kyōto"), to: Self.type.fields[0], stamp: own)
    var record = try Self.stored(sent, tag: "2")
    record.fields["title"] = .string("Kioto")
    let known = RemoteCopy(tag: "1", seen: sent.seen?.bytes)
    guard case .partial(let change) = try Self.read(record, known: known).content else {
      Issue.record("not a change")
      return
    }
    let conflicts = local.joined(with: change).conflicts(in: Self.type)
    #expect(conflicts.count == 1)
    #expect(
      Set(conflicts.flatMap(\.sides).map(\.value)) == [
        .value(.text("Kyōto")), .value(.text("Kioto")),
      ])
  }

  @Test func `a record that another program made is taken in under an identity of its name`() throws
  {
    var record = WireRecord(
      recordName: "B1946AC9-2E11-4A3B-9C33-1C1E5B1A7A55", recordType: Self.type.id.name,
      recordChangeTag: "1", fields: ["title": .string("Foreign"), "unknown": .int64(1)])
    record.modified = WireStamp(timestamp: 5_000, userRecordName: "_somebody")
    let change = try Self.read(record)
    #expect(change.remote?.name == record.recordName)
    #expect(change.reference.id == RecordNaming.id(of: record.recordName ?? ""))
    guard case .state(let state) = change.content else {
      Issue.record("not a whole state")
      return
    }
    #expect(state.settledValue(of: Self.type.fields[0]) == .text("Foreign"))
    #expect(state.existence == .alive)
  }

  @Test func `skyros_deleted set by another program deletes`() throws {
    let state = Self.sample()
    var record = try Self.stored(try Self.outgoing(state), tag: "2")
    record.fields[RecordWriting.deletedFieldName] = .int64(1)
    guard case .state(let read) = try Self.read(record).content else {
      Issue.record("not a whole state")
      return
    }
    #expect(state.joined(with: read).existence == .deleted)
  }

  @Test func `an unknown type and damaged bytes are held, not lost`() throws {
    var record = try Self.stored(try Self.outgoing(Self.sample()), tag: "1")
    record.fields[CausalBytes.fieldName] = .bytes([1, 2, 3])
    guard case .held(let damaged) = RecordReading.read(record, model: Self.model, known: nil) else {
      Issue.record("not held")
      return
    }
    #expect(damaged.reason == "damaged")
    record.fields[CausalBytes.fieldName] = .bytes([99])
    guard case .held(let newer) = RecordReading.read(record, model: Self.model, known: nil) else {
      Issue.record("not held")
      return
    }
    #expect(newer.reason == "newer")
    guard case .held(let unknown) = RecordReading.read(record, model: Model(), known: nil) else {
      Issue.record("not held")
      return
    }
    #expect(unknown.reason == "unknownType")
    #expect(try WireRecord(body: unknown.message).recordName == record.recordName)
  }

  @Test func `a time that no clock gives is damage, and nothing comes after the last one`() throws {
    for time in [HybridTime.last, HybridTime(rawValue: .max)] {
      var state = Self.sample()
      state.write(
        .value(.text("x")), to: .field(Self.title),
        stamp: Stamp(time: time, device: DeviceID(rawValue: 7)))
      var record = try Self.stored(try Self.outgoing(state), tag: "1")
      record.fields[Self.title.name] = .string("by somebody who knows no states")
      let read = RecordReading.read(record, model: Self.model, known: nil)
      guard time > .last else {
        guard case .change = read else { throw MalformedMessage("held", at: 0) }
        continue
      }
      guard case .held(let held) = read else { throw MalformedMessage("read", at: 0) }
      #expect(held.reason == "damaged")
    }
    #expect(HybridTime(rawValue: .max).next == .last)
  }

  @Test(arguments: 1...500 as ClosedRange<UInt64>)
  func `hostile causal bytes never trap`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var record = try Self.stored(try Self.outgoing(Self.sample()), tag: "1")
    guard case .bytes(var bytes) = record.fields[CausalBytes.fieldName]?.value else { return }
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
        in: .min ... .max, using: &random)
    }
    if Bool.random(using: &random) {
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
    }
    record.fields[CausalBytes.fieldName] = .bytes(bytes)
    _ = RecordReading.read(record, model: Self.model, known: nil)
  }
}
