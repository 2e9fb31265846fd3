// Watches the lock file for writes by other processes, on a queue of its own.
//
// The kernel gives each user a bounded number of inotify descriptors (128 by default). When they
// are used up, by whatever program, the file is looked at twenty times a second instead, but only
// while somebody waits for a change, and each first waiter asks for a descriptor again. Who does
// not wait looks for himself, so nothing is missed meanwhile.

internal import CPlatform
@preconcurrency internal import Dispatch
internal import Glibc
internal import Synchronization

/// Wakes those who wait on a signal, from its own queue, after the file was written to.
final class FileWatch: Sendable {
  /// What a waiting reader may lose by the poll: half of what other processes' changes may take.
  static let pollMilliseconds = 50

  private enum Way: Sendable {
    case kernel(any DispatchSourceRead)
    case clock(any DispatchSourceTimer)
    case stopped
  }

  private let path: String
  private let descriptor: Int32
  private let signal: ChangeSignal
  private let queue = DispatchQueue(label: "skyros.storage.watch")
  private let way: Mutex<Way>
  /// The mark that was last seen, by the poll.
  private let last: Atomic<UInt64>
  private let makesDescriptor: @Sendable () -> Int32

  /// - Parameter makesDescriptor: an inotify descriptor, or below zero when there is none.
  init(
    path: String, _ signal: ChangeSignal,
    makesDescriptor: @escaping @Sendable () -> Int32 = FileWatch.kernelDescriptor
  ) throws {
    self.path = path
    self.signal = signal
    self.makesDescriptor = makesDescriptor
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StorageFault.system(errno) }
    last = Atomic(Self.mark(descriptor))
    way = Mutex(.stopped)
    if let source = kernelSource() {
      way.withLock { $0 = .kernel(source) }
      return
    }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { [weak self] in self?.look() }
    timer.schedule(deadline: .distantFuture)
    timer.resume()
    way.withLock { $0 = .clock(timer) }
    signal.onWaiting { [weak self] in self?.waitersCameOrWent() }
  }

  static func kernelDescriptor() -> Int32 { platform_inotify() }

  func stop() {
    way.withLock { way in
      switch way {
      case .kernel(let source): source.cancel()
      case .clock(let timer): timer.cancel()
      case .stopped: break
      }
      way = .stopped
    }
  }

  deinit {
    stop()
    close(descriptor)
  }

  private func kernelSource() -> (any DispatchSourceRead)? {
    let inotify = makesDescriptor()
    guard inotify >= 0 else { return nil }
    guard platform_inotify_watch(inotify, path) >= 0 else {
      close(inotify)
      return nil
    }
    let source = DispatchSource.makeReadSource(fileDescriptor: inotify, queue: queue)
    let signal = signal
    source.setEventHandler {
      if platform_inotify_drain(inotify) > 0 { signal.notifyAll() }
    }
    source.setCancelHandler { close(inotify) }
    source.resume()
    return source
  }

  // MARK: The poll

  private func waitersCameOrWent() {
    queue.async { [weak self] in self?.adjust() }
  }

  /// Polls while somebody waits, unless the kernel has a descriptor for us by now.
  private func adjust() {
    let isWaiting = signal.hasWaiters
    way.withLock { way in
      guard case .clock(let timer) = way else { return }
      if isWaiting, let source = kernelSource() {
        timer.cancel()
        way = .kernel(source)
      } else if isWaiting {
        timer.schedule(
          deadline: .now() + .milliseconds(Self.pollMilliseconds),
          repeating: .milliseconds(Self.pollMilliseconds), leeway: .milliseconds(10))
      } else {
        timer.schedule(deadline: .distantFuture)
      }
    }
    // Whoever waits now may have looked before something came that no poll has seen.
    if isWaiting { look() }
  }

  private func look() {
    let now = Self.mark(descriptor)
    guard last.exchange(now, ordering: .relaxed) != now else { return }
    signal.notifyAll()
  }

  private static func mark(_ descriptor: Int32) -> UInt64 {
    var mark: UInt64 = 0
    // Too short or unreadable is the mark of a file that nobody has written to.
    _ = pread(descriptor, &mark, MemoryLayout.size(ofValue: mark), 0)
    return mark
  }
}
