// What the entries of one answer mean for the records that were sent: the table of outcomes applied
// record by record. Pure.

internal import CloudKitWire
internal import RecordStore

struct BatchSettlement {
  private(set) var acknowledged: [Acknowledgement] = []
  private(set) var parked: [(record: PendingRecord, reason: String, detail: String?)] = []
  /// Copies of the service that stand in the way, as it sent them along.
  private(set) var serverRecords: [WireRecord] = []
  /// Names of copies that have to be asked for.
  private(set) var lookups: [String] = []
  /// Names of records that the service holds no more.
  var gone: [String] = []
  /// The longest wait that an entry asked for.
  private(set) var retry: Answer?
  /// What no further batch would change.
  private(set) var stop: Answer?

  mutating func add(_ record: OutgoingRecord, _ result: RecordResult?) {
    guard case .failure(let error) = result else {
      // An entry that names no tag does not say that the record was taken.
      guard case .record(let answer) = result, answer.recordChangeTag != nil || answer.deleted
      else { return }
      acknowledge(record, tag: answer.recordChangeTag)
      return
    }
    let answer = Answer(error)
    switch OutcomeTable.outcome(of: answer.kind, at: .record) {
    case .proceed: acknowledge(record, tag: nil)
    case .join:
      if let copy = error.serverRecord, copy.recordType != nil {
        serverRecords.append(copy)
      } else {
        lookups.append(record.name)
      }
    case .create:
      if record.seen == nil { acknowledge(record, tag: nil) } else { gone.append(record.name) }
    case .resend, .shrink: break
    case .park:
      parked.append((record.pending, answer.kind.word, answer.detail))
    case .retry, .stop:
      if retry.map({ $0.retryAfter ?? 0 < answer.retryAfter ?? 0 }) ?? true { retry = answer }
    case .makeZone, .compare: stop = answer
    }
  }

  private mutating func acknowledge(_ record: OutgoingRecord, tag: String?) {
    let remote = record.seen.map {
      RemoteCopy(name: RecordNaming.keptName(record.name), tag: tag, seen: $0.bytes)
    }
    acknowledged.append(
      Acknowledgement(
        reference: record.pending.reference, number: record.pending.number, remote: remote))
  }
}
