// Hears the events of one run of sync as they happen, and holds them to their order and to what went
// over the network meanwhile.

internal import RecordStore
internal import Sync
internal import Synchronization

final class EventWitness: Sendable {
  struct State {
    var running: SyncEvent?
    var ended: [SyncEvent] = []
    var before = UnreliableNetwork.Tally()
    var findings: [Finding] = []
  }

  private let network: UnreliableNetwork
  private let state = Mutex(State())

  init(_ network: UnreliableNetwork) {
    self.network = network
    state.withLock { $0.before = network.tally }
  }

  func hear(_ event: SyncEvent) {
    let tally = network.tally
    state.withLock { state in
      if let running = state.running {
        if running.id != event.id {
          state.findings.append(Finding(.eventsAreNested, "\(event.phase) began inside another"))
        }
      } else if event.outcome != .running {
        state.findings.append(Finding(.eventsAreNested, "\(event.phase) ended and never began"))
      } else {
        state.begin(event)
        state.before = tally
      }
      state.running = event.outcome == .running ? event : nil
      if event.outcome != .running { state.end(event, tally) }
    }
  }

  /// What was not as it must be, once the run came to rest.
  func findings(endedBy rest: SyncRest) -> [Finding] {
    state.withLock { state in
      if let running = state.running {
        state.findings.append(Finding(.eventsAreNested, "\(running.phase) never ended"))
      }
      return state.findings
    }
  }
}

extension EventWitness.State {
  /// An import follows a setup or an export or a wait; an export follows an import that went well.
  fileprivate mutating func begin(_ event: SyncEvent) {
    guard event.phase == .export else { return }
    guard let last = ended.last, last.phase == .import, last.outcome == .succeeded else {
      findings.append(Finding(.eventsAreNested, "an export without an import before it"))
      return
    }
  }

  fileprivate mutating func end(_ event: SyncEvent, _ tally: UnreliableNetwork.Tally) {
    ended.append(event)
    let sent = tally.sent - before.sent
    let acknowledged = tally.acknowledged - before.acknowledged
    if event.phase == .export, event.outcome == .succeeded, event.counts.sent != sent {
      findings.append(
        Finding(.countsAddUp, "an export says \(event.counts.sent) sent, \(sent) were"))
    }
    // A purge of what the service never had is acknowledged by its absence.
    if event.phase == .export, event.counts.acknowledged > max(acknowledged, sent) {
      findings.append(
        Finding(
          .countsAddUp,
          "an export says \(event.counts.acknowledged) acknowledged, \(acknowledged) were"))
    }
    if event.phase == .import, event.counts.received > tally.received - before.received {
      findings.append(
        Finding(
          .countsAddUp,
          "an import says \(event.counts.received) received, \(tally.received - before.received) were"
        ))
    }
    if let fault = event.counts.fault { findings.append(Finding(.countsAddUp, fault)) }
  }
}

extension SyncCounts {
  /// What of these counts can't be true together.
  var fault: String? {
    if acknowledged > sent { return "\(acknowledged) acknowledged of \(sent) sent" }
    if merged > applied { return "\(merged) merged of \(applied) applied" }
    if conflicting > applied { return "\(conflicting) conflicting of \(applied) applied" }
    return nil
  }
}
