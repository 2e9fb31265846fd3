// What the loop waits for besides jobs: descriptors, deadlines, and those who wait for the
// loop to be idle. A value under the loop's lock; handlers run outside of it.

internal import CPlatform

struct LoopWaits {
  typealias Handler = @UI () -> Void

  private struct Descriptor {
    var id: Int
    var number: Int32
    var handler: Handler
  }

  private struct Timer {
    var id: Int
    var due: UInt64
    var body: Handler
  }

  /// What one call of poll needs.
  ///
  /// Entry 0 is the loop's own wake-up.
  struct Plan {
    var entries: [platform_poll_entry]
    var ids: [Int]
    /// Somebody asks whether the loop is idle: look, do not wait.
    var isProbe: Bool
    var timeoutNanoseconds: Int64
  }

  private var nextID = 1
  private var descriptors: [Descriptor] = []
  private var timers: [Timer] = []
  private var idleWaiters: [CheckedContinuation<Void, Never>] = []

  mutating func watch(_ number: Int32, handler: @escaping Handler) -> Int {
    defer { nextID += 1 }
    descriptors.append(Descriptor(id: nextID, number: number, handler: handler))
    return nextID
  }

  mutating func schedule(at due: UInt64, _ body: @escaping Handler) -> Int {
    defer { nextID += 1 }
    timers.append(Timer(id: nextID, due: due, body: body))
    return nextID
  }

  mutating func cancel(_ id: Int) {
    descriptors.removeAll { $0.id == id }
    timers.removeAll { $0.id == id }
  }

  mutating func addIdleWaiter(_ waiter: CheckedContinuation<Void, Never>) {
    idleWaiters.append(waiter)
  }

  mutating func takeIdleWaiters() -> [CheckedContinuation<Void, Never>] {
    defer { idleWaiters = [] }
    return idleWaiters
  }

  func handler(_ id: Int) -> Handler? {
    descriptors.first { $0.id == id }?.handler
  }

  /// The ids of the timers whose time has come, earliest first.
  func due(at now: UInt64) -> [Int] {
    guard timers.contains(where: { $0.due <= now }) else { return [] }
    return timers.filter { $0.due <= now }.sorted { ($0.due, $0.id) < ($1.due, $1.id) }.map(\.id)
  }

  /// Takes a timer out to be called; nothing once it was cancelled.
  mutating func takeTimer(_ id: Int) -> Handler? {
    guard let index = timers.firstIndex(where: { $0.id == id }) else { return nil }
    return timers.remove(at: index).body
  }

  func plan(wakeDescriptor: Int32) -> Plan {
    var entries = [platform_poll_entry(fd: wakeDescriptor, events: PLATFORM_READABLE, ready: 0)]
    for descriptor in descriptors {
      entries.append(
        platform_poll_entry(fd: descriptor.number, events: PLATFORM_READABLE, ready: 0))
    }
    var timeout: Int64 = -1
    if let next = timers.map(\.due).min() {
      let now = platform_monotonic_ns()
      timeout = next > now ? Int64(next - now) : 0
    }
    return Plan(
      entries: entries, ids: descriptors.map(\.id), isProbe: !idleWaiters.isEmpty,
      timeoutNanoseconds: timeout)
  }
}
