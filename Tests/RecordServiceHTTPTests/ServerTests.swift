import CloudKitWire
import Foundation
import Logging
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

  @Test func `a request that is too large is refused`() async throws {
    var settings = ServiceSettings()
    settings.bodyBytesMax = 1_000
    try await Client.with(.http, settings) { client in
      let answer = try await client.ask(
        "records/query", String(repeating: " ", count: 2_000))
      #expect(answer.status == 400)
    }
  }
}
