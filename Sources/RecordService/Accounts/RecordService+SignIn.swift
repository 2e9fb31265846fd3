// Signing in on the service's own page, with a one-time code that the operator hands out.

internal import CloudKitWire

/// What the sign-in page is about.
package struct SignInRequest: Sendable, Hashable {
  package var container: String
  package var environment: ServiceEnvironment
}

/// How an attempt to sign in went.
package enum SignInOutcome: Sendable, Hashable {
  case token(String, StoredUser)
  case wrongCode
  /// Too many attempts; seconds to wait.
  case wait(Int)
}

extension RecordService {
  /// How long the page of a 421 can be used.
  private static let pageMilliseconds: Int64 = 24 * 3_600_000

  func signInURL(container: String, environment: ServiceEnvironment) -> String {
    let text = "\(now + Self.pageMilliseconds)|\(environment.rawValue)|\(container)"
    return "\(publicURL)/sign-in/\(seal.sealed(text, for: "sign-in"))"
  }

  /// What the last part of a sign-in URL means; nil when it is not ours or too old.
  package func signInRequest(_ sealed: String) -> SignInRequest? {
    guard let text = seal.opened(sealed, for: "sign-in") else { return nil }
    let parts = text.split(separator: "|", maxSplits: 2).map(String.init)
    guard parts.count == 3, let until = Int64(parts[0]), until > now,
      let environment = ServiceEnvironment(rawValue: parts[1])
    else { return nil }
    return SignInRequest(container: parts[2], environment: environment)
  }

  /// Tries a code.
  ///
  /// It is used up by success; guesses are bounded by address and altogether.
  package func signIn(
    _ request: SignInRequest, code: String, peer: String
  ) async throws -> SignInOutcome {
    if let seconds = signInLimiter.wait(for: peer, at: now)
      ?? signInLimiter.wait(for: "all addresses", at: now)
    {
      return .wait(seconds)
    }
    let digest = Digest.of(Self.plain(code))
    let now = now
    let user = try await storage.write { storage -> StoredUser? in
      guard let number = try storage.signInUser(codeDigest: digest, at: now) else { return nil }
      try storage.removeSignInCode(digest: digest)
      return try storage.user(number: number)
    }
    guard let user else { return .wrongCode }
    let token = try await makeSession(
      user: user, container: request.container, environment: request.environment)
    return .token(token, user)
  }

  /// The code without what people add or leave out when they type it.
  static func plain(_ code: String) -> String {
    code.uppercased().filter { $0.isLetter || $0.isNumber }
  }

  /// Whether a token may be sent there: to a program on the person's own machine only.
  package static func isLoopbackCallback(_ url: String) -> Bool {
    guard url.utf8.count <= 1_024, url.hasPrefix("http://"),
      url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
    else { return false }
    let authority = url.dropFirst(7).prefix { !"/?#".contains($0) }
    guard !authority.contains("@") else { return false }
    let host: Substring
    let rest: Substring
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return false }
      host = authority[...end]
      rest = authority[authority.index(after: end)...]
    } else {
      host = authority.prefix { $0 != ":" }
      rest = authority.dropFirst(host.count)
    }
    guard ["127.0.0.1", "localhost", "[::1]"].contains(host) else { return false }
    guard !rest.isEmpty else { return true }
    return rest.hasPrefix(":") && UInt16(rest.dropFirst()) != nil
  }
}
