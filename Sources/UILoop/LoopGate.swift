// A gate that a thread (never a task) waits at until another opens it: an eventfd, because
// poll is the one way of waiting that this program has.

internal import CPlatform

final class LoopGate: Sendable {
  private let descriptor = platform_eventfd()

  deinit { platform_close(descriptor) }

  func open() {
    platform_eventfd_wake(descriptor)
  }

  func waitUntilOpen() {
    var entry = platform_poll_entry(fd: descriptor, events: PLATFORM_READABLE, ready: 0)
    while platform_poll(&entry, 1, -1) <= 0 {}
  }
}
