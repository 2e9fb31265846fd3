// The network between one library and the service: loses, repeats, delays and reorders what goes
// over it, gives answers that nobody asked for, is cut in one direction or both, and may see its
// client die at a request. All by a seed: the same one, the same faults.

internal import CloudKitWire
internal import Glibc
package import Sync
internal import Synchronization
internal import TestKit

package final class UnreliableNetwork: ForwardingTransport {
  /// Which way nothing comes through.
  package enum Cut: String, Sendable, CaseIterable { case none, outbound, inbound, both }

  /// What went over it, to compare the event log with.
  package struct Tally: Sendable {
    /// Operations on records in requests.
    package var sent = 0
    /// Entries of batches that were acknowledged, in answers that arrived.
    package var acknowledged = 0
    /// Records in pages that arrived.
    package var received = 0
  }

  private struct State {
    var random: SeededGenerator
    /// In how many of 24 requests something goes wrong.
    var roughness = 0
    /// Requests on their way that nobody waits for any more: they arrive later, or never.
    var late: [ServiceCall] = []
    var isHealed = true
    var cut = Cut.none
    /// Requests until the client dies.
    var life: Int?
    var tally = Tally()
    var hasLeaked = false
  }

  /// What stands in values of edits that were cancelled: no request may hold it.
  package static let cancelledMark = "cancelled-by-its-author"

  package let inner: any SyncTransport
  private let trace: Trace
  private let state: Mutex<State>

  package init(_ inner: any SyncTransport, trace: Trace) {
    self.inner = inner
    self.trace = trace
    state = Mutex(State(random: SeededGenerator(seed: 0)))
  }

  package var cut: Cut {
    get { state.withLock(\.cut) }
    set { state.withLock { $0.cut = newValue } }
  }

  /// Whether a request held what nobody saved.
  package var hasLeaked: Bool { state.withLock(\.hasLeaked) }

  /// Begins to be unreliable anew.
  ///
  /// - Parameter life: The request, from 0, at which the client dies.
  package func begin(seed: UInt64, life: Int?) {
    state.withLock {
      $0.random = SeededGenerator(seed: seed)
      // Good days, bad days, and days on which hardly anything comes through.
      $0.roughness = [0, 0, 3, 3, 12].randomElement(using: &$0.random) ?? 0
      $0.life = life
      $0.isHealed = false
      $0.tally = Tally()
    }
  }

  /// Carries everything from now on, and first what was late.
  package func heal() {
    state.withLock {
      $0.isHealed = true
      $0.life = nil
      $0.cut = .none
      $0.tally = Tally()
    }
  }

  /// What went over it since the last ``begin(seed:life:)``.
  package var tally: Tally { state.withLock(\.tally) }

  package func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply {
    let (fault, arriving) = draw(for: call)
    for late in arriving { _ = try await inner.call(late) }
    do {
      let reply = try await carry(call, fault)
      trace.add("    \(call.action): \(fault.word), \(reply.status), \(reply.body.count) bytes")
      count(reply, of: call)
      return reply
    } catch {
      trace.add("    \(call.action): \(fault.word), \(error)")
      throw error
    }
  }

  private func draw(for call: ServiceCall) -> (NetworkFault, [ServiceCall]) {
    let operations = Self.operations(of: call)
    return state.withLock { state in
      state.tally.sent += operations
      if let body = call.body, Self.holdsMark(body) { state.hasLeaked = true }
      if let life = state.life {
        guard life > 0 else { return (.failure(.cancelled), []) }
        state.life = life - 1
      }
      var arriving: [ServiceCall] = []
      if !state.late.isEmpty, state.isHealed || Bool.random(using: &state.random) {
        arriving = state.late.shuffled(using: &state.random)
        state.late = []
      }
      guard !state.isHealed else { return (.none, arriving) }
      switch state.cut {
      case .none: break
      case .outbound: return (.requestLost, arriving)
      case .inbound: return (.replyLost, arriving)
      case .both: return (.failure(.unreachable), arriving)
      }
      guard Int.random(in: 0..<24, using: &state.random) < state.roughness else {
        return (.none, arriving)
      }
      let fault = NetworkFault.random(&state.random)
      if case .delayed = fault { state.late.append(call) }
      return (fault, arriving)
    }
  }

  private func carry(
    _ call: ServiceCall, _ fault: NetworkFault
  ) async throws(TransportFailure) -> ServiceReply {
    switch fault {
    case .none: return try await inner.call(call)
    case .requestLost, .delayed: throw .timedOut
    case .failure(let failure): throw failure
    case .answer(let reply): return reply
    case .refused(let code): return try await refuse(one: code, of: call)
    case .replyLost:
      _ = try await inner.call(call)
      throw .interrupted
    case .repeated:
      _ = try await inner.call(call)
      return try await inner.call(call)
    case .truncated:
      var reply = try await inner.call(call)
      reply.body.removeLast(reply.body.count / 2)
      return reply
    }
  }

  /// Carries a batch out but for its first operation, which gets an error of its own.
  private func refuse(
    one code: ServerErrorCode, of call: ServiceCall
  ) async throws(TransportFailure) -> ServiceReply {
    guard call.action == "records/modify", let body = call.body,
      var request = try? ModifyRequest(body: body), !request.operations.isEmpty
    else { return try await inner.call(call) }
    let refused = request.operations.removeFirst()
    var rest = call
    rest.body = request.body()
    var answers: [RecordResult] = []
    if !request.operations.isEmpty {
      let reply = try await inner.call(rest)
      guard let response = try? RecordsResponse(body: reply.body) else { return reply }
      answers = response.records
    }
    var error = ServiceError(code, "simulated")
    error.recordName = refused.record.recordName
    return ServiceReply(status: 200, body: Self.body([.failure(error)] + answers))
  }

  /// An answer to a batch.
  static func body(_ results: [RecordResult]) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("records")
      writer.array { writer in
        for result in results {
          switch result {
          case .record(let record): record.write(to: &writer)
          case .failure(let error): error.write(to: &writer)
          }
        }
      }
    }
    return writer.bytes
  }

  // MARK: Counting

  private static func operations(of call: ServiceCall) -> Int {
    guard call.action == "records/modify", let body = call.body,
      let request = try? ModifyRequest(body: body)
    else { return 0 }
    return request.operations.count { isRecord($0.record.recordName) }
  }

  private func count(_ reply: ServiceReply, of call: ServiceCall) {
    guard reply.status == 200 else { return }
    switch call.action {
    case "records/modify":
      guard let response = try? RecordsResponse(body: reply.body) else { return }
      let taken = response.records.count {
        if case .record(let record) = $0 { Self.isRecord(record.recordName) } else { false }
      }
      state.withLock { $0.tally.acknowledged += taken }
    case "changes/zone":
      guard let response = try? ZoneChangesResponse(body: reply.body),
        case .page(let page)? = response.zones.first
      else { return }
      state.withLock { $0.tally.received += page.records.count }
    default: break
    }
  }

  /// Whether it is the name of a record, not of what Skyros keeps there for itself.
  private static func isRecord(_ name: String?) -> Bool {
    name.map { !$0.hasPrefix("skyros.") } ?? false
  }

  private static func holdsMark(_ body: [UInt8]) -> Bool {
    // Nothing of the protocol has a zero byte in it.
    (body.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map { strstr($0, cancelledMark) != nil } ?? false
    }
  }
}
