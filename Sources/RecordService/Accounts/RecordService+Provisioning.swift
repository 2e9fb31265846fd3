// What the operator does: users, tokens, keys, zones. Secrets are returned once and kept as
// digests only.

internal import CloudKitWire

/// Why an operator's wish was not granted.
package enum ProvisioningFault: Error, Hashable, Sendable {
  case badName(String)
  case badContainer(String)
  case userExists(String)
  case noSuchUser(String)
  case keyExists(String)
  case noPublicKey
  case zoneExists(String)
  case noSuchZone(String)
  /// The user has as many zones as one may have.
  case tooManyZones(String)
}

/// Two secrets, shown this once.
package struct IssuedTokens: Sendable {
  package var apiToken: String
  package var webAuthToken: String
  /// What lists show, and what revokes them.
  package var apiTokenID: String
  package var sessionID: String
}

extension RecordService {
  // MARK: Users

  package func addUser(_ name: String) async throws -> StoredUser {
    guard NameRules.isRecordName(name) else { throw ProvisioningFault.badName(name) }
    let recordName = "_" + surroundings.hex(16)
    let now = now
    return try await storage.write { storage in
      guard try storage.user(named: name) == nil else {
        throw ProvisioningFault.userExists(name)
      }
      return try storage.addUser(name: name, recordName: recordName, at: now)
    }
  }

  package func users() async throws -> [StoredUser] {
    try await storage.read { try $0.users() }
  }

  /// Removes the user and all that is his: records, tokens, keys.
  ///
  /// His files go with the next upkeep. Who still comes with one of his tokens is told, for as long
  /// as deletions are remembered.
  package func removeUser(_ name: String) async throws {
    let now = now
    let until = now + settings.tombstoneRetentionMilliseconds
    try await storage.write(.freeing) { storage in
      guard let user = try storage.user(named: name) else {
        throw ProvisioningFault.noSuchUser(name)
      }
      try storage.removeUser(user, at: now, rememberingUntil: until)
    }
  }

  /// A code with which that user signs in once, on the page.
  package func makeSignInCode(user name: String) async throws -> String {
    let user = try await user(named: name)
    // Letters and digits that nobody mistakes for one another; 50 bits.
    let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
    let letters = surroundings.random(10).map { alphabet[Int($0) % alphabet.count] }
    let code = String(letters.prefix(5)) + "-" + String(letters.dropFirst(5))
    let until = now + settings.signInCodeMilliseconds
    try await storage.write { storage in
      try storage.addSignInCode(
        digest: Digest.of(Self.plain(code)), user: user.number, until: until)
    }
    return code
  }

  // MARK: Tokens

  package func addTokens(
    user name: String, container: String, environment: ServiceEnvironment
  ) async throws -> IssuedTokens {
    try Self.checkForm(ofContainer: container)
    let user = try await user(named: name)
    let (apiToken, stored) = try await addAPIToken(
      container: container, environment: environment, user: user)
    let webToken = try await makeSession(
      user: user, container: container, environment: environment)
    return IssuedTokens(
      apiToken: apiToken, webAuthToken: webToken, apiTokenID: stored.id,
      sessionID: String(webToken.prefix { $0 != "." }))
  }

  /// An API token by itself: for a program that a person pairs in a browser.
  ///
  /// It goes when he goes.
  package func addAPIToken(
    container: String, environment: ServiceEnvironment, user: StoredUser
  ) async throws -> (token: String, stored: StoredAPIToken) {
    let apiToken = surroundings.hex(32)
    let digest = Digest.of(apiToken)
    let stored = StoredAPIToken(
      id: String(digest.prefix(12)), digest: digest, container: container,
      environment: environment, user: user.number)
    let now = now
    try await storage.write { try $0.addAPIToken(stored, at: now) }
    return (apiToken, stored)
  }

  package func apiTokens() async throws -> [StoredAPIToken] {
    try await storage.read { try $0.apiTokens() }
  }

  package func sessions() async throws -> [StoredSession] {
    try await storage.read { try $0.sessions() }
  }

  /// Revokes an API token or a session, by its id or by itself; false when there is none.
  package func revokeToken(_ word: String) async throws -> Bool {
    let tokenIDs = Set([word, String(Digest.of(word).prefix(12))])
    let sessionID = String(word.prefix { $0 != "." })
    return try await storage.write(.freeing) { storage in
      var isGone = try storage.removeSession(id: sessionID)
      for id in tokenIDs where try storage.removeAPIToken(id: id) { isGone = true }
      return isGone
    }
  }

