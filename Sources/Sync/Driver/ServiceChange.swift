// Setting a library up with a service: the first one, or another than before. Whoever does it holds
// the sync lease; what two accounts keep is never mixed unasked, and what the former service has not
// got is counted.

internal import CloudKitWire
package import RecordStore

/// What setting up would mean for a library.
package struct ServiceChange: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// It syncs there already.
    case same
    /// It did not sync with anything.
    case first
    /// It synced with another service, account, container or zone.
    case other
  }

  package var kind: Kind
  /// Changes that the former service has not got; they are sent to the new one.
  package var unsent: Int
  /// Records of this library that are sent to the new one.
  package var records: Int
  /// Whether the new zone has records already.
  package var hasRecordsThere: Bool

  package init(kind: Kind, unsent: Int, records: Int, hasRecordsThere: Bool) {
    self.kind = kind
    self.unsent = unsent
    self.records = records
    self.hasRecordsThere = hasRecordsThere
  }

  /// Whether a person has to want it: records would leave for another account or zone, and come
  /// together there with what it has.
  package var asks: Bool { kind == .other && records > 0 }
}

/// Why a library was not set up.
package enum ServiceChangeRefusal: Error, Sendable, Hashable {
  /// Another process syncs the library now.
  case busy
  /// Records would leave for another account or zone: a person has to want that.
  case asks(ServiceChange)
  /// The service could not be asked.
  case failed(Answer)
}

extension SyncSetup {
  /// Sets a library up with a service that was reached.
  ///
  /// - Parameters:
  ///   - settings: With the user that the service names.
  ///   - isWanted: A person was asked, and wants the records to leave for another account or zone.
  /// - Throws: ``ServiceChangeRefusal``; nothing was changed then.
  package static func adopt(
    _ settings: SyncSettings, in library: Library, client: ServiceClient, isWanted: Bool = false
  ) async throws -> ServiceChange {
    guard let lease = try SyncLease.take(library) else { throw ServiceChangeRefusal.busy }
    defer { withExtendedLifetime(lease) {} }
    let former = try await library.syncSettings()
    var change = ServiceChange(
      kind: former.map { $0.leads(where: settings) ? .same : .other } ?? .first,
      unsent: try await library.syncBacklog().pending,
      records: try await library.counts().values.reduce(0, +), hasRecordsThere: false)
    if change.kind == .same { return change }
    if change.kind == .other {
      change.hasRecordsThere = try await holdsRecords(client)
      if change.asks, !isWanted { throw ServiceChangeRefusal.asks(change) }
      try await library.turnSyncOff()
    }
    try await library.saveSyncSettings(settings)
    return change
  }

  /// Whether a zone has a record of somebody in it.
  private static func holdsRecords(_ client: ServiceClient) async throws -> Bool {
    var token: String?
    while true {
      switch await client.changes(since: token, limit: WireLimits.resultsMax) {
      case .failure(let answer): throw ServiceChangeRefusal.failed(answer)
      case .message(let page, _):
        let isFound = page.records.contains { result in
          guard let record = result.living, !record.deleted else { return false }
          return TypeRecord.type(named: record.recordName) == nil
        }
        if isFound { return true }
        guard page.moreComing, let next = page.syncToken, next != token else { return false }
        token = next
      }
    }
  }
}

extension SyncSettings {
  /// Whether both name one zone of one person.
  fileprivate func leads(where other: SyncSettings) -> Bool {
    service == other.service && container == other.container && zone == other.zone
      && user == other.user
  }
}
