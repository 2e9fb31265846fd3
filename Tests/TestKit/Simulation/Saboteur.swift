// A service with one deliberate fault, so that each checker is seen to bite.

internal import CloudKitWire
package import Sync
internal import Synchronization

package final class Saboteur: ForwardingTransport {
  package enum Deed: Sendable {
    /// Acknowledges some batches without doing anything.
    case forgetsBatches
    /// Leaves a record out of every page.
    case skipsRecords
    /// Refuses every batch, record by record.
    case refusesRecords
    /// Refuses every purge.
    case refusesPurges
  }

  package let inner: any SyncTransport
  private let deed: Deed
  private let count = Mutex(0)

  package init(_ inner: any SyncTransport, _ deed: Deed) {
    self.inner = inner
    self.deed = deed
  }

  package func call(_ call: ServiceCall) async throws(TransportFailure) -> ServiceReply {
    let number = count.withLock { count in
      count += 1
      return count
    }
    switch (deed, call.action) {
    case (.forgetsBatches, "records/modify") where number.isMultiple(of: 3):
      return ServiceReply(status: 200, body: forgetting(call))
    case (.refusesRecords, "records/modify"):
      return try await refusing(call) { _ in true }
    case (.refusesPurges, "records/modify"):
      return try await refusing(call) { $0.type?.isDelete ?? false }
    case (.skipsRecords, "changes/zone"):
      return skipping(try await inner.call(call))
    default: return try await inner.call(call)
    }
  }

  private func operations(of call: ServiceCall) -> [RecordOperation] {
    do { return try ModifyRequest(body: call.body ?? []).operations } catch { return [] }
  }

  private func forgetting(_ call: ServiceCall) -> [UInt8] {
    UnreliableNetwork.body(
      operations(of: call).map { operation in
        .record(
          WireRecord(
            recordName: operation.record.recordName, recordType: operation.record.recordType,
            recordChangeTag: "forgotten"))
      })
  }

  /// Refuses the operations that a condition holds for, and has the others carried out.
  private func refusing(
    _ call: ServiceCall, where isRefused: (RecordOperation) -> Bool
  ) async throws(TransportFailure) -> ServiceReply {
    var answers: [RecordResult] = operations(of: call).filter(isRefused).map { operation in
      var error = ServiceError(.badRequest, "never")
      error.recordName = operation.record.recordName
      return .failure(error)
    }
    guard !answers.isEmpty, var request = try? ModifyRequest(body: call.body ?? []) else {
      return try await inner.call(call)
    }
    request.operations.removeAll(where: isRefused)
    if !request.operations.isEmpty {
      var rest = call
      rest.body = request.body()
      let reply = try await inner.call(rest)
      guard let response = try? RecordsResponse(body: reply.body) else { return reply }
      answers += response.records
    }
    return ServiceReply(status: 200, body: UnreliableNetwork.body(answers))
  }

  /// Takes the first record of a person's out of a page.
  private func skipping(_ reply: ServiceReply) -> ServiceReply {
    guard let page = try? ZoneChangesResponse(body: reply.body),
      case .page(let first)? = page.zones.first,
      let victim = first.records.firstIndex(where: Self.isPersons)
    else { return reply }
    var records = first.records
    records.remove(at: victim)
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("zones")
      writer.array { writer in
        writer.object { writer in
          writer.member("zoneID", first.zoneID)
          writer.key("records")
          writer.array { writer in
            for case .record(let record) in records { record.write(to: &writer) }
          }
          writer.member("syncToken", first.syncToken)
          writer.member("moreComing", first.moreComing)
        }
      }
    }
    return ServiceReply(status: 200, headers: reply.headers, body: writer.bytes)
  }

  private static func isPersons(_ result: RecordResult) -> Bool {
    if case .record(let record) = result {
      !record.deleted && record.recordType == "Place"
    } else {
      false
    }
  }
}
