// The parts of a state's byte form: device table, stamps, keys, siblings. See StateCodec.

/// Writes a state's parts.
///
/// Device ids are written once, in a table.
struct StateWriter {
  var bytes = ByteWriter()
  private let vector: VersionVector
  private var devices: [DeviceID]

  init(_ state: RecordState, devices: [DeviceID] = []) {
    var all = Set(state.vector.entries.map(\.device)).union(devices)
    for (key, register) in state.registers {
      if case .share(_, let device) = key { all.insert(device) }
      for sibling in register.siblings {
        all.insert(sibling.stamp.device)
        if case .deleted(let seen) = sibling.payload { all.formUnion(seen.entries.map(\.device)) }
      }
    }
    vector = state.vector
    self.devices = all.sorted()
  }

  mutating func header(with stamp: Stamp? = nil) {
    if let stamp, !devices.contains(stamp.device) {
      devices = (devices + [stamp.device]).sorted()
    }
    bytes.varint(UInt64(devices.count))
    for device in devices { bytes.word(device.rawValue) }
    vector(vector)
  }

  func sorted(_ registers: [RegisterKey: Register]) -> [(key: [UInt8], Register)] {
    registers.map { (key: keyBytes($0.key), $0.value) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }

  func keyBytes(_ key: RegisterKey) -> [UInt8] {
    var writer = ByteWriter()
    switch key {
    case .existence: writer.byte(0)
    case .field(let field):
      writer.byte(1)
      writer.text(field.name)
    case .element(let field, let element):
      writer.byte(2)
      writer.text(field.name)
      writer.text(element.text)
    case .share(let field, let device):
      writer.byte(3)
      writer.text(field.name)
      writer.word(device.rawValue)
    }
    return writer.bytes
  }

  /// A value that the row's column shows anyway is not written again.
  mutating func siblings(_ register: Register, shown: Value?) {
    bytes.varint(UInt64(register.siblings.count))
    for sibling in register.siblings {
      stamp(sibling.stamp)
      payload(sibling.payload, shown: shown)
      bytes.byte(sibling.base == nil ? 0 : 1)
      if let base = sibling.base { bytes.value(base) }
    }
  }

  mutating func stamp(_ stamp: Stamp) {
    bytes.varint(UInt64(devices.firstIndex(of: stamp.device) ?? 0))
    bytes.varint(stamp.time.rawValue)
  }

  mutating func payload(_ payload: Payload, shown: Value?) {
    switch payload {
    case .value(let value) where value == shown && !value.isEmpty: bytes.byte(5)
    case .value(let value):
      bytes.byte(0)
      bytes.value(value)
    case .present(let isPresent): bytes.byte(isPresent ? 2 : 1)
    case .alive: bytes.byte(3)
    case .deleted(let seen):
      bytes.byte(4)
      vector(seen)
    }
  }

  private mutating func vector(_ vector: VersionVector) {
    bytes.varint(UInt64(vector.entries.count))
    for entry in vector.entries { stamp(Stamp(time: entry.time, device: entry.device)) }
  }
}

/// Reads a state's parts.
struct StateReader {
  var bytes: ByteReader
  private(set) var vector = VersionVector()
  private var devices: [DeviceID] = []

  init(_ source: some Sequence<UInt8>, version: UInt8) throws(ByteError) {
    bytes = ByteReader(source)
    let found = try bytes.byte()
    guard found == version else { throw found > 2 ? .newer(version: found) : .malformed }
    for _ in 0..<(try bytes.count()) { devices.append(DeviceID(rawValue: try bytes.word())) }
    vector = try readVector()
  }

  mutating func key() throws(ByteError) -> RegisterKey {
    switch try bytes.byte() {
    case 0: .existence
    case 1: .field(try field())
    case 2: .element(try field(), ExactText(try bytes.text()))
    case 3: .share(try field(), DeviceID(rawValue: try bytes.word()))
    default: throw .malformed
    }
  }

  /// A register, or nothing where the bytes say that there is none.
  mutating func siblings(shown: Value?) throws(ByteError) -> Register? {
    var siblings: [Sibling] = []
    for _ in 0..<(try bytes.count()) {
      let stamp = try stamp()
      let payload = try payload(shown: shown)
      let base = try bytes.byte() == 1 ? try bytes.value() : nil
      siblings.append(Sibling(stamp: stamp, payload: payload, base: base))
    }
    return Register(siblings)
  }

  mutating func stamp() throws(ByteError) -> Stamp {
    let index = try bytes.varint()
    guard index < UInt64(devices.count) else { throw .malformed }
    return Stamp(time: try bytes.time(), device: devices[Int(index)])
  }

  private mutating func payload(shown: Value?) throws(ByteError) -> Payload {
    switch try bytes.byte() {
    case 0: .value(try bytes.value())
    case 1: .present(false)
    case 2: .present(true)
    case 3: .alive
    case 4: .deleted(seen: try readVector())
    case 5: .value(shown ?? .empty)
    default: throw .malformed
    }
  }

  private mutating func readVector() throws(ByteError) -> VersionVector {
    var result = VersionVector()
    for _ in 0..<(try bytes.count()) { result.raise(to: try stamp()) }
    return result
  }

  private mutating func field() throws(ByteError) -> FieldID {
    guard let field = FieldID(try bytes.text()) else { throw .malformed }
    return field
  }
}
