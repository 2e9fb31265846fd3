// A world for tests of the store: a clock that moves when it is told to, random bits from a seed,
// temporary folders that go away.

package import RecordStore
internal import Foundation
internal import Synchronization

/// The clock and randomness of a test.
package final class TestWorld: Sendable {
  private struct State {
    var milliseconds: Int64 = 1_700_000_000_000
    var generator: SeededGenerator
  }

  private let state: Mutex<State>
  package let faults = Faults()
  package let machine: String

  /// - Parameter seed: Two worlds of one seed draw the same bits.
  package init(seed: UInt64 = 1, machine: String = "machine-1") {
    state = Mutex(State(generator: SeededGenerator(seed: seed)))
    self.machine = machine
  }

  package var now: Int64 { state.withLock(\.milliseconds) }

  package func advance(milliseconds: Int64) {
    state.withLock { $0.milliseconds += milliseconds }
  }

  package func random() -> UInt64 { state.withLock { $0.generator.next() } }

  package var surroundings: Surroundings {
    Surroundings(
      milliseconds: { self.now }, random: { self.random() }, person: "mia",
      deviceName: "kitchen", machine: machine, faults: faults)
  }
}

/// A folder that goes away with its owner.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    let url = FileManager.default.temporaryDirectory.appending(
      path: "skyros-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path(percentEncoded: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func file(_ name: String) -> String { path + "/" + name }
}
