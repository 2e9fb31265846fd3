// The way out: batches of pending records written, sent and settled. Whatever is interrupted is safe
// to repeat.

internal import CloudKitWire
internal import RecordStore
internal import Records

extension SyncExchange {
  /// Bytes of a batch's records: well below what a service takes in one body.
  static let batchBytesMax = 4_000_000

  /// Whether anything waits to be sent: 0 or more.
  func sendable() async throws -> Int {
    let isModelPending = try await hasModelToShare()
    return try await library.pendingRecords(limit: 1).count + (isModelPending ? 1 : 0)
  }

  func sendBatch(limit: Int) async -> (Answer, BatchReport) {
    var report = BatchReport()
    do {
      let records: [OutgoingRecord]
      let flight = batches.take(settings)
      if let flight {
        records = flight.records
      } else {
        // A type travels before its records.
        if let answer = try await shareModel(didMove: &report.didMove) { return (answer, report) }
        let (outgoing, stop) = try await outgoing(limit: limit, report: &report)
        if let stop { return (stop, report) }
        records = outgoing
      }
      if !records.isEmpty {
        // The next batch is written while the service works on this one.
        async let prepared = following(records, limit: limit)
        let received: Received<RecordsResponse>
        if let flight {
          received = await flight.reply.value
        } else {
          received = await client.modify(records)
        }
        report.counts.sent += records.count
        switch received {
        case .failure(let answer): return (answer, report)
        case .message(let response, let bytes):
          report.counts.bytes += bytes
          let next = try await prepared
          if !next.isEmpty, response.records.count == records.count,
            response.records.allSatisfy({ $0.living?.recordChangeTag != nil })
          {
            batches.begin(next, settings) { [client] in await client.modify(next) }
          }
          if let answer = try await settle(records, response.records, report: &report) {
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

  /// The plain records behind a large batch that is on its way; none where anything else comes next.
  private func following(
    _ sent: [OutgoingRecord], limit: Int
  ) async throws -> [OutgoingRecord] {
    guard sent.count >= BatchAhead.recordsMin, limit >= BatchAhead.recordsMin else { return [] }
    let model = library.model
    let pending = try await library.pendingRecords(limit: limit, beyond: sent.map(\.pending))
    let names = try await foreignNames(in: pending, model: model)
    var shapes = PlainShapes(model)
    var result: [OutgoingRecord] = []
    var bytes = 0
    for record in pending {
      guard let outgoing = shapes[record.reference.type]?.outgoing(record, names: names),
        bytes + outgoing.body.count <= Self.batchBytesMax
      else { break }
      bytes += outgoing.body.count
      result.append(outgoing)
    }
    return result.count >= BatchAhead.recordsMin ? result : []
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
    var shapes = PlainShapes(model)
    var result: [OutgoingRecord] = []
    var neverSent: [Acknowledgement] = []
    var withFiles: [(place: Int, spill: Spill, files: [NeededFile])] = []
    var bytes = 0
    for record in pending {
      let type = model.type(record.reference.type)
      let plain = shapes[record.reference.type]?.outgoing(record, names: names)
      guard let outgoing = plain ?? RecordWriting.outgoing(record, type: type, names: names) else {
        neverSent.append(
          Acknowledgement(reference: record.reference, number: record.number, remote: nil))
        continue
      }
      var spill = Spill()
      var size = outgoing.body.count
      if plain == nil, let type, let state = record.state {
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
    let pointing = model.types.filter { $0.fields.contains { $0.type.target != nil } }
    guard !pointing.isEmpty else { return [:] }
    for record in pending {
      guard let type = pointing.first(where: { $0.id == record.reference.type }),
        let state = record.state
      else { continue }
      for field in type.fields where field.type.target != nil {
        switch state.settledValue(of: field) {
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
    ahead.sent(settlement.acknowledged.count)
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
      // What the service never held can't be deleted there: it is sent again as a new record.
      guard let copy = record.pending.remote, copy.tag != nil else { continue }
      page.changes.append(RecordReading.tombstone(record.pending.reference, known: copy))
    }
    if !page.changes.isEmpty || !page.held.isEmpty {
      report.counts += try await take(page)
      report.didMove = true
    }
    return settlement.stop
  }
}
