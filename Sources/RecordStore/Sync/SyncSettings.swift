// Where a library syncs to and how far it got. Never a secret: tokens lie outside the library.

internal import GRDB
internal import Records

/// The service and zone of a library, and the place in its change feed.
package struct SyncSettings: Sendable, Hashable {
  /// `file:PATH`, or an http(s) address.
  package var service: String
  package var container: String
  package var zone: String
  /// The person that the service knows us as, once it said so: an account that changes under a
  /// library stops sync before anything is mixed.
  package var user: String?
  /// How far the change feed was read; nothing: not at all.
  package var token: String?
  /// The number of the full reading of the zone that is under way or was last.
  package var pass: Int64 = 0
  /// What to do at the end of this pass with what was not met in it.
  package var comparing: SyncComparison?
  /// What a person decided about the comparison that is under way.
  package var decision: SyncDecision?
  package var isPaused = false
  /// The feed was read to its end, and nothing was sent since.
  package var isCaughtUp = false
  /// Whether the zone was seen on the service once.
  package var hasZone = false

  /// The digest of the model that was shared last.
  package var model: String?

  package init(service: String, container: String, zone: String) {
    self.service = service
    self.container = container
    self.zone = zone
  }
}

extension Library {
  /// Nothing while sync is not set up, or turned off.
  package func syncSettings() async throws -> SyncSettings? {
    try await read { try SyncBooks($0.db).settings() }
  }

  package func saveSyncSettings(_ settings: SyncSettings) async throws {
    try await keepingBooks { try SyncBooks($0).save(settings) }
  }

  /// Changes the settings as they are now; nothing while sync is not set up.
  @discardableResult
  package func updateSyncSettings(
    _ change: @escaping @Sendable (inout SyncSettings) -> Void
  ) async throws -> SyncSettings? {
    try await keepingBooks { db in
      let books = SyncBooks(db)
      guard var settings = try books.settings() else { return nil }
      change(&settings)
      try books.save(settings)
      return settings
    }
  }

  package func pauseSync(_ isPaused: Bool) async throws {
    try await keepingBooks { try SyncBooks($0).set("paused", isPaused ? 1 : 0) }
  }

  /// Forgets the service and all that is known of it.
  ///
  /// Records stay as they are; those that the service has acknowledged are pending again, so that a
  /// later setup sends them to wherever it leads.
  package func turnSyncOff() async throws {
    try await syncing { door in
      for type in door.model.types {
        let table = TypeSchema(type).table
        try door.execute(
          """
          UPDATE \(table) SET _pending = ? WHERE _pending IS NULL
            AND _id IN (SELECT id FROM _remote)
          """, [Self.pendingAnew])
      }
      try door.execute(
        "UPDATE _trash SET pending = ? WHERE pending IS NULL", [Self.pendingAnew])
      try door.execute("DELETE FROM _remote")
      try door.execute("DELETE FROM _parked")
      try door.execute("DELETE FROM _held")
      try door.execute("DELETE FROM _receipt")
      try door.execute("UPDATE _shape SET tag = NULL, pending = 1")
      try door.execute("DELETE FROM _sync")
    }
  }

  /// The `_pending` of records that are sent again without having been saved again: below every
  /// transaction's number, so that a save meanwhile is told from it.
  static let pendingAnew: Int64 = 0
}

/// Sync's own tables, inside a transaction.
struct SyncBooks {
  let db: Database

  init(_ db: Database) { self.db = db }

  func set(_ key: String, _ value: (any DatabaseValueConvertible)?) throws {
    if let value {
      try db.cachedStatement(sql: "INSERT OR REPLACE INTO _sync (key, value) VALUES (?, ?)")
        .execute(arguments: [key, value])
    } else {
      try db.cachedStatement(sql: "DELETE FROM _sync WHERE key = ?").execute(arguments: [key])
    }
  }

  func settings() throws -> SyncSettings? {
    var values: [String: DatabaseValue] = [:]
    for row in try Row.fetchAll(db, sql: "SELECT key, value FROM _sync") { values[row[0]] = row[1] }
    func text(_ key: String) -> String? { values[key].flatMap { String.fromDatabaseValue($0) } }
    func number(_ key: String) -> Int64 {
      values[key].flatMap { Int64.fromDatabaseValue($0) } ?? 0
    }
    guard let service = text("service"), let container = text("container"), let zone = text("zone")
    else { return nil }
    var settings = SyncSettings(service: service, container: container, zone: zone)
    settings.user = text("user")
    settings.token = text("token")
    settings.model = text("model")
    settings.pass = number("pass")
    settings.comparing = text("comparing").flatMap { SyncComparison(rawValue: $0) }
    settings.decision = text("decision").flatMap { SyncDecision(rawValue: $0) }
    settings.isPaused = number("paused") != 0
    settings.isCaughtUp = number("caughtUp") != 0
    settings.hasZone = number("hasZone") != 0
    return settings
  }

  func save(_ settings: SyncSettings) throws {
    try set("service", settings.service)
    try set("container", settings.container)
    try set("zone", settings.zone)
    try set("user", settings.user)
    try set("token", settings.token)
    try set("model", settings.model)
    try set("pass", settings.pass)
    try set("comparing", settings.comparing?.rawValue)
    try set("decision", settings.decision?.rawValue)
    try set("paused", settings.isPaused ? 1 : 0)
    try set("caughtUp", settings.isCaughtUp ? 1 : 0)
    try set("hasZone", settings.hasZone ? 1 : 0)
  }
}

extension Library {
  /// Asks the process that holds the sync lease to sync.
  package func requestSync() async throws {
    let now = surroundings.milliseconds()
    try await keepingBooks { try SyncBooks($0).set("requested", now) }
  }

  /// Whether somebody asked since the last look, which this is.
  package func takeSyncRequest() async throws -> Bool {
    let isAsked = try await read { reading in
      try Row.fetchOne(reading.db, sql: "SELECT 1 FROM _sync WHERE key = 'requested'") != nil
    }
    if isAsked { try await keepingBooks { try SyncBooks($0).set("requested", nil) } }
    return isAsked
  }
}
