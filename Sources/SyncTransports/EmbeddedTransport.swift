// A record service in this very process, on a SQLite file: sync between libraries of one machine, or
// of one shared folder, without a server. The same service code and the same messages as over HTTP.

package import RecordService
package import Sync

package struct EmbeddedTransport: SyncTransport {
  /// The one person of an embedded service: who reaches the file is let in.
  package static let userName = "owner"
  private static let address = "http://embedded.invalid"

  private let service: RecordService
  private let caller: Caller

  /// Opens the service on a file; the file is made where it is missing.
  package static func open(
    path: String, container: String, surroundings: ServiceSurroundings = .system
  ) async throws -> EmbeddedTransport {
    var settings = ServiceSettings()
    settings.publicURL = address
    let service = try await RecordService.open(
      path: path, settings: settings, surroundings: surroundings)
    return try await EmbeddedTransport(service: service, container: container)
  }

  package init(service: RecordService, container: String) async throws {
    self.service = service
    let user = try await Self.user(of: service)
    caller = Caller(
      .user(number: user.number), recordName: user.recordName, container: container,
      environment: .production)
  }

  private static func user(of service: RecordService) async throws -> StoredUser {
    if let user = try await service.users().first(where: { $0.name == userName }) { return user }
    do {
      return try await service.addUser(userName)
    } catch ProvisioningFault.userExists {
      // Another process was first.
      guard let user = try await service.users().first(where: { $0.name == userName }) else {
        throw ProvisioningFault.noSuchUser(userName)
      }
      return user
    }
  }

  package func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply {
    let target =
      "/database/1/\(caller.container)/production/\(call.database.rawValue)/\(call.action)"
    var headers = ["x-skyros": "1"]
    if let seconds = call.waitSeconds { headers["prefer"] = "wait=\(seconds)" }
    return try await reply(
      to: ServiceRequest(
        call.body == nil ? "GET" : "POST", target, headers: headers, body: call.body ?? []),
      vouched: true)
  }

  package func upload(
    _ bytes: [UInt8], to address: String
  ) async throws(TransportFailure) -> ServiceReply {
    try await reply(to: ServiceRequest("POST", target(address), body: bytes), vouched: false)
  }

  package func download(_ address: String) async throws(TransportFailure) -> ServiceReply {
    try await reply(to: ServiceRequest("GET", target(address)), vouched: false)
  }

  package func close() async {}

  private func target(_ address: String) -> String {
    address.hasPrefix(Self.address) ? String(address.dropFirst(Self.address.count)) : address
  }

  private func reply(
    to request: ServiceRequest, vouched: Bool
  ) async throws(TransportFailure) -> ServiceReply {
    let response =
      vouched
      ? await service.respond(to: request, as: caller) : await service.respond(to: request)
    if Task.isCancelled { throw .cancelled }
    var reply = ServiceReply(status: response.status, body: [])
    for header in response.headers { reply.headers[header.name] = header.value }
    switch response.body {
    case .bytes(let bytes): reply.body = bytes
    case .stream(let pieces):
      do {
        for try await piece in pieces { reply.body += piece }
      } catch {
        throw .interrupted
      }
    case .file(let path, let size):
      guard let bytes = WholeFile.read(path, bytesMax: size) else { throw .interrupted }
      reply.body = bytes
    }
    return reply
  }
}
