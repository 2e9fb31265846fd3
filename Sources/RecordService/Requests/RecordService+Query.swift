// records/query: filters are tried on the records of the type, in the order of their names, or on
// those that are named; a sorted page keeps only the best so many in hand.

internal import CloudKitWire

extension RecordService {
  func query(_ call: Call) async throws -> ServiceResponse {
    let request: QueryRequest = try call.message()
    guard NameRules.isRecordName(request.query.recordType) else {
      throw ServiceError(.badRequest, "The query's recordType is missing, or no name.")
    }
    let match = try QueryMatch(request.query)
    let order = try QueryOrder(request.query)
    let digest = String(Digest.of(String(decoding: request.query.body(), as: UTF8.self)).prefix(16))
    let after = try request.continuationMarker.flatMap {
      $0.isEmpty ? nil : try order.place($0, digest: digest)
    }
    let limit = limit(request.resultsLimit, call)
    let zoneName = request.zoneWide ? nil : try call.zoneName(request.zoneID)
    let database = call.database
    let (zones, epoch) = try await storage.read { storage in
      let zones = try storage.zones(in: database)
      let asked = zones.filter { zone in zoneName.map { $0.isExactly(zone.name) } ?? true }
      return (asked, try storage.epoch())
    }
    if let zoneName, zones.isEmpty, zoneName != ZoneID.defaultName {
      throw call.zoneNotFound(ZoneID(zoneName))
    }
    let search = QuerySearch(
      type: request.query.recordType, match: match, order: order, after: after, limit: limit + 1)
    let ordered = zones.sorted { QueryOrder.precedes($0.name, $1.name) }
    let found = try await storage.read { try search.run(in: ordered, $0) }

    var writer = JSONWriter(reserving: 512 * found.count + 64)
    writer.beginObject()
    writer.key("records")
    writer.beginArray()
    var encoders: [ExactName: RecordEncoder] = [:]
    for zone in zones {
      var encoder = encoder(call, zone: zone.name)
      encoder.desiredKeys = request.desiredKeys
      encoder.numbersAsStrings = request.numbersAsStrings ?? false
      encoders[ExactName(zone.name)] = encoder
    }
    var last: QueryPlace?
    var shown = 0
    for hit in found.prefix(limit) {
      // A page may hold fewer than the limit.
      if shown > 0, writer.bytes.count >= settings.pageBytesMax { break }
      encoders[ExactName(hit.place.zone)]?.write(hit.record, to: &writer)
      last = hit.place
      shown += 1
    }
    writer.endArray()
    if found.count > shown, let last {
      writer.member("continuationMarker", order.marker(last, digest: digest))
    }
    if call.wantsSyncToken, zones.count == 1, let zone = zones.first {
      writer.member("syncToken", token(zone, epoch).text)
    }
    writer.endObject()
    return ServiceResponse(json: writer.bytes)
  }
}

/// One page of a query over some zones.
struct QuerySearch: Sendable {
  struct Hit: Sendable {
    var place: QueryPlace
    var record: StoredRecord
  }

  let type: String
  let match: QueryMatch
  let order: QueryOrder
  let after: QueryPlace?
  let limit: Int

  func run(in zones: [StoredZone], _ storage: any StorageReading) throws -> [Hit] {
    var hits: [Hit] = []
    let fields = Set(match.fieldNames + order.fieldNames)
    let names = match.recordNames.map { names in
      Set(names.map(ExactName.init)).map(\.text).sorted(by: QueryOrder.precedes)
    }
    for zone in zones {
      if order.isByName, let after, QueryOrder.precedes(zone.name, after.zone) { continue }
      let isHere = after.map { $0.zone.isExactly(zone.name) } ?? false
      let start = order.isByName && isHere ? after?.name ?? "" : ""
      try candidates(names, in: zone, after: start, storage) { stored in
        let record = QueryRecord(stored, reading: fields)
        guard match.matches(record) else { return true }
        let hit = Hit(place: order.place(of: record, in: zone.name), record: stored)
        if let after, !order.isBefore(after, hit.place) { return true }
        hits.append(hit)
        if order.isByName { return hits.count < limit }
        // Sorted: what can't be on the page is dropped now and then, not at each step.
        if hits.count >= limit * 2 + 64 { keepBest(&hits) }
        return true
      }
      if order.isByName, hits.count >= limit { break }
    }
    if !order.isByName { keepBest(&hits) }
    return hits
  }

  /// The living records of the type by name, all or those of the names.
  private func candidates(
    _ names: [String]?, in zone: StoredZone, after start: String, _ storage: any StorageReading,
    _ body: (StoredRecord) throws -> Bool
  ) throws {
    guard let names else {
      return try storage.records(of: type, in: zone.number, after: start, body)
    }
    for name in names where QueryOrder.precedes(start, name) && NameRules.isRecordName(name) {
      guard let record = try storage.record(named: name, in: zone.number), !record.isDeleted,
        record.type == type
      else { continue }
      guard try body(record) else { return }
    }
  }

  private func keepBest(_ hits: inout [Hit]) {
    hits.sort { order.isBefore($0.place, $1.place) }
    if hits.count > limit { hits.removeSubrange(limit...) }
  }
}
