import CloudKitWire
import Sync
import Synchronization
import TestKit

/// A network between a library and a service that loses, repeats, delays and reorders what goes
/// over it, and now and then gives an answer that nobody asked for.
///
/// By a seed: the same one, the same faults.
final class UnreliableNetwork: SyncTransport {
  private struct State {
    var random: SeededGenerator
    /// Requests on their way that nobody waits for any more: they arrive later, or never.
    var late: [ServiceCall] = []
    var isHealed = false
  }

  private let inner: any SyncTransport
  private let state: Mutex<State>

  init(_ inner: any SyncTransport, seed: UInt64) {
    self.inner = inner
    state = Mutex(State(random: SeededGenerator(seed: seed)))
  }

  func heal() { state.withLock { $0.isHealed = true } }

  private enum Fault {
    case none, requestLost, replyLost, delayed, repeated, truncated
    case answer(ServiceReply)
    case failure(TransportFailure)
  }

  func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply {
    let (fault, arriving) = state.withLock { state -> (Fault, [ServiceCall]) in
      var arriving: [ServiceCall] = []
      if !state.late.isEmpty, state.isHealed || Bool.random(using: &state.random) {
        arriving = state.late.shuffled(using: &state.random)
        state.late = []
      }
      let fault = state.isHealed ? Fault.none : Self.fault(&state.random)
      if case .delayed = fault { state.late.append(call) }
      return (fault, arriving)
    }
    for late in arriving { _ = try await inner.call(late) }
    switch fault {
    case .none: return try await inner.call(call)
    case .requestLost: throw .timedOut
    case .delayed: throw .timedOut
    case .failure(let failure): throw failure
    case .answer(let reply): return reply
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

  private static func fault(_ random: inout SeededGenerator) -> Fault {
    switch Int.random(in: 0..<20, using: &random) {
    case 0: return .requestLost
    case 1, 2: return .replyLost
    case 3: return .delayed
    case 4, 5: return .repeated
    case 6: return .truncated
    case 7:
      let failure = TransportFailure.allCases.randomElement(using: &random) ?? .unreachable
      return .failure(failure)
    case 8: return .answer(error(&random))
    case 9:
      return .answer(ServiceReply(status: 200, body: Array("<html>Sign in to WLAN</html>".utf8)))
    default: return .none
    }
  }

  /// Any error of the protocol, as a whole answer.
  ///
  /// The one that means "the zone is gone for good" is left out: it needs a person.
  private static func error(_ random: inout SeededGenerator) -> ServiceReply {
    let codes = ServerErrorCode.allCases.filter { $0 != .zoneNotFound && $0 != .notFound }
    let code = codes.randomElement(using: &random) ?? .tryAgainLater
    let error = ServiceError(code, "simulated", retryAfter: Bool.random(using: &random) ? 1 : nil)
    return ServiceReply(status: code.status, body: error.body())
  }

  func upload(
    _ content: UploadContent, to address: String
  ) async throws(TransportFailure) -> ServiceReply {
    try await inner.upload(content, to: address)
  }

  func download(
    _ address: String, from offset: Int64, _ take: @escaping ContentSink
  ) async throws(TransportFailure) -> ServiceReply {
    try await inner.download(address, from: offset, take)
  }

  func close() async {}
}
