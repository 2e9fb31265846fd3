// Writes of as many records as a person names: counted on a terminal, and taken back by Ctrl-C.

internal import RecordStore
internal import Wording

/// A write that may take long.
enum LongWrite {
  /// Runs `body`, which hands on what hears how far it is.
  ///
  /// - Parameter doing: What is done, as the meter's first word.
  /// - Throws: ``Failure/interrupted`` when it was stopped: nothing was written then.
  static func run<T: Sendable>(
    _ doing: String, _ body: @escaping @Sendable (@escaping WriteTelling) async throws -> T
  ) async throws -> T {
    let meter = MeterLine()
    let began = MeterLine.milliseconds()
    defer { meter.clear() }
    do {
      return try await Interruption.cancelling {
        try await body { progress in
          meter.show { line(doing, progress, milliseconds: $0 - began) }
        }
      }
    } catch is CancellationError {
      throw Failure.interrupted
    }
  }

  /// `Deleting  12,000 of 34,006 records  0:02 left`.
  static func line(_ doing: String, _ progress: WriteProgress, milliseconds: Int64) -> String {
    let words = Words.system.storeProgress
    let line = words.part(
      doing, MeterLine.grouped(progress.done), of: MeterLine.grouped(progress.total))
    let part = Double(progress.done) / Double(max(1, progress.total))
    guard milliseconds >= 500, part > 0, part < 1 else { return line }
    return line + "  " + words.left(MeterLine.left(after: milliseconds, part: part))
  }
}
