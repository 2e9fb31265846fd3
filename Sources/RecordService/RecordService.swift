// The service: a function of a request, who asks, and the storage.
//
// No sockets here, no clock and no randomness but those passed in. Any thread: all state that is
// not in the storage is behind a lock of its own.

internal import CloudKitWire
internal import Synchronization

/// Records, change feeds, assets and accounts behind CloudKit Web Services.
package final class RecordService: Sendable {
  package let settings: ServiceSettings
  package let storage: any RecordStorage
  let surroundings: ServiceSurroundings
  private let baseURL: Mutex<String>
  let assets: AssetFiles
  let seal: Seal
  let limiter: RateLimiter
  /// Guesses at sign-in codes: one in six seconds, ten at once.
  let signInLimiter = RateLimiter(perSecond: 1.0 / 6, burst: 10)
  package let metrics = ServiceMetrics()

  /// Opens the service over a storage; assets live in that folder.
  package init(
    storage: any RecordStorage, assetFolder: String, settings: ServiceSettings = .init(),
    surroundings: ServiceSurroundings = .system
  ) async throws {
    self.storage = storage
    self.settings = settings
    baseURL = Mutex(settings.publicURL)
    self.surroundings = surroundings
    assets = try AssetFiles(
      folder: assetFolder, bytesMax: WireLimits.assetBytesMax, disk: surroundings.disk)
    seal = Seal(secret: try await storage.read { try $0.secret() })
    limiter = RateLimiter(
      perSecond: settings.requestsPerSecond, burst: settings.requestsBurst)
  }

  /// Opens the service on one SQLite file, with its assets beside it.
  package static func open(
    path: String, settings: ServiceSettings = .init(),
    surroundings: ServiceSurroundings = .system
  ) async throws -> RecordService {
    let storage = try await SQLiteStorage.open(
      path: path, surroundings: surroundings, bytesMax: settings.storeBytesMax)
    return try await RecordService(
      storage: storage, assetFolder: path + "-assets", settings: settings,
      surroundings: surroundings)
  }

  /// Ends the use of the storage: nobody may ask any more.
  package func close() async throws { try await storage.close() }

  /// What URLs that the service hands out begin with.
  ///
  /// A server that was given none sets it once it knows its port.
  package var publicURL: String {
    get { baseURL.withLock { $0 } }
    set { baseURL.withLock { $0 = newValue } }
  }

  var now: Int64 { surroundings.milliseconds() }

  /// Answers a request from outside: finds out who asks first.
  ///
  /// Never throws: what goes wrong is an answer.
  package func respond(to request: ServiceRequest) async -> ServiceResponse {
    await answering(request) { route in
      // Signatures cover the body as it came, before gunzip.
      let visitor = try await self.authenticate(request, route)
      var response: ServiceResponse
      do {
        try self.checkRate(visitor)
        response = try await self.respond(
          to: try self.decompressed(request), route, as: visitor.caller)
      } catch {
        response = self.response(to: error)
      }
      // Error responses carry a rotated token too.
      if let token = visitor.rotatedToken {
        response.headers.append(("x-apple-cloudkit-web-auth-token", token))
        if visitor.isOwnSession {
          response.headers.append((ServiceExtensions.sessionHeaderName, "own"))
        }
      }
      return response
    }
  }

  /// Answers a request of somebody whom the surrounding program vouches for.
  package func respond(
    to request: ServiceRequest, as caller: Caller
  ) async -> ServiceResponse {
    await answering(request) { route in
      guard route.container == caller.container, route.environment == caller.environment else {
        throw ServiceError(.authenticationFailed, "The caller belongs to another container.")
      }
      return try await self.respond(to: try self.decompressed(request), route, as: caller)
    }
  }

  private func answering(
    _ request: ServiceRequest,
    _ body: (Route) async throws -> ServiceResponse
  ) async -> ServiceResponse {
    var response: ServiceResponse
    do {
      response = try await body(try Route(request))
    } catch {
      response = self.response(to: error)
    }
    metrics.count(status: response.status)
    response.headers.append((ServiceExtensions.headerName, settings.extensions.header))
    return compressed(response, for: request)
  }

  /// The answer to a body beyond `ServiceSettings.bodyBytesMax`, which nobody reads to its end.
  package func refuseTooLarge() -> ServiceResponse {
    refuse("The body is too large: \(settings.bodyBytesMax) bytes are the limit.")
  }

  /// The answer to a body that ended before its end.
  package func refuseBroken() -> ServiceResponse { refuse("The body ends too early.") }

  private func refuse(_ reason: String) -> ServiceResponse {
    metrics.count(status: 400)
    return response(to: ServiceError(.badRequest, reason))
  }

  /// What an error is on the wire.
  func response(to error: any Error) -> ServiceResponse {
    if error is MethodNotAllowed {
      var refusal = ServiceError(.badRequest, "The endpoint does not take this method.")
      refusal.uuid = surroundings.uuid()
      return ServiceResponse(refusal, status: 405)
    }
    var failure = Self.serviceError(error)
    failure.uuid = surroundings.uuid()
    return ServiceResponse(failure)
  }

  static func serviceError(_ error: any Error) -> ServiceError {
    switch error {
    case let error as ServiceError: error
    case let error as MalformedMessage:
      ServiceError(.badRequest, "The request can't be read: \(error.description).")
    case StorageFault.full:
      ServiceError(
        .quotaExceeded,
        "The service has no room left; nothing was lost. Delete records or zones. If that is "
          + "refused too, who runs the service has to make room on its disk.")
    case StorageFault.busy:
      ServiceError(.tryAgainLater, "The service is busy.", retryAfter: 1)
    case is CancellationError:
      ServiceError(.tryAgainLater, "The service is going down.", retryAfter: 5)
    default: ServiceError(.internalError, "The service met an error of its own.")
    }
  }

  private func checkRate(_ visitor: Visitor) throws {
    guard let seconds = limiter.wait(for: visitor.rateKey, at: now) else { return }
    throw ServiceError(.throttled, "Too many requests. Slow down.", retryAfter: seconds)
  }
}
