// zones/list, zones/lookup, zones/modify.

internal import CloudKitWire

extension RecordService {
  func listZones(_ call: Call) async throws -> ServiceResponse {
    let database = call.database
    // Nothing is shared with anybody.
    guard call.route.scope != .shared else { return ServiceResponse(ZonesResponse([])) }
    let (zones, epoch) = try await storage.read { storage in
      (try storage.zones(in: database), try storage.epoch())
    }
    var results = zones.map { ZoneResult.zone(describe($0, epoch, call)) }
    if !zones.contains(where: { $0.name == ZoneID.defaultName }) {
      results.insert(.zone(emptyDefaultZone(epoch, call)), at: 0)
    }
    return ServiceResponse(ZonesResponse(results))
  }

  func lookUpZones(_ call: Call) async throws -> ServiceResponse {
    let request: ZonesLookupRequest = try call.message()
    guard request.zones.count <= WireLimits.namesMax else {
      throw ServiceError(.badRequest, "At most \(WireLimits.namesMax) zones are looked up.")
    }
    let database = call.database
    let names = request.zones.map { id in
      Result { try call.zoneName(try Self.required(id)) }
    }
    let (zones, epoch) = try await storage.read { storage in
      let zones = try names.map { name in
        try (try? name.get()).flatMap { try storage.zone(named: $0, in: database) }
      }
      return (zones, try storage.epoch())
    }
    let results = zip(zip(request.zones, names), zones).map { pair, zone -> ZoneResult in
      let (id, name) = pair
      if let zone { return .zone(describe(zone, epoch, call)) }
      switch name {
      case .success(ZoneID.defaultName): return .zone(emptyDefaultZone(epoch, call))
      case .success(let name): return .failure(failure(call.zoneNotFound(ZoneID(name)), id))
      case .failure(let error): return .failure(failure(Self.serviceError(error), id))
      }
    }
    return ServiceResponse(ZonesResponse(results))
  }

  func modifyZones(_ call: Call) async throws -> ServiceResponse {
    let request: ZonesModifyRequest = try call.message()
    guard request.operations.count <= WireLimits.operationsMax else {
      throw ServiceError(
        .badRequest, "A request has at most \(WireLimits.operationsMax) operations.")
    }
    var results: [ZoneResult] = []
    // In order, each by itself: the set is not atomic.
    for operation in request.operations {
      do {
        results.append(.zone(try await perform(operation, call)))
      } catch let error as ServiceError {
        results.append(.failure(failure(error, operation.zoneID)))
      } catch StorageFault.full {
        // The next may make room.
        results.append(.failure(failure(Self.serviceError(StorageFault.full), operation.zoneID)))
      }
    }
    return ServiceResponse(ZonesResponse(results))
  }

  private func perform(_ operation: ZoneOperation, _ call: Call) async throws -> WireZone {
    guard let type = operation.type else {
      throw ServiceError(.badRequest, "The operationType is create or delete.")
    }
    let id = try Self.required(operation.zoneID)
    let name = try call.zoneName(id)
    guard name != ZoneID.defaultName else {
      throw ServiceError(.badRequest, "The default zone can't be created or deleted.")
    }
    let database = call.database
    let now = now
    switch type {
    case .create:
      // A zone that is there is what was asked for.
      let bounds = settings.zones
      let (zone, epoch) = try await storage.write { storage in
        let epoch = try storage.epoch()
        if let zone = try storage.zone(named: name, in: database) { return (zone, epoch) }
        guard try bounds.allowsAnother(for: database.owner, storage) else {
          throw ServiceError(
            .quotaExceeded,
            "A user has at most \(bounds.livingMax) zones, and \(bounds.rememberedMax) with those "
              + "deleted lately.")
        }
        return (try storage.makeZone(named: name, in: database, at: now), epoch)
      }
      return describe(zone, epoch, call)
    case .delete:
      try await storage.write(.freeing) { storage in
        guard let zone = try storage.zone(named: name, in: database) else {
          throw call.zoneNotFound(id)
        }
        try storage.deleteZone(zone, in: database, at: now)
        try Self.notifySubscribers(ofZone: name, database, at: now, storage)
      }
      var zone = WireZone(call.zoneID(name), syncToken: nil, atomic: true)
      zone.deleted = true
      return zone
    }
  }

  private static func required(_ id: ZoneID?) throws -> ZoneID {
    guard let id else { throw ServiceError(.badRequest, "The zoneID is missing.") }
    return id
  }

  private func failure(_ error: ServiceError, _ id: ZoneID?) -> ServiceError {
    var error = error
    error.uuid = surroundings.uuid()
    error.zoneID = id ?? error.zoneID
    return error
  }

  private func describe(_ zone: StoredZone, _ epoch: Epoch, _ call: Call) -> WireZone {
    let isCustom = zone.name != ZoneID.defaultName
    return WireZone(
      call.zoneID(zone.name), syncToken: token(zone, epoch).text,
      atomic: isCustom && call.route.scope != .public)
  }

  /// The default zone is there before anything is in it.
  private func emptyDefaultZone(_ epoch: Epoch, _ call: Call) -> WireZone {
    WireZone(
      call.zoneID(ZoneID.defaultName),
      syncToken: ChangeToken(.zone, epoch: epoch.id, zone: seal.mark(0), sequence: 0).text,
      atomic: false)
  }
}
