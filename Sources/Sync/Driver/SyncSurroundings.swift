/// What the driver takes from its surroundings: tests own them.
package struct SyncSurroundings: Sendable {
  /// The wall clock: milliseconds since 1970 UTC.
  package var milliseconds: @Sendable () -> Int64
  package var sleep: @Sendable (Duration) async throws -> Void
  /// From 0 up to 1.
  package var jitter: @Sendable () -> Double

  package init(
    milliseconds: @escaping @Sendable () -> Int64,
    sleep: @escaping @Sendable (Duration) async throws -> Void,
    jitter: @escaping @Sendable () -> Double
  ) {
    self.milliseconds = milliseconds
    self.sleep = sleep
    self.jitter = jitter
  }

  /// The clock given, real waits, real chance.
  package static func system(milliseconds: @escaping @Sendable () -> Int64) -> Self {
    Self(
      milliseconds: milliseconds, sleep: { try await Task.sleep(for: $0) },
      jitter: { Double.random(in: 0..<1) })
  }
}
