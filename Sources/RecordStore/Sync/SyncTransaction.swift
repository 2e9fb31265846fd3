// Transactions of sync. Those that change records are rows of the log, like every other; those that
// only keep sync's own books (an acknowledgement, an event, a setting) leave no trace in history.
// Runs on the writer's queue, under the writer lock.

internal import GRDB

extension Library {
  /// Runs `body` through the one door; the log gets a row only if records changed.
  func syncing<T: Sendable>(
    _ body: @escaping @Sendable (WriteDoor) throws -> T
  ) async throws -> T {
    let database = database
    let result = try await translatingErrors {
      try await database.writeWithoutTransaction { db in try self.performSync(db, body) }
    }
    checkpointIfDue()
    syncFeed.send(())
    return result
  }

  private func performSync<T>(_ db: Database, _ body: (WriteDoor) throws -> T) throws -> T {
    try lock.hold(for: "a sync") {
      var answer: T?
      var commit: Commit?
      try db.inTransaction(.immediate) {
        let door = try WriteDoor(db, library: self, head: TransactionHead(origin: .sync))
        answer = try body(door)
        if door.isDirty {
          commit = try door.seal()
        } else {
          // Nobody has seen the row: it was made in this very transaction.
          try door.execute("DELETE FROM _transaction WHERE number = ?", [door.number])
        }
        return .commit
      }
      guard let answer else {
        throw StoreError.damaged("a transaction that ended without an answer")
      }
      if let commit { publish(commit, db) }
      return answer
    }
  }

  /// Runs `body` as one transaction that touches sync's own tables only.
  func keepingBooks<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    let database = database
    let lock = lock
    let faults = surroundings.faults
    defer { syncFeed.send(()) }
    return try await translatingErrors {
      try await database.writeWithoutTransaction { db in
        try lock.hold(for: "a sync") {
          var answer: T?
          try db.inTransaction(.immediate) {
            try faults?.tick()
            answer = try body(db)
            return .commit
          }
          guard let answer else { throw StoreError.damaged("a transaction without an answer") }
          return answer
        }
      }
    }
  }
}
