// The next batch, sent as soon as the one before it is answered, while that answer is written down:
// the service works while the library does. One batch at a time is with the service, so that
// records arrive there in their order. Thread-safe.

internal import CloudKitWire
internal import RecordStore
internal import Synchronization

/// At most one batch that is on its way.
final class BatchAhead: Sendable {
  /// Smaller batches are written before anybody could miss them.
  static let recordsMin = 200

  struct Flight: Sendable {
    let records: [OutgoingRecord]
    let reply: Task<Received<RecordsResponse>, Never>
    fileprivate let address: Address
  }

  /// What an answer is worth nothing without: the same zone, in the same state of comparison.
  fileprivate struct Address: Hashable {
    let service: String
    let container: String
    let zone: String
    let user: String?
    let pass: Int64

    init(_ settings: SyncSettings) {
      service = settings.service
      container = settings.container
      zone = settings.zone
      user = settings.user
      pass = settings.pass
    }
  }

  private let flight = Mutex<Flight?>(nil)

  /// The batch that is on its way to this zone; one to another zone is forgotten, which is safe like
  /// a lost answer.
  func take(_ settings: SyncSettings) -> Flight? {
    flight.withLock { flight in
      defer { flight = nil }
      return flight?.address == Address(settings) ? flight : nil
    }
  }

  func begin(
    _ records: [OutgoingRecord], _ settings: SyncSettings,
    _ send: @escaping @Sendable () async -> Received<RecordsResponse>
  ) {
    flight.withLock {
      $0 = Flight(
        records: records, reply: Task { await send() }, address: Address(settings))
    }
  }
}
