// Watches the lock file for writes by other processes, on a queue of its own.
//
// The kernel gives each user a bounded number of inotify descriptors (128 by default). When they
// are used up, by whatever program, the file is looked at twenty times a second instead: slower
// and not free, but nobody waits in vain.

internal import CPlatform
@preconcurrency internal import Dispatch
internal import Glibc

/// Calls back, from its own queue, after the file was written to.
final class FileWatch: Sendable {
  private static let pollMilliseconds = 50

  private let source: any DispatchSourceProtocol

  init(path: String, _ onChange: @escaping @Sendable () -> Void) throws {
    let queue = DispatchQueue(label: "skyros.storage.watch")
    let descriptor = platform_inotify()
    guard descriptor >= 0 else {
      source = try Self.polling(path, queue, onChange)
      return
    }
    guard platform_inotify_watch(descriptor, path) >= 0 else {
      close(descriptor)
      source = try Self.polling(path, queue, onChange)
      return
    }
    let readable = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    readable.setEventHandler {
      if platform_inotify_drain(descriptor) > 0 { onChange() }
    }
    readable.setCancelHandler { close(descriptor) }
    readable.resume()
    source = readable
  }

  func stop() { source.cancel() }

  deinit { source.cancel() }

  private static func polling(
    _ path: String, _ queue: DispatchQueue, _ onChange: @escaping @Sendable () -> Void
  ) throws -> any DispatchSourceProtocol {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StorageFault.system(errno) }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    var last = mark(descriptor)
    timer.setEventHandler {
      let now = mark(descriptor)
      guard now != last else { return }
      last = now
      onChange()
    }
    timer.setCancelHandler { close(descriptor) }
    timer.schedule(
      deadline: .now() + .milliseconds(pollMilliseconds),
      repeating: .milliseconds(pollMilliseconds))
    timer.resume()
    return timer
  }

  private static func mark(_ descriptor: Int32) -> UInt64 {
    var mark: UInt64 = 0
    // Too short or unreadable is the mark of a file that nobody has written to.
    _ = pread(descriptor, &mark, MemoryLayout.size(ofValue: mark), 0)
    return mark
  }
}
