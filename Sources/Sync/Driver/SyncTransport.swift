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
  /// Whether to ask for what a service of ours does beyond the protocol; only where it said so.
  package var isExtended = false
  /// Whether the service takes and gives compressed bodies.
  package var hasGzip = false
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

/// What is uploaded.
package enum UploadContent: Sendable, Hashable {
  case bytes([UInt8])
  /// Read piece by piece, never whole.
  case file(path: String, size: Int64)
}

/// Takes a piece of a file; `isContinued` is false where the piece is the file's first.
package typealias ContentSink = @Sendable (_ piece: [UInt8], _ isContinued: Bool) throws -> Void

/// A way to one container of one service, with the credentials of one person.
package protocol SyncTransport: Sendable {
  /// Carries out a call.
  ///
  /// Any answer is returned; a failure means that there was none.
  func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply

  /// Sends content to an address that the service gave.
  func upload(
    _ content: UploadContent, to address: String
  ) async throws(TransportFailure) -> ServiceReply

  /// Reads a file from an address that the service gave.
  ///
  /// - Parameters:
  ///   - offset: How many bytes are known already; a service that can't begin there sends all.
  ///   - take: Is handed the file piece by piece. What it throws ends the reading.
  /// - Returns: Status 200 or 206 and no body once all pieces were taken; else the whole answer.
  func download(
    _ address: String, from offset: Int64, _ take: @escaping ContentSink
  ) async throws(TransportFailure) -> ServiceReply

  func close() async
}
