/// A random source that a seed repeats exactly (SplitMix64, Steele et al.
///
/// 2014).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  package let seed: UInt64
  private var state: UInt64

  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }

  /// The seed of a random test: `SKYROS_SEED` to run one again, or the fixed one of the test.
  package static func seed(
    standard: UInt64, environment: [String: String]
  ) -> UInt64 {
    environment["SKYROS_SEED"].flatMap { UInt64($0) } ?? standard
  }
}
