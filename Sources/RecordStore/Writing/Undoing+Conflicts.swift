// Undo of a save that settled a conflict: the writers disagree again, each side with its value and the
// base that they came from, so that no side is lost by settling. The sides are new writes of this
// device (their authors' stamps are seen everywhere and could not come back), in the order they had.
// On the writer's queue, inside one transaction.

internal import GRDB
internal import Records

extension Undoing {
  /// Of what a change settled, that which nobody has written since.
  func stillSettled(
    _ sides: [RegisterKey: Register], in record: StoredRecord
  ) throws -> [RegisterKey: Register] {
    guard !sides.isEmpty,
      let row = try Row.fetchOne(
        door.db, sql: "SELECT device, time FROM _transaction WHERE number = ?",
        arguments: [target])
    else { return [:] }
    let author = DeviceID(rawValue: UInt64(bitPattern: row[0]))
    let last = HybridTime(rawValue: UInt64(bitPattern: row[1]))
    return sides.filter { key, _ in
      guard let register = record.state.registers[key], register.siblings.count == 1 else {
        return false
      }
      return register.winner.stamp.device == author && register.winner.stamp.time <= last
    }
  }

  /// Has the writers of a record disagree again.
  func reopen(_ sides: [RegisterKey: Register], of reference: RecordReference) throws {
    let type = try door.reading.type(reference.type)
    guard !sides.isEmpty, let record = try door.reading.record(type, reference.id) else { return }
    var state = record.state
    for (key, register) in sides.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      var siblings: [Sibling] = []
      // The lowest first: the highest stamp is shown.
      for side in register.siblings.reversed() {
        let stamp = door.stamp(above: state.vector)
        siblings.append(Sibling(stamp: stamp, payload: side.payload, base: side.base))
        state.reopen(key, with: siblings)
      }
    }
    try door.put(state, of: type, id: record.id, previous: record)
  }
}

extension RecordState {
  /// The registers whose writers disagreed and that a later state has settled.
  func disputes(settledBy later: RecordState, in type: RecordType) -> [RegisterKey: Register] {
    // Most states have one write a register, and are not asked any further.
    guard existence == .disputed || registers.values.contains(where: { $0.siblings.count > 1 })
    else { return [:] }
    var result: [RegisterKey: Register] = [:]
    let left = Set(later.conflicts(in: type).map(\.field))
    for conflict in conflicts(in: type) where !left.contains(conflict.field) {
      let key = conflict.field.map { RegisterKey.field($0) } ?? .existence
      if let register = registers[key], later.registers[key] != register { result[key] = register }
    }
    return result
  }
}
