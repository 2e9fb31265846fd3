/// How many records go into the next batch: grows while the service takes them, halves when it does
/// not, never below one, and remembers for a while what was too much.
package struct BatchSize: Sendable, Hashable {
  package private(set) var current: Int
  /// What the service says that it takes.
  package private(set) var limit: Int
  /// A size that was refused; growth stops below it until it has worked there for a while.
  private var refused: Int?
  private var successes = 0

  /// Successes at a size before one that was refused is tried again.
  private static let patience = 16

  package init(limit: Int) {
    self.limit = max(1, limit)
    current = self.limit
  }

  package mutating func allow(_ limit: Int) {
    let wasFull = current == self.limit
    self.limit = max(1, limit)
    current = wasFull && refused == nil ? self.limit : min(current, self.limit)
  }

  package mutating func succeeded() {
    successes += 1
    if successes > Self.patience { refused = nil }
    let ceiling = min(limit, refused.map { max(1, $0 - 1) } ?? limit)
    guard current < ceiling else { return }
    current = min(ceiling, current * 2)
    if refused == nil { successes = 0 }
  }

  /// Halves.
  ///
  /// False at one: it can't get smaller.
  package mutating func wasTooLarge() -> Bool {
    guard current > 1 else { return false }
    refused = current
    successes = 0
    current = max(1, current / 2)
    return true
  }
}
