// Looking at a transaction over many records while it runs: how far it is, and whether anybody still
// wants it. On the writer's queue.

internal import GRDB
internal import Synchronization

/// How far a write of many records is.
package struct WriteProgress: Sendable, Hashable {
  package let done: Int
  package let total: Int

  package init(done: Int, total: Int) {
    self.done = done
    self.total = total
  }
}

/// Hears how far a write is; called on the writer's queue.
package typealias WriteTelling = @Sendable (WriteProgress) -> Void

/// Counts what a transaction has done.
struct WriteWatch {
  static let recordsPerLook = 500

  private let tell: WriteTelling
  private let isCancelled: () -> Bool
  private var total = 0
  private var done = 0

  init(_ tell: @escaping WriteTelling, isCancelled: @escaping () -> Bool) {
    self.tell = tell
    self.isCancelled = isCancelled
  }

  mutating func begin(total: Int) {
    self.total = total
    done = 0
    if total >= Self.recordsPerLook { tell(WriteProgress(done: 0, total: total)) }
  }

  /// Counts records that are done.
  ///
  /// - Throws: `CancellationError` when the caller was cancelled.
  mutating func count(_ records: Int) throws {
    let looks = done / Self.recordsPerLook
    done += records
    guard done / Self.recordsPerLook > looks else { return }
    try look()
    tell(WriteProgress(done: min(done, total), total: total))
  }

  func look() throws {
    if isCancelled() { throw CancellationError() }
  }
}

extension Library {
  /// The same as ``transaction(_:_:)``, for as many records as there are: told as it goes on, and
  /// taken back whole when the task is cancelled before it commits.
  func longTransaction<T: Sendable>(
    _ head: TransactionHead, _ tell: @escaping WriteTelling,
    _ body: @escaping @Sendable (WriteDoor) throws -> T
  ) async throws -> (value: T, number: Int64?) {
    try await untilCancelled { isCancelled in
      try await transaction(head) { door in
        door.watch = WriteWatch(tell, isCancelled: isCancelled)
        let answer = try body(door)
        try door.watch?.look()
        return answer
      }
    }
  }

  /// Runs `body` with a question to be asked on any thread: whether the task was cancelled.
  func untilCancelled<T>(
    _ body: (_ isCancelled: @escaping @Sendable () -> Bool) async throws -> T
  ) async throws -> T {
    let isCancelled = Flag()
    return try await withTaskCancellationHandler {
      try await body { isCancelled.isSet }
    } onCancel: {
      isCancelled.set()
    }
  }
}

/// Set once.
private final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .relaxed) }

  func set() { value.store(true, ordering: .relaxed) }
}
