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
  private let told = Mutex<Int64>(0)

  /// Has everything up to a transaction count as told: what was there when the library was opened.
  func begin(after number: Int64) { told.withLock { $0 = number } }

  /// Tells that the whole log is another one: a backup was restored.
  func restart(_ commit: Commit) {
    told.withLock { last in
      last = commit.number
      broadcast.send(commit)
    }
  }

  /// The newest transaction that was told.
  var last: Int64 { told.withLock(\.self) }

  /// Tells those that were not told yet.
  ///
  /// Ascending.
  func publish(_ commits: [Commit]) {
    told.withLock { last in
      for commit in commits where commit.number > last {
        last = commit.number
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
    let last = commitFeed.last
    do {
      try surroundings.faults?.tick()
      var commits: [Commit] = []
      if last + 1 < commit.number {
        commits = try Reading(db, model: model).commits(after: last, before: commit.number)
      }
      if commit.modelChanged { _ = try refreshed(db) }
      commitFeed.publish(commits + [commit])
    } catch {
      commitFeed.publish([
        Commit(
          number: commit.number, origin: commit.origin, isOwn: true,
          changes: .many(Set(model.types.map(\.id))), modelChanged: true)
      ])
    }
  }

  /// Looks for commits of other processes and tells of them.
  func noticeCommits() async {
    let last = commitFeed.last
    do {
      let (commits, newest) = try await read {
        (try $0.commits(after: last, before: .max), try $0.newestNumber())
      }
      if newest < last { return try await adoptRestored() }
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
        try LibraryOrigin.newestModel(reading.db),
        try Int64.fetchOne(reading.db, sql: "SELECT id FROM _device WHERE living = 1"),
        try reading.newestNumber()
      )
    }
    update {
      $0.model = newest.model
      $0.modelVersion = newest.version
      if let device { $0.device = DeviceID(rawValue: UInt64(bitPattern: device)) }
    }
    commitFeed.restart(
      Commit(
        number: number, origin: .repair, isOwn: false,
        changes: .many(Set(newest.model.types.map(\.id))), modelChanged: true))
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
