// A record service in this very process, on a SQLite file: sync between libraries of one machine, or
// of one shared folder, without a server. The same service code and the same messages as over HTTP.

internal import NIOCore
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
    var headers: [String: String] = [:]
    if call.isExtended { headers["x-skyros"] = "1" }
    if let key = call.idempotencyKey { headers["idempotency-key"] = key }
    if let seconds = call.waitSeconds { headers["prefer"] = "wait=\(seconds)" }
    return try await reply(
      to: ServiceRequest(
        call.body == nil ? "GET" : "POST", target, headers: headers, body: call.body ?? []))
  }

  package func upload(
    _ content: UploadContent, to address: String
  ) async throws(TransportFailure) -> ServiceReply {
    let token = token(in: address, after: "/assets/upload/")
    let answer =
      switch content {
      case .bytes(let bytes): await service.receiveAsset(token, OnePiece(bytes: bytes))
      case .file(let path, _):
        await service.receiveAsset(token, FileChunks(path: path).map { Array(buffer: $0) })
      }
    return try await reply(answer)
  }

  package func download(
    _ address: String, from offset: Int64, _ take: @escaping ContentSink
  ) async throws(TransportFailure) -> ServiceReply {
    let answer = service.sendAsset(token(in: address, after: "/assets/download/"))
    guard answer.status == 200, case .file(let path, let size) = answer.body else {
      return try await reply(answer)
    }
    let file = OpenFile(path)
    let start = offset > 0 && offset < Int64(size) ? offset : 0
    var isContinued = start > 0
    do {
      if isContinued { try file.skip(to: start) }
      while true {
        let piece = try file.read()
        if piece.isEmpty, isContinued { break }
        try take(piece, isContinued)
        if piece.isEmpty { break }
        isContinued = true
        if Task.isCancelled { throw TransportFailure.cancelled }
      }
    } catch TransportFailure.cancelled {
      throw .cancelled
    } catch {
      throw .interrupted
    }
    return ServiceReply(status: start > 0 ? 206 : 200, body: [])
  }

  package func close() async {}

  /// The part of an address that the service knows it by.
  private func token(in address: String, after prefix: String) -> String {
    let path = address.split(separator: "://", maxSplits: 1).last ?? ""
    guard let slash = path.firstIndex(of: "/"), path[slash...].hasPrefix(prefix) else { return "" }
    return String(path[slash...].dropFirst(prefix.count).prefix { $0 != "?" && $0 != "/" })
  }

  private func reply(
    to request: ServiceRequest
  ) async throws(TransportFailure) -> ServiceReply {
    try await reply(await service.respond(to: request, as: caller))
  }

  private func reply(_ response: ServiceResponse) async throws(TransportFailure) -> ServiceReply {
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

/// Bytes as a sequence of one piece.
private struct OnePiece: AsyncSequence, Sendable {
  let bytes: [UInt8]

  func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var bytes: [UInt8]?

    mutating func next() async -> [UInt8]? {
      defer { bytes = nil }
      return bytes
    }
  }
}
