// From a path to an endpoint: /database/1/CONTAINER/ENVIRONMENT/DATABASE/ENTITY/ACTION.

internal import CloudKitWire

/// What a request asks for, before its body is read.
struct Route {
  enum Endpoint: String, CaseIterable {
    case recordsQuery = "records/query"
    case recordsLookup = "records/lookup"
    case recordsModify = "records/modify"
    case recordsChanges = "records/changes"
    case recordsResolve = "records/resolve"
    case recordsAccept = "records/accept"
    case changesDatabase = "changes/database"
    case changesZone = "changes/zone"
    case zonesList = "zones/list"
    case zonesLookup = "zones/lookup"
    case zonesModify = "zones/modify"
    case zonesChanges = "zones/changes"
    case assetsUpload = "assets/upload"
    case assetsRereference = "assets/rereference"
    case subscriptionsList = "subscriptions/list"
    case subscriptionsLookup = "subscriptions/lookup"
    case subscriptionsModify = "subscriptions/modify"
    case usersCurrent = "users/current"
    case usersCaller = "users/caller"
    case usersDiscover = "users/discover"
    case usersLookupEmail = "users/lookup/email"
    case usersLookupID = "users/lookup/id"
    case usersLookupContacts = "users/lookup/contacts"
    case tokensCreate = "tokens/create"
    case tokensRegister = "tokens/register"

    fileprivate var takesGet: Bool {
      switch self {
      case .zonesList, .subscriptionsList, .usersCurrent, .usersCaller, .usersDiscover,
        .usersLookupContacts:
        true
      default: false
      }
    }

    fileprivate var isDevice: Bool { self == .tokensCreate || self == .tokensRegister }

    var isUsers: Bool { rawValue.hasPrefix("users/") }

    /// Where the endpoint has a meaning.
    fileprivate func serves(_ scope: DatabaseScope) -> Bool {
      switch self {
      case .recordsChanges, .changesDatabase, .changesZone: scope != .public
      case .recordsResolve, .recordsAccept, .usersDiscover, .usersLookupEmail, .usersLookupID,
        .usersLookupContacts:
        scope == .public
      case .zonesModify: scope == .private
      case .zonesLookup, .zonesChanges, .assetsUpload, .assetsRereference, .subscriptionsList,
        .subscriptionsLookup, .subscriptionsModify:
        scope != .shared
      default: true
      }
    }
  }

  let container: String
  let environment: ServiceEnvironment
  let scope: DatabaseScope
  let endpoint: Endpoint

  init(_ request: ServiceRequest) throws {
    let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map { PercentEncoding.decode($0) ?? "" }
    guard parts.count >= 6, parts[0] == "database" || parts[0] == "device", parts[1] == "1",
      NameRules.isContainer(parts[2]), let environment = ServiceEnvironment(rawValue: parts[3])
    else { throw Self.unknown }
    self.container = parts[2]
    self.environment = environment
    if parts[0] == "device" {
      guard let endpoint = Endpoint(rawValue: parts[4...].joined(separator: "/")),
        endpoint.isDevice
      else { throw Self.unknown }
      scope = .private
      self.endpoint = endpoint
    } else {
      guard let scope = DatabaseScope(rawValue: parts[4]) else { throw Self.unknown }
      var path = parts[5...].joined(separator: "/")
      while path.hasSuffix("/") { path.removeLast() }
      guard let endpoint = Endpoint(rawValue: path) else { throw Self.unknown }
      guard !endpoint.isDevice else { throw MethodNotAllowed() }
      guard endpoint.serves(scope) else {
        throw ServiceError(
          .badRequest,
          "endpoint not applicable in the database type '\(scope.rawValue)db'")
      }
      self.scope = scope
      self.endpoint = endpoint
    }
    let isGet = request.method == "GET" && endpoint.takesGet
    guard isGet || request.method == "POST" else { throw MethodNotAllowed() }
  }

  private static let unknown = ServiceError(.notFound, "could not find handler for endpoint")
}

/// The path exists, the method does not belong there.
struct MethodNotAllowed: Error {}
