// Watches one file for writes by other processes, on a queue of its own.

internal import CPlatform
@preconcurrency internal import Dispatch
internal import Glibc

/// Calls back, from its own queue, after the file was written to.
final class FileWatch: Sendable {
  private let source: any DispatchSourceRead

  init(path: String, _ onChange: @escaping @Sendable () -> Void) throws {
    let descriptor = platform_inotify()
    guard descriptor >= 0 else { throw StorageFault.system(-descriptor) }
    let watch = platform_inotify_watch(descriptor, path)
    guard watch >= 0 else {
      close(descriptor)
      throw StorageFault.system(-watch)
    }
    source = DispatchSource.makeReadSource(
      fileDescriptor: descriptor, queue: DispatchQueue(label: "skyros.storage.watch"))
    source.setEventHandler {
      if platform_inotify_drain(descriptor) > 0 { onChange() }
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  func stop() { source.cancel() }

  deinit { source.cancel() }
}
