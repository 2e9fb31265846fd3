// A record service over HTTP, by AsyncHTTPClient. It adds the address, the container and the
// credentials to a call, and keeps the newest web-auth token; it decides nothing about answers.

internal import AsyncHTTPClient
internal import CloudKitWire
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import RecordService
package import Sync

package final class HTTPTransport: SyncTransport {
  /// The longest body that is read (reference 15: 200 records of 1 MB, and more in our own pages).
  static let bodyBytesMax = 256 << 20
  static let timeoutSeconds: Int64 = 60
  /// The longest silence of a connection: longer than a service holds an answer.
  static let silenceSeconds: Int64 = 120
  /// The longest that one file may take.
  static let fileSeconds: Int64 = 6 * 60 * 60
  /// Shorter bodies gain nothing from compression.
  static let compressionBytesMin = 1_024
  static let connectSeconds: Int64 = 10

  private let client: HTTPClient
  private let base: String
  private let container: String
  private let tokens: TokenStore
  /// Compression saves a slow wire, and only costs time where there is none.
  private let isLoopback: Bool

  /// - Parameter base: `http(s)://host[:port]`, without a slash at the end.
  package init(base: String, container: String, tokens: TokenStore) {
    var base = base
    while base.hasSuffix("/") { base.removeLast() }
    self.base = base
    isLoopback = ["//127.", "//localhost", "//[::1]"].contains { base.contains($0) }
    self.container = container
    self.tokens = tokens
    var configuration = HTTPClient.Configuration()
    configuration.timeout.connect = .seconds(Self.connectSeconds)
    configuration.timeout.read = .seconds(Self.silenceSeconds)
    configuration.redirectConfiguration = .disallow
    // Trying again is the machine's business: nobody there is an answer, at once.
    configuration.connectionPool.retryConnectionEstablishment = false
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  package func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply {
    let path = "/database/1/\(container)/production/\(call.database.rawValue)/\(call.action)"
    var request = HTTPClientRequest(url: base + path + "?" + tokens.query)
    if call.isExtended { request.headers.add(name: "x-skyros", value: "1") }
    if tokens.wantsOwnSession {
      request.headers.add(name: ServiceExtensions.sessionHeaderName, value: "own")
    }
    if let key = call.idempotencyKey { request.headers.add(name: "idempotency-key", value: key) }
    let isGzipped = call.hasGzip && !isLoopback
    if isGzipped { request.headers.add(name: "accept-encoding", value: "gzip") }
    if let seconds = call.waitSeconds {
      request.headers.add(name: "prefer", value: "wait=\(seconds)")
    }
    if let body = call.body {
      request.method = .POST
      request.headers.add(name: "content-type", value: "application/json")
      if isGzipped, body.count >= Self.compressionBytesMin, let packed = Gzip.compress(body) {
        request.headers.add(name: "content-encoding", value: "gzip")
        request.body = .bytes(ByteBuffer(bytes: packed))
      } else {
        request.body = .bytes(ByteBuffer(bytes: body))
      }
    }
    let reply = try await send(request, waiting: Int64(call.waitSeconds ?? 0))
    if let token = reply.headers["x-apple-cloudkit-web-auth-token"] {
      let extensions = reply.headers[ServiceExtensions.headerName].map(ServiceExtensions.init)
      tokens.adopt(
        token, isOwn: reply.headers[ServiceExtensions.sessionHeaderName] != nil,
        offersOwn: extensions?.hasOwnSession == true)
    }
    return reply
  }

  package func upload(
    _ content: UploadContent, to address: String
  ) async throws(TransportFailure) -> ServiceReply {
    var request = HTTPClientRequest(url: address)
    request.method = .POST
    switch content {
    case .bytes(let bytes): request.body = .bytes(ByteBuffer(bytes: bytes))
    case .file(let path, let size):
      request.body = .stream(FileChunks(path: path), length: .known(size))
    }
    return try await send(request, waiting: Self.fileSeconds)
  }

  package func download(
    _ address: String, from offset: Int64, _ take: @escaping ContentSink
  ) async throws(TransportFailure) -> ServiceReply {
    var request = HTTPClientRequest(url: address)
    if offset > 0 { request.headers.add(name: "range", value: "bytes=\(offset)-") }
    do {
      let response = try await client.execute(request, timeout: .seconds(Self.fileSeconds))
      let status = Int(response.status.code)
      guard status == 200 || status == 206 else {
        return try await Self.reply(response, bytesMax: Self.refusalBytesMax)
      }
      if status == 200 { try take([], false) }
      for try await piece in response.body { try take(Array(piece.readableBytesView), true) }
      return ServiceReply(status: status, body: [])
    } catch {
      throw Self.failure(error)
    }
  }

  package func close() async {
    // What is left of it goes with the process.
    do { try await client.shutdown() } catch {}
  }

  private func send(
    _ request: HTTPClientRequest, waiting seconds: Int64 = 0
  ) async throws(TransportFailure) -> ServiceReply {
    do {
      let response = try await client.execute(
        request, timeout: .seconds(Self.timeoutSeconds + seconds))
      return try await Self.reply(response, bytesMax: Self.bodyBytesMax)
    } catch {
      throw Self.failure(error)
    }
  }

  /// The longest answer that says why a file is refused.
  private static let refusalBytesMax = 1 << 20

  private static func reply(
    _ response: HTTPClientResponse, bytesMax: Int
  ) async throws -> ServiceReply {
    let body = try await response.body.collect(upTo: bytesMax)
    var reply = ServiceReply(
      status: Int(response.status.code), body: Array(body.readableBytesView))
    for header in response.headers { reply.headers[header.name.lowercased()] = header.value }
    if reply.headers["content-encoding"] == "gzip" {
      reply.body = try Gzip.expand(reply.body, max: bodyBytesMax)
    }
    return reply
  }

  private static func failure(_ error: any Error) -> TransportFailure {
    switch error {
    case is CancellationError: return .cancelled
    case is NIOTooManyBytesError: return .oversized
    case is NIOSSLError, is BoringSSLError: return .untrusted
    case let error as HTTPClientError:
      switch error {
      case .cancelled: return .cancelled
      case .connectTimeout: return .unreachable
      case .deadlineExceeded, .readTimeout, .writeTimeout: return .timedOut
      default: return .interrupted
      }
    case let error as NIOConnectionError:
      return error.dnsAError != nil && error.connectionErrors.isEmpty ? .nameNotFound : .unreachable
    case is IOError: return .unreachable
    default: return .interrupted
    }
  }
}
