// A library that finds a stamp of its own device which its own log does not hold is a copy, or has
// one: both would give one stamp to two writes (invariant J6). It becomes a device of its own before
// it joins anything.

internal import GRDB
internal import Records

/// Somebody else writes as this device.
package struct CopiedDevice: Error, Hashable {
  package init() {}
}

extension Library {
  /// Gives this library a device id of its own; what nobody has seen of its writes moves along.
  package func becomeNewDevice() async throws {
    let file = path.flatMap { FileIdentity(of: LibraryFolder($0).database) }
    let database = database
    let device = try await translatingErrors {
      try await database.writeWithoutTransaction { db in
        try self.lock.hold(for: "taking a device id") {
          try db.inTransactionReturning {
            try DeviceRecord.takeNew(
              db, file: file, surroundings: self.surroundings, hasForked: true)
          }
        }
      }
    }
    update { $0.device = device }
  }
}

extension WriteDoor {
  /// Refuses a change with a stamp of ours that we never gave.
  func checkOwnStamps(of change: RemoteChange) throws {
    let state: RecordState
    let type: RecordType
    switch change.content {
    case .state(let found):
      guard found.vector.time(of: device) > .zero,
        let known = model.type(change.reference.type)
      else { return }
      (state, type) = (found, known)
    case .plain(let plain):
      guard plain.stamp.device == device, let known = model.type(change.reference.type) else {
        return
      }
      (state, type) = (plain.state(in: known), known)
    case .partial, .purged: return
    }
    let known = try reading.record(type, change.reference.id)?.state
    if let known, known.vector.covers(state.vector), known.registers == state.registers { return }
    for (key, register) in state.registers {
      for sibling in register.siblings where sibling.stamp.device == device {
        if known?.registers[key]?.siblings.contains(where: { $0.stamp == sibling.stamp }) == true {
          continue
        }
        guard try isOurs(sibling.stamp.time) else { throw CopiedDevice() }
      }
    }
    let newest = state.vector.time(of: device)
    if newest > known?.vector.time(of: device) ?? .zero, try !isOurs(newest) {
      throw CopiedDevice()
    }
  }

  /// Whether a transaction of this library gave a time.
  ///
  /// Times ascend with the log. A transaction's first time is that of its begin or the one after the
  /// transaction before it, its last is written down.
  private func isOurs(_ time: HybridTime) throws -> Bool {
    let stored = Int64(bitPattern: time.rawValue)
    let before = try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT number, time FROM _transaction WHERE time < ? ORDER BY number DESC LIMIT 1"),
      arguments: [stored])
    let next = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT at, time FROM _transaction
          WHERE number > ? AND time >= ? AND device IN (SELECT id FROM _device)
          ORDER BY number LIMIT 1
          """), arguments: [before?[0] ?? 0, stored])
    guard let next else { return false }
    let last = HybridTime(rawValue: UInt64(bitPattern: before?[1] ?? 0))
    let first = max(HybridTime(milliseconds: next[0]), last.next)
    return first <= time
  }
}
