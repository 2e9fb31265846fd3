// From HTTP to the service and back: no rule of the protocol lives here.

internal import Hummingbird
internal import HTTPTypes
internal import Logging
internal import NIOCore
internal import RecordService
internal import ServiceLifecycle

/// What Hummingbird hands along with a request.
struct ServiceContext: InitializableFromSource {
  let peer: String?
  let logger: Logger

  init(source: ApplicationRequestContextSource) {
    peer = source.channel.remoteAddress?.ipAddress
    logger = source.logger
  }
}

/// Answers every request of the server.
struct ServiceResponder: HTTPResponder {
  typealias Context = ServiceContext

  let service: RecordService
  let page: SignInPage

  func respond(to request: Request, context: ServiceContext) async throws -> Response {
    let started = ContinuousClock.now
    var response: Response
    if request.method == .options {
      response = Response(status: .noContent)
    } else {
      response = await answer(request, context)
    }
    // The page shows a token to a person: no other page may read it.
    if request.head.path?.hasPrefix(SignInPage.path) != true { Self.allowPages(&response) }
    let path = request.head.path.map { Self.loggable($0) } ?? ""
    context.logger.info(
      "request",
      metadata: [
        "method": "\(request.method.rawValue)", "path": "\(path)",
        "status": "\(response.status.code)",
        "milliseconds": "\((ContinuousClock.now - started).wholeMilliseconds)",
      ])
    return response
  }

  /// Lets a page of any origin use the service from its browser, as CloudKit JS does.
  ///
  /// Nothing is given away by it: what opens anything is in the request, never in a cookie.
  private static func allowPages(_ response: inout Response) {
    for (name, value) in pageHeaders { response.headers[name] = value }
  }

  private static let pageHeaders: [(HTTPField.Name, String)] = [
    ("access-control-allow-origin", "*"),
    ("access-control-allow-methods", "GET, POST, PUT, OPTIONS"),
    (
      "access-control-allow-headers",
      "content-type, content-encoding, accept, prefer, idempotency-key, x-skyros, "
        + "x-apple-cloudkit-request-keyid, x-apple-cloudkit-request-iso8601date, "
        + "x-apple-cloudkit-request-signaturev1"
    ),
    ("access-control-expose-headers", "x-apple-cloudkit-web-auth-token, x-skyros, retry-after"),
    ("access-control-max-age", "86400"),
  ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }

  private func answer(_ request: Request, _ context: ServiceContext) async -> Response {
    let target = request.head.path ?? "/"
    let path = String(target.prefix { $0 != "?" })
    let method = request.method.rawValue
    switch path {
    case "/healthz": return await health()
    case "/metrics":
      return Self.text(service.metrics.text, type: "text/plain; version=0.0.4; charset=utf-8")
    default: break
    }
    if let token = Self.rest(of: path, after: "/courier/"), method == "GET" {
      return Self.response(await givingWay { await service.courier(token) })
    }
    if let token = Self.rest(of: path, after: "/assets/upload/"),
      method == "POST" || method == "PUT"
    {
      let pieces = request.body.map { Array(buffer: $0) }
      return Self.response(await service.receiveAsset(token, pieces))
    }
    if let rest = Self.rest(of: path, after: "/assets/download/"), method == "GET" {
      let offset = request.headers[.range].flatMap(Self.offset) ?? 0
      return Self.response(service.sendAsset(String(rest.prefix { $0 != "/" })), from: offset)
    }
    if let sealed = Self.rest(of: path, after: SignInPage.path) {
      return await page.respond(to: request, sealed: sealed, peer: context.peer ?? "")
    }
    return await serve(request, target, context)
  }

