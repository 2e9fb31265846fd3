// The whole causal state of one record: what joins, what is written, what is shown.
// Pure values. Stamps come from outside; nothing here reads a clock.

/// The causal state of a record: its registers, and the vector of what this copy has seen.
package struct RecordState: Hashable, Sendable {
  package private(set) var vector: VersionVector
  package private(set) var registers: [RegisterKey: Register]

  package init(vector: VersionVector = .empty, registers: [RegisterKey: Register] = [:]) {
    self.vector = vector
    self.registers = registers
  }

  /// The highest stamp of any write that stands; nothing for a record that was never written.
  package var newest: Stamp? {
    registers.values.lazy.map(\.winner.stamp).max()
  }

  /// The join of two copies: commutative, associative, idempotent (J2).
  package func joined(with other: RecordState) -> RecordState {
    var result = RecordState(vector: vector)
    result.vector.merge(other.vector)
    for (key, register) in registers {
      result.registers[key] = Register.join(
        register, vector, other.registers[key], other.vector)
    }
    for (key, register) in other.registers where registers[key] == nil {
      result.registers[key] = register
    }
    return result
  }

  // MARK: Writing (J1)

  /// Replaces a register by one write, and raises the vector.
  package mutating func write(
    _ payload: Payload, to key: RegisterKey, stamp: Stamp, base: Value? = nil
  ) {
    registers[key] = Register(Sibling(stamp: stamp, payload: payload, base: base))
    vector.raise(to: stamp)
  }

  /// Writes what a person saved into a field, in the way in which the field settles.
  ///
  /// A union writes the elements that differ; a sum adds the difference to the device's own share;
  /// all others replace the value and remember the one it came from. A sum that does not fit is left:
  /// see ``fits(_:in:writer:)``.
  ///
  /// - Parameter acknowledged: The device's highest time that other devices may have seen. A value
  ///   replaced before anybody saw it hands its ancestor on, so that the base is what others share.
  package mutating func write(
    _ value: Value, to field: Field, stamp: Stamp, acknowledged: HybridTime = .zero
  ) {
    let shown = settledValue(of: field)
    switch field.merge {
    case .union:
      let before = Set(Self.elements(of: shown))
      let after = Set(Self.elements(of: value))
      for element in after where !before.contains(element) {
        write(.present(true), to: .element(field.id, element), stamp: stamp)
      }
      for element in before where !after.contains(element) {
        write(.present(false), to: .element(field.id, element), stamp: stamp)
      }
    case .sum:
      guard let share = share(for: value, in: field, writer: stamp.device) else { break }
      let key = RegisterKey.share(field.id, stamp.device)
      let base = knownShare(key, acknowledged: acknowledged)
      write(.value(.integer(share)), to: key, stamp: stamp, base: base)
    case .latest, .lines:
      let base = ancestor(of: field, shown: shown, writer: stamp.device, acknowledged: acknowledged)
      write(.value(value), to: .field(field.id), stamp: stamp, base: base)
      if field.type.hasParts { replaceParts(of: field.id, by: value, stamp: stamp) }
    }
    vector.raise(to: stamp)
  }

  /// Whether a field can come to hold the value: a counter's share has bounds of its own.
  package func fits(_ value: Value, in field: Field, writer: DeviceID) -> Bool {
    field.merge != .sum || share(for: value, in: field, writer: writer) != nil
  }

  /// The share by which a counter comes to a value; nothing for one that no share can hold.
  private func share(for value: Value, in field: Field, writer: DeviceID) -> Int64? {
    let others =
      Int128(Self.count(settledValue(of: field))) - Int128(share(of: writer, in: field.id))
    return Int64(exactly: Int128(Self.count(value)) - others)
  }

  /// What others know of a device's share.
  private func knownShare(_ key: RegisterKey, acknowledged: HybridTime) -> Value? {
    guard let winner = registers[key]?.winner else { return nil }
    return winner.stamp.time > acknowledged ? winner.base : winner.value
  }

  /// Has the elements and shares from before the field settled by its latest write say the same.
  private mutating func replaceParts(of field: FieldID, by value: Value, stamp: Stamp) {
    let elements = Set(Self.elements(of: value))
    for key in registers.keys where key.isPart(of: field) {
      if case .element(_, let element) = key {
        write(.present(elements.contains(element)), to: key, stamp: stamp)
      } else {
        write(.value(.integer(0)), to: key, stamp: stamp)
      }
    }
  }

  /// What a new value of a field came from, as other devices know it.
  private func ancestor(
    of field: Field, shown: Value, writer: DeviceID, acknowledged: HybridTime
  ) -> Value? {
    guard let register = registers[.field(field.id)] else { return shown.isEmpty ? nil : shown }
    let winner = register.winner
    let isUnseen = winner.stamp.device == writer && winner.stamp.time > acknowledged
    return isUnseen && !register.isConflict ? winner.base : shown
  }

  /// Marks the record deleted by someone who has seen all of this copy (J4).
  package mutating func delete(stamp: Stamp) {
    write(.deleted(seen: vector), to: .existence, stamp: stamp)
  }

  /// Takes a deletion back, or keeps the record where a deletion and an edit disagree (J4).
  package mutating func revive(stamp: Stamp) {
    write(.alive, to: .existence, stamp: stamp)
  }

  /// Has writers disagree about a register again, each side a write of its own.
  package mutating func reopen(_ key: RegisterKey, with siblings: [Sibling]) {
    guard let register = Register(siblings) else { return }
    registers[key] = register
    for sibling in siblings { vector.raise(to: sibling.stamp) }
  }

  /// Forgets the ancestors of undisputed values, which nobody will compare with any more.
  ///
  /// Fields that settle by `lines` keep theirs: there the ancestor is part of what settles (J5).
  package mutating func dropSettledBases(except keeps: (FieldID) -> Bool) {
    for (key, register) in registers
    where register.siblings.count == 1 && register.winner.base != nil {
      if case .field(let field) = key, keeps(field) { continue }
      registers[key] = Register(
        Sibling(stamp: register.winner.stamp, payload: register.winner.payload))
    }
  }

  /// Re-stamps the writes of a cloned device that nobody else has seen under a new one (J6).
  ///
  /// - Parameter acknowledged: The old device's highest time that others may have seen.
  package mutating func rename(_ old: DeviceID, to new: DeviceID, after acknowledged: HybridTime) {
    func renamed(_ stamp: Stamp) -> Stamp {
      guard stamp.device == old, stamp.time > acknowledged else { return stamp }
      return Stamp(time: stamp.time, device: new)
    }
    func renamed(_ vector: VersionVector) -> VersionVector {
      var result = VersionVector()
      for entry in vector.entries {
        let stamp = Stamp(time: entry.time, device: entry.device)
        result.raise(to: renamed(stamp))
        if renamed(stamp) != stamp, acknowledged > .zero {
          result.raise(to: Stamp(time: acknowledged, device: old))
        }
      }
      return result
    }
    var moved: [RegisterKey: Register] = [:]
    for (key, register) in registers {
      let siblings = register.siblings.map { sibling in
        var payload = sibling.payload
        if case .deleted(let seen) = payload { payload = .deleted(seen: renamed(seen)) }
        return Sibling(stamp: renamed(sibling.stamp), payload: payload, base: sibling.base)
      }
      guard case .share(let field, old) = key,
        let winner = siblings.max(by: { $0.stamp < $1.stamp }),
        winner.stamp.device == new
      else {
        moved[key] = Register(siblings)
        continue
      }
      // A share belongs to its device. What others saw of it stays the old one's, which they have
      // too; the rest is the new one's.
      var rest = Self.count(winner.value)
      if acknowledged > .zero, let known = winner.base.map(Self.count) {
        let difference = rest.subtractingReportingOverflow(known)
        if !difference.overflow {
          rest = difference.partialValue
          let seen = Stamp(time: acknowledged, device: old)
          moved[key] = Register(Sibling(stamp: seen, payload: .value(.integer(known))))
        }
      }
      moved[.share(field, new)] = Register(
        Sibling(stamp: winner.stamp, payload: .value(.integer(rest))))
    }
    registers = moved
    vector = renamed(vector)
  }
}
