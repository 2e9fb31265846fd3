// The program as its operator uses it: commands, a running server, signals, logs, copies.

import AsyncHTTPClient
import CloudKitWire
import Foundation
import NIOCore
import NIOHTTP1
import Testing

struct OperatorTests {
  /// A store of its own, gone afterwards.
  private static func withFolder(_ body: (_ folder: String) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "skyros-server-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }

  /// Runs a command on the store of that folder.
  private static func run(
    _ folder: String, _ words: String, input: String? = nil, store: String = "service.sqlite"
  ) throws -> Program {
    try Program(
      words.split(separator: " ").map(String.init) + ["--store", "sqlite:\(folder)/\(store)"],
      input: input)
  }

  private static let place = "--container \(Client.container)"

  /// A person with a zone; the credentials.
  private static func provision(_ folder: String) throws -> String {
    #expect(
      try run(folder, "user add alice --json").json == .object([.init("user", .string("alice"))]))
    let tokens = try run(folder, "token add --user alice \(place) --json").json
    #expect(
      try run(folder, "zone add --user alice \(place) Z --json").json
        == .object([.init("zone", .string("Z"))]))
    return "ckAPIToken=\(tokens["apiToken"]?.string ?? "")"
      + "&ckWebAuthToken=\(tokens["webAuthToken"]?.string ?? "")"
  }

  /// One request to a running server.
  private static func ask(
    _ http: HTTPClient, _ url: String, _ action: String, _ credentials: String, _ body: String,
    headers: [(String, String)] = []
  ) async throws -> Answer {
    var request = HTTPClientRequest(
      url: "\(url)/database/1/\(Client.container)/production/private/\(action)?\(credentials)")
    request.method = .POST
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    request.body = .bytes(ByteBuffer(string: body))
    let response = try await http.execute(request, timeout: .seconds(60))
    return Answer(
      status: Int(response.status.code), headers: [:],
      body: Array(buffer: try await response.body.collect(upTo: 10_000_000)))
  }

  private static func withHTTP(_ body: (HTTPClient) async throws -> Void) async throws {
    let http = HTTPClient(eventLoopGroupProvider: .singleton)
    do {
      try await body(http)
      try await http.shutdown()
    } catch {
      try? await http.shutdown()
      throw error
    }
  }

  private static func create(_ name: String) -> String {
    #"{"zoneID":{"zoneName":"Z"},"operations":[{"operationType":"create","record":{"recordName":"\#(name)","recordType":"T"}}]}"#
  }

  private static let feed = #"{"zones":[{"zoneID":{"zoneName":"Z"}}]}"#

  @Test func `each command prints its object, and one sentence when it fails`() async throws {
    try await Self.withFolder { folder in
      _ = try Self.provision(folder)
      let users = try Self.run(folder, "user list --json").json
      #expect(users.array?.map { $0["user"] } == [.string("alice")])
      let tokens = try Self.run(folder, "token list --json").json
      #expect(tokens.array?.compactMap { $0["kind"]?.string } == ["api", "session"])
      #expect(tokens.array?.compactMap { $0["user"]?.string } == ["alice", "alice"])
      for token in tokens.array ?? [] {
        let id = token["token"]?.string ?? ""
        #expect(
          try Self.run(folder, "token revoke \(id) --json").json
            == .object([.init("outcome", .string("revoked"))]))
      }
      #expect(try Self.run(folder, "token list --json").output == "[]\n")
      let zones = try Self.run(folder, "zone list --user alice \(Self.place) --json").json
      #expect(zones == .array([.object([.init("zone", .string("Z"))])]))
      let lost = try Self.run(folder, "zone revoke --user alice \(Self.place) No")
      #expect(lost.status == 3 && lost.error == "There is no zone 'No'.\n")
      let code = try Self.run(folder, "user code alice --json").json["code"]?.string
      #expect(code?.count == 11)
      #expect(try Self.run(folder, "user revoke alice").output.contains("alice"))

      for (words, status, sentence) in [
        ("user revoke nobody", 3, "There is no user 'nobody'."),
        ("token revoke nothing", 3, "There is nothing with the id 'nothing' to revoke."),
        ("key revoke nothing", 3, "There is nothing with the id 'nothing' to revoke."),
        ("key add --container iCloud.x --public-key -", 1, "The file is no public key."),
        ("user dance", 2, "Error: "), ("dance", 2, "Error: "),
        ("serve --tls-cert x", 2, "Error: Give --tls-cert and --tls-key together."),
        ("serve --listen 0.0.0.0:0", 2, "Listening on 0.0.0.0 in the clear would show"),
        ("token add --user alice --container home", 2, "'home' is no container id. One looks like"),
        ("zone revoke --user alice \(Self.place) No", 3, "There is no user 'alice'."),
        ("serve --listen nowhere", 2, "'nowhere' is no address to listen on."),
        (
          "serve --tls-cert /dev/null --tls-key /dev/null", 1,
          "There is no certificate in PEM in '/dev/null'."
        ),
        (
          "serve --allow-plain --listen no.such.host.invalid:0", 1,
          "The server can't listen on no.such.host.invalid:0: there is no such address."
        ),
        ("restore \(folder)/none", 1, "There is no whole copy of a service in "),
        ("backup \(folder)", 1, "'\(folder)' exists already."),
      ] as [(String, Int32, String)] {
        let run = try Self.run(folder, words, input: "no key")
        #expect(run.status == status, "\(words)")
        #expect(run.error.hasPrefix(sentence), "\(words): \(run.error)")
        #expect(run.output.isEmpty, "\(words)")
        if status != 2 { #expect(run.error.filter { $0 == "\n" }.count == 1, "\(run.error)") }
      }
    }
  }

  @Test func `a mistyped path is told, and makes no store`() async throws {
    try await Self.withFolder { folder in
      for words in [
        "user list", "user code a", "user revoke a", "token list", "token revoke a",
        "token add --user a \(Self.place)", "key list", "key revoke a",
        "key add --container iCloud.x --public-key -", "zone list --user a \(Self.place)",
        "zone add --user a \(Self.place) Z", "zone revoke --user a \(Self.place) Z",
        "backup \(folder)/copy",
      ] {
        let run = try Self.run(folder, words, input: "")
        #expect(run.status == 2, "\(words)")
        #expect(run.error.hasPrefix("There is no store at '\(folder)/service.sqlite'."), "\(words)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
      let added = try Self.run(folder, "user add a")
      #expect(added.output == "Made the store \(folder)/service.sqlite.\nAdded the user a.\n")
      #expect(try Self.run(folder, "user add b").output == "Added the user b.\n")
      #expect(try Self.run(folder, "user list --json").json.array?.count == 2)
    }
  }

  @Test func `two servers share a store, and the second says so`() async throws {
    try await Self.withFolder { folder in
      let credentials = try Self.provision(folder)
      let path = "\(folder)/service.sqlite"
      let first = try ServerProcess(path, log: "\(folder)/first")
      let second = try ServerProcess(path, log: "\(folder)/second")
      try await Self.withHTTP { http in
        let page = try await Self.ask(http, first.url, "changes/zone", credentials, Self.feed)
        let token = try page.json["zones"]?.array?[0]["syncToken"]?.string ?? ""
        let body = #"{"zones":[{"zoneID":{"zoneName":"Z"},"syncToken":"\#(token)"}]}"#
        async let held = Self.ask(
          http, first.url, "changes/zone", credentials, body, headers: [("prefer", "wait=50")])
        try await Self.untilWaiting(http, first.url)
        // What one takes in wakes who waits at the other.
        let made = try await Self.ask(
          http, second.url, "records/modify", credentials, Self.create("r"))
        #expect(made.status == 200)
        let records = try await held.json["zones"]?.array?[0]["records"]?.array
        #expect(records?.compactMap { $0["recordName"]?.string } == ["r"])
      }
      #expect(first.end(SIGTERM) == 0 && second.end(SIGTERM) == 0)
      let notice = "another server serves this store, too"
      #expect(try !String(contentsOfFile: "\(folder)/first", encoding: .utf8).contains(notice))
      #expect(try String(contentsOfFile: "\(folder)/second", encoding: .utf8).contains(notice))
      // Alone again.
      let third = try ServerProcess(path, log: "\(folder)/third")
      #expect(third.end(SIGTERM) == 0)
      #expect(try !String(contentsOfFile: "\(folder)/third", encoding: .utf8).contains(notice))
    }
  }

  @Test func `a copy is made while it runs, and restored it begins a new history`() async throws {
    try await Self.withFolder { folder in
      let credentials = try Self.provision(folder)
      let server = try ServerProcess("\(folder)/service.sqlite")
      try await Self.withHTTP { http in
        let ask = { @Sendable (url: String, action: String, body: String) in
          try await Self.ask(http, url, action, credentials, body)
        }
        #expect(
          try await ask(server.url, "records/modify", Self.create("before")).status == 200)
        // Others write while the copy is made.
        async let writing: Void = {
          for number in 0..<50 {
            _ = try await ask(server.url, "records/modify", Self.create("during\(number)"))
          }
        }()
        let backup = try Self.run(folder, "backup \(folder)/copy --json")
        #expect(try backup.json == .object([.init("outcome", .string("done"))]))
        try await writing
        let page = try await ask(server.url, "changes/zone", Self.feed).json["zones"]?.array?[0]
        let token = page?["syncToken"]?.string ?? ""
        #expect(page?["records"]?.array?.count == 51)
        // A copy is not written over, and neither is a store.
        #expect(try Self.run(folder, "backup \(folder)/copy").status == 1)
        let refusal = try Self.run(folder, "restore \(folder)/copy")
        #expect(refusal.status == 1 && refusal.error.hasPrefix("There is a store at "))
        #expect(server.end(SIGTERM) == 0)

        let restored = try Self.run(
          folder, "restore \(folder)/copy --json", store: "restored.sqlite")
        #expect(try restored.json == .object([.init("outcome", .string("done"))]))
        let second = try ServerProcess("\(folder)/restored.sqlite")
        // The same credentials open it; what it never knew is told apart.
        let old = try await ask(
          second.url, "changes/zone",
          #"{"zones":[{"zoneID":{"zoneName":"Z"},"syncToken":"\#(token)"}]}"#)
        #expect(try old.json["zones"]?.array?[0]["tokenRefusal"] == .string("future"))
        let fresh = try await ask(second.url, "changes/zone", Self.feed).json["zones"]?.array?[0]
        let names = fresh?["records"]?.array?.compactMap { $0["recordName"]?.string } ?? []
        #expect(names.first == "before")
        #expect(second.end(SIGTERM) == 0)
      }
    }
  }

  @Test func `asked to stop, it answers who waits and goes`() async throws {
    try await Self.withFolder { folder in
      let credentials = try Self.provision(folder)
      let server = try ServerProcess("\(folder)/service.sqlite")
      try await Self.withHTTP { http in
        let page = try await Self.ask(http, server.url, "changes/zone", credentials, Self.feed)
        let token = try page.json["zones"]?.array?[0]["syncToken"]?.string ?? ""
        let body = #"{"zones":[{"zoneID":{"zoneName":"Z"},"syncToken":"\#(token)"}]}"#
        async let held = Self.ask(
          http, server.url, "changes/zone", credentials, body, headers: [("prefer", "wait=50")])
        try await Self.untilWaiting(http, server.url)
        let started = ContinuousClock.now
        #expect(server.end(SIGTERM) == 0)
        // Far below the 50 seconds that it was asked to wait.
        #expect(ContinuousClock.now - started < .seconds(25))
        let answer = try await held
        #expect(answer.status == 200)
        #expect(try answer.json["zones"]?.array?[0]["syncToken"] == .string(token))
      }
    }
  }

  /// Returns once a request is held, as the server's own figure says.
  private static func untilWaiting(_ http: HTTPClient, _ url: String) async throws {
    while true {
      let response = try await http.execute(
        HTTPClientRequest(url: url + "/metrics"), timeout: .seconds(10))
      let text = String(buffer: try await response.body.collect(upTo: 100_000))
      if text.contains("skyros_waiting_requests 1") { return }
    }
  }

  @Test func `no secret is in the log, at any level`() async throws {
    try await Self.withFolder { folder in
      let credentials = try Self.provision(folder)
      let server = try ServerProcess(
        "\(folder)/service.sqlite", "--log-level", "trace", log: "\(folder)/log")
      try await Self.withHTTP { http in
        let ask = { (action: String, body: String) in
          try await Self.ask(http, server.url, action, credentials, body)
        }
        #expect(try await ask("records/modify", Self.create("private-name")).status == 200)
        #expect(try await ask("records/modify", "{").status == 400)
        let upload = try await ask("assets/upload", #"{"tokens":[{"fieldName":"f"}]}"#)
        let url = try upload.json["tokens"]?.array?[0]["url"]?.string ?? ""
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.body = .bytes(ByteBuffer(string: "private-bytes"))
        #expect(try await http.execute(request, timeout: .seconds(10)).status == .ok)
        let api = credentials.split(separator: "&").first.map(String.init) ?? ""
        let refused = try await Self.ask(http, server.url, "zones/list", api, "{}")
        let page = try refused.json["redirectURL"]?.string ?? ""
        let code = try Self.run(folder, "user code alice").output
          .trimmingCharacters(in: .newlines)
        var form = HTTPClientRequest(url: page)
        form.method = .POST
        form.body = .bytes(ByteBuffer(string: "code=\(code)"))
        let shown = String(
          buffer: try await http.execute(form, timeout: .seconds(10)).body.collect(upTo: 100_000))
        let token = shown.split(separator: "<output>").last?.split(separator: "<").first ?? ""
        #expect(token.contains("."))
        #expect(server.end(SIGTERM) == 0)
        let log = try String(contentsOfFile: "\(folder)/log", encoding: .utf8)
        #expect(log.contains("records/modify") && log.contains("status=400"))
        let secrets = credentials.split(separator: "&").compactMap { $0.split(separator: "=").last }
        let last = { (url: String) in url.split(separator: "/").last ?? "-" }
        for secret in secrets + [token, code[...], last(url), last(page)]
          + ["private-name", "private-bytes"]
        {
          #expect(!log.contains(secret))
        }
      }
    }
  }
}
