// Calls of the service, as messages: bodies written and read, answers classified. Decides nothing
// about them: that is the machine's business. No state but what the service advertised.

package import CloudKitWire
internal import Records

/// The answer to a call: a message, or the class of what came instead.
package enum Received<Message: Sendable>: Sendable {
  case message(Message, bytes: Int)
  case failure(Answer)
}

/// One container and zone of a service.
package struct ServiceClient: Sendable {
  package let transport: any SyncTransport
  package let zone: ZoneID
  /// What the service said that it does beyond the protocol; nothing before it did.
  package var extensions: ServiceExtensions?
  /// Names each request, so that a repetition is told from another one; nothing: none is named.
  var repeats: RepeatKeys?
  /// Reads the wall clock: milliseconds since 1970 UTC.
  let milliseconds: @Sendable () -> Int64

  /// A signature or token is refused for the clock's sake if it is off by more (reference 2.2).
  static let clockSkewMaxMilliseconds: Int64 = 5 * 60 * 1_000

  package init(
    transport: any SyncTransport, zone: String, extensions: ServiceExtensions? = nil,
    milliseconds: @escaping @Sendable () -> Int64
  ) {
    self.extensions = extensions
    self.transport = transport
    self.zone = ZoneID(zone)
    self.milliseconds = milliseconds
  }

  /// Who the service takes us for; and what it can do beyond the protocol.
  package func caller() async -> (Received<UserIdentity>, ServiceExtensions?) {
    let call = ServiceCall(.public, "users/caller", body: nil)
    do throws(TransportFailure) {
      let reply = try await transport.call(call)
      let extensions = reply.headers[ServiceExtensions.headerName].map(ServiceExtensions.init)
      let users: Received<UsersResponse> = received(reply)
      switch users {
      case .failure(let answer): return (.failure(answer), extensions)
      case .message(let response, let bytes):
        guard let user = response.users.first else {
          return (.failure(Answer(.garbled)), extensions)
        }
        return (.message(user, bytes: bytes), extensions)
      }
    } catch {
      return (.failure(Answer(.transport(error))), nil)
    }
  }

  package func zone() async -> Received<ZoneResult> {
    await first(ZonesLookupRequest([zone]), "zones/lookup")
  }

  package func makeZone() async -> Received<ZoneResult> {
    await first(ZonesModifyRequest([ZoneOperation(.create, zone)]), "zones/modify")
  }

  private func first(_ request: some WireWritable, _ action: String) async -> Received<ZoneResult> {
    let response: Received<ZonesResponse> = await post(request.body(), action)
    switch response {
    case .failure(let answer): return .failure(answer)
    case .message(let message, let bytes):
      guard let zone = message.zones.first else { return .failure(Answer(.missing)) }
      if case .failure(let error) = zone { return .failure(Answer(error)) }
      return .message(zone, bytes: bytes)
    }
  }

  /// A page of the change feed.
  ///
  /// - Parameters:
  ///   - fields: Only these; nothing: all.
  ///   - waitSeconds: How long the service may hold the answer while nothing changes.
  package func changes(
    since token: String?, limit: Int, fields: [String]? = nil, waitSeconds: Int? = nil
  ) async -> Received<ZoneChangesPage> {
    var query = ZoneChangesQuery(zoneID: zone, syncToken: token)
    query.resultsLimit = limit
    query.desiredKeys = fields
    let response: Received<ZoneChangesResponse> = await post(
      ZoneChangesRequest([query]).body(), "changes/zone", waitSeconds: waitSeconds)
    switch response {
    case .failure(let answer): return .failure(answer)
    case .message(let message, let bytes):
      switch message.zones.first {
      case .page(let page): return .message(page, bytes: bytes)
      case .failure(let error): return .failure(Answer(error))
      case nil: return .failure(Answer(.missing))
      }
    }
  }

  /// Sends operations, each already written; each has its own entry in the answer.
  func modify(_ operations: [OutgoingRecord]) async -> Received<RecordsResponse> {
    var writer = JSONWriter(reserving: operations.reduce(256) { $0 + $1.body.count + 1 })
    writer.object { writer in
      writer.member("zoneID", zone)
      writer.member("atomic", false)
      writer.member("desiredKeys", [String]())
      writer.key("operations")
      writer.array { writer in
        for operation in operations { writer.raw(operation.body) }
      }
    }
    return await post(writer.bytes, "records/modify", isNamed: true)
  }

  package func modify(_ operations: [RecordOperation]) async -> Received<RecordsResponse> {
    var request = ModifyRequest(operations, in: zone, atomic: false)
    request.desiredKeys = []
    return await post(request.body(), "records/modify", isNamed: true)
  }

  /// - Parameter fields: Only these; nothing: all.
  package func lookup(
    _ names: [String], fields: [String]? = nil
  ) async -> Received<RecordsResponse> {
    var request = LookupRequest(names, in: zone)
    request.desiredKeys = fields
    return await post(request.body(), "records/lookup")
  }

  // MARK: Files

  /// Where to send files to, in the order of what was asked for.
  func uploadAddresses(_ files: [NeededFile]) async -> Received<AssetUploadMessage> {
    let tokens = files.map {
      AssetToken(recordName: $0.record, recordType: $0.type, fieldName: $0.field)
    }
    return await post(AssetUploadMessage(tokens, in: zone).body(), "assets/upload")
  }

  /// Sends one file; answered with what a record needs to refer to it.
  func upload(_ content: UploadContent, to address: String) async -> Received<SingleFile> {
    do throws(TransportFailure) {
      return received(try await transport.upload(content, to: address))
    } catch {
      return .failure(Answer(.transport(error)))
    }
  }

  /// What other records need to refer to files that records refer to already; in order.
  func rereference(_ files: [(record: String, field: String)]) async -> Received<AssetsResponse> {
    let tokens = files.map { AssetToken(recordName: $0.record, fieldName: $0.field) }
    return await post(RereferenceRequest(tokens, in: zone).body(), "assets/rereference")
  }

  /// Reads a file.
  ///
  /// Nothing: it was taken whole.
  func download(
    _ address: String, from offset: Int64 = 0, _ take: @escaping ContentSink
  ) async -> Answer? {
    do throws(TransportFailure) {
      let reply = try await transport.download(address, from: offset, take)
      return reply.status == 200 || reply.status == 206 ? nil : failure(reply)
    } catch {
      return Answer(.transport(error))
    }
  }

  // MARK: Calls

  private func post<Message: WireReadable & Sendable>(
    _ body: [UInt8], _ action: String, waitSeconds: Int? = nil, isNamed: Bool = false
  ) async -> Received<Message> {
    var call = ServiceCall(.private, action, body: body, waitSeconds: waitSeconds)
    call.isExtended = extensions != nil
    call.hasGzip = extensions?.hasGzip ?? false
    if isNamed, extensions?.hasIdempotencyKey == true {
      call.idempotencyKey = repeats?.key(of: body, at: milliseconds())
    }
    do throws(TransportFailure) {
      let reply = try await transport.call(call)
      let received: Received<Message> = received(reply)
      if case .message = received, call.idempotencyKey != nil { repeats?.answered() }
      if case .message(let message, let bytes) = received {
        return .message(message, bytes: bytes + body.count)
      }
      return received
    } catch {
      return .failure(Answer(.transport(error)))
    }
  }

  /// Classifies a whole answer.
  func received<Message: WireReadable & Sendable>(_ reply: ServiceReply) -> Received<Message> {
    if reply.status == 200 {
      do throws(MalformedMessage) {
        return .message(try Message(body: reply.body), bytes: reply.body.count)
      } catch {
        return .failure(Answer(unreadable(reply), detail: error.description))
      }
    }
    return .failure(failure(reply))
  }

  private func failure(_ reply: ServiceReply) -> Answer {
    let retryAfter = reply.headers["retry-after"].flatMap { Int($0) }
    do throws(MalformedMessage) {
      var answer = Answer(try ServiceError(body: reply.body))
      answer.retryAfter = answer.retryAfter ?? retryAfter
      if answer.kind == .code(.authenticationFailed), isClockOff(reply) {
        answer.kind = .clockSkew
      }
      return answer
    } catch {
      let kind: AnswerClass =
        switch reply.status {
        case 413: .tooLong
        case 429: .code(.throttled)
        case 500..<600: .serverTrouble
        case 200..<400: .foreignPage
        default: looksLikeJSON(reply.body) ? .garbled : foreign(reply.status)
        }
      return Answer(kind, retryAfter: retryAfter, detail: "status \(reply.status)")
    }
  }

  private func unreadable(_ reply: ServiceReply) -> AnswerClass {
    looksLikeJSON(reply.body) ? .garbled : .foreignPage
  }

  private func foreign(_ status: Int) -> AnswerClass {
    status == 407 || status == 511 ? .foreignPage : .unexpectedStatus
  }

  private func looksLikeJSON(_ body: [UInt8]) -> Bool {
    body.first { $0 > 0x20 } == UInt8(ascii: "{")
  }

  private func isClockOff(_ reply: ServiceReply) -> Bool {
    guard let date = reply.headers["date"].flatMap(HTTPDate.milliseconds) else { return false }
    return abs(date - milliseconds()) > Self.clockSkewMaxMilliseconds
  }
}

