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
  /// The batch behind the one that is being acknowledged.
  let batches: BatchAhead

  /// Names of one lookup (reference 15).
  static let lookupMax = 200
  /// Held records that are taken in by one transaction.
  private static let heldPageMax = 500

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
    var last = ""
    while true {
      let all = try await library.heldRecords(
        of: library.model.types.map(\.id), after: last, limit: Self.heldPageMax)
      var page = RemotePage()
      for held in all {
        guard var record = Self.record(held) else { continue }
        if await complete(&record) != nil { continue }
        if case .change(let change) = RecordReading.read(record, model: library.model, known: nil) {
          page.changes.append(change)
          page.released.append(held.name)
        }
      }
      if !page.changes.isEmpty { _ = try await take(page) }
      guard let name = all.last?.name else { return }
      last = name
    }
  }

  private static func record(_ held: HeldRecord) -> WireRecord? {
    do { return try WireRecord(body: held.message) } catch { return nil }
  }

  // MARK: Import

  func fetchPage(limit: Int) async -> (Answer, PageReport) {
    var report = PageReport()
    var fetched: FetchedPage
    if let task = ahead.take(settings.token) {
      fetched = await task.value
    } else {
      fetched = await fetch(settings.token, limit: limit)
    }
    if fetched.isBare, case .message(let page, let bytes) = fetched.received {
      switch await completed(page, bytes: bytes, limit: limit) {
      case .failure(let answer): return (answer, report)
      case .message(let page, let bytes):
        fetched = FetchedPage(.message(page, bytes: bytes), model: fetched.model)
      }
    }
    switch fetched.received {
    case .failure(let answer):
      // Only a token can be at fault in a request that never changes.
      let isTokenless = settings.token == nil && answer.kind == .code(.badRequest)
      return (isTokenless ? Answer(.unexpectedStatus, detail: answer.detail) : answer, report)
    case .message(let page, let bytes):
      guard let token = page.syncToken,
        !(page.moreComing && page.records.isEmpty && token == settings.token)
      else { return (Answer(.garbled, detail: "a page that leads nowhere"), report) }
      ahead.read(page.records.count, isLast: !page.moreComing)
      if page.moreComing, page.records.count >= PageAhead.recordsMin {
        ahead.begin(token) { [self] in await fetch(token, limit: limit) }
      }
      do {
        try await takeModel(
          page.records.compactMap(\.living)
            .filter { TypeRecord.type(named: $0.recordName) != nil })
        var taken = try await incoming(page.records, fetched)
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

  /// A page, read as far as it can be without the library.
  private func fetch(_ token: String?, limit: Int) async -> FetchedPage {
    let isBare = ahead.expectsEcho
    let received = await client.changes(
      since: token, limit: limit, fields: isBare ? [] : nil)
    return FetchedPage(received, model: library.model, isBare: isBare)
  }

  /// A page of names and change tags, with the whole of what is not our own writing coming back.
  private func completed(
    _ page: ZoneChangesPage, bytes: Int, limit: Int
  ) async -> Received<ZoneChangesPage> {
    do {
      let names = page.records.compactMap { $0.living?.recordName }
      let copies = try await library.remoteCopies(
        names.filter { TypeRecord.type(named: $0) == nil }.map(RecordNaming.id))
      var wanted: [String] = []
      for record in page.records.compactMap(\.living) where !record.deleted {
        guard let name = record.recordName, let tag = record.recordChangeTag else { continue }
        if copies[RecordNaming.id(of: name)]?.tag != tag { wanted.append(name) }
      }
      var page = page
      var bytes = bytes
      var whole: [String: RecordResult] = [:]
      var gone: Set<String> = []
      for part in wanted.chunks(of: Self.lookupMax) {
        switch await client.lookup(Array(part)) {
        case .failure(let answer): return .failure(answer)
        case .message(let response, let more):
          bytes += more
          for result in response.records {
            switch result {
            case .record(let record): if let name = record.recordName { whole[name] = result }
            case .failure(let error):
              if error.code == .notFound, let name = error.recordName { gone.insert(name) }
            }
          }
        }
      }
      guard wanted.allSatisfy({ whole[$0] != nil || gone.contains($0) }) else {
        return await client.changes(since: settings.token, limit: limit)
      }
      // What is gone meanwhile comes later in the feed, as a deletion.
      page.records = page.records.compactMap { result in
        guard let name = result.living?.recordName else { return result }
        return gone.contains(name) ? nil : whole[name] ?? result
      }
      return .message(page, bytes: bytes)
    } catch {
      return .failure(Self.answer(to: error))
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
  ///
  /// - Parameter fetched: What was read of them already.
  func incoming(
    _ results: [RecordResult], _ fetched: FetchedPage? = nil
  ) async throws -> RemotePage {
    var page = RemotePage()
    let model = library.model
    let plain =
      fetched.map { $0.plain.count == results.count && $0.model == model ? $0.plain : [] } ?? []
    let ids = results.compactMap { result -> RecordID? in
      guard case .record(let record) = result, let name = record.recordName else { return nil }
      return RecordNaming.id(of: name)
    }
    let copies = try await library.remoteCopies(ids)
    for (place, result) in results.enumerated() {
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
        page.released.append(name)
      } else if known == nil, !plain.isEmpty, let found = plain[place],
        let type = record.recordType
      {
        page.changes.append(
          RemoteChange(
            reference: RecordReference(type: TypeID(trusted: type), id: id),
            content: .plain(found.state),
            remote: RemoteCopy(
              name: RecordNaming.keptName(name), tag: record.recordChangeTag,
              seen: found.seen.bytes)))
        page.released.append(name)
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
          page.released.append(name)
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
