// A program that has the terminal for a while, an editor. The UI actor goes on meanwhile; a thread
// waits for the child.

internal import CPlatform

enum ChildProgram {
  private final class Wait {
    let process: Int32
    let continuation: CheckedContinuation<Int32, Never>

    init(process: Int32, continuation: CheckedContinuation<Int32, Never>) {
      self.process = process
      self.continuation = continuation
    }
  }

  /// Runs it to its end: its exit status, or nil when it can't be started.
  static func run(
    _ arguments: [String], input: Int32, output: Int32, errors: Int32
  ) async -> Int? {
    var pointers = arguments.map { argument in
      argument.withCString { UnsafePointer(platform_copy_text($0)) }
    }
    pointers.append(nil)
    defer { for pointer in pointers { platform_free_text(pointer) } }
    let process = platform_spawn(&pointers, input, output, errors)
    guard process > 0 else { return nil }
    let status = await withCheckedContinuation { continuation in
      let wait = Unmanaged.passRetained(Wait(process: process, continuation: continuation))
      let failed = platform_thread_start(
        "skyros-child",
        { opaque in
          guard let opaque else { return }
          let wait = Unmanaged<Wait>.fromOpaque(opaque).takeRetainedValue()
          wait.continuation.resume(returning: platform_wait(wait.process))
        }, wait.toOpaque())
      if failed != 0 {
        // No thread left: wait here, the interface stands still meanwhile.
        wait.release()
        continuation.resume(returning: platform_wait(process))
      }
    }
    return status < 0 ? nil : Int(status)
  }
}
