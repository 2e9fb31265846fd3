// What happened in a run, line by line: two runs of one seed have the same trace.

internal import Synchronization

/// The lines of one run.
package final class Trace: Sendable {
  private let state = Mutex<[String]>([])

  package init() {}

  package var lines: [String] { state.withLock { $0 } }

  package func add(_ line: String) { state.withLock { $0.append(line) } }
}
