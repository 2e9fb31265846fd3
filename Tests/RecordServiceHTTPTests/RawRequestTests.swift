// Requests as other people's clients write them: old, odd, slow or broken, but legal or at least
// harmless.

import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import RecordService
import RecordServiceHTTP
import Testing

struct RawRequestTests {
  private static let place = "/database/1/\(Client.container)/production/private"

  /// A server with one user; each exchange is a connection of its own.
  private static func withServer(
    _ body: (_ path: String, _ exchange: (String) throws -> String?) throws -> Void
  ) async throws {
    let folder = NSTemporaryDirectory() + "skyros-raw-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/service.sqlite"
    let service = try await RecordService.open(path: path)
    _ = try await service.addUser("alice")
    let tokens = try await service.addTokens(
      user: "alice", container: Client.container, environment: .production)
    try await service.close()
    let server = try ServerProcess(path)
    let query = "ckAPIToken=\(tokens.apiToken)&ckWebAuthToken=\(tokens.webAuthToken)"
    try body("\(place)/changes/database?\(query)") { text in
      let socket = try RawSocket(server.url)
      socket.say(text)
      socket.endSaying()
      return socket.hear()
    }
    let old = try RawSocket(server.url)
    // It keeps its own end open, and waits for ours.
    old.say("POST \(place)/changes/database?\(query) HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}")
    let answer = old.hear()
    #expect(answer?.hasPrefix("HTTP/1.1 200 ") == true)
    #expect(server.end(SIGTERM) == 0)
  }

  private static func post(
    _ path: String, _ body: String = "{}", _ headers: String = "", ends: Bool = true
  ) -> String {
    "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n"
      + (ends ? "Connection: close\r\n" : "") + headers + "\r\n" + body
  }

  @Test func `odd but legal requests are answered`() async throws {
    try await Self.withServer { path, exchange in
      for (words, request) in [
        ("form", Self.post(path, "{}", "Content-Type: application/x-www-form-urlencoded\r\n")),
        ("no type", Self.post(path)), ("no body", Self.post(path, "")),
        ("marked", Self.post(path, "\u{FEFF}{}")),
        ("unknown keys", Self.post(path, #"{"a":{"b":[1,null]},"syncToken":null,"clientId":7}"#)),
        ("long header", Self.post(path, "{}", "X-A: \(String(repeating: "a", count: 60_000))\r\n")),
        ("whole address", Self.post("http://127.0.0.1\(path)")),
        ("odd parameters", Self.post(path + "&%zz=%&&=&x")),
        (
          "chunks",
          "POST \(path) HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
            + "Connection: close\r\n\r\n1;a=b\r\n{\r\n1\r\n}\r\n0\r\nTrailer: x\r\n\r\n"
        ),
        ("half closed", Self.post(path, ends: false)),
      ] {
        let answer = try exchange(request)
        #expect(
          answer?.hasPrefix("HTTP/1.1 200 ") == true, "\(words): \(answer?.prefix(300) ?? "")")
      }
    }
  }

  @Test func `pipelined requests are answered in their order`() async throws {
    try await Self.withServer { path, exchange in
      let answer = try exchange(
        Self.post(path, "rubbish", ends: false) + Self.post(path, ends: false)
          + "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      let statuses = answer?.split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
      #expect(statuses == ["400", "200", "200"])
      #expect(answer?.hasSuffix("ok\n") == true)
    }
  }

  @Test func `what is broken is refused for what it is`() async throws {
    try await Self.withServer { path, exchange in
      for (request, words) in [
        (Self.post(path, String(repeating: "[", count: 100_000)), "The request can't be read"),
        (Self.post(path, String(repeating: #"{"a":"#, count: 50_000)), "The request can't be read"),
        (Self.post(path, "null"), "The request can't be read"),
        (
          "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{",
          "The body ends too early."
        ),
        (
          "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: 64000001\r\n\r\n{",
          "The body is too large"
        ),
        ("POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: -2\r\n\r\n{}", "400 Bad Request"),
        ("\u{16}\u{3}\u{1}\u{2}", "400 Bad Request"), ("hello\r\n\r\n", "400 Bad Request"),
      ] {
        let answer = try exchange(request)
        #expect(answer?.hasPrefix("HTTP/1.1 400 ") == true, "\(words)")
        #expect(answer?.contains(words) == true, "\(words): \(answer?.prefix(900) ?? "")")
      }
    }
  }

  // MARK: Slow senders

  private static let head = HTTPRequestPart.head(
    HTTPRequest(method: .post, scheme: "http", authority: "x", path: "/"))

  private static func channel() throws -> EmbeddedChannel {
    let channel = EmbeddedChannel(handler: SlowSenderHandler(periodSeconds: 10))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    return channel
  }

  private static func pass(_ seconds: Int64, _ channel: EmbeddedChannel) {
    channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
  }

  @Test func `who never ends his head is ended`() throws {
    let channel = try Self.channel()
    Self.pass(19, channel)
    #expect(channel.isActive)
    Self.pass(1, channel)
    #expect(!channel.isActive)
  }

  @Test func `who waits for his answer is left alone`() throws {
    let channel = try Self.channel()
    try channel.writeInbound(Self.head)
    try channel.writeInbound(HTTPRequestPart.end(nil))
    Self.pass(100, channel)
    #expect(channel.isActive)
    // After it, he has his time again.
    try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
    try channel.writeOutbound(HTTPResponsePart.end(nil))
    Self.pass(9, channel)
    #expect(channel.isActive)
    Self.pass(11, channel)
    #expect(!channel.isActive)
  }

  @Test(arguments: [(9_999, false), (10_000, true)])
  func `a body brings so many bytes in each period`(bytes: Int, isFine: Bool) throws {
    let channel = try Self.channel()
    try channel.writeInbound(Self.head)
    Self.pass(10, channel)
    try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 1, count: bytes)))
    Self.pass(10, channel)
    #expect(channel.isActive == isFine)
  }
}
