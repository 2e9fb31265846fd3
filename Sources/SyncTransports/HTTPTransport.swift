// A record service over HTTP, by AsyncHTTPClient. It adds the address, the container and the
// credentials to a call, and keeps the newest web-auth token; it decides nothing about answers.

internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
package import Sync

package final class HTTPTransport: SyncTransport {
  /// The longest body that is read (reference 15: 200 records of 1 MB, and more in our own pages).
  static let bodyBytesMax = 256 << 20
  static let timeoutSeconds: Int64 = 60
  static let connectSeconds: Int64 = 10

  private let client: HTTPClient
  private let base: String
  private let container: String
  private let tokens: TokenStore

  /// - Parameter base: `http(s)://host[:port]`, without a slash at the end.
  package init(base: String, container: String, tokens: TokenStore) {
    var base = base
    while base.hasSuffix("/") { base.removeLast() }
    self.base = base
    self.container = container
    self.tokens = tokens
    var configuration = HTTPClient.Configuration()
    configuration.timeout.connect = .seconds(Self.connectSeconds)
    configuration.redirectConfiguration = .disallow
    // Trying again is the machine's business: nobody there is an answer, at once.
    configuration.connectionPool.retryConnectionEstablishment = false
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  package func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply {
    let path = "/database/1/\(container)/production/\(call.database.rawValue)/\(call.action)"
    var request = HTTPClientRequest(url: base + path + "?" + tokens.query)
    request.headers.add(name: "x-skyros", value: "1")
    if let seconds = call.waitSeconds {
      request.headers.add(name: "prefer", value: "wait=\(seconds)")
    }
    if let body = call.body {
      request.method = .POST
      request.headers.add(name: "content-type", value: "application/json")
      request.body = .bytes(ByteBuffer(bytes: body))
    }
    let reply = try await send(request, waiting: Int64(call.waitSeconds ?? 0))
    if let token = reply.headers["x-apple-cloudkit-web-auth-token"] { tokens.adopt(token) }
    return reply
  }

  package func upload(
    _ bytes: [UInt8], to address: String
  ) async throws(TransportFailure) -> ServiceReply {
    var request = HTTPClientRequest(url: address)
    request.method = .POST
    request.body = .bytes(ByteBuffer(bytes: bytes))
    return try await send(request)
  }

  package func download(_ address: String) async throws(TransportFailure) -> ServiceReply {
    try await send(HTTPClientRequest(url: address))
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
      let body = try await response.body.collect(upTo: Self.bodyBytesMax)
      var reply = ServiceReply(
        status: Int(response.status.code), body: Array(body.readableBytesView))
      for header in response.headers { reply.headers[header.name.lowercased()] = header.value }
      return reply
    } catch {
      throw Self.failure(error)
    }
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
