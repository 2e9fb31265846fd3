internal import Synchronization

/// A time that comes once, for any number who wait for it in turn.
final class Deadline: Sendable {
  private let timer: Task<Void, Never>
  private let over: Flag

  private final class Flag: Sendable {
    let isSet = Atomic<Bool>(false)
  }

  init(seconds: Int, surroundings: ServiceSurroundings) {
    let over = Flag()
    self.over = over
    timer = Task {
      // Cancelled, it is as good as over.
      try? await surroundings.sleep(.seconds(seconds))
      over.isSet.store(true, ordering: .releasing)
    }
  }

  var isOver: Bool { over.isSet.load(ordering: .acquiring) }

  func wait() async { await timer.value }

  func cancel() { timer.cancel() }
}
