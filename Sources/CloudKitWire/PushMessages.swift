// Subscriptions, push tokens and the notification that the courier hands out.

package enum SubscriptionType: String, Sendable, Hashable {
  case zone, query, database
}

package enum FiresOn: String, Sendable, Hashable, CaseIterable {
  case create, update, delete

  /// `fo` in a notification.
  package var number: Int64 {
    switch self {
    case .create: 1
    case .update: 2
    case .delete: 3
    }
  }
}

package struct Subscription: Sendable, Hashable {
  package var subscriptionID: String?
  package var subscriptionType: SubscriptionType?
  package var zoneID: ZoneID?
  package var query: RecordQuery?
  package var firesOn: [FiresOn] = []
  package var firesOnce = false
  package var zoneWide = false
  /// Kept and returned as it came.
  package var notificationInfo: JSONValue?
  /// What is wrong with it although it is JSON.
  package var fault: String?

  package init(id: String? = nil, type: SubscriptionType? = nil) {
    subscriptionID = id
    subscriptionType = type
  }
}

package enum SubscriptionOperationType: String, Sendable, Hashable {
  case create, update, delete
}

package struct SubscriptionOperation: Sendable, Hashable {
  package var type: SubscriptionOperationType?
  package var subscription: Subscription

  package init(_ type: SubscriptionOperationType?, _ subscription: Subscription) {
    self.type = type
    self.subscription = subscription
  }
}

package struct SubscriptionsModifyRequest: Sendable, Hashable {
  package var operations: [SubscriptionOperation]

  package init(_ operations: [SubscriptionOperation]) {
    self.operations = operations
  }
}

package enum SubscriptionResult: Sendable, Hashable {
  case subscription(Subscription)
  case deleted(String)
  case failure(ServiceError)
}

package struct SubscriptionsResponse: Sendable, Hashable {
  package var subscriptions: [SubscriptionResult]

  package init(_ subscriptions: [SubscriptionResult]) {
    self.subscriptions = subscriptions
  }
}

/// tokens/create and tokens/register, in both directions.
package struct PushToken: Sendable, Hashable {
  package var apnsEnvironment: String?
  package var apnsToken: String?
  package var webcourierURL: String?
  package var clientId: String?

  package init(apnsEnvironment: String?, apnsToken: String? = nil) {
    self.apnsEnvironment = apnsEnvironment
    self.apnsToken = apnsToken
  }
}

// MARK: - JSON

extension Subscription: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    self.init()
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "subscriptionID": subscriptionID = try reader.readValue().string
      case "subscriptionType":
        guard let word = try reader.readValue().string else { continue }
        subscriptionType = SubscriptionType(rawValue: word)
        if subscriptionType == nil { fault = "an unknown subscriptionType" }
      case "zoneID": zoneID = ZoneID(try reader.readValue())
      case "query": readQuery(try reader.readValue())
      case "firesOn": readFiresOn(try reader.readValue())
      case "firesOnce": firesOnce = try reader.readFlag() ?? false
      case "zoneWide": zoneWide = try reader.readFlag() ?? false
      case "notificationInfo":
        let info = try reader.readValue()
        notificationInfo = info.isNull ? nil : info
      default: try reader.skip()
      }
    }
  }

  /// A query that means nothing is this subscription's fault, not the request's.
  private mutating func readQuery(_ json: JSONValue) {
    guard !json.isNull else { return }
    do throws(MalformedMessage) {
      query = try RecordQuery(body: json.body())
    } catch {
      fault = error.reason
    }
  }

  private mutating func readFiresOn(_ json: JSONValue) {
    let words = json.array ?? (json.isNull ? [] : [json])
    for word in words {
      if let event = word.string.flatMap({ FiresOn(rawValue: $0) }) {
        if !firesOn.contains(event) { firesOn.append(event) }
      } else {
        fault = "firesOn holds create, update and delete"
      }
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("subscriptionID", subscriptionID)
      $0.member("subscriptionType", subscriptionType?.rawValue)
      $0.member("zoneID", zoneID)
      $0.member("query", query)
      if !firesOn.isEmpty { $0.member("firesOn", firesOn.map(\.rawValue)) }
      if firesOnce { $0.member("firesOnce", true) }
      if zoneWide { $0.member("zoneWide", true) }
      $0.member("notificationInfo", notificationInfo)
    }
  }
}

extension SubscriptionOperation: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    self.init(nil, Subscription())
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "operationType":
        type = try reader.readValue().string.flatMap { SubscriptionOperationType(rawValue: $0) }
      case "subscription": subscription = try Subscription(from: &reader)
      default: try reader.skip()
      }
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("operationType", type?.rawValue)
      $0.member("subscription", subscription)
    }
  }
}

extension SubscriptionsModifyRequest: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    self.init(try reader.readList("operations", of: SubscriptionOperation.self).list)
  }

  package func write(to writer: inout JSONWriter) {
    writer.object { $0.member("operations", operations) }
  }
}

extension SubscriptionResult: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    var whole = reader
    let json = try reader.readValue()
    if json["serverErrorCode"] != nil {
      self = .failure(try ServiceError(from: &whole))
    } else if json["deleted"]?.truth == true {
      self = .deleted(json["subscriptionID"]?.string ?? "")
    } else {
      self = .subscription(try Subscription(from: &whole))
    }
  }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .subscription(let subscription): subscription.write(to: &writer)
    case .deleted(let id):
      writer.object {
        $0.member("subscriptionID", id)
        $0.member("deleted", true)
      }
    case .failure(let error): error.write(to: &writer)
    }
  }
}

extension SubscriptionsResponse: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    self.init([])
    try reader.beginObject()
    while let name = try reader.nextName() {
      if name == "subscriptions" {
        subscriptions = try reader.readMessages() ?? []
      } else {
        try reader.skip()
      }
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.object { $0.member("subscriptions", subscriptions) }
  }
}

extension PushToken: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    let json = try reader.readValue()
    self.init(
      apnsEnvironment: json["apnsEnvironment"]?.string, apnsToken: json["apnsToken"]?.string)
    webcourierURL = json["webcourierURL"]?.string
    clientId = json["clientId"]?.string
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("apnsEnvironment", apnsEnvironment)
      $0.member("apnsToken", apnsToken)
      $0.member("webcourierURL", webcourierURL)
      $0.member("clientId", clientId)
    }
  }
}