  // MARK: Keys

  /// Registers the public half of a server-to-server key.
  ///
  /// - Parameter user: whom it acts as in his private database; nil for the public database only.
  package func addKey(
    container: String, publicKeyPEM: String, id: String?, user name: String? = nil
  ) async throws -> StoredKey {
    try Self.checkForm(ofContainer: container)
    guard RequestSigning.isPublicKey(publicKeyPEM) else { throw ProvisioningFault.noPublicKey }
    let user = if let name { try await user(named: name) } else { StoredUser?.none }
    let id = id ?? surroundings.hex(32)
    guard NameRules.isRecordName(id) else { throw ProvisioningFault.badName(id) }
    let key = StoredKey(
      id: id, container: container, publicKeyPEM: publicKeyPEM, user: user?.number,
      recordName: user?.recordName ?? "_" + Digest.of("key \(id)").prefix(32))
    let now = now
    try await storage.write { storage in
      guard try storage.key(id: id) == nil else { throw ProvisioningFault.keyExists(id) }
      try storage.addKey(key, at: now)
    }
    return key
  }

  package func keys() async throws -> [StoredKey] {
    try await storage.read { try $0.keys() }
  }

  package func revokeKey(_ id: String) async throws -> Bool {
    try await storage.write(.freeing) { try $0.removeKey(id: id) }
  }

  // MARK: Zones

  package func addZone(
    _ name: String, user: String, container: String, environment: ServiceEnvironment
  ) async throws {
    guard NameRules.isZoneName(name), name != ZoneID.defaultName else {
      throw ProvisioningFault.badName(name)
    }
    try Self.checkForm(ofContainer: container)
    let database = try await privateDatabase(of: user, container, environment)
    let now = now
    let bounds = settings.zones
    try await storage.write { storage in
      guard try storage.zone(named: name, in: database) == nil else {
        throw ProvisioningFault.zoneExists(name)
      }
      guard try bounds.allowsAnother(for: database.owner, storage) else {
        throw ProvisioningFault.tooManyZones(user)
      }
      _ = try storage.makeZone(named: name, in: database, at: now)
    }
  }

  package func zones(
    user: String, container: String, environment: ServiceEnvironment
  ) async throws -> [String] {
    let database = try await privateDatabase(of: user, container, environment)
    return try await storage.read { try $0.zones(in: database).map(\.name) }
  }

  package func removeZone(
    _ name: String, user: String, container: String, environment: ServiceEnvironment
  ) async throws {
    let database = try await privateDatabase(of: user, container, environment)
    let now = now
    try await storage.write(.freeing) { storage in
      guard name != ZoneID.defaultName, let zone = try storage.zone(named: name, in: database)
      else { throw ProvisioningFault.noSuchZone(name) }
      try storage.deleteZone(zone, in: database, at: now)
      try Self.notifySubscribers(ofZone: name, database, at: now, storage)
    }
  }

  private func privateDatabase(
    of user: String, _ container: String, _ environment: ServiceEnvironment
  ) async throws -> DatabaseKey {
    DatabaseKey(
      container: container, environment: environment, scope: .private,
      owner: try await self.user(named: user).number)
  }

  /// What is handed out is for a container whose id has the form that clients expect.
  private static func checkForm(ofContainer id: String) throws {
    guard NameRules.hasContainerForm(id) else { throw ProvisioningFault.badContainer(id) }
  }

  private func user(named name: String) async throws -> StoredUser {
    guard let user = try await storage.read({ try $0.user(named: name) }) else {
      throw ProvisioningFault.noSuchUser(name)
    }
    return user
  }

  /// A caller in this process, for a program that embeds the service: made when he is new.
  package func embeddedCaller(
    user name: String, container: String, environment: ServiceEnvironment
  ) async throws -> Caller {
    guard NameRules.isContainer(container) else {
      throw ProvisioningFault.badContainer(container)
    }
    let recordName = "_" + surroundings.hex(16)
    let now = now
    let user = try await storage.write { storage in
      try storage.user(named: name)
        ?? storage.addUser(name: name, recordName: recordName, at: now)
    }
    return Caller(
      .user(number: user.number), recordName: user.recordName, container: container,
      environment: environment)
  }
}
