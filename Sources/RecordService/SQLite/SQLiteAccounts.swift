// Accounts in SQL.

internal import GRDB

extension SQLiteTransaction {
  private static let sessionColumns = """
    id, user, container, environment, current, next, previous, previous_until, rotated_at,
    expires_at
    """

  func users() throws -> [StoredUser] {
    try rows("SELECT number, name, record_name FROM user ORDER BY name", []).map(Self.user)
  }

  func user(named name: String) throws -> StoredUser? {
    try row("SELECT number, name, record_name FROM user WHERE name = ?", [name]).map(Self.user)
  }

  func user(number: Int64) throws -> StoredUser? {
    try row("SELECT number, name, record_name FROM user WHERE number = ?", [number])
      .map(Self.user)
  }

  func apiTokens() throws -> [StoredAPIToken] {
    try rows(
      "SELECT id, digest, container, environment, user FROM api_token ORDER BY created_at, id", []
    ).map(Self.apiToken)
  }

  func apiToken(digest: String) throws -> StoredAPIToken? {
    try row(
      "SELECT id, digest, container, environment, user FROM api_token WHERE digest = ?", [digest]
    ).map(Self.apiToken)
  }

  func sessions() throws -> [StoredSession] {
    try rows("SELECT \(Self.sessionColumns) FROM session ORDER BY id", []).map(Self.session)
  }

  func session(id: String) throws -> StoredSession? {
    try row("SELECT \(Self.sessionColumns) FROM session WHERE id = ?", [id]).map(Self.session)
  }

  func keys() throws -> [StoredKey] {
    try rows("SELECT id, container, pem, user, record_name FROM signing_key ORDER BY id", [])
      .map(Self.key)
  }

  func key(id: String) throws -> StoredKey? {
    try row("SELECT id, container, pem, user, record_name FROM signing_key WHERE id = ?", [id])
      .map(Self.key)
  }

  func signInUser(codeDigest: String, at milliseconds: Int64) throws -> Int64? {
    try row(
      "SELECT user FROM sign_in_code WHERE digest = ? AND until > ?", [codeDigest, milliseconds]
    )?[0]
  }

  func wasRemoved(digest: String) throws -> Bool {
    try row("SELECT 1 FROM removed_token WHERE digest = ?", [digest]) != nil
  }

  func secret() throws -> [UInt8] {
    try row("SELECT value FROM meta WHERE key = 'secret'", [])?.bytes(at: 0) ?? []
  }

  func addUser(name: String, recordName: String, at milliseconds: Int64) throws -> StoredUser {
    try run(
      "INSERT INTO user (name, record_name, created_at) VALUES (?, ?, ?)",
      [name, recordName, milliseconds])
    return StoredUser(number: db.lastInsertedRowID, name: name, recordName: recordName)
  }

  func removeUser(
    _ user: StoredUser, at milliseconds: Int64, rememberingUntil until: Int64
  ) throws {
    for row in try rows(
      """
      SELECT zone.number FROM zone JOIN database ON database.number = zone.database
      WHERE database.owner = ?
      """, [user.number])
    {
      try empty(zone: row[0])
    }
    try rememberTokens(of: user.number, until: until)
    try removePublicRecords(of: user.recordName, at: milliseconds)
    try run(
      "DELETE FROM zone WHERE database IN (SELECT number FROM database WHERE owner = ?)",
      [user.number])
    try run(
      """
      DELETE FROM notification WHERE digest IN (SELECT digest FROM courier WHERE subscriber = ?)
      """, [user.recordName])
    try run("DELETE FROM courier WHERE subscriber = ?", [user.recordName])
    try run("DELETE FROM subscription WHERE subscriber = ?", [user.recordName])
    for statement in [
      "DELETE FROM database WHERE owner = ?", "DELETE FROM session WHERE user = ?",
      "DELETE FROM sign_in_code WHERE user = ?", "DELETE FROM signing_key WHERE user = ?",
      "DELETE FROM api_token WHERE user = ?", "DELETE FROM user WHERE number = ?",
    ] {
      try run(statement, [user.number])
    }
    // Keys begin with the record name and a space; "!" is what follows the space.
    try run(
      "DELETE FROM answer WHERE key > ? AND key < ?",
      [user.recordName + " ", user.recordName + "!"])
  }

