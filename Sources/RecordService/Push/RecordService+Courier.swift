// device/…/tokens/create and register, and the courier's long poll.

internal import CloudKitWire

extension RecordService {
  /// Seconds that the courier holds a poll; then it answers with nothing and is asked again.
  private static let pollSeconds = 50

  func createPushToken(_ call: Call) async throws -> ServiceResponse {
    let request: PushToken = try call.message()
    let token = surroundings.hex(32)
    try await join(call, token)
    return ServiceResponse(answer(request, token))
  }

  func registerPushToken(_ call: Call) async throws -> ServiceResponse {
    let request: PushToken = try call.message()
    guard let token = request.apnsToken, !token.isEmpty else {
      throw ServiceError(.badRequest, "The apnsToken is missing.")
    }
    let digest = Digest.of(token)
    guard try await storage.read({ try $0.hasCourier(digest: digest) }) else {
      throw ServiceError(.badRequest, "The apnsToken is none of this service's.")
    }
    try await join(call, token)
    return ServiceResponse(json: Array("{}".utf8))
  }

  private func join(_ call: Call, _ token: String) async throws {
    let now = now
    let caller = call.caller
    try await storage.write { storage in
      try storage.addCourier(
        digest: Digest.of(token), subscriber: caller.recordName, container: caller.container,
        environment: caller.environment, at: now)
    }
  }

  private func answer(_ request: PushToken, _ token: String) -> PushToken {
    var answer = PushToken(
      apnsEnvironment: request.apnsEnvironment ?? "production", apnsToken: token)
    answer.webcourierURL = "\(publicURL)/courier/\(token)"
    return answer
  }

  /// One notification, or nothing after a while.
  package func courier(_ token: String) async -> ServiceResponse {
    let digest = Digest.of(token)
    do {
      guard try await storage.read({ try $0.hasCourier(digest: digest) }) else {
        throw ServiceError(.notFound, "The courier does not know this token.")
      }
      let deadline = Deadline(seconds: Self.pollSeconds, surroundings: surroundings)
      defer { deadline.cancel() }
      while true {
        let generation = storage.signal.generation(of: .courier(digest))
        if let payload = try await take(digest) {
          return ServiceResponse(json: Array(payload.utf8))
        }
        guard !deadline.isOver, !Task.isCancelled else { break }
        await storage.signal.wait(for: .courier(digest), after: generation) {
          await deadline.wait()
        }
      }
      return ServiceResponse(json: [])
    } catch is CancellationError {
      // Going down: the client asks again.
      return ServiceResponse(json: [])
    } catch {
      return response(to: error)
    }
  }

  private func take(_ digest: String) async throws -> String? {
    guard try await storage.read({ try $0.notification(for: digest) }) != nil else { return nil }
    return try await storage.write(.freeing) { storage in
      guard let next = try storage.notification(for: digest) else { return nil }
      try storage.removeNotification(number: next.number)
      return next.payload
    }
  }
}
