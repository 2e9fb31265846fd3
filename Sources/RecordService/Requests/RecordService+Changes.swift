// The change feeds. A held request waits outside of any transaction and looks again.

internal import CloudKitWire

extension RecordService {
  // MARK: Zones

  func zoneChanges(_ call: Call) async throws -> ServiceResponse {
    let request: ZoneChangesRequest = try call.message()
    let most = call.wantsExtensions ? settings.extensions.recordsMax : WireLimits.namesMax
    guard request.zones.count <= most else {
      throw ServiceError(.badRequest, "A request asks for at most \(most) zones.")
    }
    let queries = request.resolved
    if wantsBulk(call), queries.count == 1 { return try await bulkChanges(queries[0], call) }
    let body = try await holding(call) {
      var writer = JSONWriter(reserving: 4_096)
      var hasNews = false
      // What one response may hold is shared by its zones.
      var room = self.settings.pageBytesMax
      writer.beginObject()
      writer.key("zones")
      writer.beginArray()
      for query in queries {
        let page = try await self.page(query, call, room: &room)
        hasNews = hasNews || page.hasNews
        page.write(to: &writer)
      }
      writer.endArray()
      writer.endObject()
      return (writer.bytes, hasNews)
    }
    return ServiceResponse(json: body)
  }

  /// The old form: one zone, its answer at the root.
  func recordChanges(_ call: Call) async throws -> ServiceResponse {
    let query: ZoneChangesQuery = try call.message()
    let body = try await holding(call) {
      var room = self.settings.pageBytesMax
      let page = try await self.page(query, call, room: &room)
      if let error = page.error { throw error }
      var writer = JSONWriter(reserving: 4_096)
      page.write(to: &writer)
      return (writer.bytes, page.hasNews)
    }
    return ServiceResponse(json: body)
  }

  private func page(
    _ query: ZoneChangesQuery, _ call: Call, room: inout Int
  ) async throws -> ZonePage {
    do {
      let page = try await readPage(query, call, room: room)
      room -= page.json.count
      return page
    } catch let error as ServiceError {
      // One zone's error is that zone's.
      var error = error
      error.uuid = surroundings.uuid()
      error.zoneID = error.zoneID ?? query.zoneID
      return ZonePage(failing: error)
    }
  }

  func readPage(
    _ query: ZoneChangesQuery, _ call: Call, room: Int, asLines: Bool = false
  ) async throws -> ZonePage {
    guard let id = query.zoneID else {
      throw ServiceError(.badRequest, "The zoneID is missing.")
    }
    let name = try call.zoneName(id)
    guard name != ZoneID.defaultName else {
      throw ServiceError(.badRequest, "The default zone has no change feed.")
    }
    let given = try query.syncToken.flatMap { text -> ChangeToken? in
      guard !text.isEmpty else { return nil }
      guard let token = ChangeToken(text), token.feed != .database else {
        throw ServiceError(.badRequest, "The syncToken is none of this feed's.")
      }
      return token
    }
    let database = call.database
    var encoder = encoder(call, zone: name)
    encoder.desiredKeys = query.desiredKeys
    encoder.numbersAsStrings = query.numbersAsStrings ?? false
    let reader = PageReader(
      limit: limit(query.resultsLimit, call), room: room,
      types: query.desiredRecordTypes.flatMap { $0.isEmpty ? nil : Set($0) },
      isReversed: (query.reverse ?? false) || given?.feed == .zoneReversed,
      asLines: asLines, seal: seal)
    let seal = seal
    return try await storage.read { [encoder] storage in
      guard let zone = try storage.zone(named: name, in: database) else {
        throw call.zoneNotFound(id)
      }
      let epoch = try storage.epoch()
      if let given, let refusal = given.refusal(for: zone, seal.mark(zone.number), in: epoch) {
        throw ChangeToken.expired(refusal)
      }
      return try reader.read(zone, epoch, after: given, encoder, storage)
    }
  }

