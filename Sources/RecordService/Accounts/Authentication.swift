// Who asks: an API token with or without a web-auth token, or a signature.

internal import CloudKitWire

/// The sender of a request from outside.
struct Visitor {
  var caller: Caller
  /// What to put into the response header.
  var rotatedToken: String?
  /// Whether that token begins a session of its own.
  var isOwnSession = false
  var rateKey: String
}

extension RecordService {
  private typealias Headers = RequestSigning

  func authenticate(_ request: ServiceRequest, _ route: Route) async throws -> Visitor {
    let parameters = request.parameters
    let isSigned = request.headers[Headers.keyIDHeader.lowercased()] != nil
    let apiToken = parameters["ckAPIToken"]
    let webToken = parameters["ckWebAuthToken"] ?? parameters["ckSession"]
    if isSigned {
      guard apiToken == nil, webToken == nil else {
        throw ServiceError(
          .authenticationFailed, "A request carries a token or a signature, not both.")
      }
      return try await authenticateKey(request, route)
    }
    guard let apiToken, !apiToken.isEmpty else {
      // A client of ours that is to be paired has no token yet: the page gives it one.
      if request.headers[ServiceExtensions.headerName] != nil { throw signInRequired(route) }
      throw ServiceError(.authenticationFailed, "no auth method found")
    }
    let digest = Digest.of(apiToken)
    let (known, wasRemoved) = try await storage.read { storage in
      let known = try storage.apiToken(digest: digest)
      return (known, try known == nil && storage.wasRemoved(digest: digest))
    }
    guard let known, Digest.isEqual(known.digest, digest), known.container == route.container,
      known.environment == route.environment
    else {
      let failure = ServiceError(.authenticationFailed, "Authentication failed")
      throw wasRemoved ? Self.ofRemovedAccount(failure) : failure
    }
    if let webToken, !webToken.isEmpty {
      let wantsOwn = request.headers[ServiceExtensions.sessionHeaderName] != nil
      return try await authenticateUser(webToken, route, wantsOwnSession: wantsOwn)
    }
    guard route.scope == .public, !route.endpoint.isUsers, route.endpoint != .tokensCreate,
      route.endpoint != .tokensRegister
    else { throw signInRequired(route) }
    return Visitor(
      caller: Caller(
        .world, recordName: "", container: route.container, environment: route.environment),
      rateKey: "world \(known.id) \(request.peer ?? "")")
  }

  /// The refusal, telling that it is for good: nobody can sign in to that account again.
  private static func ofRemovedAccount(_ error: ServiceError) -> ServiceError {
    var error = error
    error.reason =
      "The account was removed from this service, with all that it kept here. Ask who runs the "
      + "service for a new one."
    error.extensionErrorCode = ServiceError.accountRemoved
    return error
  }

  /// 421, with the page where a person signs in.
  func signInRequired(_ route: Route) -> ServiceError {
    var error = ServiceError(.authenticationRequired, "request needs authorization")
    error.redirectURL = signInURL(container: route.container, environment: route.environment)
    return error
  }

  // MARK: Users

