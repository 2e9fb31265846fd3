// The causal state beside a record's typed fields, in one BYTES field. It does not repeat what the
// typed fields say: a value that a field shows is written as its digest, so that a reader also sees
// whether somebody who knows nothing of this form has changed it.
//
//     1, vector, common stamp, entries, rest
//     entry: field name, kind of value, digest, role
//     rest:  the registers that no entry stands for, in the whole form of StateCodec

internal import CloudKitWire
package import Records
internal import RecordStore

/// What a field of the wire has to do with the state.
enum Role: UInt8 {
  /// The register holds this value alone, written at the common stamp.
  case atCommonStamp = 0
  /// The register is in the rest; its winner's value is the field's.
  case winner = 1
  /// The registers are in the rest whole; the field shows what they settle to.
  case settled = 2
  /// A field that the writer's model lacked: nothing can be told from it.
  case unjudged = 3
}

/// The causal field of one record.
package struct CausalBytes: Sendable, Hashable {
  package static let fieldName = "skyros_state"
  static let version: UInt8 = 1
  /// What an entry says of a value that was written at the common stamp, and by nobody since.
  static let plainRole = Role.atCommonStamp.rawValue

  package var state: RecordState
  /// What each typed field held when the state was written; zero for empty.
  package var digests: [FieldID: UInt64]
  package var kinds: [FieldID: ValueKind]
  /// Fields of which the writer could not tell.
  package var unjudged: Set<FieldID>

  // MARK: Writing

  /// The bytes of a state beside the typed fields of its settled values.
  ///
  /// - Parameter checksums: What the service calls the files in the attachment fields. A field whose
  ///   file the service does not hold yet is not vouched for.
  package static func bytes(
    _ state: RecordState, type: RecordType, checksums: [FieldID: String] = [:]
  ) -> [UInt8] {
    let common = commonStamp(of: state)
    var rest = state.registers
    var entries = ByteWriter()
    var count: UInt64 = 0
    func entry(_ field: FieldID, _ kind: UInt8, _ digest: UInt64, _ role: Role) {
      entries.text(field.name)
      entries.byte(kind)
      entries.word(digest)
      entries.byte(role.rawValue)
      count += 1
    }
    for field in type.fields {
      let shown = state.settledValue(of: field)
      guard let kind = ValueKind(shown) else { continue }
      if kind == .attachment {
        // The file is named by what the service calls it; what we say of it is in the rest.
        guard let checksum = checksums[field.id] else { continue }
        entry(field.id, kind.rawValue, Digest64.of(checksum.utf8), .settled)
        continue
      }
      let key = RegisterKey.field(field.id)
      guard let register = rest[key], register.winner.payload == .value(shown),
        field.merge == .latest || field.merge == .lines
      else {
        entry(field.id, kind.rawValue, Digest64.of(shown), .settled)
        continue
      }
      if register.siblings == [Sibling(stamp: common, payload: .value(shown))] {
        rest[key] = nil
        entry(field.id, kind.rawValue, Digest64.of(shown), .atCommonStamp)
      } else {
        let winner = register.winner
        rest[key] = Register(
          [Sibling(stamp: winner.stamp, payload: .value(.empty), base: winner.base)]
            + register.siblings.dropFirst())
        entry(field.id, kind.rawValue, Digest64.of(shown), .winner)
      }
    }
    let known = Set(type.fields.map(\.id))
    let others = Set(state.registers.keys.compactMap(\.field)).subtracting(known)
    for field in others.sorted() { entry(field, 0, 0, .unjudged) }

    var writer = ByteWriter()
    writer.byte(version)
    writer.vector(state.vector)
    writer.stamp(common)
    writer.varint(count)
    writer.raw(entries.bytes)
    if !rest.isEmpty { writer.raw(StateCodec.whole(RecordState(registers: rest))) }
    return writer.bytes
  }

  // MARK: Reading

  /// Reads the bytes, and the values that they leave to the typed fields.
  ///
  /// - Parameter value: The value in a typed field, read as the given kind.
  package init(
    reading bytes: [UInt8], value: (FieldID, ValueKind) -> Value?
  ) throws(ByteError) {
    var reader = ByteReader(bytes)
    let version = try reader.byte()
    guard version == Self.version else {
      throw version > Self.version ? .newer(version: version) : .malformed
    }
    let vector = try reader.vector()
    let common = try reader.stamp()
    digests = [:]
    kinds = [:]
    unjudged = []
    var registers: [RegisterKey: Register] = [:]
    var winners: [FieldID] = []
    for _ in 0..<(try reader.count()) {
      guard let field = FieldID(try reader.text()) else { throw .malformed }
      let rawKind = try reader.byte()
      let digest = try reader.word()
      guard let role = Role(rawValue: try reader.byte()) else { throw .malformed }
      if role == .unjudged {
        unjudged.insert(field)
        continue
      }
      guard let kind = ValueKind(rawValue: rawKind) else { throw .malformed }
      digests[field] = digest
      kinds[field] = kind
      switch role {
      case .atCommonStamp:
        let shown = value(field, kind) ?? .empty
        registers[.field(field)] = Register(Sibling(stamp: common, payload: .value(shown)))
      case .winner: winners.append(field)
      case .settled, .unjudged: break
      }
    }
    if !reader.isAtEnd {
      let rest = try StateCodec.whole(reading: try reader.raw(count: reader.remaining))
      registers.merge(rest.registers) { first, _ in first }
    }
    for field in winners {
      guard let register = registers[.field(field)], let kind = kinds[field] else {
        throw .malformed
      }
      let winner = register.winner
      let shown = value(field, kind) ?? .empty
      registers[.field(field)] = Register(
        [Sibling(stamp: winner.stamp, payload: .value(shown), base: winner.base)]
          + register.siblings.dropFirst())
    }
    state = RecordState(vector: vector, registers: registers)
  }

  /// The stamp that most single-sibling registers have; of as many, the highest.
  private static func commonStamp(of state: RecordState) -> Stamp {
    var counts: [Stamp: Int] = [:]
    for register in state.registers.values { counts[register.winner.stamp, default: 0] += 1 }
    return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
      ?? Stamp(time: .zero, device: DeviceID(rawValue: 0))
  }
}
