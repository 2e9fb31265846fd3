// One action of the machine, carried out: messages from records, records from messages, and what
// came of it. Each function is complete in itself; whatever is interrupted is safe to repeat.

internal import CloudKitWire
internal import RecordStore
internal import Records

struct SyncExchange: Sendable {
  let library: Library
  let client: ServiceClient
  let settings: SyncSettings

  /// Bytes of a batch's records: well below what a service takes in one body.
  static let batchBytesMax = 4_000_000
  /// Names of one lookup (reference 15).
  static let lookupMax = 200

  // MARK: Setup

  /// Who are we, is the zone there; then what waited for a newer model.
  func reach() async -> SyncSetup.Finding {
    var finding = await SyncSetup.reach(client, user: settings.user, hasZone: settings.hasZone)
    guard finding.answer.kind == .success, let user = finding.user else { return finding }
    do {
      try await library.updateSyncSettings { settings in
        settings.user = user
        settings.hasZone = true
      }
      if let answer = try await shareModel() { finding.answer = answer }
      try await takeHeld()
    } catch {
      finding.answer = Self.answer(to: error)
    }
    return finding
  }

  /// Takes in what was held back and can be read now that the model knows more.
  private func takeHeld() async throws {
    var page = RemotePage()
    for held in try await library.heldRecords(limit: 5_000) {
      guard let type = held.type, library.model.type(TypeID(trusted: type)) != nil,
        let record = Self.record(held)
      else { continue }
      if case .change(let change) = RecordReading.read(record, model: library.model, known: nil) {
        page.changes.append(change)
        page.released.append(held.name)
      }
    }
    if !page.changes.isEmpty { _ = try await library.apply(page) }
  }

  private static func record(_ held: HeldRecord) -> WireRecord? {
    do { return try WireRecord(body: held.message) } catch { return nil }
  }

  // MARK: Import

  func fetchPage(limit: Int) async -> (Answer, PageReport) {
    var report = PageReport()
    switch await client.changes(since: settings.token, limit: limit) {
    case .failure(let answer):
      // Only a token can be at fault in a request that never changes.
      let isTokenless = settings.token == nil && answer.kind == .code(.badRequest)
      return (isTokenless ? Answer(.unexpectedStatus, detail: answer.detail) : answer, report)
    case .message(let page, let bytes):
      guard let token = page.syncToken,
        !(page.moreComing && page.records.isEmpty && token == settings.token)
      else { return (Answer(.garbled, detail: "a page that leads nowhere"), report) }
      do {
        for case .record(let record) in page.records
        where record.recordName == ModelRecord.recordName {
          if let text = ModelRecord.text(of: record) {
            try await takeModel(text)
            try await takeHeld()
          }
        }
        var taken = try await incoming(page.records)
        taken.token = token
        taken.isLast = !page.moreComing
        report.counts = try await library.apply(taken)
        report.counts.bytes += bytes
        report.isLast = !page.moreComing
        if report.isLast, settings.comparing != nil {
          report.counts += try await library.finishComparison(deletion: RecordReading.tombstone)
        }
        report.sendable = try await library.pendingRecords(limit: 1).count
        return (.success, report)
      } catch {
        return (Self.answer(to: error), report)
      }
    }
  }

  /// What the records of a page stand for.
  private func incoming(_ results: [RecordResult]) async throws -> RemotePage {
    var page = RemotePage()
    let model = library.model
    let ids = results.compactMap { result -> RecordID? in
      guard case .record(let record) = result, let name = record.recordName else { return nil }
      return RecordNaming.id(of: name)
    }
    let copies = try await library.remoteCopies(ids)
    for result in results {
      guard case .record(let record) = result, let name = record.recordName else {
        if case .failure(let error) = result, let name = error.recordName {
          page.held.append(
            HeldRecord(
              name: name, type: nil, tag: nil, reason: error.code.rawValue, message: []))
        }
        continue
      }
      if name == ModelRecord.recordName { continue }
      let id = RecordNaming.id(of: name)
      let known = copies[id]
      if record.deleted {
        page.released.append(name)
        if let found = try await library.remoteReference(named: name, id: id) {
          page.changes.append(RecordReading.tombstone(found.reference, known: found.remote))
        }
      } else if let tag = record.recordChangeTag, known?.tag == tag {
        page.known.append(id)
      } else {
        let local = known == nil ? nil : try await local(record, id)
        switch RecordReading.read(record, model: model, known: known, local: local) {
        case .change(let change):
          page.changes.append(change)
        case .held(let held): page.held.append(held)
        }
      }
    }
    return page
  }

  /// The record here, where its sets may be needed to understand a foreign writer.
  private func local(_ record: WireRecord, _ id: RecordID) async throws -> RecordState? {
    guard let name = record.recordType, let type = library.model.type(TypeID(trusted: name)),
      type.fields.contains(where: { $0.merge == .union })
    else { return nil }
    return try await library.snapshot(type.id, id)?.state
  }

  // MARK: Export