  private func authenticateUser(
    _ token: String, _ route: Route, wantsOwnSession: Bool
  ) async throws -> Visitor {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw signInRequired(route) }
    let id = String(parts[0])
    let now = now
    let (found, wasRemoved) = try await storage.read { storage in
      let found = try storage.session(id: id).flatMap { session in
        try storage.user(number: session.user).map { (session, $0) }
      }
      return (found, try found == nil && storage.wasRemoved(digest: Digest.of(token)))
    }
    if wasRemoved { throw Self.ofRemovedAccount(signInRequired(route)) }
    guard let (session, user) = found, session.container == route.container,
      session.environment == route.environment, session.expiresAt > now
    else { throw signInRequired(route) }
    let rotated = try await rotate(session, presented: token, at: now)
    guard let rotated else { throw signInRequired(route) }
    var visitor = Visitor(
      caller: Caller(
        .user(number: user.number), recordName: user.recordName, container: route.container,
        environment: route.environment),
      rotatedToken: rotated, rateKey: user.recordName)
    if wantsOwnSession {
      do {
        visitor.rotatedToken = try await makeSession(
          user: user, container: route.container, environment: route.environment)
        visitor.isOwnSession = true
      } catch StorageFault.full, StorageFault.busy {
        // It is asked for again; the session that is there goes on.
      }
    }
    return visitor
  }

  /// The token for the response header; nil when the presented one is not good.
  ///
  /// A token's successor is derived from it and the service's secret, so that a repeated request
  /// gets the same one and nothing but digests is stored. The old token lives on until its
  /// successor has been used, and then for the grace period: a client that loses an answer, or
  /// two that share a token, are not locked out.
  private func rotate(
    _ session: StoredSession, presented token: String, at now: Int64
  ) async throws -> String? {
    let digest = Digest.of(token)
    if Digest.isEqual(session.current, digest) {
      let isDue = now - session.rotatedAt >= settings.rotationMilliseconds
      try await prolong(session, at: now)
      guard isDue || session.previous == nil else { return token }
      let successor = successor(of: token, id: session.id)
      guard session.next == nil else { return successor }
      let isNoted = try await update(session.id) { $0.next = Digest.of(successor) }
      return isNoted ? successor : token
    }
    if Digest.isEqual(session.next, digest) {
      let grace = now + settings.rotationGraceMilliseconds
      let expiry = now + settings.sessionMilliseconds
      _ = try await update(session.id) { session in
        guard session.next == digest else { return }
        session.previous = session.current
        session.previousUntil = grace
        session.current = digest
        session.next = nil
        session.rotatedAt = now
        session.expiresAt = expiry
      }
      return token
    }
    guard Digest.isEqual(session.previous, digest), session.previousUntil > now else { return nil }
    return successor(of: token, id: session.id)
  }

  /// Moves the expiry along with use, but writes only once a day.
  private func prolong(_ session: StoredSession, at now: Int64) async throws {
    let expiry = now + settings.sessionMilliseconds
    guard expiry - session.expiresAt > 86_400_000 else { return }
    _ = try await update(session.id) { $0.expiresAt = expiry }
  }

  /// False when it could not be written: who may come in may do so when the disk is full, too.
  private func update(
    _ id: String, _ change: @escaping @Sendable (inout StoredSession) -> Void
  ) async throws -> Bool {
    do {
      try await storage.write { storage in
        guard var session = try storage.session(id: id) else { return }
        change(&session)
        try storage.save(session)
      }
      return true
    } catch StorageFault.full, StorageFault.busy {
      return false
    }
  }

  private func successor(of token: String, id: String) -> String {
    id + "." + Base64.encodeForURL(seal.code(token, for: "rotation"))
  }

  /// Signs a user in; the token is not kept anywhere but with who asked.
  package func makeSession(
    user: StoredUser, container: String, environment: ServiceEnvironment
  ) async throws -> String {
    let id = surroundings.hex(8)
    let token = id + "." + Base64.encodeForURL(surroundings.random(32))
    let now = now
    let session = StoredSession(
      id: id, user: user.number, container: container, environment: environment,
      current: Digest.of(token), rotatedAt: now,
      expiresAt: now + settings.sessionMilliseconds)
    try await storage.write { storage in
      try storage.save(session)
      try Self.makeUsersRecord(
        of: user, container: container, environment: environment, at: now, in: storage)
    }
    return token
  }

  // MARK: Keys

  private func authenticateKey(
    _ request: ServiceRequest, _ route: Route
  ) async throws -> Visitor {
    let failure = ServiceError(.authenticationFailed, "Authentication failed")
    let headers = request.headers
    guard let id = headers[Headers.keyIDHeader.lowercased()],
      let date = headers[Headers.dateHeader.lowercased()],
      let signature = headers[Headers.signatureHeader.lowercased()],
      let key = try await storage.read({ try $0.key(id: id) }), key.container == route.container
    else { throw failure }
    guard let seconds = WireDate.seconds(date),
      abs(now / 1_000 - seconds) <= RequestSigning.windowSeconds
    else {
      throw ServiceError(
        .authenticationFailed, "The date of the request is too far from the service's clock.")
    }
    guard
      RequestSigning.isValid(
        signature: signature, publicKeyPEM: key.publicKeyPEM, date: date, body: request.body,
        subpath: request.target)
    else { throw failure }
    if let number = key.user {
      return Visitor(
        caller: Caller(
          .user(number: number), recordName: key.recordName, container: route.container,
          environment: route.environment),
        rateKey: key.recordName)
    }
    guard !route.endpoint.isUsers else { throw failure }
    guard
      route.scope == .public || route.endpoint == .tokensCreate
        || route.endpoint == .tokensRegister
    else {
      throw ServiceError(
        .accessDenied, "A server-to-server key reaches the public database only.")
    }
    return Visitor(
      caller: Caller(
        .key, recordName: key.recordName, container: route.container,
        environment: route.environment),
      rateKey: key.recordName)
  }
}
