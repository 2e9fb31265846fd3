/// How long to wait after a failure: doubling, with a cap, and jitter so that many clients of a
/// service that comes back do not all call at once.
package struct Backoff: Sendable, Hashable {
  package static let firstMilliseconds: Int64 = 1_000
  /// The longest wait of our own; a service may ask for a longer one.
  package static let maxMilliseconds: Int64 = 5 * 60 * 1_000
  /// The longest wait that a service is believed: a hostile or broken one must not stop us for good.
  package static let serverMaxMilliseconds: Int64 = 6 * 60 * 60 * 1_000

  /// Failures in a row, without a success between them.
  package private(set) var failures = 0

  package init() {}

  package mutating func succeeded() { failures = 0 }

  /// Counts a failure and answers the wait after it.
  ///
  /// - Parameters:
  ///   - retryAfter: The service's own wish in seconds: never undercut.
  ///   - jitter: From 0 up to 1.
  package mutating func failed(retryAfter: Int?, jitter: Double) -> Int64 {
    failures += 1
    let doubled = Self.firstMilliseconds << Int64(min(failures - 1, 20))
    let full = min(doubled, Self.maxMilliseconds)
    // Half is certain, half is chance ("equal jitter").
    let own = full / 2 + Int64(Double(full / 2) * min(max(jitter, 0), 1))
    guard let retryAfter, retryAfter > 0 else { return own }
    let wish = min(Int64(min(retryAfter, 1_000_000)) * 1_000, Self.serverMaxMilliseconds)
    return max(own, wish)
  }
}
