// users/caller and users/current; sharing, which this service does not offer.

internal import CloudKitWire

extension RecordService {
  func describeCaller(_ call: Call) async throws -> ServiceResponse {
    guard let number = call.caller.userNumber,
      let user = try await storage.read({ try $0.user(number: number) })
    else { throw signInRequired(call.route) }
    if call.route.endpoint == .usersCaller {
      return ServiceResponse(
        UsersResponse([UserIdentity(userRecordName: user.recordName, givenName: user.name)]))
    }
    var writer = JSONWriter()
    writer.object {
      $0.member("userRecordName", user.recordName)
      $0.member("firstName", user.name)
      $0.member("lastName", "")
    }
    return ServiceResponse(json: writer.bytes)
  }

  /// Every short GUID is unknown: nothing is shared here.
  func resolve(_ call: Call) throws -> ServiceResponse {
    var reader = JSONReader(call.body)
    let request = try reader.readValue()
    guard let guids = request["shortGUIDs"]?.array, guids.count <= WireLimits.namesMax else {
      throw ServiceError(.badRequest, "shortGUIDs are missing, or too many.")
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("results")
      writer.array { writer in
        for guid in guids {
          var error = ServiceError(.notFound, "This service does not offer sharing.")
          error.uuid = surroundings.uuid()
          writer.object {
            error.writeMembers(to: &$0)
            $0.key("shortGUID")
            guid.write(to: &$0)
          }
        }
      }
    }
    return ServiceResponse(json: writer.bytes)
  }

  /// Each user has a record of type Users in the public default zone, named by his id.
  static func makeUsersRecord(
    of user: StoredUser, container: String, environment: ServiceEnvironment,
    at milliseconds: Int64, in storage: any StorageWriting
  ) throws {
    let database = DatabaseKey(
      container: container, environment: environment, scope: .public, owner: 0)
    let zone =
      try storage.zone(named: ZoneID.defaultName, in: database)
      ?? storage.makeZone(named: ZoneID.defaultName, in: database, at: milliseconds)
    if let found = try storage.record(named: user.recordName, in: zone.number), !found.isDeleted {
      return
    }
    let sequence = zone.sequence + 1
    try storage.save(
      StoredRecord(
        name: user.recordName, type: "Users", sequence: sequence,
        tag: try storage.epoch().tag(sequence), fields: "{}", hasAssets: false, parent: nil,
        createdAt: milliseconds, createdBy: user.recordName, modifiedAt: milliseconds,
        modifiedBy: user.recordName, isDeleted: false, bytes: 2),
      in: zone.number)
    try storage.advance(zone, to: sequence, bytes: 2, in: database)
  }
}
