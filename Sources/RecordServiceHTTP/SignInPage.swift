// The service's own sign-in page: a form for a one-time code, without script.
//
// After success the browser is sent to a loopback callback with `ckWebAuthToken`, or the token is
// shown to be copied. `callback` is appended to the `redirectURL` of a 421 by the client; one that has
// no API token yet appends `wants=api-token`, too, and finds one beside the other.

internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import RecordService

struct SignInPage: Sendable {
  /// Where the pages are.
  static let path = "/sign-in/"
  /// A form is a code and an address.
  private static let formBytesMax = 8_192

  let service: RecordService

  func respond(to request: Request, sealed: String, peer: String) async -> Response {
    let words = ServerWords.fitting(request.headers[.acceptLanguage])
    guard let subject = service.signInRequest(sealed) else {
      return page(words, status: .gone, "<p>\(words.stale)</p>")
    }
    let target = request.head.path ?? ""
    let query = ServiceRequest("GET", target).parameters
    guard request.method == .post else {
      return form(words, subject, callback: query["callback"])
    }
    guard let body = try? await request.body.collect(upTo: Self.formBytesMax) else {
      return page(words, status: .badRequest, "<p>\(words.wrongCode)</p>")
    }
    let fields = Self.form(String(buffer: body))
    let callback = fields["callback"].flatMap { $0.isEmpty ? nil : $0 } ?? query["callback"]
    if let callback, !RecordService.isLoopbackCallback(callback) {
      return page(words, status: .badRequest, "<p>\(words.badCallback)</p>")
    }
    do {
      switch try await service.signIn(subject, code: fields["code"] ?? "", peer: peer) {
      case .token(let token, let user):
        var apiToken: String?
        if callback != nil, query["wants"] == "api-token" {
          apiToken = try await service.addAPIToken(
            container: subject.container, environment: subject.environment, user: user
          ).token
        }
        return signedIn(words, token, callback, apiToken)
      case .wrongCode:
        return form(words, subject, callback: callback, problem: words.wrongCode)
      case .wait:
        return form(
          words, subject, callback: callback, problem: words.wait, status: .tooManyRequests)
      }
    } catch {
      return page(words, status: .serviceUnavailable, "<p>\(words.wait)</p>")
    }
  }

  private func signedIn(
    _ words: ServerWords, _ token: String, _ callback: String?, _ apiToken: String?
  ) -> Response {
    guard let callback else {
      return page(
        words, title: words.done,
        "<p>\(words.copy)</p><p><output>\(Self.escaped(token))</output></p>")
    }
    let bare = callback.prefix { $0 != "#" }
    let mark = bare.contains("?") ? "&" : "?"
    var url = "\(bare)\(mark)ckWebAuthToken=\(PercentEncoding.encode(token))"
    if let apiToken { url += "&ckAPIToken=\(apiToken)" }
    return Response(
      status: .seeOther, headers: Self.headers([.location: url]), body: ResponseBody())
  }

  private func form(
    _ words: ServerWords, _ subject: SignInRequest, callback: String?, problem: String? = nil,
    status: HTTPResponse.Status? = nil
  ) -> Response {
    if let callback, !RecordService.isLoopbackCallback(callback) {
      return page(words, status: .badRequest, "<p>\(words.badCallback)</p>")
    }
    let note = problem.map { "<p role=\"alert\"><strong>\($0)</strong></p>" } ?? ""
    return page(
      words, status: status ?? (problem == nil ? .ok : .forbidden),
      """
      \(note)<p>\(words.explain)</p>
      <p><small>\(Self.escaped(subject.container)) · \(subject.environment.rawValue)</small></p>
      <form method="post">
      <input type="hidden" name="callback" value="\(Self.escaped(callback ?? ""))">
      <label>\(words.code)
      <input name="code" autocomplete="one-time-code" autofocus required></label>
      <button>\(words.submit)</button>
      </form>
      """)
  }

  private func page(
    _ words: ServerWords, title: String? = nil, status: HTTPResponse.Status = .ok,
    _ content: String
  ) -> Response {
    let title = title ?? words.title
    let html = """
      <!doctype html>
      <html lang="\(words.language)"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width"><title>\(title)</title>
      <style>body{font:1.1em system-ui;max-width:32em;margin:3em auto;padding:0 1em}
      input,button{font:inherit;padding:.3em}output{font-family:monospace;word-break:break-all}
      </style></head><body><h1>\(title)</h1>
      \(content)
      </body></html>

      """
    return Response(
      status: status, headers: Self.headers([.contentType: "text/html; charset=utf-8"]),
      body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
  }

  /// A page with a secret on it is in no cache, no frame and no other page's referrer.
  private static func headers(_ more: HTTPFields) -> HTTPFields {
    var headers = more
    headers[.cacheControl] = "no-store"
    headers[.contentSecurityPolicy] =
      "default-src 'none'; style-src 'unsafe-inline'; "
      + "frame-ancestors 'none'"
    if let name = HTTPField.Name("referrer-policy") { headers[name] = "no-referrer" }
    return headers
  }

  static func escaped(_ text: String) -> String {
    var safe = ""
    for character in text {
      switch character {
      case "&": safe += "&amp;"
      case "<": safe += "&lt;"
      case ">": safe += "&gt;"
      case "\"": safe += "&quot;"
      default: safe.append(character)
      }
    }
    return safe
  }

  /// The fields of a posted form, where a plus is a space.
  private static func form(_ body: String) -> [String: String] {
    var plain = ""
    for character in body { plain.append(character == "+" ? " " : character) }
    return ServiceRequest("POST", "/?" + plain).parameters
  }
}