  /// How many results a page may have: the protocol's limit, or ours for who asked for it.
  func limit(_ wanted: Int?, _ call: Call) -> Int {
    let most = call.wantsExtensions ? settings.extensions.recordsMax : WireLimits.resultsMax
    return min(max(wanted ?? WireLimits.resultsMax, 1), most)
  }

  // MARK: Databases

  func databaseChanges(_ call: Call, tokenKey: String) async throws -> ServiceResponse {
    let request: DatabaseChangesRequest = try call.message()
    let given = try request.syncToken.flatMap { text -> ChangeToken? in
      guard !text.isEmpty else { return nil }
      guard let token = ChangeToken(text), token.feed == .database else {
        throw ServiceError(.badRequest, "The \(tokenKey) is none of this feed's.")
      }
      return token
    }
    let limit = limit(request.resultsLimit, call)
    let database = call.database
    let body = try await holding(call) {
      let (zones, current, epoch) = try await self.storage.read { storage in
        let current = try storage.databaseSequence(of: database)
        let epoch = try storage.epoch()
        if let given {
          if given.epoch != epoch.id || given.sequence > current {
            throw ChangeToken.expired(.future)
          }
          if given.sequence > 0,
            given.sequence < (try storage.databaseForgotten(of: database))
          {
            throw ChangeToken.expired(.retention)
          }
        }
        let zones = try storage.zoneChanges(
          in: database, after: given?.sequence ?? 0, limit: limit + 1)
        return (zones, current, epoch)
      }
      let page = zones.prefix(limit)
      let isMore = zones.count > limit
      // Those who begin need not hear of what was gone before.
      let shown = page.filter {
        $0.name != ZoneID.defaultName && (given != nil || !$0.isDeleted)
      }
      let sequence = isMore ? page.last?.changed ?? current : current
      let next = ChangeToken(.database, epoch: epoch.id, sequence: sequence)
      var writer = JSONWriter()
      writer.object { writer in
        writer.key("zones")
        writer.array { writer in
          for zone in shown { self.write(zone, call, to: &writer) }
        }
        writer.member(tokenKey, next.text)
        writer.member("moreComing", isMore)
      }
      return (writer.bytes, given == nil || !shown.isEmpty || isMore)
    }
    return ServiceResponse(json: body)
  }

  private func write(_ zone: StoredZone, _ call: Call, to writer: inout JSONWriter) {
    writer.object {
      $0.member("zoneID", call.zoneID(zone.name))
      if zone.isDeleted { $0.member("deleted", true) }
    }
  }

  // MARK: Waiting

  /// Runs the body, and again after each change, until it has news or the time is over that the
  /// sender is ready to wait (`Prefer: wait=N`).
  private func holding(
    _ call: Call, _ body: () async throws -> (body: [UInt8], hasNews: Bool)
  ) async throws -> [UInt8] {
    let database = call.database
    let seconds = waitSeconds(call)
    var generation = storage.signal.generation(of: database)
    var answer = try await body()
    guard seconds > 0, !answer.hasNews else { return answer.body }
    metrics.changeWaiting(by: 1)
    defer { metrics.changeWaiting(by: -1) }
    let deadline = Deadline(seconds: seconds, surroundings: surroundings)
    defer { deadline.cancel() }
    while !answer.hasNews, !deadline.isOver, !Task.isCancelled {
      await storage.signal.wait(for: database, after: generation) { await deadline.wait() }
      // Going down: what there was is the answer.
      if Task.isCancelled { break }
      generation = storage.signal.generation(of: database)
      answer = try await body()
    }
    return answer.body
  }

  private func waitSeconds(_ call: Call) -> Int {
    guard let prefer = call.headers["prefer"] else { return 0 }
    for word in prefer.split(whereSeparator: { $0 == "," || $0 == ";" }) {
      let parts = word.split(separator: "=", maxSplits: 1).map {
        $0.filter { !$0.isWhitespace }
      }
      guard parts.count == 2, parts[0].lowercased() == "wait", let seconds = Int(parts[1]) else {
        continue
      }
      return min(max(seconds, 0), settings.extensions.waitSecondsMax)
    }
    return 0
  }
}
