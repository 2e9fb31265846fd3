// Time and chance of a world: a clock that moves when it is told to, clocks of devices that are wrong
// by as much as they are told to be, and random bits from a seed.

package import RecordStore
internal import Synchronization
internal import TestKit

/// A clock that moves when it is told to, and chance from a seed.
package final class TestClock: Sendable {
  private struct State {
    var now: Int64 = 1_700_000_000_000
    var random: SeededGenerator
    var skews: [Int: Int64] = [:]
  }

  private let state: Mutex<State>

  package init(seed: UInt64) { state = Mutex(State(random: SeededGenerator(seed: seed))) }

  /// The true time, which is the service's: milliseconds since 1970 UTC.
  package var now: Int64 { state.withLock { $0.now } }

  /// What a device takes for the time.
  package func now(of device: Int) -> Int64 {
    state.withLock { $0.now + ($0.skews[device] ?? 0) }
  }

  package func advance(_ milliseconds: Int64) { state.withLock { $0.now += milliseconds } }

  /// Makes a device's clock wrong by so many milliseconds from now on.
  package func setSkew(_ milliseconds: Int64, of device: Int) {
    state.withLock { $0.skews[device] = milliseconds }
  }

  package func skew(of device: Int) -> Int64 { state.withLock { $0.skews[device] ?? 0 } }

  package func word() -> UInt64 { state.withLock { $0.random.next() } }
  package func byte() -> UInt8 { UInt8(truncatingIfNeeded: word()) }

  package func surroundings(device: Int, faults: Faults) -> Surroundings {
    Surroundings(
      milliseconds: { self.now(of: device) }, random: { self.word() }, person: "tester",
      deviceName: "device \(device)", machine: "test", faults: faults)
  }
}
