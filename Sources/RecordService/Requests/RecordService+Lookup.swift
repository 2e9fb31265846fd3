// records/lookup.

internal import CloudKitWire

extension RecordService {
  func lookup(_ call: Call) async throws -> ServiceResponse {
    let request: LookupRequest = try call.message()
    let most = call.wantsExtensions ? settings.extensions.recordsMax : WireLimits.namesMax
    guard request.records.count <= most else {
      throw ServiceError(.badRequest, "A request looks up at most \(most) records.")
    }
    let zoneName = try call.zoneName(request.zoneID)
    let database = call.database
    let (zone, records, epoch) = try await storage.read { storage in
      let zone = try storage.zone(named: zoneName, in: database)
      let records = try request.records.map { name in
        guard let zone, let name = name.recordName else { return StoredRecord?.none }
        return try storage.record(named: name, in: zone.number).flatMap {
          $0.isDeleted ? nil : $0
        }
      }
      return (zone, records, try storage.epoch())
    }
    guard zone != nil || zoneName == ZoneID.defaultName else {
      throw call.zoneNotFound(ZoneID(zoneName))
    }
    var encoder = encoder(call, zone: zoneName)
    var writer = JSONWriter(reserving: 512 * records.count + 64)
    writer.beginObject()
    writer.key("records")
    writer.beginArray()
    for (record, name) in zip(records, request.records) {
      guard let record else {
        writeMissing(name.recordName, to: &writer)
        continue
      }
      encoder.desiredKeys = name.desiredKeys ?? request.desiredKeys
      encoder.numbersAsStrings = request.numbersAsStrings ?? false
      encoder.write(record, to: &writer)
    }
    writer.endArray()
    if call.wantsSyncToken, let zone {
      writer.member("syncToken", token(zone, epoch).text)
    }
    writer.endObject()
    return ServiceResponse(json: writer.bytes)
  }

  private func writeMissing(_ name: String?, to writer: inout JSONWriter) {
    var error =
      name == nil
      ? ServiceError(.badRequest, "A recordName is missing.")
      : ServiceError(.notFound, "Record not found")
    error.recordName = name
    error.uuid = surroundings.uuid()
    error.write(to: &writer)
  }

  func token(_ zone: StoredZone, _ epoch: Epoch) -> ChangeToken {
    ChangeToken(.zone, epoch: epoch.id, zone: seal.mark(zone.number), sequence: zone.sequence)
  }
}
