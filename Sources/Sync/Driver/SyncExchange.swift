// One action of the machine, carried out: messages from records, records from messages, and what
// came of it. Each function is complete in itself; whatever is interrupted is safe to repeat.

internal import CloudKitWire
internal import RecordStore
internal import Records

struct SyncExchange: Sendable {
  let library: Library
  let client: ServiceClient
  let settings: SyncSettings
  /// The page behind the one that is being taken in.
  let ahead: PageAhead

  /// Bytes of a batch's records: well below what a service takes in one body.
  static let batchBytesMax = 4_000_000
  /// Names of one lookup (reference 15).
  static let lookupMax = 200

  // MARK: Setup

  /// Who are we, is the zone there; then what waited for a newer model.
  func reach() async -> SyncSetup.Finding {
    var finding = await SyncSetup.reach(client, user: settings.user, hasZone: settings.hasZone)
    if finding.answer.kind == .zoneGone { finding = await replaceZone(finding) }
    guard finding.answer.kind == .success, let user = finding.user else { return finding }
    do {
      try await library.updateSyncSettings { settings in
        settings.user = user
        settings.hasZone = true
      }
      var didMove = false
      if let answer = try await shareModel(didMove: &didMove) { finding.answer = answer }
      try await takeHeld()
    } catch {
      finding.answer = Self.answer(to: error)
    }
    return finding
  }

  /// The zone is gone: it is made anew once a person said what that means here.
  private func replaceZone(_ found: SyncSetup.Finding) async -> SyncSetup.Finding {
    do {
      if settings.comparing != .zoneGone { try await library.beginComparison(.zoneGone) }
      if let plan = try await library.syncPlan(), plan.needsDecision { return found }
      return await SyncSetup.reach(client, user: settings.user, hasZone: false)
    } catch {
      var failed = found
      failed.answer = Self.answer(to: error)
      return failed
    }
  }

  /// Takes in what was held back and can be read now that the model knows more.
  func takeHeld() async throws {
    var page = RemotePage()
    for held in try await library.heldRecords(limit: 5_000) {
      guard let type = held.type, library.model.type(TypeID(trusted: type)) != nil,
        var record = Self.record(held)
      else { continue }
      if await complete(&record) != nil { continue }
      if case .change(let change) = RecordReading.read(record, model: library.model, known: nil) {
        page.changes.append(change)
        page.released.append(held.name)
      }
    }
    if !page.changes.isEmpty { _ = try await take(page) }
  }

  private static func record(_ held: HeldRecord) -> WireRecord? {
    do { return try WireRecord(body: held.message) } catch { return nil }
  }

  // MARK: Import

  func fetchPage(limit: Int) async -> (Answer, PageReport) {
    var report = PageReport()
    let received: Received<ZoneChangesPage>
    if let task = ahead.take(settings.token) {
      received = await task.value
    } else {
      received = await client.changes(since: settings.token, limit: limit)
    }
    switch received {
    case .failure(let answer):
      // Only a token can be at fault in a request that never changes.
      let isTokenless = settings.token == nil && answer.kind == .code(.badRequest)
      return (isTokenless ? Answer(.unexpectedStatus, detail: answer.detail) : answer, report)
    case .message(let page, let bytes):
      guard let token = page.syncToken,
        !(page.moreComing && page.records.isEmpty && token == settings.token)
      else { return (Answer(.garbled, detail: "a page that leads nowhere"), report) }
      if page.moreComing, page.records.count >= PageAhead.recordsMin {
        ahead.begin(token) { [client] in await client.changes(since: token, limit: limit) }
      }
      do {
        try await takeModel(
          page.records.compactMap(\.living)
            .filter { TypeRecord.type(named: $0.recordName) != nil })
        var taken = try await incoming(page.records)
        taken.token = token
        taken.isLast = !page.moreComing
        report.counts = try await take(taken)
        report.counts.bytes += bytes
        report.isLast = !page.moreComing
        if report.isLast, settings.comparing != nil {
          guard try await repair(&report.counts) else {
            return (Answer(.planToConfirm), report)
          }
        }
        report.sendable = try await sendable()
        report.files = try await library.wantedContentCount()
        return (.success, report)
      } catch {
        return (Self.answer(to: error), report)
      }
    }
  }

  /// Takes a page in, as a device of our own if somebody else writes as ours.
  func take(_ page: RemotePage) async throws -> SyncCounts {
    do {
      return try await library.apply(page)
    } catch is CopiedDevice {
      try await library.becomeNewDevice()
      return try await library.apply(page)
    }
  }

