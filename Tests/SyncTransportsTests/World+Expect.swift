import RecordStore
import SimulationKit
import Testing

extension World {
  /// All libraries hold the same records in the same states, and nothing waits.
  func expectConverged(_ comment: Comment? = nil) async throws {
    try await settle()
    let first = try await contents(libraries[0])
    for library in libraries.dropFirst() {
      let other = try await contents(library)
      #expect(other == first, comment)
    }
    for library in libraries {
      let backlog = try await library.syncBacklog()
      #expect(backlog.pending == 0, comment)
      #expect(backlog.parked == 0, comment)
    }
  }
}
