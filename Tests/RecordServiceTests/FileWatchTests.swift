import Foundation
import Synchronization
import Testing

@testable import RecordService

/// Hearing of other processes' commits, also when the kernel gives no inotify descriptor.
struct FileWatchTests {
  private static let database = DatabaseKey(
    container: "c", environment: .production, scope: .private, owner: 1)

  /// Whether the kernel has descriptors, as the test wants it.
  private final class Kernel: Sendable {
    let isGenerous = Atomic<Bool>(false)
    let asked = Atomic<Int>(0)

    func descriptor() -> Int32 {
      asked.add(1, ordering: .relaxed)
      return isGenerous.load(ordering: .relaxed) ? platformDescriptor() : -1
    }

    private func platformDescriptor() -> Int32 { FileWatch.kernelDescriptor() }
  }

  private func with(
    _ body: (_ lock: StorageLock, _ signal: ChangeSignal, _ kernel: Kernel) async throws -> Void
  ) async throws {
    let path = NSTemporaryDirectory() + "skyros-watch-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let lock = try StorageLock(path: path)
    let signal = ChangeSignal()
    let kernel = Kernel()
    let watch = try FileWatch(path: path, signal, makesDescriptor: kernel.descriptor)
    try await body(lock, signal, kernel)
    watch.stop()
  }

  /// Waits until the file was written to; only that ends it.
  private func wait(_ signal: ChangeSignal, _ body: () -> Void) async {
    let generation = signal.generation(of: Self.database)
    async let woken: Void = signal.wait(for: Self.database, after: generation) {
      try? await Task.sleep(for: .seconds(3_600))
    }
    body()
    await woken
    #expect(signal.generation(of: Self.database) != generation)
  }

  @Test func `a waiter hears of a write by the clock, again and again`() async throws {
    try await with { lock, signal, kernel in
      for _ in 0..<3 { await wait(signal) { lock.touch() } }
      #expect(kernel.asked.load(ordering: .relaxed) >= 4)
    }
  }

  @Test func `a write before anybody waits is not missed by who waits then`() async throws {
    try await with { lock, signal, _ in
      // Between looking and waiting.
      let generation = signal.generation(of: Self.database)
      lock.touch()
      await signal.wait(for: Self.database, after: generation) {
        try? await Task.sleep(for: .seconds(3_600))
      }
      #expect(signal.generation(of: Self.database) != generation)
    }
  }

  @Test func `the kernel's descriptor is taken when there is one again`() async throws {
    try await with { lock, signal, kernel in
      await wait(signal) { lock.touch() }
      kernel.isGenerous.store(true, ordering: .relaxed)
      await wait(signal) { lock.touch() }
      let asked = kernel.asked.load(ordering: .relaxed)
      for _ in 0..<3 { await wait(signal) { lock.touch() } }
      #expect(kernel.asked.load(ordering: .relaxed) == asked)
    }
  }
}
