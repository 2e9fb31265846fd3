// One client over three depths: a function call, HTTP and TLS on loopback.

import AsyncHTTPClient
import CloudKitWire
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import RecordService
import RecordServiceHTTP
import Testing

/// How far a request travels before it is answered.
enum Depth: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case call, http, tls

  var testDescription: String { rawValue }
}

/// An answer, whichever way it came.
struct Answer: Sendable {
  var status: Int
  var headers: [String: String]
  var body: [UInt8]

  var json: JSONValue {
    get throws {
      var reader = JSONReader(body)
      return try reader.readValue()
    }
  }
}

/// A service with two people, and a way in.
final class Client: Sendable {
  static let container = "iCloud.net.example"

  let service: RecordService
  private let depth: Depth
  private let http: HTTPClient?
  let alice: String
  let bob: String
  let apiToken: String

  private init(
    _ depth: Depth, _ service: RecordService, _ http: HTTPClient?, alice: IssuedTokens,
    bob: IssuedTokens
  ) {
    self.depth = depth
    self.service = service
    self.http = http
    apiToken = alice.apiToken
    self.alice = "ckAPIToken=\(alice.apiToken)&ckWebAuthToken=\(alice.webAuthToken)"
    self.bob = "ckAPIToken=\(bob.apiToken)&ckWebAuthToken=\(bob.webAuthToken)"
  }

  /// Runs the body with a service that is gone afterwards.
  ///
  /// - Parameter storage: what stands between the service and its file.
  static func with(
    _ depth: Depth, _ settings: ServiceSettings = .init(),
    storage: ((any RecordStorage) -> any RecordStorage)? = nil,
    _ body: @escaping @Sendable (Client) async throws -> Void
  ) async throws {
    let folder = NSTemporaryDirectory() + "skyros-http-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var service = try await RecordService.open(
      path: folder + "/service.sqlite", settings: settings)
    if let storage {
      service = try await RecordService(
        storage: storage(service.storage), assetFolder: folder + "/assets", settings: settings)
    }
    for name in ["alice", "bob"] { _ = try await service.addUser(name) }
    let tokens = { [service] (name: String) in
      try await service.addTokens(user: name, container: container, environment: .production)
    }
    let alice = try await tokens("alice")
    let bob = try await tokens("bob")
    guard depth != .call else {
      try await body(Client(depth, service, nil, alice: alice, bob: bob))
      return
    }
    var server = ServerSettings()
    server.port = 0
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    if depth == .tls {
      server.certificatePath = folder + "/certificate.pem"
      server.privateKeyPath = folder + "/key.pem"
      try TestCertificate.chain.write(
        toFile: folder + "/certificate.pem", atomically: true, encoding: .utf8)
      try TestCertificate.key.write(
        toFile: folder + "/key.pem", atomically: true, encoding: .utf8)
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.certificateVerification = .none
      configuration.tlsConfiguration = tls
    }
    let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    var quiet = Logger(label: "test")
    quiet.logLevel = .critical
    let (ports, found) = AsyncStream<Int>.makeStream()
    let settings = server
    let running = try RecordServer(service, settings: settings, logger: quiet) {
      [service] port in
      service.publicURL = settings.url(port: port)
      found.yield(port)
    }
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await running.run() }
        for await _ in ports.prefix(1) {}
        try await body(Client(depth, service, http, alice: alice, bob: bob))
        group.cancelAll()
        // A server that is cancelled may say so.
        do { try await group.waitForAll() } catch is CancellationError {}
      }
      try await http.shutdown()
    } catch {
      try? await http.shutdown()
      throw error
    }
  }

  /// One request; `target` begins with a slash, or is a URL that the service gave.
  func send(
    _ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8] = []
  ) async throws -> Answer {
    let base = service.publicURL
    let path = target.hasPrefix(base) ? String(target.dropFirst(base.count)) : target
    guard let http else {
      return try await sendDirectly(method, path, headers, body)
    }
    var request = HTTPClientRequest(url: base + path)
    request.method = HTTPMethod(rawValue: method)
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    if !body.isEmpty { request.body = .bytes(ByteBuffer(bytes: body)) }
    let response = try await http.execute(request, timeout: .seconds(60))
    var answer = Answer(status: Int(response.status.code), headers: [:], body: [])
    for (name, value) in response.headers { answer.headers[name.lowercased()] = value }
    answer.body = Array(buffer: try await response.body.collect(upTo: 100_000_000))
    return answer
  }

  /// What the server does around the service, without a socket.
  private func sendDirectly(
    _ method: String, _ path: String, _ headers: [String: String], _ body: [UInt8]
  ) async throws -> Answer {
    let last = path.split(separator: "/").last.map(String.init) ?? ""
    let response: ServiceResponse
    if path.hasPrefix("/assets/upload/") {
      let pieces = AsyncStream<[UInt8]> { continuation in
        continuation.yield(body)
        continuation.finish()
      }
      response = await service.receiveAsset(last, pieces)
    } else if path.hasPrefix("/assets/download/") {
      response = service.sendAsset(last)
    } else if path.hasPrefix("/courier/") {
      response = await service.courier(last)
    } else {
      let lower = Dictionary(uniqueKeysWithValues: headers.map { ($0.lowercased(), $1) })
      response = await service.respond(
        to: ServiceRequest(method, path, headers: lower, body: body))
    }
    var answer = Answer(status: response.status, headers: [:], body: [])
    for (name, value) in response.headers { answer.headers[name] = value }
    switch response.body {
    case .bytes(let bytes): answer.body = bytes
    case .stream(let pieces): for try await piece in pieces { answer.body += piece }
    case .file(let path, _): answer.body = Array(try Data(contentsOf: URL(filePath: path)))
    }
    return answer
  }

  /// A request of the protocol.
  func ask(
    _ action: String, _ body: String? = nil, as credentials: String? = nil,
    database: String = "private", headers: [String: String] = [:], method: String? = nil
  ) async throws -> Answer {
    let base =
      action.hasPrefix("tokens/")
      ? "/device/1/\(Self.container)/production/\(action)"
      : "/database/1/\(Self.container)/production/\(database)/\(action)"
    return try await send(
      method ?? (body == nil ? "GET" : "POST"), "\(base)?\(credentials ?? alice)",
      headers: headers, body: Array((body ?? "").utf8))
  }
}

