// Subscriptions and the courier's queue in SQL.

internal import CloudKitWire
internal import GRDB

extension SQLiteTransaction {
  /// Notifications that wait for one push token at most; beyond, the oldest go.
  ///
  /// Delivery is best effort: a client asks for changes when it starts.
  private static let waitingMax = 1_000
  /// Push tokens of one subscriber in a container; beyond, those that were made first go.
  ///
  /// Each is written to for every change, and most clients make a new one whenever they start.
  private static let couriersMax = 100

  func subscriptions(
    of subscriber: String, in database: DatabaseKey
  ) throws -> [StoredSubscription] {
    guard let number = try number(of: database) else { return [] }
    return try rows(
      """
      SELECT id, subscriber, json FROM subscription
      WHERE database = ? AND subscriber = ? ORDER BY id
      """, [number, subscriber]
    ).map(Self.subscription)
  }

  func subscriptions(in database: DatabaseKey) throws -> [StoredSubscription] {
    guard let number = try number(of: database) else { return [] }
    return try rows(
      "SELECT id, subscriber, json FROM subscription WHERE database = ?", [number]
    ).map(Self.subscription)
  }

  func hasSubscriptions(in database: DatabaseKey) throws -> Bool {
    guard let number = try number(of: database) else { return false }
    return try row("SELECT 1 FROM subscription WHERE database = ? LIMIT 1", [number]) != nil
  }

  func hasCourier(digest: String) throws -> Bool {
    try row("SELECT 1 FROM courier WHERE digest = ? LIMIT 1", [digest]) != nil
  }

  func notification(for digest: String) throws -> (number: Int64, payload: String)? {
    try row(
      "SELECT number, payload FROM notification WHERE digest = ? ORDER BY number LIMIT 1",
      [digest]
    ).map { (number: $0[0], payload: $0[1]) }
  }

  func save(_ subscription: StoredSubscription, in database: DatabaseKey) throws {
    try run(
      "INSERT OR REPLACE INTO subscription (database, subscriber, id, json) VALUES (?, ?, ?, ?)",
      [
        try numberMaking(database), subscription.subscriber, subscription.id,
        String(decoding: subscription.subscription.body(), as: UTF8.self),
      ])
  }

  func removeSubscription(
    id: String, of subscriber: String, in database: DatabaseKey
  ) throws -> Bool {
    guard let number = try number(of: database) else { return false }
    try run(
      "DELETE FROM subscription WHERE database = ? AND subscriber = ? AND id = ?",
      [number, subscriber, id])
    return db.changesCount > 0
  }

  func addCourier(
    digest: String, subscriber: String, container: String, environment: ServiceEnvironment,
    at milliseconds: Int64
  ) throws {
    try run(
      """
      INSERT OR REPLACE INTO courier (digest, subscriber, container, environment, created_at)
      VALUES (?, ?, ?, ?, ?)
      """, [digest, subscriber, container, environment.rawValue, milliseconds])
    for row in try rows(
      """
      SELECT digest FROM courier WHERE subscriber = ? AND container = ? AND environment = ?
      ORDER BY digest = ? DESC, created_at DESC LIMIT -1 OFFSET ?
      """, [subscriber, container, environment.rawValue, digest, Self.couriersMax])
    {
      let old: String = row[0]
      try run(
        """
        DELETE FROM courier
        WHERE digest = ? AND subscriber = ? AND container = ? AND environment = ?
        """, [old, subscriber, container, environment.rawValue])
      try run(
        """
        DELETE FROM notification
        WHERE digest = ? AND NOT EXISTS (SELECT 1 FROM courier WHERE digest = ?)
        """, [old, old])
    }
  }

  func notify(
    subscriber: String, container: String, environment: ServiceEnvironment, payload: String,
    at milliseconds: Int64
  ) throws {
    for row in try rows(
      "SELECT digest FROM courier WHERE subscriber = ? AND container = ? AND environment = ?",
      [subscriber, container, environment.rawValue])
    {
      let digest: String = row[0]
      try run(
        "INSERT INTO notification (digest, payload, created_at) VALUES (?, ?, ?)",
        [digest, payload, milliseconds])
      try run(
        """
        DELETE FROM notification WHERE digest = ? AND number <= (
          SELECT number FROM notification WHERE digest = ? ORDER BY number DESC LIMIT 1 OFFSET ?)
        """, [digest, digest, Self.waitingMax])
      notes.note(.courier(digest))
    }
  }

  func removeNotification(number: Int64) throws {
    try run("DELETE FROM notification WHERE number = ?", [number])
  }

  private static func subscription(_ row: Row) -> StoredSubscription {
    let json: String = row[2]
    // It was written by us; if it can't be read, it fires for nothing.
    let subscription = (try? Subscription(body: Array(json.utf8))) ?? Subscription()
    return StoredSubscription(id: row[0], subscriber: row[1], subscription: subscription)
  }
}
