// A request whose reply was lost is repeated under the name that it had, so that the service answers
// again instead of working again. Thread-safe.

internal import Synchronization

/// Names requests.
///
/// The name of a request stays until it is answered. After that the same body is another request:
/// what was refused once may be asked for again.
final class RepeatKeys: Sendable {
  private let last = Mutex<(digest: UInt64, key: String)?>(nil)

  init() {}

  /// The name of a request.
  func key(of body: [UInt8], at milliseconds: Int64) -> String {
    let digest = Digest64.of(body)
    return last.withLock { last in
      if let last, last.digest == digest { return last.key }
      let key = String(digest, radix: 16) + "-" + String(milliseconds, radix: 16)
      last = (digest, key)
      return key
    }
  }

  /// The last request has its answer.
  func answered() { last.withLock { $0 = nil } }
}
