// The accounts' part of the storage contract. Secrets come and go as SHA-256 digests in hex.

package struct StoredUser: Sendable, Hashable {
  package var number: Int64
  /// What the operator calls him.
  package var name: String
  /// `_` and 32 hex digits: his id on the wire.
  package var recordName: String

  package init(number: Int64, name: String, recordName: String) {
    self.number = number
    self.name = name
    self.recordName = recordName
  }
}

package struct StoredAPIToken: Sendable, Hashable {
  /// Public: the first digits of the digest.
  package var id: String
  package var digest: String
  package var container: String
  package var environment: ServiceEnvironment
  /// Whom it was made for, and goes with; nil for one that an older service made.
  package var user: Int64?

  package init(
    id: String, digest: String, container: String, environment: ServiceEnvironment, user: Int64?
  ) {
    self.id = id
    self.digest = digest
    self.container = container
    self.environment = environment
    self.user = user
  }
}

/// A signed-in user: a web-auth token, its successor and its predecessor.
package struct StoredSession: Sendable, Hashable {
  /// Public: the first part of each of its tokens.
  package var id: String
  package var user: Int64
  package var container: String
  package var environment: ServiceEnvironment
  package var current: String
  /// The successor, once it was handed out.
  package var next: String?
  package var previous: String?
  package var previousUntil: Int64
  package var rotatedAt: Int64
  package var expiresAt: Int64

  package init(
    id: String, user: Int64, container: String, environment: ServiceEnvironment,
    current: String, rotatedAt: Int64, expiresAt: Int64
  ) {
    self.id = id
    self.user = user
    self.container = container
    self.environment = environment
    self.current = current
    self.rotatedAt = rotatedAt
    self.expiresAt = expiresAt
    next = nil
    previous = nil
    previousUntil = 0
  }
}

/// A server-to-server key; only its public half is ever here.
package struct StoredKey: Sendable, Hashable {
  package var id: String
  package var container: String
  package var publicKeyPEM: String
  /// Whom it acts as; nil for the public database only, as the key itself.
  package var user: Int64?
  package var recordName: String

  package init(
    id: String, container: String, publicKeyPEM: String, user: Int64?, recordName: String
  ) {
    self.id = id
    self.container = container
    self.publicKeyPEM = publicKeyPEM
    self.user = user
    self.recordName = recordName
  }
}

package protocol AccountReading {
  func users() throws -> [StoredUser]
  func user(named name: String) throws -> StoredUser?
  func user(number: Int64) throws -> StoredUser?
  func apiTokens() throws -> [StoredAPIToken]
  func apiToken(digest: String) throws -> StoredAPIToken?
  func sessions() throws -> [StoredSession]
  func session(id: String) throws -> StoredSession?
  func keys() throws -> [StoredKey]
  func key(id: String) throws -> StoredKey?
  /// The user whom that one-time code signs in, if it is still good.
  func signInUser(codeDigest: String, at milliseconds: Int64) throws -> Int64?
  /// Whether a token of that digest was one of a user who has been removed.
  func wasRemoved(digest: String) throws -> Bool
  /// A random secret of the service, made with the storage.
  func secret() throws -> [UInt8]
}

package protocol AccountWriting {
  func addUser(name: String, recordName: String, at milliseconds: Int64) throws -> StoredUser
  /// Removes the user and all that is his; his public records leave tombstones.
  ///
  /// The digests of his tokens are kept until then, so that who still comes with one is told.
  func removeUser(
    _ user: StoredUser, at milliseconds: Int64, rememberingUntil until: Int64
  ) throws
  func addAPIToken(_ token: StoredAPIToken, at milliseconds: Int64) throws
  func removeAPIToken(id: String) throws -> Bool
  func save(_ session: StoredSession) throws
  func removeSession(id: String) throws -> Bool
  func addKey(_ key: StoredKey, at milliseconds: Int64) throws
  func removeKey(id: String) throws -> Bool
  func addSignInCode(digest: String, user: Int64, until milliseconds: Int64) throws
  func removeSignInCode(digest: String) throws
}
