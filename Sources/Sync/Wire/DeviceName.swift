// What people call a device, as it travels: each device writes its own name into a register of its own
// beside those of the model, where it is joined like them (Records, J2). Whoever knows nothing of it
// keeps it to the bit. Pure.

package import RecordStore
package import Records

package enum DeviceName {
  /// No name that a person gives is longer; a hostile one could be.
  package static let lengthMax = 64

  private static let field = FieldID(trusted: "device")

  private static func register(of device: DeviceID) -> RegisterKey {
    .element(field, ExactText(device.description))
  }

  /// Writes a device's own name, where it is not the one that is there.
  static func write(_ name: String, into state: inout RecordState, stamp: Stamp) {
    state.write(.value(.text(name)), to: register(of: stamp.device), stamp: stamp)
  }

  /// The name that registers have for a device.
  static func name(of device: DeviceID, in state: RecordState) -> String? {
    text(state.registers[register(of: device)])
  }

  /// All names, fit to be shown: on one line, bounded, without characters that nobody sees.
  package static func names(in states: some Sequence<RecordState>) -> [DeviceID: String] {
    var newest: [DeviceID: (stamp: Stamp, name: String)] = [:]
    for state in states {
      for (key, register) in state.registers {
        guard case .element(field, let id) = key, let device = device(id.text),
          let name = text(register)
        else { continue }
        let stamp = register.winner.stamp
        if let known = newest[device], known.stamp >= stamp { continue }
        newest[device] = (stamp, name)
      }
    }
    return newest.compactMapValues { shown($0.name) }
  }

  private static func device(_ text: String) -> DeviceID? {
    UInt64(text, radix: 16).map(DeviceID.init(rawValue:)).flatMap {
      $0.description == text ? $0 : nil
    }
  }

  private static func text(_ register: Register?) -> String? {
    if case .text(let text)? = register?.winner.value { text } else { nil }
  }

  /// A name without control characters, directions and the like, which could make it look like
  /// something else; nothing where nothing is left.
  package static func shown(_ name: String) -> String? {
    var result = ""
    for scalar in name.unicodeScalars.prefix(lengthMax) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
        .unassigned:
        break
      case .spaceSeparator: if !result.isEmpty, !result.hasSuffix(" ") { result += " " }
      default: result.unicodeScalars.append(scalar)
      }
    }
    if result.hasSuffix(" ") { result.removeLast() }
    return result.isEmpty ? nil : result
  }
}

extension SyncExchange {
  /// Writes down what this device is called, once and whenever it is called otherwise.
  ///
  /// It travels with the first type; a library without a type has no record that could be disputed.
  func writeDownName() async throws {
    let shapes = try await library.shapes()
    let (device, name) = (library.device, library.surroundings.deviceName)
    guard var shape = shapes.first,
      !shapes.contains(where: { DeviceName.name(of: device, in: $0.state) == name })
    else { return }
    var clock = HybridClock(last: shape.state.vector.time(of: device))
    let time = clock.tick(
      milliseconds: library.surroundings.milliseconds(), above: shape.state.vector)
    DeviceName.write(name, into: &shape.state, stamp: Stamp(time: time, device: device))
    shape.isPending = true
    try await library.keep([shape])
  }
}

extension Library {
  /// What the devices that sync with this library are called, as far as they said so.
  package func deviceNames() async throws -> [DeviceID: String] {
    DeviceName.names(in: try await shapes().map(\.state))
  }
}
