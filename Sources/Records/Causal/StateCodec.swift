// Record states as bytes.
//
// Two forms. The whole form stands alone: the trash and the wire use it. The compact form stands
// beside the columns of a record's row and holds only what they do not say; most records need none
// at all, because all their fields were last written at once.
//
// Whole:   1, devices, vector, registers
// Compact: 2, devices, vector, common stamp, exceptions (a key and its siblings, or "no register")
// A device is named by its index in the list of devices. Both are canonical: registers ascend by
// their key's bytes, so that equal states have equal bytes.

/// Encodes and decodes record states.
package enum StateCodec {
  private static let wholeVersion: UInt8 = 1
  private static let compactVersion: UInt8 = 2

  /// A state read from the store needs the row's own columns.
  package struct Row: Sendable {
    /// The visible and hidden fields of the row's type with the values in its columns.
    package var type: RecordType
    package var shown: [FieldID: Value]
    /// The row's `_time` and `_device`: the highest stamp.
    package var newest: Stamp

    package init(type: RecordType, shown: [FieldID: Value], newest: Stamp) {
      self.type = type
      self.shown = shown
      self.newest = newest
    }
  }

  // MARK: Whole

  package static func whole(_ state: RecordState) -> [UInt8] {
    var writer = StateWriter(state)
    writer.bytes.byte(wholeVersion)
    writer.header()
    writer.bytes.varint(UInt64(state.registers.count))
    for (key, register) in writer.sorted(state.registers) {
      writer.bytes.raw(key)
      writer.siblings(register, shown: nil)
    }
    return writer.bytes.bytes
  }

  package static func whole(reading bytes: some Sequence<UInt8>) throws(ByteError) -> RecordState {
    var reader = try StateReader(bytes, version: wholeVersion)
    var registers: [RegisterKey: Register] = [:]
    for _ in 0..<(try reader.bytes.count()) {
      let key = try reader.key()
      guard let register = try reader.siblings(shown: nil) else { throw .malformed }
      registers[key] = register
    }
    return RecordState(vector: reader.vector, registers: registers)
  }

  // MARK: Compact

  /// The bytes that a row needs beside its columns; nothing when the columns say it all.
  package static func compact(_ state: RecordState, row: Row) -> [UInt8]? {
    let common = commonStamp(of: state) ?? row.newest
    let implied = impliedRegisters(row, at: common)
    let exceptions = state.registers.filter { implied[$0.key] != $0.value }
    let missing = implied.keys.filter { state.registers[$0] == nil }
    if exceptions.isEmpty, missing.isEmpty, common == row.newest,
      state.vector == VersionVector([common])
    {
      return nil
    }
    var writer = StateWriter(state)
    writer.bytes.byte(compactVersion)
    writer.header(with: common)
    writer.stamp(common)
    writer.bytes.varint(UInt64(exceptions.count + missing.count))
    let keys = (Array(exceptions.keys) + missing)
      .map { (key: $0, bytes: writer.keyBytes($0)) }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    for entry in keys {
      writer.bytes.raw(entry.bytes)
      if let register = state.registers[entry.key] {
        writer.siblings(register, shown: entry.key.field.flatMap { row.shown[$0] })
      } else {
        writer.bytes.varint(0)
      }
    }
    return writer.bytes.bytes
  }

  package static func compact(reading bytes: [UInt8]?, row: Row) throws(ByteError) -> RecordState {
    guard let bytes else { return plain(row) }
    var reader = try StateReader(bytes, version: compactVersion)
    var registers = impliedRegisters(row, at: try reader.stamp())
    for _ in 0..<(try reader.bytes.count()) {
      let key = try reader.key()
      registers[key] = try reader.siblings(shown: key.field.flatMap { row.shown[$0] })
    }
    return RecordState(vector: reader.vector, registers: registers)
  }

  /// The state of a row that has no bytes beside its columns.
  static func plain(_ row: Row) -> RecordState {
    RecordState(
      vector: VersionVector([row.newest]), registers: impliedRegisters(row, at: row.newest))
  }

  /// A payload's bytes, for the total order that breaks ties between cloned devices.
  static func bytes(of payload: Payload) -> [UInt8] {
    var devices: Set<DeviceID> = []
    if case .deleted(let seen) = payload { devices = Set(seen.entries.map(\.device)) }
    var writer = StateWriter(RecordState(), devices: devices.sorted())
    writer.payload(payload, shown: nil)
    return writer.bytes.bytes
  }

  /// The registers that a row's columns stand for when all were written at one stamp.
  private static func impliedRegisters(_ row: Row, at stamp: Stamp) -> [RegisterKey: Register] {
    var result: [RegisterKey: Register] = [:]
    for field in row.type.fields {
      guard let value = row.shown[field.id], !value.isEmpty else { continue }
      switch field.merge {
      case .union:
        for element in RecordState.elements(of: value) {
          result[.element(field.id, element)] = Register(
            Sibling(stamp: stamp, payload: .present(true)))
        }
      case .sum:
        result[.share(field.id, stamp.device)] = Register(
          Sibling(stamp: stamp, payload: .value(value)))
      case .latest, .lines:
        result[.field(field.id)] = Register(Sibling(stamp: stamp, payload: .value(value)))
      }
    }
    return result
  }

  /// The stamp that most registers have; the highest of those, where several have as many.
  private static func commonStamp(of state: RecordState) -> Stamp? {
    var counts: [Stamp: Int] = [:]
    for register in state.registers.values { counts[register.winner.stamp, default: 0] += 1 }
    return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }
}
