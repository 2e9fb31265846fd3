// The part of the storage contract for subscriptions and the courier.

package import CloudKitWire

package struct StoredSubscription: Sendable, Hashable {
  package var id: String
  /// The record name of the user or key whose it is.
  package var subscriber: String
  package var subscription: Subscription

  package init(id: String, subscriber: String, subscription: Subscription) {
    self.id = id
    self.subscriber = subscriber
    self.subscription = subscription
  }
}

package protocol PushReading {
  /// The subscriptions of one subscriber.
  func subscriptions(
    of subscriber: String, in database: DatabaseKey
  ) throws -> [StoredSubscription]
  /// Everybody's, for deciding who is told.
  func subscriptions(in database: DatabaseKey) throws -> [StoredSubscription]
  func hasSubscriptions(in database: DatabaseKey) throws -> Bool
  /// Whether that push token exists.
  func hasCourier(digest: String) throws -> Bool
  /// The oldest notification that waits for that push token.
  func notification(for digest: String) throws -> (number: Int64, payload: String)?
}

package protocol PushWriting {
  func save(_ subscription: StoredSubscription, in database: DatabaseKey) throws
  func removeSubscription(
    id: String, of subscriber: String, in database: DatabaseKey
  ) throws -> Bool
  /// Makes the push token, or adds the subscriber to it.
  func addCourier(
    digest: String, subscriber: String, container: String, environment: ServiceEnvironment,
    at milliseconds: Int64
  ) throws
  /// Queues a notification for every push token of that subscriber.
  func notify(
    subscriber: String, container: String, environment: ServiceEnvironment, payload: String,
    at milliseconds: Int64
  ) throws
  func removeNotification(number: Int64) throws
}
