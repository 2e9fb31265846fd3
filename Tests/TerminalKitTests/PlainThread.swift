import CPlatform

/// A thread that belongs to no task.
struct PlainThread: Sendable {
  private final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  func start() {
    let box = Unmanaged.passRetained(Box(body))
    let failed = platform_thread_start(
      "plain",
      { opaque in
        guard let opaque else { return }
        Unmanaged<Box>.fromOpaque(opaque).takeRetainedValue().body()
      }, box.toOpaque())
    precondition(failed == 0)
  }
}
