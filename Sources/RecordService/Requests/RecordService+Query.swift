// records/query: filters are tried on the records of the type, in the order of their names, or on
// those that a filter or an index names; a sorted page keeps only the best so many in hand.

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
    let (found, scans) = try await storage.read { storage in
      var scans: [QueryScan] = []
      return (try search.run(in: ordered, storage, noting: &scans), scans)
    }
    try await growIndexes(behind: scans, in: database)

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
