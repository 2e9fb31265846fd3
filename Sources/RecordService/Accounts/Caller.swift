// Who asks, and whose database is meant.

package enum ServiceEnvironment: String, Sendable, Hashable, CaseIterable {
  case development, production
}

package enum DatabaseScope: String, Sendable, Hashable {
  case `public`, `private`, shared
}

/// One database: zones of one owner in one container and environment.
package struct DatabaseKey: Sendable, Hashable {
  package var container: String
  package var environment: ServiceEnvironment
  package var scope: DatabaseScope
  /// The user's number; 0 for the public database.
  package var owner: Int64

  package init(
    container: String, environment: ServiceEnvironment, scope: DatabaseScope, owner: Int64
  ) {
    self.container = container
    self.environment = environment
    self.scope = scope
    self.owner = owner
  }

  /// What a courier's poll waits for: no database, but woken like one.
  package static func courier(_ digest: String) -> Self {
    Self(container: "\u{0}" + digest, environment: .production, scope: .private, owner: -2)
  }
}

/// The sender of a request, once it is known.
package struct Caller: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// An API token alone: the world.
    case world
    case user(number: Int64)
    /// A server-to-server key that is nobody's.
    case key
  }

  package var kind: Kind
  /// The record name of the user, or of the key; empty for the world.
  package var recordName: String
  package var container: String
  package var environment: ServiceEnvironment

  package init(
    _ kind: Kind, recordName: String, container: String, environment: ServiceEnvironment
  ) {
    self.kind = kind
    self.recordName = recordName
    self.container = container
    self.environment = environment
  }

  package var userNumber: Int64? {
    if case .user(let number) = kind { number } else { nil }
  }
}
