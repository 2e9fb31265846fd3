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

/// What only a server has: addresses, pages, health.
struct ServerTests {
  @Test(arguments: [
    ("127.0.0.1:0", "127.0.0.1", 0), ("[::1]:7373", "::1", 7_373), ("0.0.0.0:80", "0.0.0.0", 80),
    ("localhost:1", "localhost", 1),
  ])
  func `an address is a host and a port`(text: String, host: String, port: Int) throws {
    var settings = ServerSettings()
    try settings.setAddress(text)
    #expect(settings.host == host && settings.port == port)
  }

  @Test(arguments: ["", "7373", "host", "host:", ":80", "host:99999", "host:-1"])
  func `what is no address is refused`(text: String) {
    var settings = ServerSettings()
    #expect(throws: ServerFault.badAddress(text)) { try settings.setAddress(text) }
  }

  @Test func `beyond loopback it takes TLS or a word`() async throws {
    let folder = NSTemporaryDirectory() + "skyros-http-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let service = try await RecordService.open(path: folder + "/s.sqlite")
    var settings = ServerSettings()
    settings.host = "0.0.0.0"
    let logger = Logger(label: "test")
    #expect(throws: ServerFault.needsTLS("0.0.0.0")) {
      try RecordServer(service, settings: settings, logger: logger)
    }
    settings.allowsPlain = true
    _ = try RecordServer(service, settings: settings, logger: logger)
    settings.allowsPlain = false
    settings.certificatePath = "c"
    settings.privateKeyPath = "k"
    _ = try RecordServer(service, settings: settings, logger: logger)
    for host in ["127.0.0.2", "::1", "localhost"] {
      settings = ServerSettings()
      settings.host = host
      _ = try RecordServer(service, settings: settings, logger: logger)
    }
  }

  @Test func `health and metrics answer without a credential`() async throws {
    try await Client.with(.http) { client in
      #expect(try await client.send("GET", "/healthz").body == Array("ok\n".utf8))
      _ = try await client.ask("zones/list")
      let text = String(decoding: try await client.send("GET", "/metrics").body, as: UTF8.self)
      #expect(text.contains("skyros_responses_total{status=\"200\"} 1"))
    }
  }

  @Test func `the page takes a code and sends the token to loopback only`() async throws {
    try await Client.with(.http) { client in
      let refused = try await client.ask("zones/list", as: "ckAPIToken=\(client.apiToken)")
      let page = try #require(try refused.json["redirectURL"]?.string)
      let form = try await client.send("GET", page)
      let html = String(decoding: form.body, as: UTF8.self)
      #expect(form.status == 200 && html.contains("<form"))
      #expect(form.headers["cache-control"] == "no-store")
      let japanese = try await client.send("GET", page, headers: ["Accept-Language": "ja,en"])
      #expect(String(decoding: japanese.body, as: UTF8.self).contains("サインイン"))
      #expect(try await client.send("GET", page + "?callback=http%3A%2F%2Fevil.net").status == 400)
      #expect(try await client.send("GET", page + "x").status == 410)

      let post = { (fields: String) in
        try await client.send("POST", page, body: Array(fields.utf8))
      }
      #expect(try await post("code=WRONG").status == 403)
      let code = try await client.service.makeSignInCode(user: "bob")
      let shown = try await post("code=\(code)")
      #expect(shown.status == 200)
      #expect(String(decoding: shown.body, as: UTF8.self).contains("<output>"))
    }
  }

  @Test func `a program on this machine gets its token by the callback`() async throws {
    try await Client.with(.http) { client in
      let refused = try await client.ask("users/caller", as: "ckAPIToken=\(client.apiToken)")
      let page = try #require(try refused.json["redirectURL"]?.string)
      let callback = "http://127.0.0.1:54321/done?state=a%20b#top"
      let address = page + "?callback=" + PercentEncoding.encode(callback)
      let form = try await client.send("GET", address)
      #expect(form.status == 200)
      // The form posts to where it is; the callback goes along in it.
      let field = "<input type=\"hidden\" name=\"callback\" value=\"\(callback)\">"
      #expect(String(decoding: form.body, as: UTF8.self).contains(field))
      let code = try await client.service.makeSignInCode(user: "bob")
      let fields = "callback=\(PercentEncoding.encode(callback))&code=\(code.lowercased())"
      let answer = try await client.send("POST", address, body: Array(fields.utf8))
      #expect(answer.status == 303)
      let location = try #require(answer.headers["location"])
      let start = "http://127.0.0.1:54321/done?state=a%20b&ckWebAuthToken="
      #expect(location.hasPrefix(start))
      #expect(answer.headers["cache-control"] == "no-store")
      #expect(answer.headers["referrer-policy"] == "no-referrer")
      let token = location.dropFirst(start.count)
      let caller = try await client.ask(
        "users/caller", as: "ckAPIToken=\(client.apiToken)&ckWebAuthToken=\(token)")
      let name = try caller.json["users"]?.array?[0]["nameComponents"]?["givenName"]
      #expect(name == .string("bob"))
      // The code is used up.
      #expect(try await client.send("POST", address, body: Array(fields.utf8)).status == 403)
    }
  }

  @Test(arguments: [true, false])
  func `over TLS it speaks HTTP 2 to who can, and 1.1`(isModern: Bool) async throws {
    try await Client.with(.tls) { client in
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.certificateVerification = .none
      var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
      configuration.httpVersion = isModern ? .automatic : .http1Only
      let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
      var request = HTTPClientRequest(
        url: client.service.publicURL
          + "/database/1/\(Client.container)/production/private/zones/list?\(client.alice)")
      request.method = .POST
      request.body = .bytes(ByteBuffer(string: "{}"))
      let response = try await http.execute(request, timeout: .seconds(30))
      #expect(response.status == .ok)
      #expect(response.version == (isModern ? .http2 : .http1_1))
      let body = Array(buffer: try await response.body.collect(upTo: 100_000))
      #expect(try ZonesResponse(body: body).zones.count == 1)
      try await http.shutdown()
    }
  }

  @Test(arguments: [Depth.http, .tls])
  func `its sockets send at once`(depth: Depth) async throws {
    try await Client.with(depth) { client in
      _ = try await client.ask("zones/list")
      let port = try #require(UInt16(client.service.publicURL.split(separator: ":").last ?? ""))
      // The client keeps its connection; the server's end of it is in this process too.
      let delays = (Int32(3)..<1_024).compactMap { Self.noDelay($0, port) }
      #expect(!delays.isEmpty)
      #expect(delays.allSatisfy { $0 })
    }
  }

  /// Whether the socket has TCP_NODELAY; nil when it is no connection from that port.
  private static func noDelay(_ descriptor: Int32, _ port: UInt16) -> Bool? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let named = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        getsockname(descriptor, pointer, &length) == 0
          && UInt16(bigEndian: Self.port(of: pointer)) == port
          && getpeername(descriptor, pointer, &length) == 0
      }
    }
    guard named else { return nil }
    var flag: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &flag, &size) == 0 else {
      return nil
    }
    return flag != 0
  }

  /// The port, in network order.
  private static func port(of pointer: UnsafeMutablePointer<sockaddr>) -> UInt16 {
    pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_port }
  }

  @Test func `a browser's page may use the service, but not read the sign-in`() async throws {
    try await Client.with(.http) { client in
      let asked = try await client.ask("records/query", method: "OPTIONS")
      #expect(asked.status == 204)
      #expect(asked.headers["access-control-allow-headers"]?.contains("content-type") == true)
      let answer = try await client.ask("zones/list")
      #expect(answer.headers["access-control-allow-origin"] == "*")
      let exposed = answer.headers["access-control-expose-headers"] ?? ""
      #expect(exposed.contains("x-apple-cloudkit-web-auth-token"))
      let page = try await client.send("GET", "/sign-in/x.y")
      #expect(page.headers["access-control-allow-origin"] == nil)
    }
  }

  @Test(arguments: [Depth.http, .tls])
  func `who asks before sending a body is told to go on`(depth: Depth) async throws {
    try await Client.with(depth) { client in
      let upload = try await client.ask("assets/upload", #"{"tokens":[{"fieldName":"f"}]}"#)
      let url = try #require(try upload.json["tokens"]?.array?[0]["url"]?.string)
      let done = try await client.send(
        "POST", url, headers: ["Expect": "100-continue"],
        body: [UInt8](repeating: 7, count: 2_000_000))
      #expect(done.status == 200)
      #expect(try done.json["singleFile"]?["size"] == .int(2_000_000))
    }
  }

  @Test func `a request that is too large is refused`() async throws {
    var settings = ServiceSettings()
    settings.bodyBytesMax = 1_000
    try await Client.with(.http, settings) { client in
      let answer = try await client.ask(
        "records/query", String(repeating: " ", count: 2_000))
      #expect(answer.status == 400)
      #expect(try answer.json["serverErrorCode"] == .string("BAD_REQUEST"))
      #expect(try answer.json["uuid"]?.string?.count == 36)
    }
  }
}