  private func rememberTokens(of user: Int64, until: Int64) throws {
    for source in [
      "digest, ? FROM api_token WHERE user = ?", "current, ? FROM session WHERE user = ?",
      "next, ? FROM session WHERE user = ? AND next IS NOT NULL",
      "previous, ? FROM session WHERE user = ? AND previous IS NOT NULL",
    ] {
      try run(
        "INSERT OR REPLACE INTO removed_token (digest, until) SELECT \(source)", [until, user])
    }
  }

  /// What he made in public goes too; others' copies hear of it by the tombstones.
  ///
  /// Indexes keep naming it, which they may.
  private func removePublicRecords(of recordName: String, at milliseconds: Int64) throws {
    let found = try rows(
      """
      SELECT record.zone, record.name, zone.database FROM record JOIN zone ON zone.number = record.zone
      JOIN database ON database.number = zone.database
      WHERE database.scope = 'public' AND record.deleted = 0
        AND (record.created_by = ? OR record.name = ?)
      """, [recordName, recordName])
    for row in found {
      let zone: Int64 = row[0]
      let name: String = row[1]
      let database: Int64 = row[2]
      try run(
        "UPDATE zone SET sequence = sequence + 1, changed = ? WHERE number = ?",
        [try bump(database), zone])
      try run(
        """
        UPDATE record SET deleted = 1, fields = '{}', has_assets = 0, bytes = 0, modified_at = ?,
          sequence = (SELECT sequence FROM zone WHERE number = ?)
        WHERE zone = ? AND name = ?
        """, [milliseconds, zone, zone, name])
      try run("DELETE FROM pointer WHERE zone = ? AND source = ?", [zone, name])
      try run("DELETE FROM asset_use WHERE zone = ? AND record = ?", [zone, name])
    }
  }

  func addAPIToken(_ token: StoredAPIToken, at milliseconds: Int64) throws {
    try run(
      """
      INSERT INTO api_token (id, digest, container, environment, created_at, user)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        token.id, token.digest, token.container, token.environment.rawValue, milliseconds,
        token.user,
      ])
  }

  func removeAPIToken(id: String) throws -> Bool {
    try run("DELETE FROM api_token WHERE id = ?", [id])
    return db.changesCount > 0
  }

  func save(_ session: StoredSession) throws {
    try run(
      """
      INSERT OR REPLACE INTO session (\(Self.sessionColumns))
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        session.id, session.user, session.container, session.environment.rawValue,
        session.current, session.next, session.previous, session.previousUntil,
        session.rotatedAt, session.expiresAt,
      ])
  }

  func removeSession(id: String) throws -> Bool {
    try run("DELETE FROM session WHERE id = ?", [id])
    return db.changesCount > 0
  }

  func addKey(_ key: StoredKey, at milliseconds: Int64) throws {
    try run(
      """
      INSERT INTO signing_key (id, container, pem, user, record_name, created_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [key.id, key.container, key.publicKeyPEM, key.user, key.recordName, milliseconds])
  }

  func removeKey(id: String) throws -> Bool {
    try run("DELETE FROM signing_key WHERE id = ?", [id])
    return db.changesCount > 0
  }

  func addSignInCode(digest: String, user: Int64, until milliseconds: Int64) throws {
    // One good code a person: a new one takes the old one's place.
    try run("DELETE FROM sign_in_code WHERE user = ?", [user])
    try run(
      "INSERT INTO sign_in_code (digest, user, until) VALUES (?, ?, ?)",
      [digest, user, milliseconds])
  }

  func removeSignInCode(digest: String) throws {
    try run("DELETE FROM sign_in_code WHERE digest = ?", [digest])
  }

  private static func user(_ row: Row) -> StoredUser {
    StoredUser(number: row[0], name: row[1], recordName: row[2])
  }

  private static func environment(_ row: Row, _ index: Int) -> ServiceEnvironment {
    ServiceEnvironment(rawValue: row[index]) ?? .development
  }

  private static func apiToken(_ row: Row) -> StoredAPIToken {
    StoredAPIToken(
      id: row[0], digest: row[1], container: row[2], environment: environment(row, 3),
      user: row[4])
  }

  private static func session(_ row: Row) -> StoredSession {
    var session = StoredSession(
      id: row[0], user: row[1], container: row[2], environment: environment(row, 3),
      current: row[4], rotatedAt: row[8], expiresAt: row[9])
    session.next = row[5]
    session.previous = row[6]
    session.previousUntil = row[7]
    return session
  }

  private static func key(_ row: Row) -> StoredKey {
    StoredKey(
      id: row[0], container: row[1], publicKeyPEM: row[2], user: row[3], recordName: row[4])
  }
}
