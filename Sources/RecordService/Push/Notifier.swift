// From a change and a subscription to the payload that the courier hands out.

internal import CloudKitWire

struct Notifier {
  let database: DatabaseKey
  let milliseconds: Int64
  let storage: any StorageWriting

  func fire(
    _ stored: StoredSubscription, zone: String, _ events: [RecordEvent]
  ) throws {
    let subscription = stored.subscription
    switch subscription.subscriptionType {
    case nil: return
    case .database: try send(stored, "met", zone: nil) { _ in }
    case .zone:
      guard let own = subscription.zoneID, own.zoneName.isExactly(zone) else { return }
      try send(stored, "fet", zone: zone) { _ in }
    case .query:
      guard let query = subscription.query, let match = try? QueryMatch(query),
        subscription.zoneID.map({ $0.zoneName.isExactly(zone) }) ?? true
      else { return }
      for event in events
      where subscription.firesOn.contains(event.kind) && event.record.type == query.recordType {
        let record = QueryRecord(event.record, reading: nil)
        guard match.matches(record) else { continue }
        try send(stored, "qry", zone: zone) { writer in
          writer.member("rid", event.record.name)
          writer.member("fo", event.kind.number)
          write(additional: subscription, record, to: &writer)
        }
        if subscription.firesOnce { break }
      }
    }
  }

  private func send(
    _ stored: StoredSubscription, _ kind: String, zone: String?,
    _ more: (inout JSONWriter) -> Void
  ) throws {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("aps")
      writeAlert(stored.subscription.notificationInfo, to: &writer)
      writer.key("ck")
      writer.object { writer in
        writer.member("nid", notificationID(stored, kind))
        writer.member("cid", database.container)
        writer.key(kind)
        writer.object { writer in
          writer.member("dbs", database.scope == .public ? 0 : 1)
          writer.member("sid", stored.id)
          if let zone {
            writer.member("zid", zone)
            writer.member("zoid", database.scope == .public ? "_defaultOwner" : stored.subscriber)
          }
          more(&writer)
        }
      }
    }
    try storage.notify(
      subscriber: stored.subscriber, container: database.container,
      environment: database.environment, payload: String(decoding: writer.bytes, as: UTF8.self),
      at: milliseconds)
    guard stored.subscription.firesOnce else { return }
    _ = try storage.removeSubscription(
      id: stored.id, of: stored.subscriber, in: database)
  }

  /// Tells one notification from the next; nobody has to guess it.
  private func notificationID(_ stored: StoredSubscription, _ kind: String) -> String {
    let sequence = (try? storage.databaseSequence(of: database)) ?? 0
    return String(Digest.of("\(stored.id) \(kind) \(sequence) \(milliseconds)").prefix(32))
  }

  /// The alert, translated from the words of notificationInfo to those of the push.
  private func writeAlert(_ info: JSONValue?, to writer: inout JSONWriter) {
    let alert: [(String, String)] = [
      ("alertBody", "body"), ("alertLocalizationKey", "loc-key"),
      ("alertLocalizationArgs", "loc-args"), ("alertActionLocalizationKey", "action-loc-key"),
      ("alertLaunchImage", "launch-image"),
    ]
    writer.object { writer in
      if alert.contains(where: { info?[$0.0] != nil }) {
        writer.key("alert")
        writer.object { writer in
          for (name, short) in alert { writer.member(short, info?[name]) }
        }
      }
      writer.member("sound", info?["soundName"])
      writer.member("category", info?["category"])
      if info?["shouldBadge"]?.truth == true { writer.member("badge", 1) }
      if info?["shouldSendContentAvailable"]?.truth == true {
        writer.member("content-available", 1)
      }
    }
  }

  /// The fields that the subscription asked for, as bare values.
  private func write(
    additional subscription: Subscription, _ record: QueryRecord, to writer: inout JSONWriter
  ) {
    guard let names = subscription.notificationInfo?["additionalFields"]?.array else { return }
    writer.key("af")
    writer.object { writer in
      for name in names.compactMap(\.string) {
        guard let value = record.fields[name]?.value else { continue }
        writer.key(name)
        value.write(to: &writer)
      }
    }
  }
}