  /// Settles what the zone does not hold any more; false: a person has to decide first.
  private func repair(_ counts: inout SyncCounts) async throws -> Bool {
    guard let plan = try await library.syncPlan() else { return true }
    guard let decision = plan.decision ?? plan.standing else { return false }
    counts += try await library.finishComparison(decision, deletion: RecordReading.tombstone)
    return true
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
      if TypeRecord.type(named: name) != nil { continue }
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
        var record = record
        if let answer = await complete(&record) {
          guard OutcomeTable.outcome(of: answer.kind, at: .file) == .park else {
            throw Obstacle(answer)
          }
          page.held.append(
            HeldRecord(
              name: name, type: record.recordType, tag: record.recordChangeTag,
              reason: "contentMissing", message: record.body()))
          continue
        }
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

  /// Whether anything waits to be sent: 0 or more.
  private func sendable() async throws -> Int {
    let isModelPending = try await hasModelToShare()
    return try await library.pendingRecords(limit: 1).count + (isModelPending ? 1 : 0)
  }

  func sendBatch(limit: Int) async -> (Answer, BatchReport) {
    var report = BatchReport()
    do {
      // A type travels before its records.
      if let answer = try await shareModel(didMove: &report.didMove) { return (answer, report) }
      let (outgoing, stop) = try await outgoing(limit: limit, report: &report)
      if let stop { return (stop, report) }
      if !outgoing.isEmpty {
        switch await client.modify(outgoing) {
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
      report.sendable = try await sendable()
      return (.success, report)
    } catch {
      return (Self.answer(to: error), report)
    }
  }

  /// The next operations, the files that they refer to sent; sets aside what no service could take.
  ///
  /// Answers also what stood in the way of sending files.
  private func outgoing(
    limit: Int, report: inout BatchReport
  ) async throws -> (records: [OutgoingRecord], stop: Answer?) {
    let model = library.model
    let pending = try await library.pendingRecords(limit: limit)
    let names = try await foreignNames(in: pending, model: model)
    var result: [OutgoingRecord] = []
    var neverSent: [Acknowledgement] = []
    var withFiles: [(place: Int, spill: Spill, files: [NeededFile])] = []
    var bytes = 0
    for record in pending {
      let type = model.type(record.reference.type)
      guard let outgoing = RecordWriting.outgoing(record, type: type, names: names) else {
        neverSent.append(
          Acknowledgement(reference: record.reference, number: record.number, remote: nil))
        continue
      }
      var spill = Spill()
      var size = outgoing.body.count
      if let type, let state = record.state {
        if size > RecordFiles.recordBytesMax {
          spill = RecordFiles.spill(state.travelling(in: type), type: type, bytes: size)
          size = RecordFiles.recordBytesMax
        }
        let files = RecordFiles.needed(by: record, type: type, spill: spill)
        if !files.isEmpty || !spill.isEmpty { withFiles.append((result.count, spill, files)) }
      }
      if bytes + size > Self.batchBytesMax, !result.isEmpty {
        withFiles.removeAll { $0.place == result.count }
        break
      }
      bytes += size
      result.append(outgoing)
    }
    try await library.acknowledge(neverSent)
    report.didMove = report.didMove || !neverSent.isEmpty
    let sent = try await send(withFiles.flatMap(\.files))
    report.counts.bytes += sent.bytes
    if let stop = sent.stop { return ([], stop) }
    var refused: [(record: PendingRecord, reason: String, detail: String?)] = []
    var left: Set<Int> = []
    for (place, spill, files) in withFiles {
      let record = result[place].pending
      if let answer = files.lazy.compactMap({ sent.refused[$0.hash] }).first {
        refused.append((record, Self.word(ofRefusedFile: answer), answer.detail))
        left.insert(place)
      } else if let outgoing = RecordWriting.outgoing(
        record, type: model.type(record.reference.type), names: names, assets: sent.assets,
        spill: spill)
      {
        result[place] = outgoing
      }
    }
    for (place, outgoing) in result.enumerated()
    where !left.contains(place) && outgoing.body.count > WireLimits.recordBytesMax {
      refused.append((outgoing.pending, "recordTooLarge", nil))
      left.insert(place)
    }
    try await library.park(refused)
    report.counts.parked += refused.count
    report.didMove = report.didMove || !refused.isEmpty
    return (result.enumerated().filter { !left.contains($0.offset) }.map(\.element), nil)
  }

  private static func word(ofRefusedFile answer: Answer) -> String {
    answer.kind == .tooLong ? "attachmentTooLarge" : answer.kind.word
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
        let found = try await incoming(response.records.filter { $0.living != nil })
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
      report.counts += try await take(page)
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
      case .tokenRefused(.recreated): .recreated
      default: .unknown
      }
    do {
      try await library.beginComparison(comparison)
      return .success
    } catch {
      return Self.answer(to: error)
    }
  }

  static func answer(to error: any Error) -> Answer {
    (error as? Obstacle)?.answer ?? Answer(.storeFailed, detail: "\(error)")
  }
}

/// What the service answered in the middle of something that can't go on without it.
struct Obstacle: Error {
  let answer: Answer

  init(_ answer: Answer) { self.answer = answer }
}

extension Array {
  func chunks(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}
