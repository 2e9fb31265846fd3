import Glibc
import TestKit

/// The seed of a random test: a new one each time, or that of `SKYROS_SEED` to run one again.
///
/// Every expectation that depends on it prints it.
enum TestSeed {
  static func next() -> UInt64 {
    let fixed = getenv("SKYROS_SEED").map { ["SKYROS_SEED": String(cString: $0)] } ?? [:]
    return SeededGenerator.seed(standard: .random(in: .min ... .max), environment: fixed)
  }
}