  func sendBatch(limit: Int) async -> (Answer, BatchReport) {
    var report = BatchReport()
    do {
      // A type travels before its records.
      if let answer = try await shareModel() { return (answer, report) }
      let outgoing = try await outgoing(limit: limit, report: &report)
      if !outgoing.isEmpty {
        switch await client.modify(outgoing.map(\.operation)) {
        case .failure(let answer):
          report.counts.sent += outgoing.count
          return (answer, report)
        case .message(let response, let bytes):
          report.counts.sent += outgoing.count
          report.counts.bytes += bytes
          if let answer = try await settle(outgoing, response.records, report: &report) {
            return (answer, report)
          }
        }
      }
      report.sendable = try await library.pendingRecords(limit: 1).count
      return (.success, report)
    } catch {
      return (Self.answer(to: error), report)
    }
  }

  /// The next operations; sets aside what no service could take.
  private func outgoing(limit: Int, report: inout BatchReport) async throws -> [OutgoingRecord] {
    let model = library.model
    let pending = try await library.pendingRecords(limit: limit)
    let names = try await foreignNames(in: pending, model: model)
    var result: [OutgoingRecord] = []
    var neverSent: [Acknowledgement] = []
    var tooLarge: [(record: PendingRecord, reason: String, detail: String?)] = []
    var bytes = 0
    for record in pending {
      let type = model.type(record.reference.type)
      guard let outgoing = RecordWriting.outgoing(record, type: type, names: names) else {
        neverSent.append(
          Acknowledgement(reference: record.reference, number: record.number, remote: nil))
        continue
      }
      let size = RecordWriting.size(of: outgoing)
      guard size <= WireLimits.recordBytesMax else {
        tooLarge.append((record, "recordTooLarge", nil))
        continue
      }
      if bytes + size > Self.batchBytesMax, !result.isEmpty { break }
      bytes += size
      result.append(outgoing)
    }
    try await library.acknowledge(neverSent)
    try await library.park(tooLarge)
    report.counts.parked += tooLarge.count
    report.didMove = !neverSent.isEmpty || !tooLarge.isEmpty
    return result
  }

  /// The names of referenced records that other programs have named.
  private func foreignNames(
    in pending: [PendingRecord], model: Model
  ) async throws -> [RecordID: String] {
    var ids: Set<RecordID> = []
    for record in pending {
      for field in model.type(record.reference.type)?.fields ?? [] where field.type.target != nil {
        switch record.state?.settledValue(of: field) {
        case .reference(let id): ids.insert(id)
        case .references(let all): ids.formUnion(all)
        default: break
        }
      }
    }
    return try await library.remoteCopies(ids.filter { $0.version == 8 }).compactMapValues(\.name)
  }

  /// Acts on each entry of the answer.
  ///
  /// Returns what stops the whole batch.
  private func settle(
    _ outgoing: [OutgoingRecord], _ results: [RecordResult], report: inout BatchReport
  ) async throws -> Answer? {
    var byName: [String: RecordResult] = [:]
    for result in results {
      switch result {
      case .record(let record): if let name = record.recordName { byName[name] = result }
      case .failure(let error): if let name = error.recordName { byName[name] = result }
      }
    }
    var settlement = BatchSettlement()
    for record in outgoing { settlement.add(record, byName[record.name]) }
    try await library.acknowledge(settlement.acknowledged)
    try await library.park(settlement.parked)
    report.counts.acknowledged += settlement.acknowledged.count
    report.counts.parked += settlement.parked.count
    report.didMove =
      report.didMove || !settlement.acknowledged.isEmpty || !settlement.parked.isEmpty
    report.retry = settlement.retry
    var page = try await incoming(settlement.serverRecords.map { .record($0) })
    for name in settlement.lookups.chunks(of: Self.lookupMax) {
      switch await client.lookup(Array(name)) {
      case .failure(let answer): return answer
      case .message(let response, _):
        let found = try await incoming(response.records.filter(\.isRecord))
        page.changes += found.changes
        page.held += found.held
        page.known += found.known
        for case .failure(let error) in response.records where error.code == .notFound {
          if let name = error.recordName { settlement.gone.append(name) }
        }
      }
    }
    for record in outgoing where settlement.gone.contains(record.name) {
      let copy = record.pending.remote ?? RemoteCopy()
      page.changes.append(RecordReading.tombstone(record.pending.reference, known: copy))
    }
    if !page.changes.isEmpty || !page.held.isEmpty {
      report.counts += try await library.apply(page)
      report.didMove = true
    }
    return settlement.stop
  }

  // MARK: Comparing

  func compare(_ refusal: Answer) async -> Answer {
    let comparison: SyncComparison =
      switch refusal.kind {
      case .tokenRefused(.retention): .deleted
      case .tokenRefused(.future): .lost
      default: .unknown
      }
    do {
      try await library.beginComparison(comparison)
      return .success
    } catch {
      return Self.answer(to: error)
    }
  }

  static func answer(to error: any Error) -> Answer { Answer(.storeFailed, detail: "\(error)") }
}

extension RecordResult {
  fileprivate var isRecord: Bool { if case .record = self { true } else { false } }
}

extension Array {
  fileprivate func chunks(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}
