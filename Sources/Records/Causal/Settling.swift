// What a joined state shows: a function of the state alone, the same on every device, and never a
// new write, so that settling makes no echo (invariants J3 to J5).

extension RecordState {
  /// What the record is: there, deleted, or both claimed.
  package enum Existence: Hashable, Sendable {
    case alive
    case deleted
    /// Deleted by someone who had not seen a write that stands: alive until a person settles it.
    case disputed
  }

  package var existence: Existence {
    let deletions = (registers[.existence]?.siblings ?? []).compactMap { sibling in
      if case .deleted(let seen) = sibling.payload {
        (stamp: sibling.stamp, seen: seen)
      } else {
        nil
      }
    }
    guard !deletions.isEmpty else { return .alive }
    let deletionStamps = Set(deletions.map(\.stamp))
    let unseen = registers.values.contains { register in
      register.siblings.contains { sibling in
        !deletionStamps.contains(sibling.stamp)
          && !deletions.contains { $0.seen.covers(sibling.stamp) }
      }
    }
    return unseen ? .disputed : .deleted
  }

  /// The value of a field that is shown.
  package func settledValue(of field: Field) -> Value {
    switch field.merge {
    case .union: settledUnion(of: field)
    case .sum: settledSum(of: field)
    case .latest: settledLatest(of: field)
    case .lines: settledLines(of: field).value
    }
  }

  /// Whether the field's writers disagree in a way that a person has to see (J3, J5).
  package func isConflict(_ field: Field) -> Bool {
    switch field.merge {
    case .union, .sum: false
    case .latest: registers[.field(field.id)]?.isConflict ?? false
    case .lines: settledLines(of: field).clashes
    }
  }

  /// The latest write of the whole field.
  ///
  /// A field that settled by its elements or shares before its model changed shows what those say, as
  /// long as one of them is later.
  private func settledLatest(of field: Field) -> Value {
    let whole = registers[.field(field.id)]?.winner
    guard field.type.hasParts,
      let part = registers.lazy.filter({ $0.key.isPart(of: field.id) }).map(\.value.winner.stamp)
        .max(),
      whole.map({ part > $0.stamp }) ?? true
    else { return whole?.value ?? .empty }
    return field.type == .counter ? settledSum(of: field) : settledUnion(of: field)
  }

  /// Present elements; present wins over a removal that had not seen it.
  private func settledUnion(of field: Field) -> Value {
    var elements: Set<ExactText> = []
    if let register = registers[.field(field.id)] {
      for sibling in register.siblings { elements.formUnion(Self.elements(of: sibling.value)) }
    }
    for (key, register) in registers {
      guard case .element(field.id, let element) = key else { continue }
      if register.siblings.contains(where: { $0.payload == .present(true) }) {
        elements.insert(element)
      } else {
        elements.remove(element)
      }
    }
    switch field.type {
    case .references: return .references(sorted: elements.compactMap { RecordID($0.text) })
    default: return .tags(nonEmpty: TagSet(exact: elements))
    }
  }

  private func settledSum(of field: Field) -> Value {
    var sum: Int64 = 0
    var isWritten = false
    if let register = registers[.field(field.id)] {
      sum = Self.count(register.winner.value)
      isWritten = !register.winner.value.isEmpty
    }
    for (key, register) in registers {
      guard case .share(field.id, _) = key else { continue }
      // Overflow needs shares that no device can have added up; hold at the ends, alike everywhere.
      let total = sum.addingReportingOverflow(Self.count(register.winner.value))
      sum = total.overflow ? (sum > 0 ? .max : .min) : total.partialValue
      isWritten = true
    }
    return isWritten ? .integer(sum) : .empty
  }

  private func settledLines(of field: Field) -> (value: Value, clashes: Bool) {
    guard let register = registers[.field(field.id)] else { return (.empty, false) }
    guard register.isConflict else { return (register.winner.value, false) }
    return LineMerge.settle(register.siblings)
  }

  package func share(of device: DeviceID, in field: FieldID) -> Int64 {
    Self.count(registers[.share(field, device)]?.winner.value ?? .empty)
  }

  /// The elements of a value that settles by union, as register keys know them.
  package static func elements(of value: Value) -> [ExactText] {
    switch value {
    case .tags(let tags): tags.tags.map(ExactText.init)
    case .references(let ids): ids.map { ExactText($0.description) }
    default: []
    }
  }

  static func count(_ value: Value) -> Int64 {
    if case .integer(let count) = value { count } else { 0 }
  }
}
