// subscriptions/*, and who is told of a change.

internal import CloudKitWire

extension RecordService {
  /// Subscriptions of one subscriber in one database at most.
  private static let subscriptionsMax = 1_000

  func listSubscriptions(_ call: Call) async throws -> ServiceResponse {
    let found = try await ownSubscriptions(call)
    return ServiceResponse(
      SubscriptionsResponse(found.map { .subscription($0.subscription) }))
  }

  func lookUpSubscriptions(_ call: Call) async throws -> ServiceResponse {
    var reader = JSONReader(call.body)
    guard let wanted = try reader.readValue()["subscriptions"]?.array,
      wanted.count <= WireLimits.namesMax
    else { throw ServiceError(.badRequest, "subscriptions are missing, or too many.") }
    let found = try await ownSubscriptions(call)
    let results = wanted.map { json -> SubscriptionResult in
      let id = json["subscriptionID"]?.string ?? json.string
      if let id, let match = found.first(where: { $0.id.isExactly(id) }) {
        return .subscription(match.subscription)
      }
      return .failure(failure(ServiceError(.notFound, "Subscription not found"), id))
    }
    return ServiceResponse(SubscriptionsResponse(results))
  }

  func modifySubscriptions(_ call: Call) async throws -> ServiceResponse {
    let request: SubscriptionsModifyRequest = try call.message()
    guard request.operations.count <= WireLimits.operationsMax else {
      throw ServiceError(
        .badRequest, "A request has at most \(WireLimits.operationsMax) operations.")
    }
    var results: [SubscriptionResult] = []
    for operation in request.operations {
      do {
        results.append(try await perform(operation, call))
      } catch let error as ServiceError {
        results.append(.failure(failure(error, operation.subscription.subscriptionID)))
      } catch StorageFault.full {
        // The next may make room.
        results.append(
          .failure(
            failure(
              Self.serviceError(StorageFault.full), operation.subscription.subscriptionID)))
      }
    }
    return ServiceResponse(SubscriptionsResponse(results))
  }

  private func ownSubscriptions(_ call: Call) async throws -> [StoredSubscription] {
    guard call.caller.kind != .world else { throw signInRequired(call.route) }
    let database = call.database
    let subscriber = call.caller.recordName
    return try await storage.read { try $0.subscriptions(of: subscriber, in: database) }
  }

  private func perform(
    _ operation: SubscriptionOperation, _ call: Call
  ) async throws -> SubscriptionResult {
    guard call.caller.kind != .world else { throw signInRequired(call.route) }
    guard let type = operation.type else {
      throw ServiceError(.badRequest, "The operationType is create, update or delete.")
    }
    let database = call.database
    let subscriber = call.caller.recordName
    if type == .delete {
      let id = try Self.required(operation.subscription.subscriptionID)
      try await storage.write(.freeing) { storage in
        guard try storage.removeSubscription(id: id, of: subscriber, in: database) else {
          throw ServiceError(.notFound, "Subscription not found")
        }
      }
      return .deleted(id)
    }
    let subscription = try checked(operation.subscription, call)
    let id = try Self.required(subscription.subscriptionID)
    try await storage.write { storage in
      let own = try storage.subscriptions(of: subscriber, in: database)
      let exists = own.contains { $0.id.isExactly(id) }
      if type == .update, !exists {
        throw ServiceError(.notFound, "Subscription not found")
      }
      guard exists || own.count < Self.subscriptionsMax else {
        throw ServiceError(.quotaExceeded, "There are too many subscriptions.")
      }
      if subscription.subscriptionType == .zone, let zone = subscription.zoneID,
        try storage.zone(named: zone.zoneName, in: database) == nil
      {
        throw call.zoneNotFound(zone)
      }
      try storage.save(
        StoredSubscription(id: id, subscriber: subscriber, subscription: subscription),
        in: database)
    }
    return .subscription(subscription)
  }

  /// What each kind of subscription needs.
  private func checked(_ subscription: Subscription, _ call: Call) throws -> Subscription {
    var subscription = subscription
    if let fault = subscription.fault { throw ServiceError(.badRequest, fault) }
    subscription.subscriptionID = subscription.subscriptionID ?? surroundings.uuid()
    guard NameRules.isRecordName(subscription.subscriptionID ?? "") else {
      throw ServiceError(.badRequest, "A subscriptionID has 1 to 255 printable bytes.")
    }
    switch subscription.subscriptionType {
    case nil: throw ServiceError(.badRequest, "The subscriptionType is missing.")
    case .query:
      guard let query = subscription.query, !subscription.firesOn.isEmpty else {
        throw ServiceError(.badRequest, "A query subscription needs query and firesOn.")
      }
      _ = try QueryMatch(query)
      if let id = subscription.zoneID {
        subscription.zoneID = call.zoneID(try call.zoneName(id))
      }
    case .zone:
      guard call.route.scope == .private, let id = subscription.zoneID else {
        throw ServiceError(
          .badRequest, "A zone subscription needs a zoneID, in the private database.")
      }
      subscription.zoneID = call.zoneID(try call.zoneName(id))
    case .database:
      guard call.route.scope == .private else {
        throw ServiceError(
          .badRequest, "A database subscription belongs in the private database.")
      }
    }
    return subscription
  }

  private static func required(_ id: String?) throws -> String {
    guard let id, !id.isEmpty else {
      throw ServiceError(.badRequest, "The subscriptionID is missing.")
    }
    return id
  }

  private func failure(_ error: ServiceError, _ id: String?) -> ServiceError {
    var error = error
    error.uuid = surroundings.uuid()
    error.subscriptionID = id
    return error
  }

  // MARK: Firing

  /// Queues what the events mean for everybody who subscribed, in the same transaction.
  static func notifySubscribers(
    of events: [RecordEvent], zone: StoredZone, _ context: ModifyContext,
    _ storage: any StorageWriting
  ) throws {
    guard !events.isEmpty, try storage.hasSubscriptions(in: context.database) else { return }
    let reader = Notifier(
      database: context.database, milliseconds: context.milliseconds, storage: storage)
    for subscription in try storage.subscriptions(in: context.database) {
      try reader.fire(subscription, zone: zone.name, events)
    }
  }

  /// A zone that went is a change of the zone and of the database.
  static func notifySubscribers(
    ofZone name: String, _ database: DatabaseKey, at milliseconds: Int64,
    _ storage: any StorageWriting
  ) throws {
    guard try storage.hasSubscriptions(in: database) else { return }
    let notifier = Notifier(database: database, milliseconds: milliseconds, storage: storage)
    for subscription in try storage.subscriptions(in: database)
    where subscription.subscription.subscriptionType != .query {
      try notifier.fire(subscription, zone: name, [])
    }
  }
}
