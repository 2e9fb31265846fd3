import CloudKitWire
import RecordService
import Synchronization
import Testing

/// A storage that fails when it is told to.
private final class FaultyStorage: RecordStorage {
  private let inner: any RecordStorage
  private let fault = Mutex<(any Error & Sendable)?>(nil)

  init(_ inner: any RecordStorage) {
    self.inner = inner
  }

  var signal: ChangeSignal { inner.signal }

  func fail(with error: (any Error & Sendable)?) { fault.withLock { $0 = error } }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StorageReading) throws -> Value
  ) async throws -> Value {
    try await inner.read(body)
  }

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (any StorageWriting) throws -> Value
  ) async throws -> Value {
    if let fault = fault.withLock({ $0 }) { throw fault }
    return try await inner.write(body)
  }
}

/// What the service answers when the storage can't, and that nothing is lost by it.
struct FaultTests {
  private struct Unforeseen: Error {}

  @Test(
    arguments: [
      (0, 413, "QUOTA_EXCEEDED", nil), (1, 503, "TRY_AGAIN_LATER", 1),
      (2, 500, "INTERNAL_ERROR", nil),
    ] as [(Int, Int, String, Int64?)])
  func `a fault of the storage is said by its code, and passes`(
    kind: Int, status: Int, code: String, retryAfter: Int64?
  ) async throws {
    let bench = try await ServiceBench()
    try await bench.makeZone("Z")
    let storage = FaultyStorage(bench.service.storage)
    let service = try await RecordService(
      storage: storage, assetFolder: bench.path + "-assets",
      surroundings: ServiceBench.surroundings(seed: 5) { 1_700_000_000_000 })
    let request = ServiceRequest(
      "POST", "/database/1/\(ServiceBench.container)/production/private/records/modify",
      body: Array(
        #"{"zoneID":{"zoneName":"Z"},"operations":[\#(operation("create", "r"))]}"#.utf8))
    let faults: [any Error & Sendable] = [StorageFault.full, StorageFault.busy, Unforeseen()]
    storage.fail(with: faults[kind])
    let refused = await service.respond(to: request, as: bench.alice)
    #expect(refused.status == status)
    #expect(try refused.json.code == code)
    #expect(try refused.json["retryAfter"]?.wholeNumber == retryAfter)
    #expect(try await bench.feed().records.isEmpty)
    storage.fail(with: nil)
    let done = await service.respond(to: request, as: bench.alice)
    #expect(done.status == 200)
    #expect(try await bench.feed().records.compactMap(\.name) == ["r"])
  }
}
