// What the store hands out: immutable values. Nobody outside the store holds a row or a connection.

/// A record as it was at one moment.
package struct Snapshot: Sendable, Hashable {
  package let type: TypeID
  package let id: RecordID
  /// The settled value of every field that has one, hidden fields too.
  package let fields: [FieldID: Value]
  /// All that the record's copies have to agree on.
  package let state: RecordState
  package let created: Timestamp
  package let modified: Timestamp
  /// In the trash.
  package let isDeleted: Bool
  /// Saved here and not acknowledged by a record service yet.
  package let isPending: Bool

  package init(
    type: TypeID, id: RecordID, fields: [FieldID: Value], state: RecordState, created: Timestamp,
    modified: Timestamp, isDeleted: Bool, isPending: Bool
  ) {
    self.type = type
    self.id = id
    self.fields = fields
    self.state = state
    self.created = created
    self.modified = modified
    self.isDeleted = isDeleted
    self.isPending = isPending
  }

  package func value(of field: FieldID) -> Value { fields[field] ?? .empty }
}

/// One side of a conflict.
package struct ConflictSide: Sendable, Hashable {
  package let stamp: Stamp
  package let value: ConflictValue

  package init(stamp: Stamp, value: ConflictValue) {
    self.stamp = stamp
    self.value = value
  }
}

/// What a side of a conflict holds: a value, or its answer to whether the record stays.
package enum ConflictValue: Sendable, Hashable {
  case value(Value)
  case delete
  case keep
}

/// A register whose writers disagree (invariant J3), with every side of it.
package struct Conflict: Sendable, Hashable {
  /// Nothing for a deletion against an edit (J4).
  package let field: FieldID?
  /// What the sides came from, where it is known.
  package let base: Value?
  /// The shown side first.
  package let sides: [ConflictSide]

  package init(field: FieldID?, base: Value?, sides: [ConflictSide]) {
    self.field = field
    self.base = base
    self.sides = sides
  }
}

extension RecordState {
  /// The conflicts of a record, in the order of its fields; a deletion against an edit comes first.
  package func conflicts(in type: RecordType) -> [Conflict] {
    var result: [Conflict] = []
    if existence == .disputed, let register = registers[.existence] {
      let deletions = register.siblings.filter {
        if case .deleted = $0.payload { true } else { false }
      }
      let edits = registers.values.flatMap(\.siblings).filter { edit in
        !deletions.contains { $0.stamp == edit.stamp }
          && !deletions.contains {
            if case .deleted(let seen) = $0.payload { seen.covers(edit.stamp) } else { false }
          }
      }
      var sides = edits.map(\.stamp).max().map { [ConflictSide(stamp: $0, value: .keep)] } ?? []
      sides += deletions.prefix(1).map { ConflictSide(stamp: $0.stamp, value: .delete) }
      result.append(Conflict(field: nil, base: nil, sides: sides))
    }
    for field in type.fields where isConflict(field) {
      guard let register = registers[.field(field.id)] else { continue }
      var sides: [ConflictSide] = []
      for sibling in register.siblings
      where !sides.contains(where: { $0.value == .value(sibling.value) }) {
        sides.append(ConflictSide(stamp: sibling.stamp, value: .value(sibling.value)))
      }
      let base = register.siblings.lazy.compactMap(\.base).last
      result.append(Conflict(field: field.id, base: base, sides: sides))
    }
    return result
  }
}
