// What the lists and everybody else hear of a commit: each once, in the order of the log, whichever
// process made it.

internal import GRDB
package import Records
internal import Synchronization

/// One committed transaction, by this process or another one.
package struct Commit: Sendable, Hashable {
  package enum Changes: Sendable, Hashable {
    /// Every changed record.
    case some([RecordReference: ChangeKind])
    /// Too many to name: any record of these types may have changed.
    case many(Set<TypeID>)
  }

  package let number: Int64
  package let origin: Origin
  /// Committed by this process.
  package let isOwn: Bool
  package let changes: Changes
  package let modelChanged: Bool

  /// Whether records of a type may have changed.
  package func touches(_ type: TypeID) -> Bool {
    switch changes {
    case .some(let records): records.keys.contains { $0.type == type }
    case .many(let types): types.contains(type)
    }
  }
}

/// The commits of this library.
final class CommitFeed: Sendable {
  let broadcast = Broadcast<Commit>()
  private let state = Mutex(Told(number: 0, device: nil))

  /// How far a log was told, and whose log that is: a restored backup goes on under a device of its
  /// own, whatever its numbers are.
  struct Told: Sendable {
    var number: Int64
    var device: DeviceID?
  }

  /// Has everything up to a transaction count as told: what was there when the library was opened.
  func begin(after number: Int64, of device: DeviceID) {
    state.withLock { $0 = Told(number: number, device: device) }
  }

  /// Tells that the whole log is another one: a backup was restored.
  func restart(_ commit: Commit, of device: DeviceID) {
    state.withLock { last in
      last = Told(number: commit.number, device: device)
      broadcast.send(commit)
    }
  }

  /// How far the log was told.
  var told: Told { state.withLock(\.self) }

  /// The newest transaction that was told.
  var last: Int64 { told.number }

  /// Tells those that were not told yet.
  ///
  /// Ascending.
  func publish(_ commits: [Commit]) {
    state.withLock { last in
      for commit in commits where commit.number > last.number {
        last.number = commit.number
        broadcast.send(commit)
      }
    }
  }

  func end() { broadcast.end() }
}

extension Library {
  /// Tells of a commit of this process, and first of those of others that came before it.
  ///
  /// The commit stands, so nothing here may fail it: what others did and can't be read now is told as
  /// a change of everything. Runs on the writer's queue.
  func publish(_ commit: Commit, _ db: Database) {
    let last = commitFeed.told
    guard last.device == device else {
      // Another process restored a backup, and nobody has noticed yet.
      return commitFeed.restart(everything(commit.number, commit.origin, isOwn: true), of: device)
    }
    do {
      try surroundings.faults?.tick()
      var commits: [Commit] = []
      if last.number + 1 < commit.number {
        commits = try Reading(db, model: model).commits(after: last.number, before: commit.number)
      }
      if commit.modelChanged { _ = try refreshed(db) }
      commitFeed.publish(commits + [commit])
    } catch {
      commitFeed.publish([everything(commit.number, commit.origin, isOwn: true)])
    }
  }

  /// A commit after which nothing is known to be as it was.
  private func everything(_ number: Int64, _ origin: Origin, isOwn: Bool) -> Commit {
    Commit(
      number: number, origin: origin, isOwn: isOwn, changes: .many(Set(model.types.map(\.id))),
      modelChanged: true)
  }

  /// Looks for commits of other processes and tells of them.
  func noticeCommits() async {
    let last = commitFeed.told
    do {
      let (commits, newest, device) = try await read {
        (
          try $0.commits(after: last.number, before: .max), try $0.newestNumber(),
          try DeviceRecord.written($0.db)
        )
      }
      if newest < last.number || device != last.device { return try await adoptRestored() }
      if commits.contains(where: \.modelChanged) {
        let newest = try await read { try LibraryOrigin.newestModel($0.db) }
        update {
          $0.model = newest.model
          $0.modelVersion = newest.version
        }
      }
      commitFeed.publish(commits)
    } catch {
      // Closed meanwhile, or busy beyond the timeout: the next wake-up asks again from `last`.
      return
    }
  }
}

extension Library {
  /// Another process restored a backup: everything is read anew.
  private func adoptRestored() async throws {
    let (newest, device, number) = try await read { reading in
      (
        try LibraryOrigin.newestModel(reading.db), try DeviceRecord.written(reading.db),
        try reading.newestNumber()
      )
    }
    update {
      $0.model = newest.model
      $0.modelVersion = newest.version
      if let device { $0.device = device }
    }
    commitFeed.restart(everything(number, .repair, isOwn: false), of: device ?? self.device)
  }
}

extension Reading {
  /// Sealed transactions between two numbers, ascending.
  func commits(after last: Int64, before end: Int64) throws -> [Commit] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT number, origin, EXISTS (SELECT 1 FROM _model m WHERE m.number = t.number)
        FROM _transaction t WHERE number > ? AND number < ? AND sealed ORDER BY number
        """)
    return try Row.fetchAll(statement, arguments: [last, end]).map { row in
      Commit(
        number: row[0], origin: Origin(rawValue: row[1]) ?? .edit, isOwn: false,
        changes: try commitChanges(of: row[0]), modelChanged: row[2])
    }
  }

  private func commitChanges(of number: Int64) throws -> Commit.Changes {
    let ranges = try String.fetchAll(
      db.cachedStatement(sql: "SELECT type FROM _range WHERE number = ?"), arguments: [number])
    let rows = try Row.fetchAll(
      db.cachedStatement(sql: "SELECT type, id, kind FROM _change WHERE number = ? LIMIT ?"),
      arguments: [number, WriteDoor.touchedMax + 1])
    guard ranges.isEmpty, rows.count <= WriteDoor.touchedMax else {
      let changed = try String.fetchAll(
        db, sql: "SELECT DISTINCT type FROM _change WHERE number = ?", arguments: [number])
      return .many(Set((ranges + changed).map { TypeID(trusted: $0) }))
    }
    var changes: [RecordReference: ChangeKind] = [:]
    for row in rows {
      guard let id = ColumnCodec.recordID(row[1]) else { continue }
      let record = RecordReference(type: TypeID(trusted: row[0]), id: id)
      changes[record] = ChangeKind(rawValue: row[2]) ?? .update
    }
    return .some(changes)
  }
}
