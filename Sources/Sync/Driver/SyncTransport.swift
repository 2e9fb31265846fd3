// The way to a record service: a call in, its whole answer out. Implementations: SyncTransports.
// It knows no record and decides nothing.

/// One call of the service's protocol.
///
/// The transport adds host, container and credentials.
package struct ServiceCall: Sendable, Hashable {
  package enum Database: String, Sendable, Hashable {
    case `public`, `private`
  }

  package var database: Database
  /// `changes/zone` and the like.
  package var action: String
  /// Nothing: a GET.
  package var body: [UInt8]?
  /// How long the service may hold its answer until something changed.
  package var waitSeconds: Int?
  /// The same for every repetition of one request, where the service advertised that it heeds it.
  package var idempotencyKey: String?

  package init(_ database: Database, _ action: String, body: [UInt8]?, waitSeconds: Int? = nil) {
    self.database = database
    self.action = action
    self.body = body
    self.waitSeconds = waitSeconds
  }
}

/// What came back, whatever it is.
package struct ServiceReply: Sendable, Hashable {
  package var status: Int
  /// By lower-case name.
  package var headers: [String: String]
  package var body: [UInt8]

  package init(status: Int, headers: [String: String] = [:], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// A way to one container of one service, with the credentials of one person.
package protocol SyncTransport: Sendable {
  /// Carries out a call.
  ///
  /// Any answer is returned; a failure means that there was none.
  func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply

  /// Sends a file's bytes to an address that the service gave.
  func upload(_ bytes: [UInt8], to address: String) async throws(TransportFailure) -> ServiceReply

  /// Reads a file from an address that the service gave.
  func download(_ address: String) async throws(TransportFailure) -> ServiceReply

  func close() async
}