/// The `Date` header of HTTP (RFC 9110, 5.6.7).
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Reads `Sat, 21 Nov 2026 12:54:33 GMT`.
  static func milliseconds(_ text: String) -> Int64? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, let day = Int(parts[1]), let year = Int(parts[3]),
      let month = months.firstIndex(of: String(parts[2])),
      let date = CalendarDate(year: year, month: month + 1, day: day)
    else { return nil }
    let clock = parts[4].split(separator: ":").compactMap { Int64($0) }
    guard clock.count == 3 else { return nil }
    let seconds = clock[0] * 3_600 + clock[1] * 60 + clock[2]
    return (Int64(date.dayNumber) * 86_400 + seconds) * 1_000
  }
}

/// The assets that `assets/rereference` answers, in order; nothing for one that is not there.
struct AssetsResponse: WireReadable, Sendable {
  let assets: [WireAsset?]

  init(from reader: inout JSONReader) throws(MalformedMessage) {
    let message = try reader.readValue()
    guard let entries = message["assets"]?.array else {
      throw MalformedMessage("assets are missing", at: 0)
    }
    assets = entries.map { entry in
      guard let checksum = entry["fileChecksum"]?.string else { return nil }
      return WireAsset(
        fileChecksum: checksum, size: entry["size"]?.wholeNumber,
        receipt: entry["receipt"]?.string,
        referenceChecksum: entry["referenceChecksum"]?.string,
        wrappingKey: entry["wrappingKey"]?.string)
    }
  }
}
