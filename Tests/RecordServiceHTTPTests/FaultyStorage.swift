import RecordService
import Synchronization

/// A storage that fails when it is told to.
final class FaultyStorage: RecordStorage {
  private let inner: any RecordStorage
  private let fault: Fault

  /// What every write fails with, for as long as it is set.
  final class Fault: Sendable {
    private let error = Mutex<(any Error & Sendable)?>(nil)

    var current: (any Error & Sendable)? { error.withLock { $0 } }
    func set(_ new: (any Error & Sendable)?) { error.withLock { $0 = new } }
  }

  init(_ inner: any RecordStorage, _ fault: Fault) {
    self.inner = inner
    self.fault = fault
  }

  var signal: ChangeSignal { inner.signal }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StorageReading) throws -> Value
  ) async throws -> Value {
    try await inner.read(body)
  }

  func close() async throws { try await inner.close() }

  func write<Value: Sendable>(
    _ purpose: WritePurpose, _ body: @escaping @Sendable (any StorageWriting) throws -> Value
  ) async throws -> Value {
    if let fault = fault.current { throw fault }
    return try await inner.write(purpose, body)
  }
}
