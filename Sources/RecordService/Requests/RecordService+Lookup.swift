// records/lookup.

internal import CloudKitWire

extension RecordService {
  func lookup(_ call: Call) async throws -> ServiceResponse {
    let request: LookupRequest = try call.message()
    let most = call.wantsExtensions ? settings.extensions.recordsMax : WireLimits.namesMax
    guard request.records.count <= most else {
      throw ServiceError(.badRequest, "A request looks up at most \(most) records.")
    }
    let zoneName = try call.zoneName(request.zoneID ?? request.records.first?.zoneID)
    let database = call.database
    let isZoneOfNames = request.zoneID == nil
    let room = settings.lookupBytesMax
    let (zone, records, epoch) = try await storage.read { storage in
      let zone = try storage.zone(named: zoneName, in: database)
      var bytes = 0
      let records = try request.records.map { wanted -> Found in
        guard let name = wanted.recordName, NameRules.isRecordName(name) else { return .noName }
        let ownZone = wanted.zoneID?.zoneName ?? ZoneID.defaultName
        guard !isZoneOfNames || ownZone.isExactly(zoneName) else { return .otherZone }
        guard let zone, let record = try storage.record(named: name, in: zone.number),
          !record.isDeleted
        else { return .missing }
        bytes += record.fields.utf8.count
        return bytes > room ? .noRoom : .record(record)
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
    for (found, name) in zip(records, request.records) {
      guard case .record(let record) = found else {
        write(found, name.recordName, to: &writer)
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

  /// What became of one name.
  private enum Found: Sendable {
    case record(StoredRecord)
    case missing, noName, otherZone
    /// The answer is as long as an answer gets.
    case noRoom
  }

  private func write(_ found: Found, _ name: String?, to writer: inout JSONWriter) {
    var error =
      switch found {
      case .noName: ServiceError(.badRequest, "A recordName has 1 to 255 printable bytes.")
      case .otherZone: ServiceError(.badRequest, "A request looks up the records of one zone.")
      case .noRoom:
        ServiceError(.tryAgainLater, "The answer is full. Ask for fewer records.", retryAfter: 1)
      case .missing, .record: ServiceError(.notFound, "Record not found")
      }
    error.recordName = name
    error.uuid = surroundings.uuid()
    error.write(to: &writer)
  }

  func token(_ zone: StoredZone, _ epoch: Epoch) -> ChangeToken {
    ChangeToken(.zone, epoch: epoch.id, zone: seal.mark(zone.number), sequence: zone.sequence)
  }
}
