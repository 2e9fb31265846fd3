// From an endpoint to its handler.

internal import CloudKitWire

extension RecordService {
  func respond(
    to request: ServiceRequest, _ route: Route, as caller: Caller
  ) async throws -> ServiceResponse {
    let call = Call(
      route: route, caller: caller, body: request.body, headers: request.headers,
      parameters: request.parameters)
    if call.route.scope != .public, !call.route.endpoint.isUsers, caller.userNumber == nil,
      caller.kind != .key
    {
      throw signInRequired(route)
    }
    switch route.endpoint {
    case .recordsModify: return try await modify(call)
    case .recordsLookup: return try await lookup(call)
    case .recordsQuery: return try await query(call)
    case .recordsChanges: return try await recordChanges(call)
    case .changesZone: return try await zoneChanges(call)
    case .changesDatabase: return try await databaseChanges(call, tokenKey: "syncToken")
    case .zonesChanges: return try await databaseChanges(call, tokenKey: "metaSyncToken")
    case .zonesList: return try await listZones(call)
    case .zonesLookup: return try await lookUpZones(call)
    case .zonesModify: return try await modifyZones(call)
    case .assetsUpload: return try await makeUploadTokens(call)
    case .assetsRereference: return try await rereference(call)
    case .subscriptionsList: return try await listSubscriptions(call)
    case .subscriptionsLookup: return try await lookUpSubscriptions(call)
    case .subscriptionsModify: return try await modifySubscriptions(call)
    case .tokensCreate: return try await createPushToken(call)
    case .tokensRegister: return try await registerPushToken(call)
    case .usersCaller, .usersCurrent: return try await describeCaller(call)
    case .usersDiscover, .usersLookupEmail, .usersLookupID, .usersLookupContacts:
      // Nobody is found by anybody: the service has no directory.
      return ServiceResponse(UsersResponse([]))
    case .recordsResolve, .recordsAccept: return try resolve(call)
    }
  }
}

/// One authenticated request on its way through a handler.
struct Call {
  var route: Route
  var caller: Caller
  var body: [UInt8]
  var headers: [String: String]
  var parameters: [String: String]

  /// The database that the path means for this caller.
  var database: DatabaseKey {
    DatabaseKey(
      container: route.container, environment: route.environment, scope: route.scope,
      owner: route.scope == .public ? 0 : caller.userNumber ?? -1)
  }

  /// Whether the sender has seen our advertisement and asks for what it says.
  var wantsExtensions: Bool { headers[ServiceExtensions.headerName] != nil }

  var wantsSyncToken: Bool {
    guard let word = parameters["getCurrentSyncToken"] else { return false }
    return word == "true" || word == "True" || word == "1"
  }

  func message<Message: WireReadable>(
    _ type: Message.Type = Message.self
  ) throws -> Message {
    try Message(body: body)
  }

  /// The name of the zone, if it can be one of this database.
  ///
  /// An owner may be named: the caller in his private database, anything in public.
  func zoneName(_ id: ZoneID?) throws -> String {
    guard let id else { return ZoneID.defaultName }
    guard NameRules.isZoneName(id.zoneName) else {
      throw ServiceError(.badRequest, "A zoneName has 1 to 255 printable bytes.")
    }
    if route.scope == .private, let owner = id.ownerRecordName, !owner.isEmpty,
      owner != caller.recordName, !Self.ownWords.contains(owner)
    {
      throw zoneNotFound(id)
    }
    if route.scope == .public, !id.isDefault { throw zoneNotFound(id) }
    return id.zoneName
  }

  /// How clients write "me" for an owner.
  private static let ownWords: Set<String> = [
    "_defaultOwner", "__defaultOwner__", "_defaultOwner__",
  ]

  func zoneNotFound(_ id: ZoneID) -> ServiceError {
    var error = ServiceError(.zoneNotFound, "Zone '\(id.zoneName.prefix(64))' does not exist")
    error.zoneID = id
    return error
  }

  /// A zone's id as answered.
  func zoneID(_ name: String) -> ZoneID {
    ZoneID(
      name, ownerRecordName: route.scope == .public ? "_defaultOwner" : caller.recordName,
      zoneType: name == ZoneID.defaultName ? "DEFAULT_ZONE" : "REGULAR_CUSTOM_ZONE")
  }
}
