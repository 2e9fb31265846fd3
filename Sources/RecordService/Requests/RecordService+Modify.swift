// records/modify.

internal import CloudKitWire
internal import Crypto

extension RecordService {
  func modify(_ call: Call) async throws -> ServiceResponse {
    if call.route.scope == .public, call.caller.kind == .world {
      // The world may read; writing needs somebody.
      throw signInRequired(call.route)
    }
    let request: ModifyRequest = try call.message()
    let most =
      call.wantsExtensions ? settings.extensions.operationsMax : WireLimits.operationsMax
    guard request.operations.count <= most else {
      throw ServiceError(
        .badRequest,
        "A request has at most \(most) operations; this one has "
          + "\(request.operations.count).")
    }
    let zoneName = try call.zoneName(request.zoneID ?? request.operations.first?.record.zoneID)
    let key = try idempotencyKey(call)
    if let key, let answer = try await storage.read({ try $0.answer(to: key.name) }) {
      return try repeated(answer, key)
    }
    let context = ModifyContext(
      caller: call.caller, database: call.database, zoneName: zoneName,
      isAtomic: (request.atomic ?? true) && zoneName != ZoneID.defaultName
        && call.route.scope != .public,
      milliseconds: now, quotaBytes: settings.quotaBytes,
      names: request.operations.map { $0.record.recordName ?? surroundings.uuid() },
      isZoneOfRecords: request.zoneID == nil,
      isReceipt: isReceipt(in: call.database))
    let done = try await perform(request, context, call, key)
    if case .repetition(let answer) = done, let key { return try repeated(answer, key) }
    guard case .done(let body) = done else {
      throw ServiceError(.internalError, "The answer of an earlier request is missing.")
    }
    metrics.countOperations(request.operations.count)
    return ServiceResponse(json: body)
  }

  private enum Done: Sendable {
    case done([UInt8])
    case repetition([UInt8])
  }

  private func perform(
    _ request: ModifyRequest, _ context: ModifyContext, _ call: Call, _ key: IdempotencyKey?
  ) async throws -> Done {
    do {
      let onlyDeletes = request.operations.allSatisfy { $0.type?.isDelete ?? false }
      let (outcomes, zone, epoch, repetition) = try await storage.write(
        onlyDeletes ? .freeing : .adding
      ) { storage in
        // Two copies of one request may be on their way at once.
        if let key, let answer = try storage.answer(to: key.name) {
          return ([ModifyOutcome](), StoredZone?.none, try storage.epoch(), [UInt8]?.some(answer))
        }
        let zone = try Self.zoneForWriting(context, call, storage)
        var modification = try Modification(
          request.operations, context, zone: zone, storage: storage)
        let outcomes = try modification.run()
        try Self.notifySubscribers(of: modification.events, zone: zone, context, storage)
        if let key {
          let body = self.body(
            of: outcomes, request, call, syncToken: nil, zoneName: context.zoneName)
          try storage.remember(key.digest + body, to: key.name, at: context.milliseconds)
        }
        let after = try storage.zone(named: zone.name, in: context.database)
        return (outcomes, after, try storage.epoch(), nil)
      }
      if let repetition { return .repetition(repetition) }
      let token = zone.map { self.token($0, epoch).text }
      return .done(
        body(
          of: outcomes, request, call, syncToken: call.wantsSyncToken ? token : nil,
          zoneName: context.zoneName))
    } catch let failure as AtomicFailure {
      return .done(
        body(
          of: failure.outcomes, request, call, syncToken: nil, zoneName: context.zoneName))
    }
  }

  /// The zone; the default zone comes into being with its first record.
  private static func zoneForWriting(
    _ context: ModifyContext, _ call: Call, _ storage: any StorageWriting
  ) throws -> StoredZone {
    if let zone = try storage.zone(named: context.zoneName, in: context.database) { return zone }
    guard context.zoneName == ZoneID.defaultName, context.database.scope != .shared else {
      throw call.zoneNotFound(ZoneID(context.zoneName))
    }
    return try storage.makeZone(
      named: context.zoneName, in: context.database, at: context.milliseconds)
  }

  private func body(
    of outcomes: [ModifyOutcome], _ request: ModifyRequest, _ call: Call, syncToken: String?,
    zoneName: String
  ) -> [UInt8] {
    var encoder = encoder(call, zone: zoneName)
    var writer = JSONWriter(reserving: 512 * outcomes.count + 64)
    writer.beginObject()
    writer.key("records")
    writer.beginArray()
    for (outcome, operation) in zip(outcomes, request.operations) {
      encoder.desiredKeys = operation.desiredKeys ?? request.desiredKeys
      encoder.numbersAsStrings =
        operation.numbersAsStrings ?? request.numbersAsStrings ?? false
      switch outcome {
      case .record(let record): encoder.write(record, to: &writer)
      case .deleted(let name): encoder.writeTombstone(name, to: &writer)
      case .failure(let error, let standing):
        write(error, standing: call.wantsExtensions ? standing : nil, encoder, to: &writer)
      }
    }
    writer.endArray()
    writer.member("syncToken", syncToken)
    writer.endObject()
    return writer.bytes
  }

  private func write(
    _ error: ServiceError, standing: StoredRecord?, _ encoder: RecordEncoder,
    to writer: inout JSONWriter
  ) {
    writer.beginObject()
    var error = error
    error.uuid = surroundings.uuid()
    error.writeMembers(to: &writer)
    if let standing {
      // The record that stands in the way, whole: it saves the lookup.
      var whole = encoder
      whole.desiredKeys = nil
      writer.key("serverRecord")
      whole.write(standing, to: &writer)
    }
    writer.endObject()
  }

  func encoder(_ call: Call, zone: String) -> RecordEncoder {
    let until = now + settings.downloadURLMilliseconds
    let database = call.database
    return RecordEncoder(
      desiredKeys: nil, numbersAsStrings: false, zoneID: call.zoneID(zone),
      downloadURL: { digest, bytes in
        self.downloadURL(digest: digest, bytes: bytes, database: database, until: until)
      })
  }

  // MARK: Repetition

  private struct IdempotencyKey: Sendable {
    var name: String
    /// Of the request, so that a key is not used for another one.
    var digest: [UInt8]
  }

  private func idempotencyKey(_ call: Call) throws -> IdempotencyKey? {
    guard let key = call.headers["idempotency-key"], !key.isEmpty else { return nil }
    guard key.utf8.count <= 255 else {
      throw ServiceError(.badRequest, "An Idempotency-Key has at most 255 bytes.")
    }
    // By caller and database, so that nobody meets another's answers.
    let database = call.database
    let name =
      "\(call.caller.recordName) "
      + Digest.of(
        "\(database.container) \(database.environment) \(database.scope) \(key)")
    return IdempotencyKey(name: name, digest: Array(SHA256.hash(data: call.body)))
  }

  private func repeated(_ answer: [UInt8], _ key: IdempotencyKey) throws -> ServiceResponse {
    guard Array(answer.prefix(32)) == key.digest else {
      throw ServiceError(
        .badRequest, "The Idempotency-Key was used for a request with another body.")
    }
    var response = ServiceResponse(json: Array(answer.dropFirst(32)))
    response.headers.append(("idempotency-replayed", "true"))
    return response
  }
}
