// A bucket of requests for each caller.

internal import Synchronization

/// Says who has to wait.
///
/// Any thread.
final class RateLimiter: Sendable {
  /// Callers that are remembered; the fullest buckets are forgotten first, which changes nothing
  /// for them.
  private static let callersMax = 10_000

  private struct Bucket {
    var left: Double
    var at: Int64
  }

  private let perSecond: Double
  private let burst: Double
  private let buckets = Mutex<[String: Bucket]>([:])

  init(perSecond: Double, burst: Double) {
    self.perSecond = perSecond
    self.burst = burst
  }

  /// Takes one request out of the caller's bucket; the seconds to wait when it is empty.
  func wait(for caller: String, at milliseconds: Int64) -> Int? {
    buckets.withLock { buckets in
      if buckets.count >= Self.callersMax { forgetFull(&buckets, at: milliseconds) }
      var bucket = buckets[caller] ?? Bucket(left: burst, at: milliseconds)
      let gone = Double(max(0, milliseconds - bucket.at)) / 1_000
      bucket.left = min(burst, bucket.left + gone * perSecond)
      bucket.at = milliseconds
      defer { buckets[caller] = bucket }
      guard bucket.left < 1 else {
        bucket.left -= 1
        return nil
      }
      return max(1, Int(((1 - bucket.left) / perSecond).rounded(.up)))
    }
  }

  private func forgetFull(_ buckets: inout [String: Bucket], at milliseconds: Int64) {
    buckets = buckets.filter { _, bucket in
      bucket.left + Double(milliseconds - bucket.at) / 1_000 * perSecond < burst
    }
    if buckets.count >= Self.callersMax { buckets = [:] }
  }
}
