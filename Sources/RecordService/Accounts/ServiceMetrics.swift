// Counters for /metrics. No names, no ids, no secrets.

internal import Synchronization

package final class ServiceMetrics: Sendable {
  private struct Counts {
    var responses: [Int: Int] = [:]
    var operations = 0
    var waiting = 0
    var uploadedBytes = 0
  }

  private let counts = Mutex(Counts())

  func count(status: Int) { counts.withLock { $0.responses[status, default: 0] += 1 } }
  func countOperations(_ number: Int) { counts.withLock { $0.operations += number } }
  func changeWaiting(by number: Int) { counts.withLock { $0.waiting += number } }
  func countUpload(bytes: Int) { counts.withLock { $0.uploadedBytes += bytes } }

  /// The text format of Prometheus.
  package var text: String {
    let counts = counts.withLock { $0 }
    var lines = [
      "# HELP skyros_responses_total Responses by status.",
      "# TYPE skyros_responses_total counter",
    ]
    for (status, number) in counts.responses.sorted(by: { $0.key < $1.key }) {
      lines.append("skyros_responses_total{status=\"\(status)\"} \(number)")
    }
    lines += [
      "# HELP skyros_record_operations_total Operations of records/modify.",
      "# TYPE skyros_record_operations_total counter",
      "skyros_record_operations_total \(counts.operations)",
      "# HELP skyros_waiting_requests Change feeds held open now.",
      "# TYPE skyros_waiting_requests gauge",
      "skyros_waiting_requests \(counts.waiting)",
      "# HELP skyros_uploaded_bytes_total Bytes of assets taken in.",
      "# TYPE skyros_uploaded_bytes_total counter",
      "skyros_uploaded_bytes_total \(counts.uploadedBytes)",
    ]
    return lines.joined(separator: "\n") + "\n"
  }
}