  private func serve(
    _ request: Request, _ target: String, _ context: ServiceContext
  ) async -> Response {
    let length = request.headers[.contentLength].flatMap { Int($0) }
    guard length ?? 0 <= service.settings.bodyBytesMax else {
      return Self.response(service.refuseTooLarge())
    }
    let body: ByteBuffer
    do {
      body = try await request.body.collect(upTo: service.settings.bodyBytesMax)
    } catch is NIOTooManyBytesError {
      return Self.response(service.refuseTooLarge())
    } catch {
      return Self.response(service.refuseBroken())
    }
    var headers: [String: String] = [:]
    for field in request.headers {
      let name = field.name.canonicalName
      headers[name] = headers[name].map { $0 + ", " + field.value } ?? field.value
    }
    let message = ServiceRequest(
      request.method.rawValue, target, headers: headers, body: Array(buffer: body),
      peer: context.peer)
    guard headers["prefer"] != nil else {
      return Self.response(await service.respond(to: message))
    }
    return Self.response(await givingWay { await service.respond(to: message) })
  }

  /// Ends a held request when the server goes down: it answers with what it has.
  private func givingWay(
    _ body: @escaping @Sendable () async -> ServiceResponse
  ) async -> ServiceResponse {
    await cancelWhenGracefulShutdown { await body() }
  }

  private func health() async -> Response {
    do {
      _ = try await service.storage.read { try $0.epoch() }
      return Self.text("ok\n", type: "text/plain; charset=utf-8")
    } catch {
      return Response(status: .serviceUnavailable)
    }
  }

  // MARK: Pieces

  private static func rest(of path: String, after prefix: String) -> String? {
    guard path.hasPrefix(prefix), path.utf8.count > prefix.utf8.count else { return nil }
    return String(path.dropFirst(prefix.count))
  }

  static func text(_ text: String, type: String) -> Response {
    Response(
      status: .ok, headers: [.contentType: type],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  /// Where `bytes=N-` begins (RFC 9110, 14.1.2): what a client asks for that goes on.
  ///
  /// Other ranges are answered with the whole file, as the standard allows.
  static func offset(_ range: String) -> Int? {
    guard range.hasPrefix("bytes="), range.hasSuffix("-") else { return nil }
    return Int(range.dropFirst(6).dropLast())
  }

  /// - Parameter offset: Where a file begins to be sent; past its end it is sent whole.
  private static func response(_ answer: ServiceResponse, from offset: Int = 0) -> Response {
    var headers = HTTPFields()
    for (name, value) in answer.headers {
      guard let name = HTTPField.Name(name) else { continue }
      headers.append(HTTPField(name: name, value: value))
    }
    let status = HTTPResponse.Status(code: answer.status)
    switch answer.body {
    case .bytes(let bytes):
      return Response(
        status: status, headers: headers,
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    case .stream(let pieces):
      return Response(
        status: status, headers: headers,
        body: ResponseBody { writer in
          for try await piece in pieces { try await writer.write(ByteBuffer(bytes: piece)) }
          try await writer.finish(nil)
        })
    case .file(let path, let bytes):
      let start = (1..<max(bytes, 1)).contains(offset) ? offset : 0
      headers[.acceptRanges] = "bytes"
      if start > 0 { headers[.contentRange] = "bytes \(start)-\(bytes - 1)/\(bytes)" }
      return Response(
        status: start > 0 ? .partialContent : status, headers: headers,
        body: ResponseBody(contentLength: bytes - start) { writer in
          let file = try FilePieces(path: path, from: start)
          while let piece = try file.next() { try await writer.write(ByteBuffer(bytes: piece)) }
          try await writer.finish(nil)
        })
    }
  }

  /// The path without what opens anything: no query, no token in the path.
  static func loggable(_ target: String) -> String {
    let path = target.prefix { $0 != "?" }
    for prefix in ["/courier/", "/assets/upload/", "/assets/download/", "/sign-in/"]
    where path.hasPrefix(prefix) {
      return prefix + "…"
    }
    return String(path)
  }
}

extension Duration {
  var wholeMilliseconds: Int64 {
    components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
  }
}
