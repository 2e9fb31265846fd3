// records/query: filters are tried on the records of the type, in the order of their names; a
// sorted page keeps only the best so many in hand.

internal import CloudKitWire

extension RecordService {
  func query(_ call: Call) async throws -> ServiceResponse {
    let request: QueryRequest = try call.message()
    guard !request.query.recordType.isEmpty else {
      throw ServiceError(.badRequest, "The query's recordType is missing.")
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
      return (zones.filter { zoneName == nil || $0.name == zoneName }, try storage.epoch())
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
    var encoders: [String: RecordEncoder] = [:]
    for zone in zones {
      var encoder = encoder(call, zone: zone.name)
      encoder.desiredKeys = request.desiredKeys
      encoder.numbersAsStrings = request.numbersAsStrings ?? false
      encoders[zone.name] = encoder
    }
    for hit in found.prefix(limit) {
      encoders[hit.place.zone]?.write(hit.record, to: &writer)
    }
    writer.endArray()
    if found.count > limit, let last = found.prefix(limit).last {
      writer.member("continuationMarker", order.marker(last.place, digest: digest))
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
    let readsFields = match.needsFields || order.needsFields
    for zone in zones {
      if order.isByName, let after, QueryOrder.precedes(zone.name, after.zone) { continue }
      let start = order.isByName && after?.zone == zone.name ? after?.name ?? "" : ""
      try storage.records(of: type, in: zone.number, after: start) { stored in
        let record = QueryRecord(stored, readingFields: readsFields)
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

  private func keepBest(_ hits: inout [Hit]) {
    hits.sort { order.isBefore($0.place, $1.place) }
    if hits.count > limit { hits.removeSubrange(limit...) }
  }
}