enum TestCertificate {
  /// Self-signed, for localhost; guards nothing.
  static let chain = """
    -----BEGIN CERTIFICATE-----
    MIIBmzCCAUGgAwIBAgIUQKcH9gqb6ky3is/xhuZftpQMwi8wCgYIKoZIzj0EAwIw
    FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTEzNDgzN1oYDzIxMjYxMDI4
    MTM0ODM3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
    PQMBBwNCAAQJyJN0Lh24J1D2/17yk+2aG0uujsuIHURYRVmbWAOB65tVdwvXS5eX
    dddvWi0Qz0twXyTYNfYrhzHuyxDTfPQ6o28wbTAdBgNVHQ4EFgQUolRVgpmjjcHB
    Echi0QFlnXnwS3AwHwYDVR0jBBgwFoAUolRVgpmjjcHBEchi0QFlnXnwS3AwDwYD
    VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
    zj0EAwIDSAAwRQIgMttGM9yh/WvjMBXLCBLUytp/dZpeDsC9701C/sc/mOYCIQCd
    sCk5NjysQOQHmPoBgoDT638iN4L9d1wuCMxV8cioCw==
    -----END CERTIFICATE-----
    """

  static let key = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVQeNVAWa/c1MCW74
    rTxZyiBkrE7DkF47LLrHaFKwkvOhRANCAAQJyJN0Lh24J1D2/17yk+2aG0uujsuI
    HURYRVmbWAOB65tVdwvXS5eXdddvWi0Qz0twXyTYNfYrhzHuyxDTfPQ6
    -----END PRIVATE KEY-----
    """
}
