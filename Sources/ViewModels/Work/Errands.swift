// The work that a view model has under way: it never waits for it, a test does. UI actor.

internal import UILoop

/// Tasks that nobody waits for, but a test that wants to see their end.
@UI
final class Errands {
  private var running: [Int: Task<Void, Never>] = [:]
  private var next = 0

  init() {}

  /// Starts work in a task of its own, after what runs now.
  func run(_ body: @escaping @UI () async -> Void) {
    let number = next
    next += 1
    running[number] = Task { @UI [weak self] in
      await body()
      self?.running[number] = nil
    }
  }

  /// Returns when nothing is under way, work that the work began included.
  func idle() async {
    while let task = running.values.first { await task.value }
  }
}

/// Tells the newest of several requests from those that it overtook.
struct Newest {
  private var number = 0
  private var taken = 0

  /// Makes all earlier tickets stale.
  mutating func ticket() -> Int {
    number += 1
    return number
  }

  func isCurrent(_ ticket: Int) -> Bool { ticket == number }

  /// Whether no answer to a later request was taken yet; from now on this one was.
  mutating func take(_ ticket: Int) -> Bool {
    guard ticket > taken else { return false }
    taken = ticket
    return true
  }
}

/// Follows a stream on the UI actor until it is let go.
final class Subscription: Sendable {
  private let task: Task<Void, Never>

  /// - Parameter body: Hold the view model weakly in it, or neither will ever be let go.
  @UI init<Element: Sendable>(
    _ stream: AsyncStream<Element>, _ body: @escaping @UI (Element) async -> Void
  ) {
    task = Task { @UI in
      for await element in stream {
        if Task.isCancelled { return }
        await body(element)
      }
    }
  }

  deinit { task.cancel() }
}
